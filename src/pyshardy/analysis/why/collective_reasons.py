"""The reason of a collective: the operation that needs it, the two shardings that conflict there, and their origins.

A collective of the plan is attributed to an operation and a tensor (``emitting.collectives``). This file finds the axes
of the collective in the tensors of that operation: the tensor that has them, and the one that conflicts with it,
because it has them for another factor, or because the operation needs the dimension whole. ``conflicts`` groups reasons
by the pair of annotations that they come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyshardy.analysis.why.annotations import Annotation
from pyshardy.analysis.why.blockers import Blockers
from pyshardy.analysis.why.chains import Chain, Chains
from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.stablehlo.collective_kinds import reduces
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.actions import Action
from pyshardy.propagation.projection import TensorProjection
from pyshardy.propagation.sharding_origins import axis_name
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.propagation.transfer_function import Shardings
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.rule import FactorKind, OpShardingRule, dim_with, factor_symbol
from pyshardy.sharding.tensor import TensorSharding

_FURTHEST = 8
_GATHER = "all_gather"
_MOST_NAMED = 3
_IN_COMMON = {
    FactorKind.REDUCTION: "{op} sums over {factor}, which is sharded along {axis}: {tensor} is moved instead of adding "
    "up the parts of the sum",
    FactorKind.NEED_REPLICATION: "{op} needs {factor} whole on every device, and that is sharded along {axis}",
    FactorKind.PERMUTATION: "along {factor} every device needs a piece of its neighbours for {op}, and that is sharded "
    "along {axis}",
}
"""Why an operation needs a collective along a factor that all its tensors are sharded along, by kind of factor."""


@dataclass(frozen=True)
class Side:
    """One of two conflicting shardings: that of ``tensor``, where ``axis`` shards dimension ``dim``, with the ``chain``
    of the axis; without an axis the dimension is not sharded, and ``text`` says why."""

    tensor: str
    sharding: str
    dim: int | None
    axis: AxisRef | None
    chain: Chain | None
    text: str
    annotation: Annotation | None
    annotation_dim: int | None

    def as_json(self) -> dict[str, object]:
        """The side as plain values."""
        return {
            "tensor": self.tensor,
            "sharding": self.sharding,
            "dim": self.dim,
            "axis": axis_name(self.axis) if self.axis is not None else None,
            "steps": [one.as_json() for one in self.chain.steps] if self.chain is not None else [],
            "origin": self.annotation.as_json() if self.annotation is not None else None,
            "text": self.text,
        }


@dataclass(frozen=True)
class CollectiveReason:
    """The reason of ``collective``: ``operation`` of the source program needs it; ``first`` has the axes, ``second``
    conflicts with them. ``factor`` is the factor of the operation's rule in question; ``sums`` says that devices add up
    partial sums there. ``text`` is the reason in a sentence."""

    collective: Collective
    operation: Operation | None
    location: SourceLocation
    factor: str
    sums: bool
    first: Side | None
    second: Side | None
    text: str

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """The annotations that it comes from, each once."""
        found = [one.annotation for one in (self.first, self.second) if one is not None and one.annotation is not None]
        return tuple(dict.fromkeys(found))


class CollectiveReasons:
    """Finds the reasons of collectives of ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames, chains: Chains, blockers: Blockers) -> None:
        self._traced = traced
        self._names = names
        self._chains = chains
        self._blockers = blockers

    def at(self, collective: Collective) -> CollectiveReason:
        """The reason of ``collective``."""
        given = self._traced.needing(collective)
        location = self._names.location(given)
        if not collective.axes or given is None:
            text = "the program itself asks for it" if not collective.axes else "the partitioner needs it"
            return CollectiveReason(collective, given, location, "", False, None, None, text)
        found = self._reason_at(given, given, location, collective)
        if found is None:
            found = self._made_elsewhere(given, location, collective) or self._gathered(given, location, collective)
        if found is not None:
            return found
        return CollectiveReason(collective, given, location, "", False, None, None, self._elsewhere(given, collective))

    def _gathered(self, given: Operation, location: SourceLocation, collective: Collective) -> CollectiveReason | None:
        """The reason if an operand of ``given``, about which no rule says more, is gathered along an axis that it has:
        every device runs the operation with the whole dimension."""
        if collective.kind != _GATHER:
            return None
        for slot in (slot for value in given.operands for slot in self._traced.slots(value)):
            sharding = self._traced.final_sharding(slot)
            for dim, axes in enumerate(() if sharding is None else sharding.dims):
                axis = next((one for one in axes.axes if any(overlaps(one, its) for its in collective.axes)), None)
                if sharding is not None and axis is not None:
                    first = self._side_of(slot, sharding, dim, axis)
                    text = _IN_COMMON[FactorKind.NEED_REPLICATION].format(
                        op=short_name(given), factor=_part(first), axis=axis.body_text
                    )
                    return CollectiveReason(collective, given, location, "", False, first, None, text)
        return None

    def _elsewhere(self, given: Operation, collective: Collective) -> str:
        """The reason if an operation is partitioned along axes that no sharding of its tensors has: these axes, and its
        shardings."""
        axes = ", ".join(one.body_text for one in collective.axes)
        moved = moved_value(self._traced, collective)
        if collective.kind == _GATHER and moved is not None and moved in given.operands:
            name = self._names.name(moved)
            return f"{short_name(given)} needs {name} whole on every device, and that was computed along {axes}"
        values = [*given.operands[:_MOST_NAMED], *given.results[:1]]
        shown = []
        for value in values:
            sharding = next(filter(None, map(self._traced.sharding, self._traced.slots(value))), None)
            if sharding is not None:
                shown.append(f"{self._names.name(value)} {sharding.body_text}")
        tensors = f", its tensors are sharded as {' and '.join(shown)}" if shown else ""
        return f"{short_name(given)} is computed along {axes}{tensors}"

    def _reason_at(
        self, at: Operation, given: Operation, location: SourceLocation, collective: Collective
    ) -> CollectiveReason | None:
        """The reason at the propagated operation ``at``, for the collective that ``given`` needs."""
        for op, action in self._actions(at, collective):
            shardings = self._traced.final_view(action)
            common = self._traced.run.transfer.common_mesh(shardings)
            if common is None or common[1].is_maximal:
                continue
            tensors = self._traced.run.transfer.projection(action.spec, shardings, common[1]).tensors
            named = at if at.name != "func.func" else given
            question = _Question(given, named, location, collective, op, action, shardings, tensors)
            found = self._sum(question) or self._competing(question) or self._one_sided(question)
            if found is not None:
                return found
        return None

    def _made_elsewhere(
        self, given: Operation, location: SourceLocation, collective: Collective
    ) -> CollectiveReason | None:
        """The reason if the shardings of ``given`` do not conflict: an operand was left in another layout by the
        operation that made it."""
        value, steps = moved_value(self._traced, collective), 0
        while value is not None and steps < _FURTHEST:
            made = value.defining_op
            if made is None:
                return None
            found = self._reason_at(made, given, location, collective) if made is not given else None
            if found is not None:
                text = f"{self._names.name(value)} is left where it was made: {found.text}"
                return replace(found, text=text)
            value = made.operands[0] if len(made.operands) == 1 else None
            steps += 1
        return None

    def _actions(self, given: Operation, collective: Collective) -> Iterator[tuple[Operation, Action]]:
        """The actions of the copies of ``given`` in the propagated program, those first that involve the moved
        tensor."""
        moved = set(self._moved(collective))
        found = self._traced.actions_of(given)
        yield from sorted(found, key=lambda one: not moved.intersection(filter(None, one[1].slots)))

    def _moved(self, collective: Collective) -> list[ShardingSlot]:
        given = self._traced.numbering.value(collective.tensor) if collective.tensor is not None else None
        return self._traced.slots(given) if given is not None else []

    # --- three kinds of reasons ---------------------------------------------------------------------------------------

    def _sum(self, question: _Question) -> CollectiveReason | None:
        """Two operands are sharded along a reduction factor: each device has a partial sum."""
        if not reduces(question.collective.kind):
            return None
        for factor in question.rule.reduction_factors:
            having = [one for one in question.having() if one[1] == factor]
            if not having:
                continue
            sides = [self._side(question, tensor, factor, axis) for tensor, factor, axis in having[:2]]
            axes = ", ".join(dict.fromkeys(axis.body_text for _, _, axis in having))
            text = (
                f"{short_name(question.named)} sums over {_part(sides[0])}, which is sharded along {axes}: "
                "each device has a part of the sum"
            )
            second = sides[1] if len(sides) > 1 else None
            return question.reason(factor_symbol(factor), True, sides[0], second, text)
        return None

    def _competing(self, question: _Question) -> CollectiveReason | None:
        """Two tensors have the same axis for different factors, or different axes for one."""
        having = question.having()
        moved = self._moved(question.collective)
        having.sort(key=lambda one: question.action.slots[one[0]] not in moved)
        for tensor, factor, axis in having:
            for other, rival, shared in having:
                if other != tensor and rival != factor and overlaps(axis, shared):
                    first = self._side(question, tensor, factor, axis)
                    second = self._side(question, other, rival, shared)
                    text = (
                        f"{short_name(question.named)} cannot use axis {axis.body_text} for two things at once: "
                        f"{_part(first)} has it, and {_part(second)}"
                    )
                    return question.reason(factor_symbol(factor), False, first, second, text)
        return None

    def _one_sided(self, question: _Question) -> CollectiveReason | None:
        """A tensor of the operation has the axis along a factor where another one is not sharded; or all have it, and
        the operation needs the factor whole, data of neighbours, or a sum over it."""
        moved = self._moved(question.collective)
        having = sorted(question.having(), key=lambda one: question.action.slots[one[0]] not in moved)
        for tensor, factor, axis in having:
            for other, projection in enumerate(question.tensors):
                if other == tensor or factor not in projection.factors:
                    continue
                if any(overlaps(one, axis) for one in projection.factors[factor].axes):
                    continue
                first, second = self._side(question, tensor, factor, axis), self._without(question, other, factor, axis)
                text = (
                    f"for {short_name(question.named)} {_part(first)} is sharded along {axis.body_text}, "
                    f"{_part(second)} is not: {second.text}"
                )
                return question.reason(factor_symbol(factor), False, first, second, text)
        for tensor, factor, axis in having:
            words = _IN_COMMON.get(question.rule.kind(factor))
            if words is not None:
                first = self._side(question, tensor, factor, axis)
                others = [one for one in having if one[1] == factor and one[0] != tensor]
                other_side = self._side(question, *others[0]) if others else None
                text = words.format(
                    op=short_name(question.named),
                    factor=_part(first),
                    tensor=first.tensor,
                    axis=axis.body_text,
                )
                sums = question.rule.kind(factor) is FactorKind.REDUCTION
                return question.reason(factor_symbol(factor), sums, first, other_side, text)
        return None

    # --- sides --------------------------------------------------------------------------------------------------------

    def _side(self, question: _Question, tensor: int, factor: int, axis: AxisRef) -> Side:
        slot, sharding = question.action.slots[tensor], question.shardings[tensor]
        assert slot is not None and sharding is not None
        dim = question.dim(tensor, factor)
        there = next((one for one in sharding.dims[dim].axes if overlaps(one, axis)), axis)
        return self._side_of(slot, sharding, dim, there)

    def _side_of(self, slot: ShardingSlot, sharding: TensorSharding, dim: int, there: AxisRef) -> Side:
        chain = self._chains.chain(slot, dim, there)
        steps = len(chain.steps)
        origin = chain.origin.text if chain.origin is not None else "the passes"
        text = f"from {origin}" + (f" through {steps} step{'s' * (steps != 1)}" if steps else "")
        name = self._names.of_slot(slot)
        return Side(name, sharding.body_text, dim, there, chain, text, chain.origin, chain.origin_dim)

    def _without(self, question: _Question, tensor: int, factor: int, axis: AxisRef) -> Side:
        slot, sharding = question.action.slots[tensor], question.shardings[tensor]
        assert slot is not None
        dim = question.dim(tensor, factor)
        found = self._blockers.of(slot, dim)
        blocker = next((one for one in found if overlaps(one.axis, axis)), None)
        text = blocker.text if blocker is not None else "nothing asked for that"
        by, by_dim = (blocker.by, blocker.by_dim) if blocker is not None else (None, None)
        shown = sharding.body_text if sharding is not None else ""
        return Side(self._names.of_slot(slot), shown, dim, None, None, text, by, by_dim)


