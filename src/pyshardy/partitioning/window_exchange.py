"""Neighbours exchange what each needs of the other: the one tool for operations that shift, cut, or slide windows.

Along a sharded dimension, shard t of a result needs the elements from ``stride·t + start`` on, ``size`` of them, of an
operand whose shards have ``local`` elements. Each device receives the parts of other shards that lie in its range, one
permute for each distance, joins them with its own, and cuts out its range at a place that it computes from its
coordinate. What lies outside the tensor becomes a fill value. ``sliding`` and ``slicing`` stand right of this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.builder import Builder, tensor_type
from pyshardy.partitioning.collectives import Collectives
from pyshardy.partitioning.coordinates import index_type, offset
from pyshardy.partitioning.devices import replica_groups
from pyshardy.partitioning.layout import Axes, Sharded
from pyshardy.sharding.mesh import Mesh


@dataclass(frozen=True)
class Window:
    """What shard t needs along a dimension: ``size`` elements from ``stride·t + start`` on."""

    stride: int
    start: int
    size: int


@dataclass(frozen=True)
class Piece:
    """Elements ``first`` up to ``stop`` of the shard that is ``distance`` further on."""

    distance: int
    first: int
    stop: int


@dataclass(frozen=True)
class ExchangePlan:
    """The pieces that a device joins, in order; where its window begins in them is ``slope·t + begin``."""

    pieces: tuple[Piece, ...]
    slope: int
    begin: int
    low: int
    """Elements to add in front so that no window begins before the first."""
    high: int
    within: bool
    """Whether every window lies inside the tensor."""

    @property
    def received(self) -> int:
        """Elements received from others, for each row of the other dimensions."""
        return sum(piece.stop - piece.first for piece in self.pieces if piece.distance)


@lru_cache(maxsize=1 << 14)
def exchange_plan(length: int, local: int, count: int, window: Window) -> ExchangePlan:
    """How the ``count`` shards of ``local`` elements of a dimension of ``length`` see their windows."""
    needed: dict[int, tuple[int, int]] = {}
    within = True
    for shard in range(count):
        low, high = window.stride * shard + window.start, window.stride * shard + window.start + window.size
        within = within and low >= 0 and high <= length
        low, high = max(low, 0), min(high, length)
        if low >= high:
            continue
        for source in range(low // local, (high - 1) // local + 1):
            first, stop = max(low - source * local, 0), min(high - source * local, local)
            known = needed.get(source - shard, (first, stop))
            needed[source - shard] = min(first, known[0]), max(stop, known[1])
    pieces = _joined(needed, local)
    slope = window.stride - local
    begin = window.start - pieces[0].distance * local - pieces[0].first
    begins = (begin, begin + slope * (count - 1))
    total = sum(piece.stop - piece.first for piece in pieces)
    return ExchangePlan(pieces, slope, begin, max(0, -min(begins)), max(0, max(begins) + window.size - total), within)


def _joined(needed: dict[int, tuple[int, int]], local: int) -> tuple[Piece, ...]:
    """One piece for each distance, so that joined they have no gap."""
    if not needed:
        return (Piece(0, 0, local),)
    nearest, farthest = min(needed), max(needed)
    return tuple(
        Piece(
            distance,
            needed[distance][0] if distance == nearest else 0,
            needed[distance][1] if distance == farthest else local,
        )
        for distance in range(nearest, farthest + 1)
    )


class WindowExchange:
    """Emits exchanges."""

    def __init__(self, builder: Builder, collectives: Collectives) -> None:
        self._builder = builder
        self._collectives = collectives

    def exchange(self, value: Value, sharded: Sharded, dim: int, window: Window, fill: Value | None) -> Value:
        """The window of the running device along dimension ``dim`` of ``value``, which in that dimension is laid out as
        ``sharded``. Elements outside the tensor are ``fill``, a scalar; anything if there is none."""
        layout, length, local = sharded.layout, sharded.shape[dim], sharded.local_shape[dim]
        mesh, axes = layout.mesh, layout.dims[dim]
        assert mesh is not None
        plan = exchange_plan(length, local, layout.counts[dim], window)
        parts = [self._received(value, dim, mesh, axes, piece) for piece in plan.pieces]
        joined = self._builder.concatenate(parts, dim)
        return self._cut(joined, dim, mesh, axes, window, plan, length, fill)

    def of_whole(
        self, value: Value, dim: int, mesh: Mesh, axes: Axes, count: int, window: Window, fill: Value | None
    ) -> Value:
        """The window of the running device, shard number along ``axes``, of a tensor that is whole along ``dim``."""
        length = tensor_type(value).shape[dim]
        begins = (window.start, window.start + window.stride * (count - 1))
        low, high = max(0, -min(begins)), max(0, max(begins) + window.size - length)
        within = not low and not high
        plan = ExchangePlan((Piece(0, 0, length),), window.stride, window.start, low, high, within)
        return self._cut(value, dim, mesh, axes, window, plan, length, fill)

    def _received(self, value: Value, dim: int, mesh: Mesh, axes: Axes, piece: Piece) -> Value:
        part = self._builder.slice_dim(value, dim, piece.first, piece.stop)
        if not piece.distance:
            return part
        pairs = []
        for group in replica_groups(mesh, axes):
            for target in range(len(group)):
                if 0 <= target + piece.distance < len(group):
                    pairs.append((group[target + piece.distance], group[target]))
        if not pairs:
            type = tensor_type(part)
            return self._builder.splat(0, type)
        return self._collectives.collective_permute(part, sorted(pairs), axes)

    def _cut(
        self,
        joined: Value,
        dim: int,
        mesh: Mesh,
        axes: Axes,
        window: Window,
        plan: ExchangePlan,
        length: int,
        fill: Value | None,
    ) -> Value:
        builder, type = self._builder, tensor_type(joined)
        if plan.low or plan.high:
            low, high = [0] * type.rank, [0] * type.rank
            low[dim], high[dim] = plan.low, plan.high
            joined = builder.pad(joined, builder.scalar(0, type.element) if fill is None else fill, low, high)
        begin = plan.begin + plan.low
        if plan.slope == 0:
            cut = builder.slice_dim(joined, dim, begin, begin + window.size)
        else:
            element = index_type(max(tensor_type(joined).shape[dim], abs(plan.slope) * mesh.total_size))
            place = offset(builder, mesh, axes, plan.slope, element)
            if begin:
                place = builder.binary("add", place, builder.scalar(begin, element))
            cut = builder.dynamic_slice_dim(joined, dim, place, window.size)
        if fill is None or plan.within:
            return cut
        return builder.select(self._inside(cut, dim, mesh, axes, window, length), cut, self._filled(fill, cut))

    def _filled(self, fill: Value, like: Value) -> Value:
        return self._builder.broadcast(fill, tensor_type(like).shape)

    def _inside(self, cut: Value, dim: int, mesh: Mesh, axes: Axes, window: Window, length: int) -> Value:
        """Which elements of a window lie inside the tensor."""
        builder, shape = self._builder, tensor_type(cut).shape

        def make() -> Value:
            element = index_type(length + abs(window.start) + window.size + abs(window.stride) * mesh.total_size)
            begin = offset(builder, mesh, axes, window.stride, element)
            begin = builder.binary("add", begin, builder.scalar(window.start, element))
            places = builder.iota(TensorType((window.size,), element), 0)
            places = builder.binary("add", places, builder.broadcast(begin, (window.size,)))
            after = builder.compare(places, "GE", builder.splat(0, tensor_type(places)))
            before = builder.compare(places, "LT", builder.splat(length, tensor_type(places)))
            return builder.broadcast(builder.binary("and", after, before), shape, (dim,))

        return builder.once(("window", mesh, axes, window, length, dim, shape), make)
