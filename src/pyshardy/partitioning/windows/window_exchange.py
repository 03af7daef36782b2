"""Exchanges elements along a sharded dimension, so that every shard gets the window of the dimension that it needs.

``emit_route`` emits a ``Route``: permutes send just the elements needed, received pieces are put at their positions in
the window, and positions outside of the tensor are filled. ``window`` does that for one dimension of a tensor whose
results read windows of it (``WindowAccess``). ``window_strategy`` compares the exchange with a gather.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.emitting.by_shard import emit_value_by_shard, is_shard_among
from pyshardy.emitting.collectives import Collectives
from pyshardy.emitting.devices import shard_pairs
from pyshardy.emitting.layout import Axes, Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.windows.routing import (
    Piece,
    PieceSlice,
    Route,
    WindowAccess,
    Windows,
    concatenated_parts,
    plan_route,
    undilated,
    window_transfers,
    windows_of,
)
from pyshardy.sharding.mesh import Mesh

_MOST_BOUNDS = 8
"""If the parts of a piece begin and end at more positions than this, the piece is shifted by a dynamic slice, instead
of slicing it for each range between two positions."""

_Covering = tuple[tuple[int, frozenset[int] | None], ...]


class WindowRoute(NamedTuple):
    """How a dimension becomes windows: the route of its elements; for each shard the position of its first element in
    its window, and the length of the window, both after dilation; and whether padding must be overwritten before."""

    route: Route
    phases: tuple[int, ...]
    length: int
    masked: bool


@lru_cache(maxsize=1 << 14)
def window_route(size: int, results: int, count: int, shared: bool, reach: WindowAccess, filled: bool) -> WindowRoute:
    """The windows of ``count`` shards of ``results`` results, from a dimension of ``size`` elements that has as many
    shards if ``shared``, and is replicated otherwise. ``filled`` says that positions outside of the dimension are
    read."""
    return route_of_windows(windows_of(reach, results, count), size, reach.dilation, shared, filled)


def route_of_windows(windows: Windows, size: int, dilation: int, shared: bool, filled: bool) -> WindowRoute:
    """The route of given ``windows`` of a dimension of ``size`` elements with this ``dilation``; ``shared`` and
    ``filled`` as for ``window_route``."""
    count = len(windows.starts)
    dense, phases = undilated(windows, dilation)
    pool = -(-size // count) if shared else size

    def planned(end: int) -> Route:
        transfers = window_transfers(dense, end, pool, None if shared else 0)
        return plan_route(count, pool, dense.length, transfers, dense.required if filled else ((0, 0),) * count)

    route, masked = planned(size), False
    if filled and shared and size % count:
        # If the padding is overwritten, the last shards need no pieces of their own.
        regular = planned(pool * count)
        if regular.elements <= route.elements and len(regular.pieces) <= len(route.pieces):
            route, masked = regular, True
    return WindowRoute(route, phases, windows.length, masked)


def window(
    site: Site, sharded: Sharded, dim: int, target: Layout, planned: WindowRoute, dilation: int, fill: Value | None
) -> Value:
    """The local value of ``sharded`` with the windows of ``planned`` in dimension ``dim``, which ``target`` shards;
    positions without element have the scalar ``fill``, or any value if it is None."""
    assert target.mesh is not None
    mesh, axes = target.mesh, target.dims[dim]
    value = emit_route(site.builder, site.collectives, sharded.value, dim, mesh, axes, planned.route, fill)
    if dilation == 1:
        return value
    return _dilated(site.builder, value, dim, mesh, axes, planned, dilation, fill)


def _dilated(
    builder: Builder,
    value: Value,
    dim: int,
    mesh: Mesh,
    axes: Axes,
    planned: WindowRoute,
    dilation: int,
    fill: Value | None,
) -> Value:
    """``value`` with gaps between its elements, and each shard's first element at its position in the window."""
    type = tensor_type(value)
    if fill is None:
        fill = builder.scalar(0, type.element)
    spread = max(0, (type.shape[dim] - 1) * dilation + 1)
    largest, least = max(planned.phases), min(planned.phases)
    padding = [[0] * type.rank for _ in range(3)]
    padding[0][dim], padding[2][dim] = largest, dilation - 1
    if largest == least:
        padding[1][dim] = planned.length - largest - spread
        return builder.pad(value, fill, *padding)
    padding[1][dim] = max(0, planned.length - least - spread)
    value = builder.pad(value, fill, *padding)
    start = {shard: largest - phase for shard, phase in enumerate(planned.phases)}
    return builder.dynamic_slice_dim(value, dim, emit_value_by_shard(builder, mesh, axes, start), planned.length)


