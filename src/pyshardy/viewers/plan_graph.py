"""A plan as a graph for viewers: the source operations nested by scope, each with its sharding, cost and causes.

It does not depend on a viewer: nodes have texts and figures, edges are numbers. The figures are those of ``analysis``;
``model_explorer`` gives the graph to that viewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.operation_times import operation_times
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.analysis.source_costs import bytes_by_source, seconds_by_source
from pyshardy.analysis.why.chains import Trail
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.account.memory_model import type_bytes
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.reading.sharding_files.paths import path_of_scope, plain_scope
from pyshardy.reading.tensors import shape_on_device
from pyshardy.report.words import one_line, seconds_text, short_name, size_text
from pyshardy.sharding.axes import AxisRef

MOVED, MEMORY, TIME = FIGURES = ("bytes received", "bytes on a device", "microseconds")
"""The figures of a node: bytes that a device receives in the collectives that it needs, bytes of its results on a
device, and the seconds of both on given hardware."""
_STEP = 60
_MOST_CAUSES = 6
_NESTED = frozenset(
    {
        "sdy.manual_computation",
        "sdy.named_computation",
        "stablehlo.case",
        "stablehlo.if",
        "stablehlo.while",
    }
)
"""Operations whose regions are shown, since they work on tensors; regions on scalars, as in reducers, are not."""


@dataclass
class Node:
    """An operation, or an argument or result of the program. ``sources`` are the nodes and numbers of results that it
    reads, ``outputs`` has a few texts for each result, ``calls`` is the function that it calls."""

    id: str
    label: str
    scope: tuple[str, ...]
    texts: dict[str, str] = field(default_factory=dict)
    sources: list[tuple[str, int]] = field(default_factory=list)
    outputs: list[dict[str, str]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    calls: str = ""


@dataclass
class Graph:
    """A function."""

    name: str
    nodes: list[Node]


def plan_graphs(explainer: Explainer, hardware: Hardware | None = None) -> list[Graph]:
    """The functions of the program of ``explainer``, the main one first; with times on ``hardware`` if that is given.

    Raises:
        HardwareProblem: the mesh does not fit the hardware.
    """
    return _Graphs(explainer, hardware).listed()


class _Graphs:
    def __init__(self, explainer: Explainer, hardware: Hardware | None) -> None:
        self._names = explainer.names
        self._explainer = explainer
        self._traced = explainer.traced
        self._bytes = bytes_by_source(self._traced)
        times = operation_times(TimedPlan(self._traced.plan, hardware)) if hardware is not None else None
        self._seconds = seconds_by_source(self._traced, times) if times is not None else {}
        self._needed: dict[Operation, list[Collective]] = {}
        for one in self._traced.plan.collectives:
            given = self._traced.needing(one)
            if given is not None:
                self._needed.setdefault(given, []).append(one)
        self._made: dict[Value, tuple[str, int]] = {}
        self._origins: dict[int, tuple[Trail, str]] = {}
        self._count = 0

    def listed(self) -> list[Graph]:
        main = self._traced.main
        every = [main, *(one for one in functions(self._traced.source.op) if one is not main and one.regions[0].blocks)]
        return [Graph(_text(one.symbol_name or "main"), list(self._function(one))) for one in every]

    def _function(self, function: Operation) -> Iterator[Node]:
        for argument in function.body.arguments:
            node = self._node(_text(self._names.name(argument)), ("arguments",))
            self._add_result(node, argument)
            yield node
        yield from self._block_nodes(list(function.body), ())
        for number, value in enumerate(function.body.terminator.operands):
            given = FunctionResult(function, number)
            node = self._node(_text(self._names.name(given)), ("results",))
            node.texts = self._tensor_texts(given)
            node.sources = self._sources([value])
            yield node

    def _block_nodes(self, operations: list[Operation], around: tuple[str, ...]) -> Iterator[Node]:
        for op in operations:
            if op.traits & TERMINATOR or op.name == "sdy.mesh":
                continue
            own = tuple(map(_step_text, plain_scope(path_of_scope(self._names.location(op).scope))))
            scope = own or around
            node = self._node(short_name(op.name), scope)
            if op.name in _NESTED:
                inside = (*scope, f"{node.label} {node.id}")
                for number, region in enumerate(op.regions):
                    for block in region.blocks:
                        for argument in block.arguments:
                            given = self._node(f"{_REGIONS.get((op.name, number), 'region')} argument", inside)
                            self._add_result(given, argument)
                            if argument.index < len(op.operands):
                                given.sources = self._sources([op.operands[argument.index]])
                            yield given
                        yield from self._block_nodes(list(block), inside)
                ends = [block.terminator for region in op.regions for block in region.blocks]
                read = [value for end in ends for value in end.operands]
                has_arguments = any(block.arguments for region in op.regions for block in region.blocks)
                node.sources = self._sources([*([] if has_arguments else op.operands), *read])
            else:
                node.sources = self._sources(op.operands)
            self._describe(node, op)
            yield node

    def _node(self, label: str, scope: tuple[str, ...]) -> Node:
        self._count += 1
        return Node(str(self._count - 1), label, scope)

    def _sources(self, values: list[Value]) -> list[tuple[str, int]]:
        return [self._made[value] for value in dict.fromkeys(values) if value in self._made]

    def _describe(self, node: Node, op: Operation) -> None:
        for result in op.results:
            self._add_result(node, result)
        where = self._names.location(op)
        for key, text in (("source", where.place), ("scope", where.inner_scope)):
            if text:
                node.texts[key] = _text(text)
        moved, seconds = self._bytes.get(op, 0.0), self._seconds.get(op, 0.0)
        node.figures[MOVED] = moved
        if self._seconds:
            node.figures[TIME] = 1e6 * seconds
            node.texts["time"] = seconds_text(seconds)
        if moved:
            node.texts["a device receives"] = size_text(moved)
        for number, one in enumerate(self._needed.get(op, [])[:_MOST_CAUSES], 1):
            axes = ", ".join(axis.body_text for axis in one.axes)
            text = f"{one.kind} {axes}: {size_text(one.bytes)}; {self._explainer.reasons.at(one).text}"
            node.texts[f"needs {number}"] = _text(text)
        if op.name == "func.call":
            node.calls = _text(callee(op))

    def _add_result(self, node: Node, value: Value) -> None:
        number = len(node.outputs)
        self._made[value] = node.id, number
        texts = self._tensor_texts(value)
        node.outputs.append(texts)
        suffix = f" {number}" if number else ""
        node.texts |= {f"{key}{suffix}": text for key, text in texts.items()}
        node.figures[MEMORY] = node.figures.get(MEMORY, 0.0) + type_bytes(self._local_type(value))

    def _tensor_texts(self, given: Value | FunctionResult) -> dict[str, str]:
        """Name, type, sharding, local type, and the annotation that each axis comes from."""
        slots = self._traced.slots(given)
        sharding = self._traced.final_sharding(slots[0]) if slots else None
        local = self._local_type(given)
        texts = {
            "tensor": self._names.name(given),
            "type": str(self._traced.type(given)),
            "sharding": sharding.body_text if sharding is not None else "no sharding",
            "on a device": f"{local}, {size_text(type_bytes(local))}",
        }
        for dim, one in enumerate(sharding.dims if sharding is not None and slots else ()):
            for axis in one.axes:
                texts[f"why {axis.body_text}"] = f"dimension {dim}, from {self._origin(slots[0], dim, axis)}"
        return {_text(key): _text(text) for key, text in texts.items()}

    def _origin(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> str:
        """The annotation that the chain of an axis begins with."""
        trail: Trail | None = self._explainer.chains.trail(slot, dim, axis)
        passed: list[Trail] = []
        found = "the passes"
        while trail is not None:
            if id(trail) in self._origins:
                found = self._origins[id(trail)][1]
                break
            passed.append(trail)
            if trail.origin is not None:
                found = trail.origin.text
            trail = trail.earlier
        self._origins |= {id(one): (one, found) for one in passed}
        return found

    def _local_type(self, given: Value | FunctionResult) -> Type:
        type = self._traced.type(given)
        slots = self._traced.slots(given)
        sharding = self._traced.final_sharding(slots[0]) if slots else None
        if not isinstance(type, TensorType) or not type.has_static_shape:
            return type
        return type.with_shape(shape_on_device(type, sharding, self._traced.meshes))


_REGIONS = {("stablehlo.while", 0): "condition", ("stablehlo.while", 1): "body"}


def _text(text: str) -> str:
    return one_line(text, 300)


def _step_text(step: str) -> str:
    """A component of a scope, without slashes and semicolons, at which viewers split."""
    return one_line(step, _STEP).replace("/", "|").replace(";", ",") or "_"
