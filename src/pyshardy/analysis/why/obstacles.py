"""Why an axis did not come to a dimension of a tensor: the first thing that stopped it, and whose it is.

Asked are the operations around the tensor. Where one of their tensors has an axis along a factor of the dimension that
the tensor has not, ``stops`` says which condition of propagation fails, and here that becomes a cause with a name, a
sentence, and the annotation to blame, to which ``chains`` leads. Edits (``edits``) begin with what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyshardy.analysis.why import stops
from pyshardy.analysis.why.annotations import Annotation, Annotations
from pyshardy.analysis.why.chains import Chain, Chains
from pyshardy.analysis.why.history import has_axis
from pyshardy.analysis.why.names import TracedNames, short_name
from pyshardy.analysis.why.stops import Stop, stop_of
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.propagation.actions import Action
from pyshardy.propagation.directions import ALL_AT_ONCE
from pyshardy.propagation.factor_strategies import Projection
from pyshardy.propagation.sharding_table import Holder
from pyshardy.propagation.step import Shardings
from pyshardy.sharding.axes import AxisRef, overlap, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import FactorKind, TensorMapping
from pyshardy.sharding.tensor import TensorSharding


@dataclass(frozen=True)
class Obstacle:
    """``axis`` did not come to dimension ``dim`` for ``cause``, one of ``CAUSES``, which ``text`` says in a sentence.
    ``by`` is the annotation to blame, ``by_dim`` the dimension of it; None if it is the operation or nobody. ``source``
    is the tensor that had the axis, None if none had it."""

    dim: int
    axis: AxisRef
    cause: str
    text: str
    by: Annotation | None = None
    by_dim: int | None = None
    source: Holder | None = None

    def as_json(self) -> dict[str, object]:
        """The obstacle as plain values; docs/explain.md describes the schema."""
        return {
            "axis": self.axis.body_text,
            "cause": self.cause,
            "text": self.text,
            "by": self.by.as_json() if self.by is not None else None,
        }


class Obstacles:
    """The obstacles in ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames, annotations: Annotations, chains: Chains) -> None:
        self._traced = traced
        self._names = names
        self._annotations = annotations
        self._chains = chains

    def of(self, holder: Holder, dim: int) -> list[Obstacle]:
        """What kept axes away from dimension ``dim`` of ``holder``: one obstacle an axis, those that something was
        there to give first; then, if the dimension is not sharded at all, the axes that nothing asked for."""
        offered: dict[AxisRef, tuple[int, Obstacle]] = {}
        for came, obstacle in self._around(holder, dim):
            known = offered.get(obstacle.axis)
            if known is None or came < known[0]:
                offered[obstacle.axis] = (came, obstacle)
        sharding = self._traced.sharding(holder)
        found = [obstacle for _, obstacle in offered.values() if not has_axis(sharding, dim, obstacle.axis)]
        if not _axes_of(sharding, dim):
            found += self._not_asked(holder, dim, found)
        return [*self._cut_at_boundary(holder, dim), *found]

    # --- at the operations around -------------------------------------------------------------------------------------

    def _around(self, holder: Holder, dim: int) -> Iterator[tuple[int, Obstacle]]:
        """The obstacles at each operation, with the number of the change since which the axis was there to be had."""
        for op, action, index in self._traced.relations(holder):
            shardings = self._traced.final_view(action)
            common = self._traced.run.stepper.common_mesh(shardings)
            if common is None:
                yield from self._on_other_mesh(op, action, index, dim, shardings)
                continue
            if common[1].is_maximal:
                continue
            projection = self._traced.run.stepper.projection(action.traits, shardings, common[1])
            yield from self._at(op, action, index, dim, shardings, projection)
        yield from self._without_rule(holder, dim)

    def _at(
        self, op: Operation, action: Action, index: int, dim: int, shardings: Shardings, projection: Projection
    ) -> Iterator[tuple[int, Obstacle]]:
        traits, tensors = action.traits, projection.tensors
        mapping = traits.rule.tensor_mappings
        directions = traits.directions[ALL_AT_ONCE] or (0,) * traits.rule.num_factors
        if dim >= len(mapping[index]):
            return
        for factor in mapping[index][dim]:
            if factor not in tensors[index].factors:
                continue
            for source, tensor in enumerate(tensors):
                if source == index or factor not in tensor.factors or action.holders[source] is action.holders[index]:
                    continue
                stop = stop_of(traits, directions, projection, source, index, factor)
                giver = action.holders[source]
                if stop is not None and giver is not None:
                    since = self._since(giver, _dim_with(mapping[source], factor), stop.axis)
                    yield since, self.told(op, action, shardings, stop, source, index, dim)
            yield from self._apart(op, action, shardings, index, dim, factor)

    def _apart(
        self, op: Operation, action: Action, shardings: Shardings, index: int, dim: int, factor: int
    ) -> Iterator[tuple[int, Obstacle]]:
        """Where the operation needs the dimension whole, its factor is often one that no other tensor has: what the
        same dimension of those has cannot come."""
        rule = action.traits.rule
        if rule.kind(factor) not in (FactorKind.NEED_REPLICATION, FactorKind.PERMUTATION):
            return
        own = shardings[index]
        for source, mapping in enumerate(rule.tensor_mappings):
            sharding, holder = shardings[source], action.holders[source]
            if source == index or sharding is None or holder is None or dim >= len(mapping):
                continue
            if factor in mapping[dim] or rule.kind(mapping[dim][0]) is not rule.kind(factor):
                continue
            for axis in sharding.dims[dim].axes:
                if own is not None and has_axis(own, dim, axis):
                    continue
                kind = rule.kind(factor)
                cause = stops.REPLICATION if kind is FactorKind.NEED_REPLICATION else stops.PERMUTATION
                text = f"{self._operation(op)} needs the dimension whole: {stops.CAUSES[cause]}"
                yield self._since(holder, dim, axis), Obstacle(dim, axis, cause, text, source=holder)

    def told(
        self, op: Operation, action: Action, shardings: Shardings, stop: Stop, source: int, target: int, dim: int
    ) -> Obstacle:
        """``stop``, on the way from tensor number ``source`` of an operation to dimension ``dim`` of number ``target``,
        in words, with the annotation to blame."""
        giver = action.holders[source]
        obstacle = Obstacle(dim, stop.axis, stop.cause, "", source=giver)
        made = _WORDS.get(stop.cause, Obstacles._of_operation)(self, obstacle, op, action, shardings, stop)
        if made.by is None or giver is None or stop.cause not in (stops.TAKEN, stops.CONFLICT):
            return made
        return self._perhaps_late(made, self.chain_at(giver, action, source, stop), stop)

    def chain_at(self, holder: Holder, action: Action, number: int, stop: Stop) -> Chain | None:
        """How the axis of ``stop`` came to tensor number ``number`` of an operation, which stands at ``holder``."""
        sharding = self._traced.sharding(holder)
        for dim in range(sharding.rank if sharding is not None else 0):
            found = self._chain(holder, dim, stop.axis)
            if found is not None:
                return found
        return None

    def _since(self, holder: Holder, dim: int, axis: AxisRef) -> int:
        sharding = self._traced.sharding(holder)
        there = _axis_in(sharding.dims[dim].axes, axis) if sharding is not None and dim < sharding.rank else None
        event = self._traced.history.gain(holder, dim, there) if there is not None else None
        return event.number if event is not None else -1

    def _perhaps_late(self, obstacle: Obstacle, own: Chain | None, stop: Stop) -> Obstacle:
        """If what is in the way came with an earlier priority than the axis, that is the cause."""
        assert obstacle.by is not None
        theirs = 0
        if obstacle.by_dim is not None and obstacle.by_dim < obstacle.by.sharding.rank:
            theirs = obstacle.by.sharding.dims[obstacle.by_dim].priority or 0
        if own is None or own.priority <= theirs:
            return obstacle
        asked = f" (from {own.origin.text})" if own.origin is not None else ""
        text = f"{obstacle.text}; {_axis(stop.axis)}{asked} has priority {own.priority} and came later"
        return replace(obstacle, cause=stops.LATE, text=text)

    # --- causes in words ----------------------------------------------------------------------------------------------

    def _of_operation(
        self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop
    ) -> Obstacle:
        return replace(obstacle, text=f"at {self._operation(op)}: {stops.CAUSES[stop.cause]}")

    def _closed(self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop) -> Obstacle:
        assert stop.tensor is not None
        holder = action.holders[stop.tensor]
        by = self._closed_by(holder, obstacle.dim) if holder is not None else None
        if by is None:
            return replace(obstacle, text="the dimension is closed")
        text = f"{by.text} has the dimension closed: {by.sharding.body_text}"
        return replace(obstacle, text=text, by=by, by_dim=obstacle.dim)

    def _closed_by(self, holder: Holder, dim: int) -> Annotation | None:
        own = self._annotations.at(holder)
        if own is not None and dim < own.sharding.rank and own.sharding.dims[dim].is_closed:
            return own
        handover = self._traced.history.handovers.get(holder)
        if handover is None:
            return own
        if isinstance(handover.source, Value):
            return self._closed_by(handover.source, dim)
        return self._annotations.of_operation(handover.source, handover.number)

    def _taken(self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop) -> Obstacle:
        """Another dimension, or another factor of it, has the axis."""
        assert stop.tensor is not None and stop.factor is not None
        holder = action.holders[stop.tensor]
        other = _dim_with(action.traits.rule.tensor_mappings[stop.tensor], stop.factor)
        chain = self._chain(holder, other, stop.axis) if holder is not None else None
        where = f"dimension {other}" if other != obstacle.dim else "another part of the dimension"
        return self._blamed(obstacle, f"{where} has {_axis(stop.axis)}", chain)

    def _conflict(
        self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop
    ) -> Obstacle:
        assert stop.tensor is not None and stop.factor is not None
        holder, sharding = action.holders[stop.tensor], shardings[stop.tensor]
        other = _dim_with(action.traits.rule.tensor_mappings[stop.tensor], stop.factor)
        if holder is None or sharding is None or not sharding.dims[other].axes:
            return replace(obstacle, text=f"at {self._operation(op)} the tensors do not agree")
        rivals = sharding.dims[other].axes
        chain = next(filter(None, (self._chain(holder, other, one) for one in rivals)), None)
        shown = ", ".join(one.body_text for one in rivals)
        itself = holder is not None and stop.tensor in _indices(action, holder) and holder is obstacle.source
        who = self._names.of_holder(holder)
        what = f"{who} has {shown} there" if not itself else f"it has {shown}"
        return self._blamed(obstacle, f"at {self._operation(op)} {what}, not {_axis(stop.axis)}", chain)

    def _replicated(
        self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop
    ) -> Obstacle:
        assert stop.tensor is not None
        holder = action.holders[stop.tensor]
        by = self._annotations.at(holder) if holder is not None else None
        if holder is not None and stop.axis.name in self._manual_around(holder):
            text = f"a manual computation has {_axis(stop.axis)} as a manual axis"
            return replace(obstacle, cause=stops.MANUAL, text=text, by=by)
        listed = "unreduced" if stop.cause == stops.UNREDUCED else "replicated"
        text = f"{by.text if by is not None else 'its sharding'} has {_axis(stop.axis)} {listed}"
        return replace(obstacle, text=text, by=by)

    def _held_back(
        self, obstacle: Obstacle, op: Operation, action: Action, shardings: Shardings, stop: Stop
    ) -> Obstacle:
        """The result of an elementwise operation did not take it: what kept the axis from that is the cause."""
        assert stop.tensor is not None
        holder = action.holders[stop.tensor]
        text = f"the result of {self._operation(op)} does not have {_axis(stop.axis)}"
        if holder is None or stop.factor is None:
            return replace(obstacle, text=text)
        result_dim = _dim_with(action.traits.rule.tensor_mappings[stop.tensor], stop.factor)
        mesh = self._traced.run.stepper.common_mesh(shardings)
        if mesh is None:
            return replace(obstacle, text=text)
        projection = self._traced.run.stepper.projection(action.traits, shardings, mesh[1])
        for _, reason in self._at(op, action, stop.tensor, result_dim, shardings, projection):
            if overlaps(reason.axis, stop.axis):
                return replace(obstacle, text=f"{text}: there {reason.text}", by=reason.by, by_dim=reason.by_dim)
        return replace(obstacle, text=text)

    def _blamed(self, obstacle: Obstacle, text: str, chain: Chain | None) -> Obstacle:
        if chain is None or chain.origin is None:
            return replace(obstacle, text=text)
        priority = f", priority {chain.priority}" if chain.priority else ""
        by, steps = chain.origin, len(chain.steps)
        through = f" through {steps} step{'s' * (steps != 1)}" if steps else ""
        return replace(obstacle, text=f"{text}, from {by.text}{through}{priority}", by=by, by_dim=chain.origin_dim)

    def _chain(self, holder: Holder, dim: int, axis: AxisRef) -> Chain | None:
        """How what ``holder`` has of ``axis`` in that dimension came there."""
        sharding = self._traced.sharding(holder)
        there = _axis_in(sharding.dims[dim].axes, axis) if sharding is not None and dim < sharding.rank else None
        return self._chains.chain(holder, dim, there) if there is not None else None

    def _operation(self, op: Operation) -> str:
        given = self._traced.operation(op)
        named = given if given is not None else op
        if named.name == "func.func":
            return "the return"
        place = self._names.location(given).place
        return short_name(named) + (f" ({place})" if place else "")

    def _manual_around(self, holder: Holder) -> frozenset[str]:
        owner = self._traced.journal.owners.get(holder, holder) if isinstance(holder, Value) else holder
        if isinstance(owner, FunctionResult):
            return frozenset()
        op = owner.owner.parent_op if isinstance(owner, BlockArgument) else owner.defining_op
        found: set[str] = set()
        while op is not None:
            found.update(manual_axes(op))
            op = op.parent_op
        return frozenset(found)

    # --- without a factor ---------------------------------------------------------------------------------------------

    def _on_other_mesh(
        self, op: Operation, action: Action, index: int, dim: int, shardings: Shardings
    ) -> Iterator[tuple[int, Obstacle]]:
        """What tensors on another mesh have along the same factors."""
        mappings = action.traits.rule.tensor_mappings
        if dim >= len(mappings[index]):
            return
        own = shardings[index]
        for factor in mappings[index][dim]:
            for source, sharding in enumerate(shardings):
                holder = action.holders[source]
                if source == index or sharding is None or holder is None:
                    continue
                dims = [
                    one for one, factors in enumerate(mappings[source]) if factor in factors and one < sharding.rank
                ]
                for axis in (axis for one in dims for axis in sharding.dims[one].axes):
                    if not any(overlaps(axis, has) for has in _axes_of(own, dim)):
                        text = f"at {self._operation(op)} {self._names.of_holder(holder)} is on another mesh"
                        by = self._annotations.at(holder)
                        yield (
                            self._since(holder, dims[0], axis),
                            Obstacle(dim, axis, stops.OTHER_MESH, text, by, source=holder),
                        )

    def _without_rule(self, holder: Holder, dim: int) -> Iterator[tuple[int, Obstacle]]:
        """What is on the other side of operations that have no rule."""
        own = self._traced.sharding(holder)
        for op, holders in self._traced.without_rule(holder):
            for other in holders:
                sharding = self._traced.sharding(other) if other is not None and other is not holder else None
                if other is None or sharding is None or dim >= sharding.rank:
                    continue
                for axis in sharding.dims[dim].axes:
                    if own is None or not any(overlaps(axis, has) for one in own.dims for has in one.axes):
                        text = f"{self._operation(op)} has no sharding rule: nothing passes through it"
                        yield self._since(other, dim, axis), Obstacle(dim, axis, stops.NO_RULE, text, source=other)

    # --- without a source ---------------------------------------------------------------------------------------------

    def _not_asked(self, holder: Holder, dim: int, found: list[Obstacle]) -> Iterator[Obstacle]:
        """The axes that the tensor could have, and that nothing around it has for this dimension."""
        sharding = self._traced.sharding(holder)
        mesh = self._mesh(holder)
        if mesh is None:
            return
        used = {axis.name for axis in sharding.axes()} if sharding is not None else set()
        used.update(one.axis.name for one in found)
        used.update(self._manual_around(holder))
        for axis in mesh.axes:
            if axis.name in used or axis.size == 1:
                continue
            text = f"no operand and no user has {_axis(AxisRef(axis.name))} for this dimension"
            closed = self._closed_by(holder, dim) if _is_closed(sharding, dim) else None
            if closed is not None:
                text = f"{closed.text} has the dimension closed, and {text}"
            yield Obstacle(dim, AxisRef(axis.name), stops.NOT_ASKED, text, closed, dim if closed is not None else None)

    def _mesh(self, holder: Holder) -> Mesh | None:
        sharding = self._traced.sharding(holder)
        if sharding is not None:
            return self._traced.mesh(sharding)
        return self._traced.plan.mesh

    # --- at the boundary ----------------------------------------------------------------------------------------------

    def _cut_at_boundary(self, holder: Holder, dim: int) -> Iterator[Obstacle]:
        """Axes that the tensor had when propagation was finished, and that its shape has no room for."""
        before, after = self._traced.sharding(holder), self._traced.final_sharding(holder)
        if before is None or after is None or _axes_of(before, dim) == _axes_of(after, dim):
            return
        mesh = self._traced.mesh(before)
        size = self._traced.shape(holder)[dim]
        for axis in before.dims[dim].axes:
            if mesh is None or has_axis(after, dim, axis):
                continue
            count = axis.size(mesh)
            chain = self._chains.chain(holder, dim, axis)
            asked = f" (from {chain.origin.text})" if chain.origin is not None else ""
            smaller, kept = size < count, after.dims[dim].axes
            if kept:
                before_it = ", ".join(one.body_text for one in kept)
                what = f"has no room for {_axis(axis)} of {count} behind {before_it}"
            else:
                what = f"is {'smaller than' if smaller else 'not divisible by'} {_axis(axis)} of {count}"
            cause = stops.SMALLER if smaller else stops.DIVIDES
            text = f"the size {size} {what}{asked}: arguments and results are not padded"
            yield Obstacle(dim, axis, cause, text, chain.origin, chain.origin_dim, holder)


