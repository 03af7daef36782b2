"""The chain of steps along which an axis came to a dimension of a tensor, from the annotation that started it.

Steps are not reconstructed from the result: each is a recorded step of propagation (``history``), followed backwards
from the tensor to the annotation. ``blockers`` also uses the chains of axes that block others.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.why.annotations import Annotation, Annotations
from pyshardy.analysis.why.failed_conditions import FailedCondition, failed_condition
from pyshardy.analysis.why.history import Event, has_axis
from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.traced_program import PROPAGATION, TracedProgram
from pyshardy.ir.json_fields import fields_as_json
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.factor_strategies import Projection
from pyshardy.propagation.handovers import Handover
from pyshardy.propagation.journal import Change
from pyshardy.propagation.sharding_origins import axis_name
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, axes_text, contains, overlap, overlaps
from pyshardy.sharding.rule import dim_with, factor_symbol
from pyshardy.sharding.tensor import TensorSharding

FORWARD, BACKWARD, ACROSS, GROUP = "forward", "backward", "across", "group"
DIRECTIONS = (FORWARD, BACKWARD, ACROSS, GROUP)
"""From an operand to a result, the other way, from operand to operand or result to result, within a sharding group."""


@dataclass(frozen=True)
class ChainStep:
    """One step of a chain: at ``operation`` the tensor ``target`` got the axis in dimension ``target_dim`` from
    dimension ``source_dim`` of ``source``, which had ``source_sharding`` then. ``priority`` is the user's,
    ``op_priority`` that of the kind of operation; ``rule`` and ``factor`` are those along which it propagated, empty
    within a group or from a constraint to its operand. ``taken`` are the axes that the target has along the factor
    after the step, ``cut_off`` is the condition that stopped further axes of the source, if any. ``given`` is the
    operation of the source program, None if a pass made it."""

    priority: int
    op_priority: int
    pass_name: str
    operation: str
    location: SourceLocation
    rule: str
    factor: str
    source: str
    source_dim: int
    source_sharding: str
    target: str
    target_dim: int
    direction: str
    taken: str
    cut_off: FailedCondition | None
    given: Operation | None

    def as_json(self) -> dict[str, object]:
        """The step as plain values; docs/explain.md describes the schema."""
        names = {"pass_name": "pass", "source": "from", "source_dim": "from_dim", "source_sharding": "from_sharding"}
        names |= {"target": "to", "target_dim": "to_dim"}
        found = fields_as_json(self, left_out=("cut_off", "given"), **names)
        return {**found, "cut_off": self.cut_off.cause if self.cut_off is not None else None}


_Found = tuple[ChainStep, ShardingSlot | Annotation, int, AxisRef | None]
"""A step, and its source: slot, dimension, and the part of the axis that the slot has; None if the chain ends at the
annotation there."""

_Key = tuple[ShardingSlot, int, AxisRef, int]
"""Slot, dimension, axis, and the number of the change that added it, -1 if it was there before propagation."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A chain as a linked list from its end: the last ``step`` and the ``earlier`` trail, both None at the
    ``origin``."""

    step: ChainStep | None
    earlier: Trail | None
    origin: Annotation | None
    origin_dim: int


@dataclass(frozen=True)
class Chain:
    """How ``axis`` came to a dimension: ``steps``, the first one first, from the ``origin``, where it shards dimension
    ``origin_dim``; the origin is None only if a pass made the sharding."""

    axis: AxisRef
    steps: tuple[ChainStep, ...]
    origin: Annotation | None
    origin_dim: int

    @property
    def priority(self) -> int:
        """The user priority of the axis at its origin."""
        if self.origin is None or self.origin_dim >= self.origin.sharding.rank:
            return 0
        return self.origin.sharding.dims[self.origin_dim].priority or 0

    def as_json(self) -> dict[str, object]:
        """The chain as plain values."""
        return {
            "axis": axis_name(self.axis),
            "steps": [one.as_json() for one in self.steps],
            "origin": self.origin.as_json() if self.origin is not None else None,
        }


class Chains:
    """The chains of ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames, annotations: Annotations) -> None:
        self._traced = traced
        self._names = names
        self._annotations = annotations
        self._trails: dict[_Key, Trail] = {}
        self._retraced: dict[tuple[object, ...], tuple[Projection, Projection]] = {}

    def chain(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> Chain:
        """How ``axis`` came to dimension ``dim`` of ``slot``, which has it."""
        trail = self.trail(slot, dim, axis)
        steps = []
        link: Trail | None = trail
        while link is not None:
            last, link = link, link.earlier
            if last.step is not None:
                steps.append(last.step)
        return Chain(axis, tuple(reversed(steps)), last.origin, last.origin_dim)

    def trail(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> Trail:
        """The chain of ``axis`` as a linked list from its end; chains share common beginnings."""
        pending: list[tuple[_Key, ChainStep]] = []
        before: int | None = None
        while True:
            event = self._traced.history.gain(slot, dim, axis, before)
            key = (slot, dim, axis, -1 if event is None else event.number)
            trail = self._trails.get(key)
            if trail is not None:
                break
            found = self._made(event, dim, axis) if event is not None else self._before_propagation(slot, dim, axis)
            if found is None:
                trail = self._trails[key] = Trail(None, None, self._annotations.at(slot), dim)
                break
            step, source, source_dim, came = found
            pending.append((key, step))
            if came is None:
                origin = source if isinstance(source, Annotation) else self._annotations.at(source)
                trail = Trail(None, None, origin, source_dim)
                break
            assert not isinstance(source, Annotation)
            # The other members of a group got the axis when its first member did.
            slot, dim, axis = source, source_dim, came
            before = event.number + event.is_member if event is not None else 0
        for key, step in reversed(pending):
            trail = self._trails[key] = Trail(step, trail, None, 0)
        return trail

    # --- steps --------------------------------------------------------------------------------------------------------

    def _retrace(self, change: Change) -> tuple[Projection, Projection]:
        spec = change.action.spec
        key = (spec, change.shardings, change.directions, change.strategy)
        if key not in self._retraced:
            self._retraced[key] = self._traced.run.transfer.retrace(
                spec, change.shardings, change.directions, change.strategy
            )
        return self._retraced[key]

    def _made(self, event: Event, dim: int, axis: AxisRef) -> _Found | None:
        """The step of ``event``, which gave ``axis`` to dimension ``dim``, and the tensor, dimension and axis that it
        came from. There is no source axis if it is a manual one, which only the tensor outside of the computation
        has."""
        change = event.change
        if event.is_member:
            leader = change.action.slots[event.index]
            assert leader is not None
            return self._within_group(event, leader, dim), leader, dim, axis
        rule = change.action.spec.rule
        before, after = self._retrace(change)
        mappings = rule.tensor_mappings
        for factor in mappings[event.index][dim]:
            source = _source(before, after, event.index, factor, axis)
            if source is None:
                continue
            slot = change.action.slots[source]
            from_dim = dim_with(mappings[source], factor)
            seen = change.shardings[source]
            if slot is None or _axis_there(seen, from_dim, axis) is None:
                continue
            given = self._traced.operation(change.op)
            named = given if given is not None else change.op
            step = ChainStep(
                change.user_priority,
                change.op_priority,
                PROPAGATION,
                named.name,
                self._names.location(given),
                rule.body_text,
                factor_symbol(factor),
                self._names.of_slot(slot),
                from_dim,
                seen.body_text if seen is not None else "",
                self._names.of_slot(event.slot),
                dim,
                _direction(source, event.index, len(rule.operand_mappings)),
                axes_text(after.tensors[event.index].factors[factor].axes),
                failed_condition(change.action.spec, change.directions, after, source, event.index, factor),
                given,
            )
            return step, slot, from_dim, _axis_there(change.held[source], from_dim, axis)
        return None

    def _within_group(self, event: Event, leader: ShardingSlot, dim: int) -> ChainStep:
        change = event.change
        when = (change.user_priority, change.op_priority, PROPAGATION)
        return self._without_rule(when, change.op, self._names.of_slot(leader), event.slot, event.after, dim, GROUP)

    def _before_propagation(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> _Found | None:
        """The step by which a pass before propagation gave ``axis`` to ``slot``; None if none did."""
        handover = self._traced.history.handovers.get(slot)
        if handover is None or not has_axis(handover.sharding, dim, axis):
            return None
        source = handover.source
        if isinstance(source, Value):
            step = self._from_outside(handover, source.defining_op, self._names.of_slot(source), dim, GROUP)
            return step, source, dim, axis
        annotation = self._annotations.of_operation(source, handover.number)
        name = annotation.name if annotation is not None else short_name(source)
        step = self._from_outside(handover, source, name, dim, BACKWARD)
        if source.name == "sdy.sharding_constraint":
            return step, source.results[0], dim, axis
        return step, annotation if annotation is not None else slot, dim, None

    def _from_outside(
        self, handover: Handover, op: Operation | None, source: str, dim: int, direction: str
    ) -> ChainStep:
        when = (0, 0, handover.pass_name)
        return self._without_rule(when, op, source, handover.value, handover.sharding, dim, direction)

    def _without_rule(
        self,
        when: tuple[int, int, str],
        op: Operation | None,
        source: str,
        target: ShardingSlot,
        sharding: TensorSharding,
        dim: int,
        direction: str,
    ) -> ChainStep:
        """A step at ``op`` that copies ``sharding``; ``when`` are the priorities and the pass."""
        given = self._traced.operation(op) if op is not None else None
        named = given if given is not None else op
        return ChainStep(
            *when,
            named.name if named is not None else "",
            self._names.location(given),
            "",
            "",
            source,
            dim,
            sharding.body_text,
            self._names.of_slot(target),
            dim,
            direction,
            axes_text(sharding.dims[dim].axes),
            None,
            given,
        )


def _direction(source: int, target: int, operands: int) -> str:
    if (source < operands) == (target < operands):
        return ACROSS
    return FORWARD if source < operands else BACKWARD


def _source(
    before: Projection,
    after: Projection,
    target: int,
    factor: int,
    axis: AxisRef,
) -> int | None:
    """The first tensor from which the target got a part of ``axis`` along ``factor`` that it did not have."""
    own = after.tensors[target].factors.get(factor)
    old = before.tensors[target].factors.get(factor)
    if own is None or old is None:
        return None
    new = [one for one in own.axes if overlaps(one, axis) and not any(contains(other, one) for other in old.axes)]
    # The last part that is missing is what the event gave.
    for part in reversed(new):
        candidates = (
            (index, one)
            for index, tensor in enumerate(before.tensors)
            if index != target and factor in tensor.factors
            for one in tensor.factors[factor].axes
            if overlaps(one, part)
        )
        pairs = list(candidates)
        whole = next((index for index, one in pairs if contains(one, part)), None)
        if whole is not None:
            return whole
        if pairs:
            return pairs[-1][0]
    return None


def _axis_there(sharding: TensorSharding | None, dim: int, axis: AxisRef) -> AxisRef | None:
    """The part of ``axis`` that dimension ``dim`` of the source has."""
    if sharding is None or dim >= sharding.rank:
        return None
    if has_axis(sharding, dim, axis):
        return axis
    parts = [found for one in sharding.dims[dim].axes if (found := overlap(one, axis)) is not None]
    return parts[-1] if parts else None
