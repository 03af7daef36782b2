"""Reduces unreduced values before a user that does not expect partial sums, and makes values unreduced for a user that
does.

``boundaries`` and ``explicit_reshards`` ask for each operand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import resolve_mesh, set_sharding, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value
from pyshardy.resharding.axis_alignment import rest_after
from pyshardy.resharding.insertion import (
    InsertionPoint,
    all_reduce,
    replicated_to_unreduced,
    reshard,
    sharded_to_unreduced,
)
from pyshardy.sharding.axes import AxisRef, difference, sort_and_merge
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, fully_closed


class UnreducedAxes:
    """Adapts operands of the operations of one module. With ``of_unsharded`` also values without sharding become
    unreduced; they get a sharding."""

    __slots__ = ("_meshes", "_of_unsharded")

    def __init__(self, meshes: Mapping[str, Mesh], *, of_unsharded: bool = False) -> None:
        self._meshes = meshes
        self._of_unsharded = of_unsharded

    def reduce(
        self, op: Operation, index: int, source: TensorSharding, target: TensorSharding | None, place: InsertionPoint
    ) -> TensorSharding:
        """All-reduces operand ``index`` of ``op``, which has sharding ``source``, over its unreduced axes that
        ``target`` does not have (all of them if it is on another mesh); returns the sharding of the operand
        afterwards."""
        if not source.unreduced:
            return source
        mesh = self._mesh(source)
        kept = target.unreduced if target is not None and self._mesh(target) is mesh else ()
        axes = difference(source.unreduced, kept, mesh)
        if not axes:
            return source
        reduced = source.replace(unreduced=difference(source.unreduced, axes, mesh))
        new = all_reduce(op.operands[index], axes, reduced, op, source.reduction_op)
        rewriting.set_operand(op, index, place.insert(new))
        return reduced

    def reduce_all(self, op: Operation, index: int) -> None:
        """All-reduces operand ``index`` of ``op`` over all its unreduced axes."""
        source = sharding_of(op.operands[index])
        if source is not None:
            self.reduce(op, index, source, None, InsertionPoint.before(op))

    def introduce(
        self, op: Operation, index: int, target: TensorSharding | None, place: InsertionPoint
    ) -> TensorSharding | None:
        """Makes operand ``index`` of ``op`` unreduced over the axes over which only ``target`` is; returns the sharding
        of the operand afterwards, or None if there are no such axes."""
        source = sharding_of(op.operands[index])
        if target is None or not target.unreduced:
            return None
        if source is None and self._of_unsharded:
            source = fully_closed(target.rank, target.mesh_or_ref)
            set_sharding(op.operands[index], source)
        if source is None:
            return None
        mesh = self._mesh(target)
        if self._mesh(source) is mesh:
            new = difference(target.unreduced, source.unreduced, mesh)
            if not new:
                return None
            # The source may also be unreduced over axes over which the target is not.
            source = self.reduce(op, index, source, target, place)
        elif self._of_unsharded:
            # Later passes drop the mesh of a replicated value, so the reshard has to be a single step.
            self.reduce(op, index, source, target, place)
            rewriting.set_operand(op, index, place.insert(reshard(op.operands[index], target, op)))
            return target
        else:
            source = self._moved(op, index, source, target, place)
            new = list(target.unreduced)
        if self._of_unsharded:
            _shard_before_reshards(op.operands[index])
        value = op.operands[index]
        route = _route(source, target, new, mesh)
        if route.needs_reshard:
            value = place.insert(reshard(value, source.replace(dims=route.dims), op))
        from_shards = [axis for axes in route.axes_per_dim for axis in axes]
        from_replicas = difference(new, from_shards, mesh)
        made = source.replace(dims=route.dims)
        if from_replicas:
            unreduced = sort_and_merge([*source.unreduced, *from_replicas], mesh)
            made = made.replace(replicated=target.replicated, unreduced=unreduced)
            value = place.insert(replicated_to_unreduced(value, from_replicas, made, op))
        if from_shards:
            made = target
            value = place.insert(sharded_to_unreduced(value, route.axes_per_dim, made, op))
        rewriting.set_operand(op, index, value)
        return made

    def keep_introduced(self, op: Operation) -> None:
        """Makes sure that ``op``, which makes a replicated value unreduced, stays valid when reshards before it that
        move nothing are removed: values get a sharding, or are resharded from another mesh in one step."""
        made, target = op.operands[0].defining_op, sharding_of(op.result)
        _shard_before_reshards(op.operands[0])
        if made is None or made.name != "sdy.reshard" or target is None:
            return
        source = sharding_of(made.operands[0])
        if source is not None and not source.unreduced and self._mesh(source) is not self._mesh(target):
            new = reshard(made.operands[0], target, op)
            rewriting.insert_before(op, new)
            rewriting.replace_op(op, [new.result])

    def _moved(
        self, op: Operation, index: int, source: TensorSharding, target: TensorSharding, place: InsertionPoint
    ) -> TensorSharding:
        """Reduces operand ``index`` and reshards it to the mesh of ``target``, without unreduced axes."""
        self.reduce(op, index, source, target, place)
        moved = target.replace(unreduced=())
        rewriting.set_operand(op, index, place.insert(reshard(op.operands[index], moved, op)))
        return moved

    def _mesh(self, sharding: TensorSharding) -> Mesh:
        mesh = resolve_mesh(sharding, self._meshes)
        assert mesh is not None
        return mesh


def _shard_before_reshards(value: Value) -> None:
    """Gives values without sharding, from which reshards make ``value``, the replicated sharding that they have: the
    reshards may be removed."""
    made = value.defining_op
    while made is not None and made.name == "sdy.reshard":
        wanted, value = sharding_of(value), made.operands[0]
        if wanted is not None and sharding_of(value) is None:
            set_sharding(value, fully_closed(wanted.rank, wanted.mesh_or_ref))
        made = value.defining_op


class _Route(NamedTuple):
    """How a value becomes unreduced: by a reshard to ``dims``, if it needs one, and then by taking ``axes_per_dim`` off
    its dimensions."""

    dims: list[DimSharding]
    axes_per_dim: list[list[AxisRef]]
    needs_reshard: bool


def _route(source: TensorSharding, target: TensorSharding, new: Sequence[AxisRef], mesh: Mesh) -> _Route:
    """How a value with sharding ``source`` becomes unreduced over ``new``, in addition, on the way to ``target``."""
    dims, axes_per_dim, needs_reshard = [], [], False
    for old, wanted in zip(source.dims, target.dims, strict=True):
        taken = rest_after(old.axes, wanted.axes, mesh)
        if taken and not difference(taken, new, mesh):
            dims.append(old)
            axes_per_dim.append(taken)
            continue
        needs_reshard = needs_reshard or old.axes != wanted.axes
        dims.append(wanted)
        axes_per_dim.append([])
    return _Route(dims, axes_per_dim, needs_reshard)