def _part(side: Side) -> str:
    """The dimension that a side is about, as a part of its tensor."""
    return f"dimension {side.dim} of {side.tensor}"


@dataclass(frozen=True)
class _Question:
    """An operation of the propagated program with its tensors, and the collective that ``given`` needs; ``named`` is
    the operation of the source program that answers name."""

    given: Operation
    named: Operation
    location: SourceLocation
    collective: Collective
    op: Operation
    action: Action
    shardings: Shardings
    tensors: list[TensorProjection]

    @property
    def rule(self) -> OpShardingRule:
        return self.action.spec.rule

    def having(self) -> list[tuple[int, int, AxisRef]]:
        """The places of the axes of the collective: number of the tensor, factor, axis."""
        return [
            (number, factor, axis)
            for number, tensor in enumerate(self.tensors)
            if self.action.slots[number] is not None
            for factor, sharding in tensor.factors.items()
            for axis in (*sharding.axes, *sharding.overflow)
            if any(overlaps(axis, one) for one in self.collective.axes)
        ]

    def dim(self, tensor: int, factor: int) -> int:
        return dim_with(self.rule.tensor_mappings[tensor], factor)

    def reason(self, factor: str, sums: bool, first: Side | None, second: Side | None, text: str) -> CollectiveReason:
        return CollectiveReason(self.collective, self.given, self.location, factor, sums, first, second, text)


def moved_value(traced: TracedProgram, collective: Collective) -> Value | None:
    """The value of the source program that goes through ``collective``, if that is known."""
    return traced.numbering.value(collective.tensor) if collective.tensor is not None else None