_WORDS = {
    stops.CLOSED: Obstacles._closed,
    stops.TAKEN: Obstacles._taken,
    stops.CONFLICT: Obstacles._conflict,
    stops.REPLICATED: Obstacles._replicated,
    stops.UNREDUCED: Obstacles._replicated,
    stops.HELD_BACK: Obstacles._held_back,
}


def _axes_of(sharding: TensorSharding | None, dim: int) -> tuple[AxisRef, ...]:
    """The axes of a dimension; none without a sharding, and in the sharding of a single device."""
    return sharding.dims[dim].axes if sharding is not None and dim < sharding.rank else ()


def _is_closed(sharding: TensorSharding | None, dim: int) -> bool:
    return sharding is not None and dim < sharding.rank and sharding.dims[dim].is_closed


def _axis(axis: AxisRef) -> str:
    return f"axis {axis.body_text}"


def _dim_with(mapping: TensorMapping, factor: int) -> int:
    return next(dim for dim, factors in enumerate(mapping) if factor in factors)


def _axis_in(axes: tuple[AxisRef, ...], wanted: AxisRef) -> AxisRef | None:
    """The one of ``axes`` that has something of ``wanted``."""
    return next((one for one in axes if overlaps(one, wanted) or overlap(one, wanted) is not None), None)


def _indices(action: Action, holder: Holder) -> list[int]:
    return [index for index, one in enumerate(action.holders) if one is holder]
