"""The data of the page of a plan, as columns of plain values: the contents of the document's data element.

Names and shardings come from the explained program, times from its cost. Each text is stored once, in ``texts``, and
referred to by its number; a chain of steps is referred to by the number of its last step, which has the number of the
step before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyshardy.analysis.source_costs import bytes_by_source, seconds_by_source
from pyshardy.analysis.why.chains import Trail
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.dialects.control_flow import CONTROL_FLOW
from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, tensor_shape
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.reading.tensors import shape_on_device
from pyshardy.report.page.program_paths import ProgramPaths
from pyshardy.report.page.texts import Texts, plain_type, rounded
from pyshardy.report.page.tried_edits import TriedEdit
from pyshardy.report.words import short_name
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.analysis.cost.operation_times import OperationTimes

Json = dict[str, Any]

_COLUMNS = (
    "name",
    "value",
    "type",
    "sharding",
    "local",
    "bytes",
    "operation",
    "mesh",
    "shape",
    "dims",
    "replicated",
)


class _Tensors:
    """The tensors of the page: arguments, results of the program, results of operations."""

    def __init__(self) -> None:
        self.numbers: dict[Value | FunctionResult, int] = {}
        self.slots: list[ShardingSlot | None] = []
        self.columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}


class PageData:
    """The data of one page, for the program that ``explainer`` has partitioned; ``times`` are those of its operations
    and collectives on some hardware, None if none was named; ``edits`` are those that were tried and gain something, by
    the collectives that they are for; ``paths`` has the scopes of operations."""

    def __init__(
        self,
        explainer: Explainer,
        times: OperationTimes | None,
        edits: Mapping[int, TriedEdit],
        paths: ProgramPaths,
    ) -> None:
        self._edits = edits
        self._paths = paths
        self._explainer = explainer
        self._traced = explainer.traced
        self._times = times
        self.texts = Texts()
        self._steps: dict[int, int] = {}
        self._step_columns: dict[str, list[int]] = {
            name: [] for name in ("earlier", "operation", "name", "direction", "source", "target")
        }
        self._origins: dict[object, int] = {}
        self._origin_rows: list[list[int]] = []
        self._contributed: Counter[int] = Counter()
        self.operation_numbers: dict[Operation, int] = {}
        self._meshes = self._traced.meshes
        self._mesh_numbers = {name: number for number, name in enumerate(self._meshes)}

    def as_json(self) -> Json:
        """The columns."""
        operations, tensors = self._operations_and_tensors()
        chains, not_, reshards = self._reasons(tensors)
        collectives, moves = self._collectives(operations, tensors)
        stages, growth = self._propagation()
        return {
            "meshes": [self._mesh(name, mesh) for name, mesh in self._meshes.items()],
            "operations": operations,
            "tensors": tensors.columns,
            "chains": chains,
            "not": not_,
            "reshards": reshards,
            "steps": self._step_columns,
            "origins": self._origin_rows,
            "collectives": collectives,
            "moves": moves,
            "edits": [[one.text, one.effect, one.lines] for one in self._listed_edits],
            "stages": stages,
            "growth": growth,
            "contributions": self._contributions(),
            "scopes": self._scopes,
            "texts": self.texts.listed,
        }

    @staticmethod
    def _mesh(name: str, mesh: Mesh) -> Json:
        return {
            "name": name,
            "axes": [[axis.name, axis.size] for axis in mesh.axes],
            "total": mesh.total_size,
            "devices": list(mesh.device_ids) or None,
        }

    # --- operations and tensors ---------------------------------------------------------------------------------------

    def _operations_and_tensors(self) -> tuple[Json, _Tensors]:
        columns: Json = {name: [] for name in ("name", "label", "scope", "place", "results", "seconds", "bytes")}
        tensors = _Tensors()
        scopes: dict[tuple[str, ...], int] = {}
        for argument in self._traced.main.body.arguments:
            self._tensor(tensors, argument, -1)
        seconds = seconds_by_source(self._traced, self._times) if self._times is not None else {}
        moved = bytes_by_source(self._traced)
        for function in functions(self._traced.source.op):
            for op in function.walk():
                if op is function or op.traits & TERMINATOR or not _is_shown(op):
                    continue
                number = self.operation_numbers[op] = len(columns["name"])
                location = self._explainer.names.location(op)
                scope, label = self._paths.of(op)
                columns["label"].append(self.texts.number(label))
                columns["name"].append(self.texts.number(short_name(op.name)))
                columns["scope"].append(scopes.setdefault(scope, len(scopes)))
                columns["place"].append(self.texts.number(location.place))
                columns["seconds"].append(rounded(seconds.get(op, 0.0)))
                columns["bytes"].append(round(moved.get(op, 0.0)))
                columns["results"].append([self._tensor(tensors, one, number) for one in op.results])
        for result in self._results():
            self._tensor(tensors, result, -1)
        self._scopes = list(map(list, scopes))
        return columns, tensors

    def _tensor(self, tensors: _Tensors, given: Value | FunctionResult, operation: int) -> int:
        number = tensors.numbers[given] = len(tensors.slots)
        slots = self._traced.slots(given)
        slot = slots[0] if slots else None
        sharding = self._traced.final_sharding(slot) if slot is not None else None
        type = self._traced.type(given)
        names, texts = self._explainer.names, self.texts
        shape = tensor_shape(type)
        local = type
        if isinstance(type, TensorType):
            local = type.with_shape(shape_on_device(type, sharding, self._meshes))
        row = {
            "name": texts.number(names.name(given)),
            "value": texts.number(names.symbol(given)),
            "type": texts.number(plain_type(str(type))),
            "sharding": texts.number(sharding.body_text if sharding is not None else ""),
            "local": texts.number(plain_type(str(local))),
            "bytes": type_bytes(local),
            "operation": operation,
            "mesh": self._mesh_number(sharding),
            "shape": list(shape),
            "dims": _dims(sharding, len(shape)),
            "replicated": int(sharding is None or sharding.is_fully_replicated),
        }
        for name, value in row.items():
            tensors.columns[name].append(value)
        tensors.slots.append(slot)
        return number

    def _mesh_number(self, sharding: TensorSharding | None) -> int:
        reference = sharding.mesh_or_ref if sharding is not None else None
        return self._mesh_numbers.get(reference, 0) if isinstance(reference, str) else 0

    # --- chains and blockers ------------------------------------------------------------------------------------------

    def _reasons(self, tensors: _Tensors) -> tuple[Json, Json, Json]:
        chains: Json = {}
        not_: Json = {}
        reshards: Json = {}
        for given, number in tensors.numbers.items():
            slot = tensors.slots[number]
            if slot is None:
                continue
            sharding = self._traced.final_sharding(slot)
            rows = []
            for dim, one in enumerate(sharding.dims if sharding is not None else ()):
                for axis in one.axes:
                    last = self._step(self._explainer.chains.trail(slot, dim, axis))
                    rows.append([dim, self.texts.number(axis.body_text), last])
            if rows:
                chains[str(number)] = rows
            blockers = [
                [dim, self.texts.number(one.axis.body_text), self.texts.number(one.text)]
                for dim in range(len(self._traced.shape(slot)))
                for one in self._explainer.blockers.of(slot, dim, asked=True)
            ]
            if blockers:
                not_[str(number)] = blockers
            before = self._resharded(given)
            if before is not None and sharding is not None:
                place = self._explainer.names.location(given).place
                texts = (before.body_text, sharding.body_text, place or "here")
                reshards[str(number)] = [list(map(self.texts.number, texts))]
        return chains, not_, reshards

    def _resharded(self, given: Value | FunctionResult) -> TensorSharding | None:
        """The sharding of the operand of a constraint, if it differs from the constraint."""
        op = given.defining_op if not isinstance(given, FunctionResult) else None
        if op is None or op.name != "sdy.sharding_constraint":
            return None
        before = [self._traced.final_sharding(one) for one in self._traced.slots(op.operands[0])]
        after = [self._traced.final_sharding(one) for one in self._traced.slots(op.results[0])]
        if not before or not after or before[0] is None or before[0] is after[0]:
            return None
        return before[0]

    def _step(self, trail: Trail) -> int:
        """The number of the last step of ``trail``; for an empty trail -1 minus the number of its origin."""
        waiting: list[Trail] = []
        one: Trail | None = trail
        number = 0
        while one is not None:
            known = self._steps.get(id(one))
            if known is not None:
                number = known
                break
            if one.step is None:
                number = self._steps[id(one)] = -1 - self._origin(one)
                break
            waiting.append(one)
            one = one.earlier
        for late in reversed(waiting):
            assert late.step is not None
            step, texts = late.step, self.texts
            given = self.operation_numbers.get(late.step.given, -1) if late.step.given is not None else -1
            row = {
                "earlier": number,
                "operation": given,
                "name": texts.number(short_name(step.operation) if step.operation != "func.func" else "the return"),
                "direction": texts.number(step.direction),
                "source": texts.number(f"{step.source} dimension {step.source_dim}"),
                "target": texts.number(f"{step.target} dimension {step.target_dim}"),
            }
            number = self._steps[id(late)] = len(self._step_columns["earlier"])
            for name, value in row.items():
                self._step_columns[name].append(value)
        start = number
        while start >= 0:
            start = self._step_columns["earlier"][start]
        self._contributed[-1 - start] += 1
        return number

    def _origin(self, trail: Trail) -> int:
        origin = trail.origin
        key = origin.given if origin is not None else None
        if key not in self._origins:
            self._origins[key] = len(self._origin_rows)
            texts = (origin.text, origin.sharding.body_text) if origin is not None else ("the passes", "")
            self._origin_rows.append(list(map(self.texts.number, texts)))
        return self._origins[key]

    def _contributions(self) -> list[list[int]]:
        return [[*self._origin_rows[origin], count] for origin, count in self._contributed.most_common(100)]

    # --- communication ------------------------------------------------------------------------------------------------

    def _collectives(self, operations: Json, tensors: _Tensors) -> tuple[Json, Json]:
        columns: Json = {
            name: [] for name in ("kind", "axes", "bytes", "turns", "seconds", "operation", "reason", "pair", "edit")
        }
        needed: dict[str, list[int]] = {}
        moves: dict[str, list[int]] = {}
        times = self._times.collectives if self._times is not None else {}
        numbers = {id(edit): number for number, edit in enumerate(self._listed_edits)}
        edits = {key: numbers[id(edit)] for key, edit in self._edits.items()}
        for number, one in enumerate(self._traced.plan.collectives):
            reason = self._explainer.reasons.at(one)
            op = self.operation_numbers.get(reason.operation, -1) if reason.operation is not None else -1
            pair = " and ".join(annotation.text for annotation in reason.annotations)
            if reason.sums:
                pair = f"sums over what is sharded by {pair}"
            row = {
                "kind": self.texts.number(one.kind),
                "axes": self.texts.number(axes_text(one.axes).strip("{}") if one.axes else ""),
                "bytes": round(one.bytes),
                "turns": one.turns,
                "seconds": rounded(times.get(one.op, 0.0)),
                "operation": op,
                "reason": self.texts.number(reason.text),
                "pair": self.texts.number(_folded(pair)),
                "edit": edits.get(id(one), -1),
            }
            for name, value in row.items():
                columns[name].append(value)
            if op >= 0:
                needed.setdefault(str(op), []).append(number)
            given = self._traced.numbering.value(one.tensor) if one.tensor is not None else None
            if given is not None and given in tensors.numbers:
                moves.setdefault(str(tensors.numbers[given]), []).append(number)
        operations["collectives"] = needed
        return columns, moves

    @cached_property
    def _listed_edits(self) -> list[TriedEdit]:
        return list({id(edit): edit for edit in self._edits.values()}.values())

    # --- propagation over time ----------------------------------------------------------------------------------------

    def _propagation(self) -> tuple[list[Any], Json]:
        """The stages by user priority and op priority, each with its steps by annotation; and the number of sharded
        tensors over the steps."""
        journal = self._traced.journal
        sharded: set[ShardingSlot] = set()
        curve: list[int] = []
        stages: list[list[Any]] = []
        counts: Counter[str] = Counter()
        sharded.update(self._annotated())
        given = len(sharded)
        last: tuple[int, int] | None = None
        for change in journal.changes:
            key = (change.user_priority, change.op_priority)
            if key != last:
                _finish(stages, counts, len(sharded), self.texts)
                counts = Counter()
                stages.append([self.texts.number(_stage_name(*key))])
                last = key
            for index, new in change.written:
                slot = change.action.slots[index]
                if slot is not None and any(dim.axes for dim in new.dims):
                    sharded.add(slot)
            counts[short_name(change.op.name)] += 1
            curve.append(len(sharded))
        _finish(stages, counts, len(sharded), self.texts)
        self.curve = [given, *curve]
        return stages, {"given": given, "sharded": len(sharded), "changes": len(journal.changes)}

    def _annotated(self) -> Iterable[ShardingSlot]:
        """The slots that are sharded before propagation begins."""
        everything: list[Value | FunctionResult] = [*self._traced.given_values(), *self._results()]
        for given in everything:
            sharding = self._traced.given_sharding(given)
            if sharding is not None and any(dim.axes for dim in sharding.dims):
                yield from self._traced.slots(given)

    def _results(self) -> list[FunctionResult]:
        return [FunctionResult(self._traced.main, index) for index in range(self._traced.result_count)]


def _finish(stages: list[list[Any]], counts: Mapping[str, int], sharded: int, texts: Texts) -> None:
    """Ends the last of ``stages``."""
    if stages and len(stages[-1]) == 1:
        most = Counter(counts).most_common(8)
        stages[-1] += [sum(counts.values()), sharded, [[texts.number(name), count] for name, count in most]]


_STAGES = (
    "what only passes data through, used once",
    "what only passes data through",
    "factors that only pass through, forward and backward",
    "all factors, broadcasts backward only",
    "everything",
    "everything at once",
)


def _stage_name(user: int, op: int) -> str:
    return f"priority {user}, op priority {op}: {_STAGES[op]}"


def _is_shown(op: Operation) -> bool:
    """Whether the page shows the operation: not those on scalars inside reducers and comparators."""
    parent = op.parent_op
    if parent is None or op.name in ("sdy.mesh", "sdy.sharding_group"):
        return False
    return parent.name in ("func.func", "sdy.manual_computation") or parent.name in CONTROL_FLOW


def _dims(sharding: TensorSharding | None, rank: int) -> list[list[list[Any]]]:
    """For each dimension its axes as name, pre-size and size of the sub-axis (0 for a full one)."""
    if sharding is None or sharding.rank != rank:
        return [[] for _ in range(rank)]
    return [[[axis.name, axis.pre, axis.sub_size or 0] for axis in dim.axes] for dim in sharding.dims]


def _folded(text: str) -> str:
    """``text`` with stars for numbers of values and layers, so that causes that differ in these are counted as one."""
    return re.sub(r"\d+(?=[\]'\"])|(?<=%)\d+", "*", text)
