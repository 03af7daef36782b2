"""Attributes a failed condition of propagation (``failed_conditions``) to an annotation, and describes it in a
sentence.

``blockers`` uses it for the conditions around a tensor, ``conflicts`` for those of a whole program.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import Annotation, Annotations
from pyshardy.analysis.why.chains import Chain, Chains
from pyshardy.analysis.why.failed_conditions import FailedCondition
from pyshardy.analysis.why.final_conditions import FinalConditions
from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.propagation.actions import Action
from pyshardy.propagation.sharding_origins import axis_name
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.propagation.transfer_function import Shardings
from pyshardy.sharding.axes import AxisRef, overlap, overlaps
from pyshardy.sharding.rule import dim_with


@dataclass(frozen=True)
class Blocker:
    """``axis`` did not come to dimension ``dim`` for ``cause``, one of ``CAUSES``, which ``text`` says in a sentence.
    ``by`` is the annotation that it is attributed to, ``by_dim`` its dimension; None if the cause is the operation
    itself. ``source`` is the tensor that had the axis, None if none had it."""

    dim: int
    axis: AxisRef
    cause: str
    text: str
    by: Annotation | None = None
    by_dim: int | None = None
    source: ShardingSlot | None = None

    def as_json(self) -> dict[str, object]:
        """The blocker as plain values; docs/explain.md describes the schema."""
        return {
            "axis": axis_name(self.axis),
            "cause": self.cause,
            "text": self.text,
            "by": self.by.as_json() if self.by is not None else None,
        }


class BlockingAnnotations:
    """Attributes failed conditions in ``traced`` to annotations."""

    def __init__(
        self,
        traced: TracedProgram,
        names: TracedNames,
        annotations: Annotations,
        chains: Chains,
        final: FinalConditions,
    ) -> None:
        self._traced = traced
        self._names = names
        self._annotations = annotations
        self._chains = chains
        self._final = final

    def blocker_for(
        self,
        op: Operation,
        action: Action,
        shardings: Shardings,
        condition: FailedCondition,
        source: int,
        target: int,
        dim: int,
    ) -> Blocker:
        """The blocker for ``condition``, which stops an axis between tensor number ``source`` of an operation and
        dimension ``dim`` of number ``target``."""
        giver = action.slots[source]
        blocker = Blocker(dim, condition.axis, condition.cause, "", source=giver)
        made = _WORDS.get(condition.cause, BlockingAnnotations._of_operation)(
            self, blocker, op, action, shardings, condition
        )
        if made.by is None or giver is None or condition.cause not in (failed.TAKEN, failed.CONFLICT):
            return made
        return self._with_priority_as_cause(made, self.chain_at(giver, condition), condition)

    def chain_at(self, slot: ShardingSlot, condition: FailedCondition) -> Chain | None:
        """How the axis of ``condition`` came to ``slot``."""
        sharding = self._traced.sharding(slot)
        for dim in range(sharding.rank if sharding is not None else 0):
            found = self._chain(slot, dim, condition.axis)
            if found is not None:
                return found
        return None

    def _with_priority_as_cause(self, blocker: Blocker, own: Chain | None, condition: FailedCondition) -> Blocker:
        """``blocker``, with the priority as the cause if the blocking axis has an earlier priority than the blocked
        one."""
        assert blocker.by is not None
        theirs = 0
        if blocker.by_dim is not None and blocker.by_dim < blocker.by.sharding.rank:
            theirs = blocker.by.sharding.dims[blocker.by_dim].priority or 0
        if own is None or own.priority <= theirs:
            return blocker
        asked = f" (from {own.origin.text})" if own.origin is not None else ""
        text = f"{blocker.text}; {axis_phrase(condition.axis)}{asked} has priority {own.priority} and came later"
        return replace(blocker, cause=failed.LATE, text=text)

    # --- texts of causes ----------------------------------------------------------------------------------------------

    def _of_operation(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        return replace(blocker, text=f"at {self.operation_text(op)}: {failed.CAUSES[condition.cause]}")

    def _closed(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        assert condition.tensor is not None
        slot = action.slots[condition.tensor]
        by = self.closed_by(slot, blocker.dim) if slot is not None else None
        if by is None:
            return replace(blocker, text="the dimension is closed")
        text = f"{by.text} has the dimension closed: {by.sharding.body_text}"
        return replace(blocker, text=text, by=by, by_dim=blocker.dim)

    def closed_by(self, slot: ShardingSlot, dim: int) -> Annotation | None:
        """The annotation that closes dimension ``dim`` of ``slot``."""
        own = self._annotations.at(slot)
        if own is not None and dim < own.sharding.rank and own.sharding.dims[dim].is_closed:
            return own
        handover = self._traced.history.handovers.get(slot)
        if handover is None:
            return own
        if isinstance(handover.source, Value):
            return self.closed_by(handover.source, dim)
        return self._annotations.of_operation(handover.source, handover.number)

    def _taken(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        """Another dimension, or another factor of it, has the axis."""
        assert condition.tensor is not None and condition.factor is not None
        slot = action.slots[condition.tensor]
        other = dim_with(action.spec.rule.tensor_mappings[condition.tensor], condition.factor)
        chain = self._chain(slot, other, condition.axis) if slot is not None else None
        where = f"dimension {other}" if other != blocker.dim else "another part of the dimension"
        return self._attributed(blocker, f"{where} has {axis_phrase(condition.axis)}", chain)

    def _conflict(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        assert condition.tensor is not None and condition.factor is not None
        slot, sharding = action.slots[condition.tensor], shardings[condition.tensor]
        other = dim_with(action.spec.rule.tensor_mappings[condition.tensor], condition.factor)
        if slot is None or sharding is None or not sharding.dims[other].axes:
            return replace(blocker, text=f"at {self.operation_text(op)} the tensors do not agree")
        rivals = sharding.dims[other].axes
        chain = next(filter(None, (self._chain(slot, other, one) for one in rivals)), None)
        shown = ", ".join(one.body_text for one in rivals)
        itself = slot is not None and condition.tensor in _indices(action, slot) and slot is blocker.source
        who = self._names.of_slot(slot)
        what = f"{who} has {shown} there" if not itself else f"it has {shown}"
        return self._attributed(
            blocker, f"at {self.operation_text(op)} {what}, not {axis_phrase(condition.axis)}", chain
        )

    def _replicated(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        assert condition.tensor is not None
        slot = action.slots[condition.tensor]
        by = self._annotations.at(slot) if slot is not None else None
        if slot is not None and condition.axis.name in self.manual_around(slot):
            text = f"a manual computation has {axis_phrase(condition.axis)} as a manual axis"
            return replace(blocker, cause=failed.MANUAL, text=text, by=by)
        listed = "unreduced" if condition.cause == failed.UNREDUCED else "replicated"
        text = f"{by.text if by is not None else 'its sharding'} has {axis_phrase(condition.axis)} {listed}"
        return replace(blocker, text=text, by=by)

    def _held_back(
        self, blocker: Blocker, op: Operation, action: Action, shardings: Shardings, condition: FailedCondition
    ) -> Blocker:
        """The result of an elementwise operation did not take the axis, so the blocker of the result is the cause."""
        assert condition.tensor is not None
        slot = action.slots[condition.tensor]
        text = f"the result of {self.operation_text(op)} does not have {axis_phrase(condition.axis)}"
        if slot is None or condition.factor is None:
            return replace(blocker, text=text)
        result_dim = dim_with(action.spec.rule.tensor_mappings[condition.tensor], condition.factor)
        for source, _, reason in self._final.of(action).at(condition.tensor, result_dim):
            if overlaps(reason.axis, condition.axis):
                found = self.blocker_for(op, action, shardings, reason, source, condition.tensor, result_dim)
                return replace(blocker, text=f"{text}: there {found.text}", by=found.by, by_dim=found.by_dim)
        return replace(blocker, text=text)

    def _attributed(self, blocker: Blocker, text: str, chain: Chain | None) -> Blocker:
        if chain is None or chain.origin is None:
            return replace(blocker, text=text)
        priority = f", priority {chain.priority}" if chain.priority else ""
        by, steps = chain.origin, len(chain.steps)
        through = f" through {steps} step{'s' * (steps != 1)}" if steps else ""
        return replace(blocker, text=f"{text}, from {by.text}{through}{priority}", by=by, by_dim=chain.origin_dim)

    def _chain(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> Chain | None:
        """The chain of the part of ``axis`` that dimension ``dim`` of ``slot`` has."""
        sharding = self._traced.sharding(slot)
        there = axis_in(sharding.dims[dim].axes, axis) if sharding is not None and dim < sharding.rank else None
        return self._chains.chain(slot, dim, there) if there is not None else None

    def operation_text(self, op: Operation) -> str:
        """The name of an operation and its location."""
        given = self._traced.operation(op)
        named = given if given is not None else op
        if named.name == "func.func":
            return "the return"
        place = self._names.location(given).place
        return short_name(named) + (f" ({place})" if place else "")

    def manual_around(self, slot: ShardingSlot) -> frozenset[str]:
        """The manual axes of the computations around ``slot``."""
        owner = self._traced.journal.owners.get(slot, slot) if isinstance(slot, Value) else slot
        if isinstance(owner, FunctionResult):
            return frozenset()
        op = owner.owner.parent_op if isinstance(owner, BlockArgument) else owner.defining_op
        found: set[str] = set()
        while op is not None:
            found.update(manual_axes(op))
            op = op.parent_op
        return frozenset(found)


_WORDS = {
    failed.CLOSED: BlockingAnnotations._closed,
    failed.TAKEN: BlockingAnnotations._taken,
    failed.CONFLICT: BlockingAnnotations._conflict,
    failed.REPLICATED: BlockingAnnotations._replicated,
    failed.UNREDUCED: BlockingAnnotations._replicated,
    failed.HELD_BACK: BlockingAnnotations._held_back,
}


def axis_phrase(axis: AxisRef) -> str:
    """``axis "x"``."""
    return f"axis {axis.body_text}"


def axis_in(axes: tuple[AxisRef, ...], wanted: AxisRef) -> AxisRef | None:
    """The one of ``axes`` that overlaps ``wanted``."""
    return next((one for one in axes if overlaps(one, wanted) or overlap(one, wanted) is not None), None)


def _indices(action: Action, slot: ShardingSlot) -> list[int]:
    return [index for index, one in enumerate(action.slots) if one is slot]