def emit_route(
    builder: Builder,
    collectives: Collectives,
    pool: Value,
    dim: int,
    mesh: Mesh,
    axes: Axes,
    route: Route,
    fill: Value | None,
) -> Value:
    """The window of each shard along ``axes``, from its ``pool`` in dimension ``dim``."""
    if not route.length:
        type = tensor_type(pool)
        return builder.splat(0, type.with_shape(0 if index == dim else size for index, size in enumerate(type.shape)))
    pieces = []
    for piece in route.pieces:
        value = pool
        if piece.starts is not None and piece.senders is not None:
            value = _cut(builder, pool, dim, mesh, axes, piece)
            pairs = shard_pairs(mesh, axes, tuple((source, target) for target, source in piece.senders.items()))
            value = collectives.collective_permute(value, pairs, axes)
        pieces.append((value, piece))
    pieces = _merge_pieces(builder, pieces, dim)
    return _Assembly(builder, pieces, dim, mesh, axes, route, fill, tensor_type(pool)).value()


def _cut(builder: Builder, pool: Value, dim: int, mesh: Mesh, axes: Axes, piece: Piece) -> Value:
    """The elements of its pool that each shard sends."""
    assert piece.starts is not None
    starts = set(piece.starts.values())
    if len(starts) == 1:
        (start,) = starts
        return builder.slice_dim(pool, dim, start, start + piece.size)
    start_of_shard = emit_value_by_shard(builder, mesh, axes, piece.starts)
    return builder.dynamic_slice_dim(pool, dim, start_of_shard, piece.size)


def _merge_pieces(builder: Builder, pieces: list[tuple[Value, Piece]], dim: int) -> list[tuple[Value, Piece]]:
    """``pieces``, with those concatenated that are adjacent in the windows."""
    pieces = list(pieces)
    found = True
    while found:
        found = False
        for i, (left, a) in enumerate(pieces):
            for j, (right, b) in enumerate(pieces):
                parts = concatenated_parts(a, b) if i != j else None
                if parts is not None:
                    whole = builder.concatenate([left, right], dim)
                    pieces = [one for k, one in enumerate(pieces) if k not in (i, j)]
                    pieces.append((whole, Piece(a.size + b.size, parts)))
                    found = True
                    break
            if found:
                break
    return pieces


