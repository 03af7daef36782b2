"""Unreduced axes: a value that is still to be summed over them is summed before somebody reads it who does not expect
that, and a value becomes unreduced where somebody does expect it.

Stands on ``insertion``; ``boundaries`` and ``explicit_reshards`` ask it for each operand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from pyshardy.dialects.sdy.placement import resolve_mesh, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.resharding.insertion import (
    Place,
    all_reduce,
    replicated_to_unreduced,
    reshard,
    sharded_to_unreduced,
)
from pyshardy.sharding.axes import AxisRef, contains, difference, is_prefix, sort_and_merge, suffix_without_overlap
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding


class UnreducedAxes:
    """Adapts operands of the operations of one module."""

    __slots__ = ("_context", "_meshes")

    def __init__(self, meshes: Mapping[str, Mesh], context: Context) -> None:
        self._meshes = meshes
        self._context = context

    def reduce(
        self, op: Operation, index: int, source: TensorSharding, target: TensorSharding | None, place: Place
    ) -> TensorSharding:
        """All-reduces operand ``index`` of ``op``, sharded as ``source``, over its unreduced axes that ``target`` does
        not have; returns the sharding that the operand has then.

        Raises:
            PassFailure: source and target are on different meshes.
        """
        if not source.unreduced:
            return source
        mesh = self._common_mesh(op, source, target)
        axes = difference(source.unreduced, target.unreduced if target is not None else (), mesh)
        if not axes:
            return source
        reduced = source.replace(unreduced=difference(source.unreduced, axes, mesh))
        new = all_reduce(op.operands[index], axes, reduced, op, source.reduction_op)
        rewriting.set_operand(op, index, place.insert(new))
        return reduced

    def introduce(
        self, op: Operation, index: int, target: TensorSharding | None, place: Place
    ) -> TensorSharding | None:
        """Makes operand ``index`` of ``op`` unreduced over the axes over which only ``target`` is; returns the sharding
        that the operand has then, or None if there are no such axes.

        Raises:
            PassFailure: the operand is unreduced over axes over which ``target`` is not, or is on another mesh.
        """
        value = op.operands[index]
        source = sharding_of(value)
        if source is None or target is None or not target.unreduced:
            return None
        mesh = self._common_mesh(op, source, target)
        new = difference(target.unreduced, source.unreduced, mesh)
        if not new:
            return None
        if difference(source.unreduced, target.unreduced, mesh):
            self._fail(op, "both input and output have unreduced axes that the other has not")
        route = _route(source, target, new, mesh)
        if route.needs_reshard:
            value = place.insert(reshard(value, source.replace(dims=route.dims), op))
        from_shards = [axis for axes in route.axes_per_dim for axis in axes]
        from_replicas = difference(new, from_shards, mesh)
        if from_replicas:
            unreduced = sort_and_merge([*source.unreduced, *from_replicas], mesh)
            between = target.replace(dims=route.dims, unreduced=unreduced)
            value = place.insert(replicated_to_unreduced(value, from_replicas, between, op))
        if from_shards:
            value = place.insert(sharded_to_unreduced(value, route.axes_per_dim, target, op))
        rewriting.set_operand(op, index, value)
        return target

    def _common_mesh(self, op: Operation, source: TensorSharding, target: TensorSharding | None) -> Mesh:
        mesh = resolve_mesh(source, self._meshes)
        assert mesh is not None
        if target is not None and resolve_mesh(target, self._meshes) is not mesh:
            self._fail(op, "unreduced axes cannot be kept from one mesh to another")
        return mesh

    def _fail(self, op: Operation, message: str) -> NoReturn:
        self._context.emit("error", op.location, f"'{op.name}' op {message}")
        raise PassFailure


class _Route(NamedTuple):
    """How a sharding becomes an unreduced one: perhaps by a reshard to ``dims``, and from there by taking
    ``axes_per_dim`` off the dimensions."""

    dims: list[DimSharding]
    axes_per_dim: list[list[AxisRef]]
    needs_reshard: bool


def _route(source: TensorSharding, target: TensorSharding, new: Sequence[AxisRef], mesh: Mesh) -> _Route:
    dims, axes_per_dim, needs_reshard = [], [], False
    for old, wanted in zip(source.dims, target.dims, strict=True):
        taken = _rest_behind_prefix(old.axes, wanted.axes, mesh)
        if taken and not difference(taken, new, mesh):
            dims.append(old)
            axes_per_dim.append(taken)
            continue
        needs_reshard = needs_reshard or old.axes != wanted.axes
        dims.append(wanted)
        axes_per_dim.append([])
    return _Route(dims, axes_per_dim, needs_reshard)


def _rest_behind_prefix(axes: Sequence[AxisRef], prefix: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """What ``axes`` has behind ``prefix``; empty if it does not start with it."""
    count = len(prefix)
    if count > len(axes):
        return []
    if not count:
        return list(axes)
    *head, last = prefix
    split = axes[count - 1]
    if tuple(axes[: count - 1]) != tuple(head) or not is_prefix(last, split):
        return []
    rest = suffix_without_overlap(split, last, mesh) if contains(split, last) and split is not last else None
    return [*([rest] if rest is not None else []), *axes[count:]]
