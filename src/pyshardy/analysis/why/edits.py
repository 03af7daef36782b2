"""Edits of a program's annotations that may change a sharding or spare a collective, and their effects when they are
tried.

An edit is proposed from ``blockers`` or ``collective_reasons``, carried out on a copy of the source program, propagated
and partitioned. Only edits with the intended effect are shown, with all their other effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pyshardy.analysis.cost.timed_plan import TimedPlan, with_timed_plan
from pyshardy.analysis.why.annotations import MANUAL, Annotation
from pyshardy.analysis.why.names import TracedNames
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.operation import BlockArgument, Value
from pyshardy.ir.types import TensorType
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.tensor import DimSharding, TensorSharding

SHARD, CONSTRAIN, REPLICATE, OPEN, POSTPONE = "shard", "constrain", "replicate", "open", "postpone"
EDIT_KINDS = {
    SHARD: "give an argument or result this sharding",
    CONSTRAIN: "constrain the result of an operation to this sharding",
    REPLICATE: "take an axis off a dimension",
    OPEN: "leave a closed dimension open",
    POSTPONE: "give a dimension a later priority",
}
"""Every kind of edit, and what it does."""


_NOTHING = 1e-9
"""A fraction of a step that counts as rounding error."""

Changes = tuple[tuple[Value | FunctionResult, TensorSharding], ...]
"""Tensors with their new shardings."""


@dataclass(frozen=True)
class Proposal:
    """An edit that has not been tried: ``target`` gets ``sharding``; each of ``changes``, the tensors with that name,
    gets its own sharding (by a constraint after the operation that makes it, if a constraint is proposed)."""

    kind: str
    text: str
    target: str
    sharding: TensorSharding
    changes: Changes

    @classmethod
    def of(cls, kind: str, text: str, target: str, given: Value | FunctionResult, sharding: TensorSharding) -> Proposal:
        """A proposal for one tensor."""
        return cls(kind, text, target, sharding, ((given, sharding),))


@dataclass(frozen=True)
class Effect:
    """What an edit changes: the bytes that each device receives in the collectives of the partition (every loop once,
    and with all iterations), the peak of its memory (with the tensor layouts of the hardware, if given), before and
    after; the number of tensors of the program whose sharding changed. With hardware ``seconds`` is the expected time
    of a step, and ``exposed`` the part for which computation waits for collectives; None without."""

    bytes_moved: float
    bytes_moved_before: float
    bytes_moved_in_a_run: float
    bytes_moved_in_a_run_before: float
    peak_memory: int
    peak_memory_before: int
    changed_tensors: int
    seconds: float | None = None
    seconds_before: float | None = None
    exposed: float | None = None
    exposed_before: float | None = None

    def as_json(self) -> dict[str, object]:
        """The effect as plain values; docs/explain.md describes the schema."""
        return fields_as_json(self, exposed="exposed_seconds", exposed_before="exposed_seconds_before")


@dataclass(frozen=True)
class Edit:
    """A proposal that has the intended effect, and all its effects; ``source`` is the program that it edits."""

    proposal: Proposal
    effect: Effect
    source: Module

    @property
    def edited(self) -> Module:
        """A copy of the source program with the edit carried out."""
        return edited(self.source, self.proposal)

    @property
    def text(self) -> str:
        """The edit in a sentence."""
        return self.proposal.text

    def as_json(self) -> dict[str, object]:
        """The edit as plain values."""
        return {
            "kind": self.proposal.kind,
            "text": self.proposal.text,
            "target": self.proposal.target,
            "sharding": self.proposal.sharding.body_text,
            "effect": self.effect.as_json(),
        }


class Proposals:
    """Makes proposals for ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames) -> None:
        self._traced = traced
        self._names = names

    def with_axis(
        self, given: Value | FunctionResult, slot: ShardingSlot, dim: int, axis: AxisRef
    ) -> Iterator[Proposal]:
        """``given`` sharded along ``axis`` in dimension ``dim``, with the rest of its final sharding, without that axis
        in another dimension."""
        shape = self._traced.shape(slot)
        now, own = self._traced.final_sharding(slot), self._traced.given_sharding(given)
        on = own if own is not None else now
        reference = on.mesh_or_ref if on is not None else self._traced.plan.mesh_name
        mesh = self._traced.meshes.get(reference) if isinstance(reference, str) else reference
        if reference is None or mesh is None or not axis.is_full or axis.name not in mesh.sizes:
            return
        dims = list(now.dims) if now is not None and now.rank == len(shape) else [DimSharding() for _ in shape]
        for index, one in enumerate(dims):
            left = [other for other in one.axes if not overlaps(other, axis)]
            dims[index] = DimSharding([*left, axis] if index == dim else left)
        if any(size % one.sharded_size(mesh) for size, one in zip(shape, dims, strict=True)):
            return
        sharding = TensorSharding(reference, dims)
        name = self._names.name(given)
        if self._is_at_boundary(given):
            text = f"shard {name} as {sharding.body_text}"
            yield Proposal.of(SHARD, text, name, given, sharding)
        elif isinstance(given, Value) and given.defining_op is not None:
            text = f"constrain {name} to {sharding.body_text}"
            yield Proposal.of(CONSTRAIN, text, name, given, sharding)

    def without_axis(self, annotation: Annotation, axis: AxisRef) -> Iterator[Proposal]:
        """``annotation`` without ``axis``."""
        sharding = annotation.sharding
        dims = [one.with_axes([has for has in one.axes if not overlaps(has, axis)]) for one in sharding.dims]
        replicated = [one for one in sharding.replicated if not overlaps(one, axis)]
        new = sharding.replace(dims=dims, replicated=replicated)
        if new is not sharding and _is_editable(annotation):
            text = f"take axis {axis.body_text} off {annotation.text}: {new.body_text}"
            yield Proposal.of(REPLICATE, text, annotation.name, annotation.given, new)

    def opened(self, annotation: Annotation, dim: int) -> Iterator[Proposal]:
        """``annotation`` with dimension ``dim`` open."""
        sharding = annotation.sharding
        if dim < sharding.rank and sharding.dims[dim].is_closed and _is_editable(annotation):
            new = _with_dim(sharding, dim, DimSharding(sharding.dims[dim].axes, False, sharding.dims[dim].priority))
            text = f"open dimension {dim} of {annotation.text}: {new.body_text}"
            yield Proposal.of(OPEN, text, annotation.name, annotation.given, new)

    def postponed(self, annotation: Annotation, dim: int | None, behind: int = 0) -> Iterator[Proposal]:
        """Dimension ``dim`` of ``annotation`` with a priority later than ``behind``."""
        sharding = annotation.sharding
        if dim is None or dim >= sharding.rank or not sharding.dims[dim].axes or not _is_editable(annotation):
            return
        one = sharding.dims[dim]
        if (one.priority or 0) <= behind:
            new = _with_dim(sharding, dim, DimSharding(one.axes, one.is_closed, behind + 1))
            text = f"give dimension {dim} of {annotation.text} priority {behind + 1}: {new.body_text}"
            yield Proposal.of(POSTPONE, text, annotation.name, annotation.given, new)

    def _is_at_boundary(self, given: Value | FunctionResult) -> bool:
        if isinstance(given, FunctionResult):
            return given.func is self._traced.main
        return isinstance(given, BlockArgument) and given.owner.parent_op is self._traced.main


