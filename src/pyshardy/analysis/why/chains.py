"""The chain of steps along which an axis came to a dimension of a tensor, from the annotation that started it.

Nothing here is worked out from the result: each step is one that propagation made (``history``), read backwards from
the tensor to the author's words. ``obstacles`` asks for chains, too: of the axis that was in the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.why.annotations import Annotation, Annotations
from pyshardy.analysis.why.history import Event, has_axis
from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.stops import Stop, stop_of
from pyshardy.analysis.why.traced_program import PROPAGATION, TracedProgram
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.factor_strategies import Projection
from pyshardy.propagation.journal import Handover
from pyshardy.propagation.sharding_table import Holder
from pyshardy.sharding.axes import AxisRef, axes_text, contains, overlap, overlaps
from pyshardy.sharding.rule import TensorMapping, factor_symbol
from pyshardy.sharding.tensor import TensorSharding

FORWARD, BACKWARD, ACROSS, GROUP = "forward", "backward", "across", "group"
DIRECTIONS = (FORWARD, BACKWARD, ACROSS, GROUP)
"""From an operand to a result, the other way, from operand to operand or result to result, within a sharding group."""


@dataclass(frozen=True)
class Step:
    """One step of a chain: at ``operation`` the tensor ``target`` got the axis in dimension ``target_dim`` from
    dimension ``source_dim`` of ``source``, which had ``source_sharding`` then. ``priority`` is the user's,
    ``op_priority`` that of the kind of operation; ``rule`` and ``factor`` are those along which it went, empty within a
    group or from a constraint to its operand. ``taken`` are the axes that the target has along the factor since then,
    ``cut_off`` is what kept further ones of the source away, if there were any."""

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
    cut_off: Stop | None

    def as_json(self) -> dict[str, object]:
        """The step as plain values; docs/explain.md describes the schema."""
        return {
            "priority": self.priority,
            "op_priority": self.op_priority,
            "pass": self.pass_name,
            "operation": self.operation,
            "location": location_json(self.location),
            "rule": self.rule,
            "factor": self.factor,
            "from": self.source,
            "from_dim": self.source_dim,
            "from_sharding": self.source_sharding,
            "to": self.target,
            "to_dim": self.target_dim,
            "direction": self.direction,
            "taken": self.taken,
            "cut_off": self.cut_off.cause if self.cut_off is not None else None,
        }


def location_json(location: SourceLocation) -> dict[str, object]:
    """Where something stands, as plain values."""
    return {
        "file": location.file,
        "line": location.line,
        "column": location.column,
        "function": location.function,
        "scope": location.scope,
    }


@dataclass(frozen=True)
class Chain:
    """How ``axis`` came to a dimension: ``steps``, the first one first, from the ``origin``, where it shards dimension
    ``origin_dim``; the origin is None only where a pass made the sharding."""

    axis: AxisRef
    steps: tuple[Step, ...]
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
            "axis": self.axis.body_text,
            "steps": [one.as_json() for one in self.steps],
            "origin": self.origin.as_json() if self.origin is not None else None,
        }


class Chains:
    """The chains of ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames, annotations: Annotations) -> None:
        self._traced = traced
        self._names = names
        self._annotations = annotations

    def chain(self, holder: Holder, dim: int, axis: AxisRef) -> Chain:
        """How ``axis`` came to dimension ``dim`` of ``holder``, which has it."""
        steps: list[Step] = []
        history = self._traced.history
        wanted, before = axis, None
        while True:
            event = history.gain(holder, dim, wanted, before)
            if event is None:
                handover = history.handovers.get(holder)
                if handover is None or not has_axis(handover.sharding, dim, wanted):
                    break
                steps.append(self._handed_over(handover, dim))
                source = handover.source
                if isinstance(source, Operation) and source.name != "sdy.sharding_constraint":
                    origin = self._annotations.of_operation(source, handover.number)
                    return Chain(axis, tuple(reversed(steps)), origin, dim)
                # What a constraint, or a member of a group, has had from the beginning.
                holder, before = source if isinstance(source, Value) else source.results[0], 0
                continue
            found = self._step(event, dim, wanted)
            if found is None:
                break
            step, holder, dim, came = found
            steps.append(step)
            if came is None:
                break
            # The others of a group got it when the first of them did.
            wanted, before = came, event.number + event.is_member
        return Chain(axis, tuple(reversed(steps)), self._annotations.at(holder), dim)

    # --- steps --------------------------------------------------------------------------------------------------------

    def _step(self, event: Event, dim: int, axis: AxisRef) -> tuple[Step, Holder, int, AxisRef | None] | None:
        """What ``event``, which gave ``axis`` to dimension ``dim``, was: the step, and where the axis came from; no
        axis where it is a manual one, which stands at the edge of the computation for the other side alone."""
        change = event.change
        if event.is_member:
            leader = change.action.holders[event.index]
            assert leader is not None
            return self._within_group(event, leader, dim), leader, dim, axis
        rule = change.action.traits.rule
        before, after = self._traced.run.stepper.retrace(
            change.action.traits, change.shardings, change.directions, change.strategy
        )
        mappings = rule.tensor_mappings
        for factor in mappings[event.index][dim]:
            source = _source(before, after, event.index, factor, event.before, dim, axis)
            if source is None:
                continue
            holder = change.action.holders[source]
            from_dim = _dim_with(mappings[source], factor)
            seen = change.shardings[source]
            if holder is None or _axis_there(seen, from_dim, axis) is None:
                continue
            given = self._traced.operation(change.op)
            named = given if given is not None else change.op
            step = Step(
                change.user_priority,
                change.op_priority,
                PROPAGATION,
                named.name,
                self._names.location(given),
                rule.body_text,
                factor_symbol(factor),
                self._names.of_holder(holder),
                from_dim,
                seen.body_text if seen is not None else "",
                self._names.of_holder(event.holder),
                dim,
                _direction(source, event.index, len(rule.operand_mappings)),
                axes_text(after.tensors[event.index].factors[factor].axes),
                stop_of(change.action.traits, change.directions, after, source, event.index, factor),
            )
            return step, holder, from_dim, _axis_there(change.held[source], from_dim, axis)
        return None

    def _within_group(self, event: Event, leader: Holder, dim: int) -> Step:
        change = event.change
        given = self._traced.operation(change.op)
        named = given if given is not None else change.op
        return Step(
            change.user_priority,
            change.op_priority,
            PROPAGATION,
            named.name,
            self._names.location(given),
            "",
            "",
            self._names.of_holder(leader),
            dim,
            event.after.body_text,
            self._names.of_holder(event.holder),
            dim,
            GROUP,
            axes_text(event.after.dims[dim].axes),
            None,
        )

    def _handed_over(self, handover: Handover, dim: int) -> Step:
        source = handover.source
        in_group = isinstance(source, Value)
        op = source.defining_op if isinstance(source, Value) else source
        given = self._traced.operation(op) if op is not None else None
        if isinstance(source, Value):
            name = self._names.of_holder(source)
        else:
            annotation = self._annotations.of_operation(source, handover.number)
            name = annotation.name if annotation is not None else short_name(source)
        named = given if given is not None else op
        return Step(
            0,
            0,
            handover.pass_name,
            named.name if named is not None else "",
            self._names.location(given),
            "",
            "",
            name,
            dim,
            handover.sharding.body_text,
            self._names.of_holder(handover.value),
            dim,
            GROUP if in_group else BACKWARD,
            axes_text(handover.sharding.dims[dim].axes),
            None,
        )


def _direction(source: int, target: int, operands: int) -> str:
    if (source < operands) == (target < operands):
        return ACROSS
    return FORWARD if source < operands else BACKWARD


def _dim_with(mapping: TensorMapping, factor: int) -> int:
    return next(dim for dim, factors in enumerate(mapping) if factor in factors)


def _source(
    before: Projection,
    after: Projection,
    target: int,
    factor: int,
    had: TensorSharding | None,
    dim: int,
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
    """The part of ``axis`` that dimension ``dim`` of the source is sharded along."""
    if sharding is None or dim >= sharding.rank:
        return None
    if has_axis(sharding, dim, axis):
        return axis
    parts = [found for one in sharding.dims[dim].axes if (found := overlap(one, axis)) is not None]
    return parts[-1] if parts else None
