"""Reshapes that would move elements between devices, most often along dimensions that do not divide: replicates these.

``sdy-pad-for-divisibility``, which runs later, can reshape a padded dimension only if padding stays at the end.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod

from pyshardy.dialects.sdy.placement import resolve_mesh, sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.devices import pieces
from pyshardy.emitting.layout import Axes
from pyshardy.ir.operation import Operation
from pyshardy.passes.partitioning.permutation.replication import reshard_operand, reshard_result, without_axes
from pyshardy.passes.partitioning.shard_sizes import shard_counts
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def replicate_moving_groups(op: Operation, known_meshes: dict[str, Mesh]) -> None:
    """Replicates the groups of dimensions that are split or merged together, if elements would move between devices."""
    operand, result = op.operands[0], op.results[0]
    shapes = (tensor_type(operand).shape, tensor_type(result).shape)
    if any(size <= 0 for shape in shapes for size in shape):
        return
    shardings = (sharding_of(operand), sharding_of(result))
    cleared: tuple[set[int], set[int]] = (set(), set())
    for group in _groups(*shapes):
        sides = [
            _Side(shape, dims, sharding, known_meshes)
            for shape, dims, sharding in zip(shapes, group, shardings, strict=True)
        ]
        if not _keeps_devices(*sides):
            for places, side in zip(cleared, sides, strict=True):
                places.update(side.sharded)
    old_operand, old_result = shardings
    if cleared[0] and old_operand is not None:
        reshard_operand(op, 0, without_axes(old_operand, cleared[0]))
    if cleared[1] and old_result is not None:
        reshard_result(result, without_axes(old_result, cleared[1]), old_result)


def _groups(a: tuple[int, ...], b: tuple[int, ...]) -> list[tuple[range, range]]:
    """The dimensions of both shapes that are split or merged together: the shortest runs with the same product."""
    ends = []
    for shape in (a, b):
        found = {1: 0}
        for dim in range(len(shape)):
            found[prod(shape[: dim + 1])] = dim + 1
        ends.append(found)
    common = sorted(set(ends[0]) & set(ends[1]))
    leading = (range(ends[0][1]), range(ends[1][1]))
    return [leading] + [(range(ends[0][x], ends[0][y]), range(ends[1][x], ends[1][y])) for x, y in pairwise(common)]


class _Side:
    """The dimensions of a group on one side of a reshape."""

    def __init__(
        self, shape: tuple[int, ...], dims: range, sharding: TensorSharding | None, meshes: dict[str, Mesh]
    ) -> None:
        mesh = resolve_mesh(sharding, meshes) if sharding is not None else None
        self.sizes = {dim: shape[dim] for dim in dims if shape[dim] != 1}
        counts = shard_counts(sharding, mesh, len(shape))
        self.counts = {dim: counts[dim] for dim in dims}
        self.axes: dict[int, Axes] = {}
        self.mesh: Mesh | None = None
        self.shape = shape
        if sharding is not None and mesh is not None and not mesh.is_maximal:
            self.mesh = mesh
            self.axes = {dim: sharding.dims[dim].axes for dim in dims if sharding.dims[dim].axes}

    @property
    def sharded(self) -> list[int]:
        return list(self.axes)

    def all_axes(self) -> Axes:
        """The axes of all dimensions in order."""
        return tuple(axis for axes in self.axes.values() for axis in axes)

    @property
    def is_even(self) -> bool:
        """Whether every dimension divides."""
        return not any(self.shape[dim] % count for dim, count in self.counts.items())

    @property
    def chunk(self) -> int | None:
        """How many consecutive elements a device has; None if its elements are not consecutive."""
        first = next(iter(self.sizes or self.axes), None)
        if first is None or any(count > 1 for dim, count in self.counts.items() if dim != first):
            return None
        if not self.sizes:
            return 1
        rows = -(-self.sizes[first] // self.counts[first])
        return rows * prod(size for dim, size in self.sizes.items() if dim != first)

    def strides(self, cut: list[AxisRef]) -> dict[AxisRef, int]:
        """For each piece of an axis, how far apart, in the order of all elements, shards are that differ by one along
        it."""
        assert self.mesh is not None
        found: dict[AxisRef, int] = {}
        behind = prod(self.sizes.values())
        for dim in self.counts:
            behind //= self.shape[dim]
            step = behind * self.shape[dim]
            for axis in self.axes.get(dim, ()):
                for piece in cut:
                    if contains_piece(axis, piece, self.mesh):
                        step //= piece.size(self.mesh)
                        if piece.size(self.mesh) > 1:
                            found[piece] = step
        return found


def contains_piece(axis: AxisRef, piece: AxisRef, mesh: Mesh) -> bool:
    """Whether ``piece``, cut at the ends of ``axis`` among others, is a part of it."""
    return axis.name == piece.name and axis.pre <= piece.pre and piece.end(mesh) <= axis.end(mesh)


def _keeps_devices(a: _Side, b: _Side) -> bool:
    """Whether every element is on the same device before and after the reshape."""
    mesh = a.mesh or b.mesh
    if mesh is None or not (a.axes or b.axes):
        return True
    if a.mesh is not b.mesh and a.axes and b.axes:
        return a.is_even and b.is_even
    if a.is_even and b.is_even:
        cut = pieces(mesh, [*a.all_axes(), *b.all_axes()])
        a.mesh = b.mesh = mesh
        return a.strides(cut) == b.strides(cut)
    return a.all_axes() == b.all_axes() and a.chunk is not None and a.chunk == b.chunk
