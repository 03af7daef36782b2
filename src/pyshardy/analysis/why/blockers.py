"""Finds the blockers of a dimension: the conditions of propagation that kept an axis away from it.

It looks at the operations that use or make the tensor. If another of their tensors has an axis along a factor of the
dimension, and this tensor has not, a condition of propagation fails (``final_conditions``), and
``blocking_annotations`` finds the annotation that it is attributed to. Edits (``edits``) are proposed from blockers.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import Annotations
from pyshardy.analysis.why.blocking_annotations import Blocker, BlockingAnnotations, axis_in, axis_phrase
from pyshardy.analysis.why.chains import Chains
from pyshardy.analysis.why.final_conditions import FinalConditions
from pyshardy.analysis.why.history import has_axis
from pyshardy.analysis.why.names import TracedNames
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.ir.operation import Operation
from pyshardy.propagation.actions import Action
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.propagation.transfer_function import Shardings
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import FactorKind, dim_with
from pyshardy.sharding.tensor import TensorSharding


class Blockers:
    """The blockers in ``traced``."""

    def __init__(
        self,
        traced: TracedProgram,
        names: TracedNames,
        annotations: Annotations,
        chains: Chains,
        final: FinalConditions,
        blocking: BlockingAnnotations,
    ) -> None:
        self._traced = traced
        self._names = names
        self._annotations = annotations
        self._chains = chains
        self._final = final
        self._blocking = blocking

    def of(self, slot: ShardingSlot, dim: int, *, asked: bool = False) -> list[Blocker]:
        """The blockers of dimension ``dim`` of ``slot``, one for each axis: first axes that a neighbouring tensor has;
        then, if the dimension is not sharded at all, axes that no neighbour has, unless only axes that neighbours
        ``asked`` for are wanted."""
        offered: dict[AxisRef, tuple[int, Blocker]] = {}
        for came, blocker in self._at_operations(slot, dim):
            known = offered.get(blocker.axis)
            if known is None or came < known[0]:
                offered[blocker.axis] = (came, blocker)
        sharding = self._traced.sharding(slot)
        found = [blocker for _, blocker in offered.values() if not has_axis(sharding, dim, blocker.axis)]
        if not asked and not _axes_of(sharding, dim):
            found += self._not_asked(slot, dim, found)
        return [*self._dropped_at_boundary(slot, dim), *found]

    # --- at the operations around -------------------------------------------------------------------------------------

    def _at_operations(self, slot: ShardingSlot, dim: int) -> Iterator[tuple[int, Blocker]]:
        """The blockers at each operation, with the number of the change since which a neighbour had the axis."""
        for op, action, index in self._traced.relations(slot):
            final = self._final.of(action)
            if final.on_several_meshes:
                yield from self._on_other_mesh(op, action, index, dim, final.shardings)
                continue
            rule = action.spec.rule
            for source, factor, stop in final.at(index, dim):
                giver = action.slots[source]
                if giver is not None and giver is not slot:
                    since = self._change_with_axis(giver, dim_with(rule.tensor_mappings[source], factor), stop.axis)
                    yield since, self._blocking.blocker_for(op, action, final.shardings, stop, source, index, dim)
            if rule.need_replication_factors or rule.permutation_factors:
                for factor in rule.tensor_mappings[index][dim]:
                    yield from self._without_shared_factor(op, action, final.shardings, index, dim, factor)
        yield from self._without_rule(slot, dim)

    def _without_shared_factor(
        self, op: Operation, action: Action, shardings: Shardings, index: int, dim: int, factor: int
    ) -> Iterator[tuple[int, Blocker]]:
        """The blockers of a dimension that the operation needs whole. Its factor is often in no other tensor, so axes
        of the same dimension of other tensors cannot propagate to it."""
        rule = action.spec.rule
        if rule.kind(factor) not in (FactorKind.NEED_REPLICATION, FactorKind.PERMUTATION):
            return
        own = shardings[index]
        for source, mapping in enumerate(rule.tensor_mappings):
            sharding, slot = shardings[source], action.slots[source]
            if source == index or sharding is None or slot is None or dim >= len(mapping):
                continue
            if factor in mapping[dim] or rule.kind(mapping[dim][0]) is not rule.kind(factor):
                continue
            for axis in sharding.dims[dim].axes:
                if own is not None and has_axis(own, dim, axis):
                    continue
                kind = rule.kind(factor)
                cause = failed.REPLICATION if kind is FactorKind.NEED_REPLICATION else failed.PERMUTATION
                text = f"{self._blocking.operation_text(op)} needs the dimension whole: {failed.CAUSES[cause]}"
                yield self._change_with_axis(slot, dim, axis), Blocker(dim, axis, cause, text, source=slot)

    def _change_with_axis(self, slot: ShardingSlot, dim: int, axis: AxisRef) -> int:
        sharding = self._traced.sharding(slot)
        there = axis_in(sharding.dims[dim].axes, axis) if sharding is not None and dim < sharding.rank else None
        event = self._traced.history.gain(slot, dim, there) if there is not None else None
        return event.number if event is not None else -1

    # --- without a factor ---------------------------------------------------------------------------------------------

    def _on_other_mesh(
        self, op: Operation, action: Action, index: int, dim: int, shardings: Shardings
    ) -> Iterator[tuple[int, Blocker]]:
        """The axes of tensors on another mesh along the same factors."""
        mappings = action.spec.rule.tensor_mappings
        if dim >= len(mappings[index]):
            return
        own = shardings[index]
        for factor in mappings[index][dim]:
            for source, sharding in enumerate(shardings):
                slot = action.slots[source]
                if source == index or sharding is None or slot is None:
                    continue
                dims = [
                    one for one, factors in enumerate(mappings[source]) if factor in factors and one < sharding.rank
                ]
                for axis in (axis for one in dims for axis in sharding.dims[one].axes):
                    if not any(overlaps(axis, has) for has in _axes_of(own, dim)):
                        text = f"at {self._blocking.operation_text(op)} {self._names.of_slot(slot)} is on another mesh"
                        by = self._annotations.at(slot)
                        yield (
                            self._change_with_axis(slot, dims[0], axis),
                            Blocker(dim, axis, failed.OTHER_MESH, text, by, source=slot),
                        )

    def _without_rule(self, slot: ShardingSlot, dim: int) -> Iterator[tuple[int, Blocker]]:
        """The axes of the other tensors of operations without a rule."""
        own = self._traced.sharding(slot)
        for op, slots in self._traced.without_rule(slot):
            for other in slots:
                sharding = self._traced.sharding(other) if other is not None and other is not slot else None
                if other is None or sharding is None or dim >= sharding.rank:
                    continue
                for axis in sharding.dims[dim].axes:
                    if own is None or not any(overlaps(axis, has) for one in own.dims for has in one.axes):
                        text = f"{self._blocking.operation_text(op)} has no sharding rule: nothing passes through it"
                        yield (
                            self._change_with_axis(other, dim, axis),
                            Blocker(dim, axis, failed.NO_RULE, text, source=other),
                        )

    # --- without a source ---------------------------------------------------------------------------------------------

    def _not_asked(self, slot: ShardingSlot, dim: int, found: list[Blocker]) -> Iterator[Blocker]:
        """The axes that the tensor could have, and that no neighbour has for this dimension."""
        sharding = self._traced.sharding(slot)
        mesh = self._mesh(slot)
        if mesh is None:
            return
        used = {axis.name for axis in sharding.axes()} if sharding is not None else set()
        used.update(one.axis.name for one in found)
        used.update(self._blocking.manual_around(slot))
        for axis in mesh.axes:
            if axis.name in used or axis.size == 1:
                continue
            text = f"no operand and no user has {axis_phrase(AxisRef(axis.name))} for this dimension"
            closed = self._blocking.closed_by(slot, dim) if _is_closed(sharding, dim) else None
            if closed is not None:
                text = f"{closed.text} has the dimension closed, and {text}"
            yield Blocker(dim, AxisRef(axis.name), failed.NOT_ASKED, text, closed, dim if closed is not None else None)

    def _mesh(self, slot: ShardingSlot) -> Mesh | None:
        sharding = self._traced.sharding(slot)
        if sharding is not None:
            return self._traced.mesh(sharding)
        return self._traced.plan.mesh

    # --- at the boundary ----------------------------------------------------------------------------------------------

    def _dropped_at_boundary(self, slot: ShardingSlot, dim: int) -> Iterator[Blocker]:
        """Axes that the tensor had at the end of propagation, and that the export removed because they do not divide
        its shape."""
        before, after = self._traced.sharding(slot), self._traced.final_sharding(slot)
        if before is None or after is None or _axes_of(before, dim) == _axes_of(after, dim):
            return
        mesh = self._traced.mesh(before)
        size = self._traced.shape(slot)[dim]
        for axis in before.dims[dim].axes:
            if mesh is None or has_axis(after, dim, axis):
                continue
            count = axis.size(mesh)
            chain = self._chains.chain(slot, dim, axis)
            asked = f" (from {chain.origin.text})" if chain.origin is not None else ""
            smaller, kept = size < count, after.dims[dim].axes
            if kept:
                before_it = ", ".join(one.body_text for one in kept)
                what = f"has no room for {axis_phrase(axis)} of {count} behind {before_it}"
            else:
                what = f"is {'smaller than' if smaller else 'not divisible by'} {axis_phrase(axis)} of {count}"
            cause = failed.SMALLER if smaller else failed.DIVIDES
            text = f"the size {size} {what}{asked}: arguments and results are not padded"
            yield Blocker(dim, axis, cause, text, chain.origin, chain.origin_dim, slot)


def _axes_of(sharding: TensorSharding | None, dim: int) -> tuple[AxisRef, ...]:
    """The axes of a dimension; none without a sharding, and in the sharding of a single device."""
    return sharding.dims[dim].axes if sharding is not None and dim < sharding.rank else ()


def _is_closed(sharding: TensorSharding | None, dim: int) -> bool:
    return sharding is not None and dim < sharding.rank and sharding.dims[dim].is_closed