def together(proposals: Sequence[Proposal], target: str) -> Proposal:
    """One proposal for the same edit of several tensors, whose common name is ``target``."""
    first = proposals[0]
    if len(proposals) == 1:
        return first
    text = first.text.replace(first.target, target)
    changes = dict(change for one in proposals for change in one.changes)
    return Proposal(first.kind, text, target, first.sharding, tuple(changes.items()))


def _with_dim(sharding: TensorSharding, dim: int, new: DimSharding) -> TensorSharding:
    return sharding.replace(dims=[new if index == dim else one for index, one in enumerate(sharding.dims)])


def _is_editable(annotation: Annotation) -> bool:
    """Whether the annotation can be changed without changing types: those in a manual computation depend on its
    shardings."""
    return annotation.kind != MANUAL


class Attempt(NamedTuple):
    """A proposal, and a test whether its trial has the intended effect."""

    proposal: Proposal
    does: Callable[[EditTrial], bool]


class EditTrials:
    """Tries edits of the program of ``traced``, each once. Shardings pass operations of CHLO if ``chlo_rules`` is true.
    With the plan ``timed`` effects are in seconds, too."""

    def __init__(self, traced: TracedProgram, *, chlo_rules: bool, timed: TimedPlan | None = None) -> None:
        self._traced = traced
        self._chlo_rules = chlo_rules
        self._timed = timed
        self._known: dict[Changes, EditTrial | None] = {}

    def first(self, attempts: Iterable[Attempt], *, wanted: int, tries: int) -> list[Edit]:
        """The edits of the first ``wanted`` of ``attempts`` that have their intended effect; at most ``tries`` are
        tried."""
        found: dict[Changes, Edit] = {}
        tried: set[Changes] = set()
        for attempt in attempts:
            key = attempt.proposal.changes
            if len(found) >= wanted or (key not in tried and len(tried) >= tries):
                break
            tried.add(key)
            trial = self.of(attempt.proposal)
            if trial is not None and key not in found and attempt.does(trial):
                found[key] = trial.edit(attempt.proposal)
        return list(found.values())

    def of(self, proposal: Proposal) -> EditTrial | None:
        """The trial of ``proposal``; None if the edited program cannot be propagated or partitioned."""
        if proposal.changes not in self._known:
            self._known[proposal.changes] = self._tried(proposal)
        return self._known[proposal.changes]

    def _tried(self, proposal: Proposal) -> EditTrial | None:
        before = self._traced

        def edit(program: Module, mapping: dict[Value, Value]) -> None:
            _carry_out(proposal, program, mapping, located=False)
            if not verify(program.op, program.context):
                raise program.context.failure()

        try:
            after = TracedProgram(before.source, chlo_rules=self._chlo_rules, numbering=before.numbering, edit=edit)
        except (PyshardyError, ValueError):
            return None
        return EditTrial(before, after, proposal, self._timed)


