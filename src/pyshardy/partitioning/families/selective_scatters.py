"""Localizes ``select_and_scatter``, the gradient of pooling, along dimensions with windows.

Each device takes the windows that overlap its shard of the result, with the elements of the operand that they cover and
the elements of the source that belong to them, runs the operation, and keeps its shard of the result. Positions outside
of the operand are never selected, and windows outside of the source contribute nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.by_shard import emit_value_by_shard
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.emitting.reducers import neutral_elements, reduction_kind
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Region, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.families.windowed_reductions import WindowOfDim, windows_of_op, with_windows
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import (
    OperandTensor,
    cheapest,
    first_mesh,
    layouts_like,
    result_reshard_elements,
)
from pyshardy.partitioning.windows.routing import Windows
from pyshardy.partitioning.windows.several_windows import cheapest_windows, windows_along
from pyshardy.partitioning.windows.window_exchange import WindowRoute, route_of_windows
from pyshardy.rules.properties import enum_case

_SELECTING = {"GE": "max", "GT": "max", "LE": "min", "LT": "min"}


class _OverlappingWindows(NamedTuple):
    """The windows that overlap each shard of a dimension: the first and the end for each shard, the number of windows
    that every device takes, and the position of the shard in the range that they cover."""

    firsts: tuple[int, ...]
    ends: tuple[int, ...]
    number: int
    begins: tuple[int, ...]
    window: WindowOfDim

    @property
    def covered(self) -> int:
        """The number of elements of the operand that the windows of a shard cover."""
        return (self.number - 1) * self.window.stride + self.window.size


class _Plan(NamedTuple):
    """The layout of operand and result, and the elements that each device receives."""

    layout: Layout
    elements: float


@lru_cache(maxsize=1 << 12)
def _overlapping_windows(size: int, windows: int, count: int, window: WindowOfDim) -> _OverlappingWindows:
    share = -(-size // count)
    firsts, ends = [], []
    for shard in range(count):
        begin, end = shard * share, min(size, (shard + 1) * share)
        first = -(-(begin + window.low - window.size + 1) // window.stride)
        firsts.append(first)
        ends.append((end - 1 + window.low) // window.stride + 1 if begin < end else first)
    number = max(1, *(end - first for first, end in zip(firsts, ends, strict=True)))
    begins = [shard * share - (first * window.stride - window.low) for shard, first in enumerate(firsts)]
    return _OverlappingWindows(tuple(firsts), tuple(ends), number, tuple(begins), window)


@lru_cache(maxsize=1 << 12)
def _route(
    size: int, windows: int, count: int, window: WindowOfDim, shared: bool, of_source: bool
) -> tuple[_OverlappingWindows, WindowRoute]:
    """The windows that overlap each shard, and the route that brings the elements of the operand, or of the source, to
    them."""
    overlapping = _overlapping_windows(size, windows, count, window)
    length, starts, required = overlapping.number, overlapping.firsts, []
    for first, end in zip(overlapping.firsts, overlapping.ends, strict=True):
        if of_source:
            # Windows before the first and after the last are filled, so that they contribute nothing.
            required.append((0, end - first))
        else:
            low, high = max(first, 0) - first, min(end, windows) - first
            covered = (low * window.stride, (high - 1) * window.stride + window.size)
            required.append(covered if low < high else (0, 0))
    if not of_source:
        length = overlapping.covered
        starts = tuple(first * window.stride - window.low for first in starts)
    made = route_of_windows(Windows(length, starts, tuple(required)), windows if of_source else size, 1, shared, True)
    return overlapping, made


@localizes("stablehlo.select_and_scatter")
def _select_and_scatter(site: Site) -> list[Sharded]:
    operand, source = site.operands[:2]
    if not has_fixed_elements(operand.shape, source.shape):
        return site.fall_back()
    windows = windows_of_op(site.op, len(operand.shape))
    wide = tuple(dim for dim, window in enumerate(windows) if not window.is_plain)
    fills = _fills(site)
    plan = _plan(
        OperandTensor.of(operand),
        OperandTensor.of(source),
        site.requested[0],
        tuple(windows),
        wide,
        fills is not None,
    )
    return [_emitted(site, windows, wide, plan.layout, fills)]


def _fills(site: Site) -> tuple[DenseElementsAttr, DenseElementsAttr] | None:
    """An element that is never selected, and one that changes nothing when it is scattered; None if they are not
    known."""
    selected = _selecting(site.op.regions[0])
    scattered = reduction_kind(site.op.regions[1])
    if selected is None or scattered is None:
        return None
    lost = neutral_elements(selected, TensorType((), site.operands[0].element))
    nothing = neutral_elements(scattered, TensorType((), site.operands[1].element))
    return None if lost is None or nothing is None else (lost, nothing)


def _selecting(region: Region) -> str | None:
    """Whether the body selects the larger (``max``) or the smaller (``min``) element; None for any other body."""
    body = region.blocks[0]
    made = body.terminator.operands[0].defining_op if body.last is not None else None
    if made is None or made.name != "stablehlo.compare" or list(made.operands) != list(body.arguments):
        return None
    return _SELECTING.get(enum_case(made, "comparison_direction") or "")


@lru_cache(maxsize=1 << 12)
def _plan(
    operand: OperandTensor,
    source: OperandTensor,
    requested: Layout | None,
    windows: tuple[WindowOfDim, ...],
    wide: tuple[int, ...],
    can_exchange: bool,
) -> _Plan:
    """The layout of operand and result that moves the fewest elements."""

    def plan(layout: Layout) -> _Plan:
        elements = result_reshard_elements(operand.shape, layout, requested)
        for given, of_source in ((operand, False), (source, True)):
            route_of = _Routes(operand.shape, source.shape, windows, of_source)
            elements += cheapest_windows(given, layout, wide, route_of)[0]
        return _Plan(layout, elements)

    layouts = [requested, operand.layout, source.layout]
    candidates = layouts_like(layouts, len(operand.shape), first_mesh(layouts), () if can_exchange else wide)
    return cheapest(map(plan, candidates), operand.shape, attrgetter("layout"))


class _Routes:
    """The routes of the operand, or of the source, by dimension."""

    def __init__(self, operand: Shape, source: Shape, windows: Sequence[WindowOfDim], of_source: bool) -> None:
        self._operand = operand
        self._source = source
        self._windows = windows
        self._of_source = of_source

    def __call__(self, dim: int, count: int, shared: bool) -> WindowRoute:
        sizes = self._operand[dim], self._source[dim]
        return _route(*sizes, count, self._windows[dim], shared, self._of_source)[1]


def _emitted(
    site: Site,
    windows: list[WindowOfDim],
    wide: Sequence[int],
    layout: Layout,
    fills: tuple[DenseElementsAttr, DenseElementsAttr] | None,
) -> Sharded:
    """Emits the local operation on the windows that overlap each shard, and keeps the shard."""
    operand, source = site.operands[:2]
    init = site.replicate(site.operands[2])
    shared = {dim: 1 for dim in wide if layout.counts[dim] > 1}
    if not shared or fills is None:
        (result,) = site.emit([site.reshard(operand, layout), site.reshard(source, layout), init], [layout])
        return result
    routes = [_Routes(operand.shape, source.shape, windows, of_source) for of_source in (False, True)]
    left = windows_along(site, operand, layout, shared, routes[0], fills[0]).value
    right = windows_along(site, source, layout, shared, routes[1], fills[1]).value
    local = [window._replace(low=0, high=0) if dim in shared else window for dim, window in enumerate(windows)]
    made = site.builder.create(
        site.op.name,
        [left, right, init.value],
        [left.type],
        with_windows(site.op.properties, local),
        site.attributes(),
        site.regions(),
    )
    value: Value = made.results[0]
    for dim in shared:
        overlapping = _overlapping_windows(operand.shape[dim], source.shape[dim], layout.counts[dim], windows[dim])
        value = _kept(site, value, dim, layout, overlapping, init.value, local_shape(operand.shape, layout)[dim])
    return site.result(0, value, layout)


def _kept(
    site: Site, value: Value, dim: int, layout: Layout, overlapping: _OverlappingWindows, init: Value, size: int
) -> Value:
    """The shard of the result, out of all elements that its windows cover."""
    builder = site.builder
    low = max(0, -min(overlapping.begins))
    high = max(0, max(overlapping.begins) + size - overlapping.covered)
    value = builder.pad_dim(value, init, dim, low, high)
    begins: Mapping[int, int] = {shard: begin + low for shard, begin in enumerate(overlapping.begins)}
    if len(set(begins.values())) == 1:
        return builder.slice_dim(value, dim, begins[0], begins[0] + size)
    assert layout.mesh is not None
    return builder.dynamic_slice_dim(
        value, dim, emit_value_by_shard(builder, layout.mesh, layout.dims[dim], begins), size
    )