class _Assembly:
    """Puts pieces at their positions in the window. A piece with the same position in all shards that use it is
    concatenated with others; any other is shifted to its position and selected into the result."""

    def __init__(
        self,
        builder: Builder,
        pieces: Sequence[tuple[Value, Piece]],
        dim: int,
        mesh: Mesh,
        axes: Axes,
        route: Route,
        fill: Value | None,
        type: TensorType,
    ) -> None:
        self._builder = builder
        self._pieces = pieces
        self._dim = dim
        self._mesh = mesh
        self._axes = axes
        self._route = route
        self._fill = fill
        self._type = type
        self._uncovered = [self._uncovered_ranges(shard) for shard in range(route.shards)] if fill is not None else []
        self._fixed = [number for number, (_, piece) in enumerate(pieces) if self._is_fixed(piece)]

    def value(self) -> Value:
        """The window."""
        shifting = [number for number in range(len(self._pieces)) if number not in self._fixed]
        if not shifting or self._fixed:
            value = self._side_by_side()
        elif len(shifting) == 1 and self._uncovered_only_outside(self._pieces[shifting[0]][1]):
            return self._shifted(shifting[0], self._fill)
        elif any(self._uncovered):
            value = self._filled(self._route.length)
        else:
            value = self._shifted(shifting.pop(0), None)
        for number in shifting:
            mask = self._mask(number)
            moved = self._shifted(number, None)
            value = moved if mask is None else self._builder.select(mask, moved, value)
        return value

    def _is_fixed(self, piece: Piece) -> bool:
        shifts = {part.shift for part in piece.parts.values()}
        bounds = {bound for part in piece.parts.values() for bound in (part.place, part.place + part.size)}
        return len(shifts) == 1 and len(bounds) <= _MOST_BOUNDS

    def _uncovered_ranges(self, shard: int) -> list[tuple[int, int]]:
        """The ranges of the window of ``shard`` that it reads and no piece covers."""
        at, end = self._route.required[shard]
        uncovered = []
        parts = [piece.parts[shard] for _, piece in self._pieces if shard in piece.parts]
        for part in sorted(parts):
            if part.place > at:
                uncovered.append((at, min(end, part.place)))
            at = max(at, part.place + part.size)
        if at < end:
            uncovered.append((at, end))
        return [one for one in uncovered if one[0] < one[1]]

    def _uncovered_only_outside(self, piece: Piece) -> bool:
        """Whether every shard uses a part of ``piece``, and reads nothing else but positions before or after the
        piece."""
        if len(piece.parts) < self._route.shards:
            return False
        for shard, uncovered in enumerate(self._uncovered):
            first = piece.parts[shard].shift
            if any(end > first and start < first + piece.size for start, end in uncovered):
                return False
        return True

    # --- pieces at fixed positions ------------------------------------------------------------------------------------

    def _side_by_side(self) -> Value:
        """The concatenation of the areas of the window between the ends of fixed pieces."""
        bounds = {0, self._route.length}
        for number in self._fixed:
            for part in self._pieces[number][1].parts.values():
                bounds |= {part.place, part.place + part.size}
        ordered = sorted(bounds)
        areas: list[tuple[int, int, _Covering, bool]] = []
        for start, end in pairwise(ordered):
            covering, filled = self._covering_pieces(start, end)
            if areas and areas[-1][2:] == (covering, filled):
                start = areas.pop()[0]
            areas.append((start, end, covering, filled))
        return self._builder.concatenate([self._area(*area) for area in areas], self._dim)

    def _covering_pieces(self, start: int, end: int) -> tuple[_Covering, bool]:
        """The fixed pieces that cover an area of the window, each with the shards that use it there, None for the piece
        that all others are selected over; and whether some shard needs the area filled."""
        filled = any(a < end and start < b for uncovered in self._uncovered for a, b in uncovered)
        found: list[tuple[int, frozenset[int] | None]] = []
        for number in self._fixed:
            parts = self._pieces[number][1].parts
            shards = frozenset(
                shard for shard, part in parts.items() if part.place <= start and end <= part.place + part.size
            )
            if shards:
                found.append((number, shards))
        found.sort(key=lambda one: -len(one[1] or ()))
        if found and not filled:
            found[0] = (found[0][0], None)
        return tuple(found), filled

    def _area(self, start: int, end: int, covering: _Covering, filled: bool) -> Value:
        """One area of the window, selected from the pieces that cover it."""
        builder, value = self._builder, None
        if filled or not covering:
            value = self._filled(end - start)
        for number, shards in covering:
            whole, piece = self._pieces[number]
            shift = next(iter(piece.parts.values())).shift
            slice = builder.slice_dim(whole, self._dim, start - shift, end - shift)
            chosen = None if shards is None else is_shard_among(builder, self._mesh, self._axes, shards)
            value = slice if chosen is None or value is None else builder.select(chosen, slice, value)
        assert value is not None
        return value

    def _filled(self, length: int) -> Value:
        shape = [length if dim == self._dim else size for dim, size in enumerate(self._type.shape)]
        if self._fill is None:
            return self._builder.splat(0, self._type.with_shape(shape))
        return self._builder.broadcast(self._fill, shape)

    # --- pieces at positions that differ from shard to shard ----------------------------------------------------------

    def _shifted(self, number: int, fill: Value | None) -> Value:
        """Piece ``number`` at its position in the window, with ``fill`` (or any value) around it."""
        builder, dim, length = self._builder, self._dim, self._route.length
        value, piece = self._pieces[number]
        shifts = {shard: part.shift for shard, part in piece.parts.items()}
        low = max(0, *shifts.values())
        high = max(0, length - min(shifts.values()) - piece.size)
        value = builder.pad_dim(value, builder.scalar(0, self._type.element) if fill is None else fill, dim, low, high)
        start = emit_value_by_shard(
            builder, self._mesh, self._axes, {shard: low - shift for shard, shift in shifts.items()}
        )
        return builder.dynamic_slice_dim(value, dim, start, length)

    def _mask(self, number: int) -> Value | None:
        """Which elements of the window piece ``number`` covers; None if it may overwrite all others."""
        builder, route = self._builder, self._route
        parts = self._pieces[number][1].parts
        below = any(self._is_needed_otherwise(shard, 0, part.place, number) for shard, part in parts.items())
        above = len(parts) < route.shards or any(
            self._is_needed_otherwise(shard, part.place + part.size, route.length, number)
            for shard, part in parts.items()
        )
        shape = [route.length if dim == self._dim else size for dim, size in enumerate(self._type.shape)]
        mask: Value | None = None
        nothing = PieceSlice(0, 0, 0)
        for direction, asked in (("GE", below), ("LT", above)):
            if not asked:
                continue
            bounds: Mapping[int, int] = {
                shard: part.place + (part.size if direction == "LT" else 0)
                for shard, part in ((shard, parts.get(shard, nothing)) for shard in range(route.shards))
            }
            bound = emit_value_by_shard(builder, self._mesh, self._axes, bounds)
            places = builder.iota(TensorType((route.length,), tensor_type(bound).element), 0)
            one = builder.compare(places, direction, builder.broadcast(bound, (route.length,)))
            mask = one if mask is None else builder.binary("and", mask, one)
        return mask if mask is None else builder.broadcast(mask, shape, (self._dim,))

    def _is_needed_otherwise(self, shard: int, start: int, end: int, number: int) -> bool:
        """Whether ``shard`` needs anything but piece ``number`` in a range of its window."""
        if start >= end:
            return False
        if self._uncovered and any(a < end and start < b for a, b in self._uncovered[shard]):
            return True
        for other, (_, piece) in enumerate(self._pieces):
            part = piece.parts.get(shard) if other != number else None
            if part is not None and part.place < end and start < part.place + part.size:
                return True
        return False
