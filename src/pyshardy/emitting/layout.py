"""Layouts, which say how a tensor is sharded over the devices.

A ``Layout`` is a sharding without what matters for propagation only: the axes of each dimension, and the axes over
which the devices hold partial sums. A dimension that does not divide is rounded up: every device has ``ceil(n / k)``
elements, and those after the n-th of all are *padding*, whose values are undefined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar

from pyshardy.dialects.sdy.placement import resolve_mesh
from pyshardy.ir.types import TensorType, Type, quantized_axis
from pyshardy.sharding.axes import AxisRef, append_or_merge, shard_count
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

Axes = tuple[AxisRef, ...]
Dims = tuple[Axes, ...]
Shape = tuple[int, ...]


class Layout:
    """Interned: the mesh (None if no axis is used), the axes of each dimension from major to minor, the unreduced axes,
    over which the value is a sum (or another ``reduction``) of what the devices hold, and the number of shards of each
    dimension.

    Axes of size 1 are dropped and neighbouring sub-axes merged, so that equal layouts are one object.
    """

    __slots__ = ("counts", "dims", "mesh", "reduction", "unreduced")
    mesh: Mesh | None
    dims: Dims
    unreduced: Axes
    reduction: str
    counts: tuple[int, ...]
    _table: ClassVar[dict[tuple[Mesh | None, Dims, Axes, str], Layout]] = {}

    def __new__(
        cls,
        mesh: Mesh | None,
        dims: Iterable[Iterable[AxisRef]],
        unreduced: Iterable[AxisRef] = (),
        reduction: str = "sum",
    ) -> Layout:
        listed, unreduced_axes = tuple(map(tuple, dims)), tuple(unreduced)
        key = (mesh, listed, unreduced_axes, reduction)
        self = cls._table.get(key)
        if self is None:
            canonical = _canonical(mesh, listed, unreduced_axes, reduction)
            self = cls._table.get(canonical)
            if self is None:
                self = object.__new__(cls)
                self.mesh, self.dims, self.unreduced, self.reduction = canonical
                self.counts = tuple(shard_count(axes, self.mesh) for axes in self.dims)
                cls._table[canonical] = self
            cls._table[key] = self
        return self

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def is_replicated(self) -> bool:
        """Whether every device holds the whole tensor."""
        return self.mesh is None

    def axes(self) -> Iterable[AxisRef]:
        """Every axis of the dimensions in order, then the unreduced ones."""
        return chain(chain.from_iterable(self.dims), self.unreduced)

    def with_dims(self, dims: Iterable[Iterable[AxisRef]]) -> Layout:
        """This layout with other axes of dimensions."""
        return Layout(self.mesh, dims, self.unreduced, self.reduction)

    def without(self, dims: Iterable[int]) -> Layout:
        """This layout with the dimensions ``dims`` not sharded."""
        dropped = set(dims)
        return self.with_dims(() if index in dropped else axes for index, axes in enumerate(self.dims))

    def reduced(self) -> Layout:
        """This layout without unreduced axes."""
        return self if not self.unreduced else Layout(self.mesh, self.dims)

    def __repr__(self) -> str:
        shown = ", ".join("{" + ", ".join(axis.body_text for axis in axes) + "}" for axes in self.dims)
        unreduced_axes = ", ".join(axis.body_text for axis in self.unreduced)
        return f"<Layout [{shown}]{f' {self.reduction} over {{{unreduced_axes}}}' if unreduced_axes else ''}>"


def _canonical(mesh: Mesh | None, dims: Dims, unreduced: Axes, reduction: str) -> tuple[Mesh | None, Dims, Axes, str]:
    if mesh is not None:
        dims = tuple(_merged(axes, mesh) for axes in dims)
        unreduced = _merged(unreduced, mesh)
    if not unreduced:
        reduction = "sum"
        mesh = mesh if any(dims) else None
    return mesh, dims, unreduced, reduction


def _merged(axes: Axes, mesh: Mesh) -> Axes:
    merged: list[AxisRef] = []
    for axis in axes:
        if axis.size(mesh) > 1:
            append_or_merge(merged, axis, mesh)
    return tuple(merged)


@cache
def replicated(rank: int) -> Layout:
    """Every device holds the whole tensor."""
    return Layout(None, ((),) * rank)


def rank_of(type: Type) -> int:
    """The number of dimensions of ``type``; 0 if it is no ranked tensor."""
    return type.rank if isinstance(type, TensorType) else 0


def layout_of(sharding: TensorSharding | None, type: Type, meshes: Mapping[str, Mesh]) -> Layout:
    """The layout of a value of ``type`` with ``sharding``. Without sharding, or with a mesh that is unknown or has a
    single device, every device holds the whole value. So it does along the dimension that has a scale for each place:
    all devices have one type, with one list of scales."""
    rank = rank_of(type)
    mesh = resolve_mesh(sharding, meshes) if sharding is not None else None
    if sharding is None or mesh is None or mesh.is_maximal or sharding.rank != rank:
        return replicated(rank)
    scaled = quantized_axis(type)
    dims = [() if number == scaled else dim.axes for number, dim in enumerate(sharding.dims)]
    return Layout(mesh, dims, sharding.unreduced, sharding.reduction_op)


def shards_scales(type: Type, layout: Layout) -> bool:
    """Whether ``layout`` shards the dimension of ``type`` that has a scale for each place, which no local type can
    say."""
    axis = quantized_axis(type)
    return axis is not None and axis < layout.rank and layout.counts[axis] > 1


def local_shape(shape: Sequence[int], layout: Layout) -> tuple[int, ...]:
    """The shape on one device, rounded up; dynamic sizes stay."""
    return tuple(
        size if count == 1 or size < 0 else -(-size // count) for size, count in zip(shape, layout.counts, strict=True)
    )


_local_types: dict[tuple[Type, Layout], Type] = {}


def local_type(type: Type, layout: Layout) -> Type:
    """The type on one device of a tensor of ``type``; any other type is unchanged."""
    if layout.mesh is None or not isinstance(type, TensorType):
        return type
    key = (type, layout)
    found = _local_types.get(key)
    if found is None:
        found = _local_types[key] = type.with_shape(local_shape(type.shape, layout))
    return found