class _Seconds(NamedTuple):
    """The expected time of a ``step``, and the part of it for which computation ``waits`` for collectives."""

    step: float
    waits: float

    @classmethod
    def of(cls, timed: TimedPlan) -> _Seconds:
        step = timed.overlap.seconds
        return cls(step, max(0.0, step - timed.step.seconds))


class EditTrial:
    """The program before and after an edit, ``proposal``; ``timed`` is the plan before, if hardware is given."""

    def __init__(
        self, before: TracedProgram, after: TracedProgram, proposal: Proposal, timed: TimedPlan | None
    ) -> None:
        self.before = before
        self.after = after
        self.proposal = proposal
        self._timed = timed

    @cached_property
    def _seconds_after(self) -> _Seconds | None:
        """Those after the edit on the same hardware."""
        return None if self._timed is None else with_timed_plan(self.after.plan, self._timed.hardware, _Seconds.of)

    @property
    def gains(self) -> bool:
        """Whether a step takes less time; without hardware whether fewer bytes move."""
        after = self._seconds_after
        if after is not None and self._timed is not None:
            return after.step < self._timed.overlap.seconds * (1 - _NOTHING)
        return self.after.bytes_in_a_run < self.before.bytes_in_a_run

    @property
    def price(self) -> float:
        """The quantity to minimise: the seconds of a step, or without hardware the bytes that move."""
        return self.after.bytes_in_a_run if self._seconds_after is None else self._seconds_after.step

    def sharding(self, given: Value | FunctionResult) -> TensorSharding | None:
        """The final sharding of ``given`` after the edit."""
        slots = self.after.slots(given)
        return self.after.final_sharding(slots[0]) if slots else None

    def edit(self, proposal: Proposal) -> Edit:
        """The edit that this is a trial of."""
        return Edit(proposal, self.effect(), self.before.source)

    def effect(self) -> Effect:
        """The effects of the edit."""
        before, after = self.before.plan, self.after.plan
        return Effect(
            after.bytes_moved,
            before.bytes_moved,
            self.after.bytes_in_a_run,
            self.before.bytes_in_a_run,
            *self._peaks(),
            sum(map(self._has_changed, self._tensors())),
            *self._seconds(),
        )

    def _peaks(self) -> tuple[int, int]:
        """The peak of memory after and before, on hardware as that lays out tensors."""
        if self._timed is None:
            return self.after.plan.memory.peak, self.before.plan.memory.peak
        after = with_timed_plan(self.after.plan, self._timed.hardware, lambda timed: timed.memory.peak)
        return after, self._timed.memory.peak

    def _seconds(self) -> tuple[float | None, ...]:
        after = self._seconds_after
        if after is None or self._timed is None:
            return None, None, None, None
        before = _Seconds.of(self._timed)
        return after.step, before.step, after.waits, before.waits

    def _tensors(self) -> Iterator[Value | FunctionResult]:
        yield from self.before.given_values()
        yield from (FunctionResult(self.before.main, index) for index in range(self.before.result_count))

    def _has_changed(self, given: Value | FunctionResult) -> bool:
        before = {self.before.layout(one) for one in self.before.slots(given)}
        return before != {self.after.layout(one) for one in self.after.slots(given)}


def edited(given: Module, proposal: Proposal, mapping: dict[Value, Value] | None = None) -> Module:
    """A copy of ``given`` with ``proposal`` carried out; ``mapping`` receives its values for those of ``given``."""
    values = {} if mapping is None else mapping
    made = given.with_op(rewriting.clone(given.op, values), given.context.fork())
    made.notes = list(given.notes)
    _carry_out(proposal, made, values, located=True)
    return made


def _carry_out(proposal: Proposal, program: Module, mapping: dict[Value, Value], *, located: bool) -> None:
    """Changes ``program``; a new constraint gets the location of the operation that it constrains if ``located``, else
    none."""
    for given, sharding in proposal.changes:
        if isinstance(given, FunctionResult):
            func = next(op for op in program.op.body if op.symbol_name == given.func.symbol_name)
            placement.set_function_result_sharding(func, given.number, sharding)
        elif proposal.kind == CONSTRAIN:
            _constrain(mapping[given], sharding, located)
        else:
            placement.set_sharding(mapping[given], sharding)


def _constrain(value: Value, sharding: TensorSharding, located: bool) -> None:
    assert isinstance(value.type, TensorType) and value.defining_op is not None
    constraint = rewriting.create(
        "sdy.sharding_constraint",
        [value],
        [value.type],
        DictionaryAttr({"sharding": sharding}),
        location=value.defining_op.location if located else None,
    )
    rewriting.insert_after_definition(value, constraint)
    rewriting.replace_all_uses_except(value, constraint.result, constraint)
