"""Localizes ``reduce_window``, also for running reductions, whose windows extend from one end to each element.

Devices exchange the elements that windows overlap. For a running reduction each device computes the one of its shard,
and then adds the totals of the shards before it: only one row for each shard is gathered, however long the dimension
is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.coordinates import emit_shard_index
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout, local_shape, local_type, replicated
from pyshardy.emitting.reducers import OPERATIONS, is_neutral, neutral_elements, reduced, reduction_kind
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I64, TensorType
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor, result_reshard_elements
from pyshardy.partitioning.windows.routing import WindowAccess
from pyshardy.partitioning.windows.window_strategy import WindowStrategy, chosen_strategy, emit_windows
from pyshardy.rules.builder import result_shape
from pyshardy.rules.properties import integer_elements, integers


class WindowOfDim(NamedTuple):
    """The windows along one dimension."""

    size: int
    stride: int
    low: int
    high: int
    base_dilation: int
    dilation: int

    @property
    def access(self) -> WindowAccess:
        """The positions that each result reads."""
        return WindowAccess(-self.low, self.stride, (self.size - 1) * self.dilation + 1, self.base_dilation)

    @property
    def is_plain(self) -> bool:
        """Whether each result reads only its own element."""
        return self == _PLAIN


_PLAIN = WindowOfDim(1, 1, 0, 0, 1, 1)


def windows_of_op(op: Operation, rank: int) -> list[WindowOfDim]:
    """The windows of a ``reduce_window`` or ``select_and_scatter``, dimension by dimension."""
    ones = (1,) * rank
    padding = integer_elements(op, "padding") or (0,) * (2 * rank)
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base_dilations, dilations = (integers(op, name) or ones for name in names)
    rows = zip(sizes, strides, padding[::2], padding[1::2], base_dilations, dilations, strict=True)
    return [WindowOfDim(*row) for row in rows]


def with_windows(properties: DictionaryAttr, windows: list[WindowOfDim]) -> DictionaryAttr:
    """``properties`` of a reduction with other windows."""
    rank = len(windows)
    padding = [amount for one in windows for amount in (one.low, one.high)]
    properties = properties.with_("padding", DenseElementsAttr.of(TensorType((rank, 2), I64), padding))
    properties = properties.with_("window_dimensions", i64_array(one.size for one in windows))
    if "base_dilations" in properties.entries:
        properties = properties.with_("base_dilations", i64_array(one.base_dilation for one in windows))
    return properties


@localizes("stablehlo.reduce_window")
def _reduce_window(site: Site) -> list[Sharded]:
    count = len(site.op.results)
    shape = site.operands[0].shape
    if not has_fixed_elements(shape, result_shape(site.op)):
        return site.fall_back()
    windows = windows_of_op(site.op, len(shape))
    accesses = [window.access for window in windows]
    strategy = _strategy(site, accesses, site.operands[:count])
    running = _running_reduction(site, windows)
    if running is not None and running.elements < strategy.elements:
        return [_emit_running(site, windows, running)]
    inits = [site.replicate(operand) for operand in site.operands[count:]]
    values = [
        emit_windows(site, operand, strategy, accesses, init.value)
        for operand, init in zip(site.operands[:count], inits, strict=True)
    ]
    return _emit_windowed(site, windows, strategy, values, inits)


def _strategy(site: Site, accesses: Sequence[WindowAccess], operands: Sequence[Sharded]) -> WindowStrategy:
    """One strategy for all operands: the cheapest of the strategies that are best for one of them, or for replicated
    operands."""
    first = operands[0]
    whole = Sharded(first.value, first.type, replicated(first.layout.rank))
    choices = [chosen_strategy(site, accesses, filled=True, operand=one) for one in operands]
    if len(operands) == 1:
        return choices[0]
    choices.append(chosen_strategy(site, accesses, filled=True, operand=whole))

    def moved(number: int) -> float:
        strategy, basis = choices[number], [*operands, whole][number]
        exchanged = strategy.elements - OperandTensor.of(basis).reshard_elements(strategy.source)
        return exchanged * len(operands) + sum(
            OperandTensor.of(one).reshard_elements(strategy.source) for one in operands
        )

    return choices[min(range(len(choices)), key=moved)]


def _emit_windowed(
    site: Site, windows: list[WindowOfDim], strategy: WindowStrategy, values: list[Value], inits: list[Sharded]
) -> list[Sharded]:
    """Emits the local operation on ``values``, whose windows contain padding and base dilation already where there is a
    route."""
    local = [
        window if route is None else window._replace(low=0, high=0, base_dilation=1)
        for window, route in zip(windows, strategy.routes, strict=True)
    ]
    operands = [
        Sharded(value, operand.type, strategy.target)
        for value, operand in zip(values, site.operands[: len(values)], strict=True)
    ]
    properties = with_windows(site.op.properties, local) if any(strategy.routes) else site.op.properties
    return site.emit([*operands, *inits], [strategy.target] * len(values), properties)


# --- running reductions -----------------------------------------------------------------------------------------------


class _Running(NamedTuple):
    """A running reduction along a sharded dimension: its kind, whether it runs forward, the layout in which it is
    computed, and the elements that each device receives, reshards included."""

    dim: int
    forward: bool
    kind: str
    neutral: DenseElementsAttr
    layout: Layout
    elements: float


def _running_reduction(site: Site, windows: list[WindowOfDim]) -> _Running | None:
    """The cheapest way to shard a running reduction along the dimension in which it runs; None if it is none, or if no
    layout shards that dimension."""
    operand = site.operands[0]
    wide = [dim for dim, window in enumerate(windows) if not window.is_plain]
    if len(site.op.results) != 1 or len(wide) != 1:
        return None
    (dim,) = wide
    size = operand.shape[dim]
    forward = windows[dim] == _PLAIN._replace(size=size, low=size - 1)
    kind = reduction_kind(site.op.regions[0])
    if kind is None or not (forward or windows[dim] == _PLAIN._replace(size=size, high=size - 1)):
        return None
    neutral = neutral_elements(kind, TensorType((), operand.element))
    if neutral is None or not is_neutral(_broadcast_scalar(site, site.op.operands[1]), neutral):
        return None
    best: _Running | None = None
    requested = site.requested[0]
    for layout in (operand.layout.reduced(), requested.reduced() if requested is not None else None):
        if layout is None or layout.counts[dim] == 1:
            continue
        elements = OperandTensor.of(operand).reshard_elements(layout)
        rows = prod(size for other, size in enumerate(local_shape(operand.shape, layout)) if other != dim)
        elements += (layout.counts[dim] - 1) * rows + result_reshard_elements(operand.shape, layout, requested)
        if best is None or elements < best.elements:
            best = _Running(dim, forward, kind, neutral, layout, elements)
    return best


def _broadcast_scalar(site: Site, value: Value) -> Value:
    """The scalar that ``value`` is a broadcast of."""
    value = site.origin(value)
    producer = value.defining_op
    while producer is not None and producer.name == "stablehlo.broadcast_in_dim":
        value = site.origin(producer.operands[0])
        producer = value.defining_op
    return value


def _emit_running(site: Site, windows: list[WindowOfDim], running: _Running) -> Sharded:
    """The running reduction of each shard, combined with the totals of the shards before it (after it, if it runs
    backward)."""
    builder, dim, layout, kind = site.builder, running.dim, running.layout, running.kind
    mesh = layout.mesh
    assert mesh is not None
    axes = layout.dims[dim]
    source = site.reshard(site.operands[0], layout)
    if not running.forward:
        source = site.mask(source, running.neutral, [dim])
    size = source.local_shape[dim]
    own = windows[dim]._replace(
        size=size, low=size - 1 if running.forward else 0, high=0 if running.forward else size - 1
    )
    local = [own if index == dim else window for index, window in enumerate(windows)]
    init = site.replicate(site.operands[1])
    (part,) = site.emit([source, init], [layout], with_windows(site.op.properties, local))
    type = tensor_type(part.value)
    last = size - 1 if running.forward else 0
    totals = builder.slice_dim(part.value, dim, last, last + 1)
    totals = site.collectives.all_gather(totals, dim, mesh, axes)
    shape = tensor_type(totals).shape
    index = emit_shard_index(builder, mesh, axes)
    places = builder.iota(TensorType((shape[dim],), tensor_type(index).element), 0)
    before = builder.compare(places, "LT" if running.forward else "GT", builder.broadcast(index, (shape[dim],)))
    neutral = builder.splat_of(running.neutral)
    others = builder.select(builder.broadcast(before, shape, (dim,)), totals, builder.broadcast(neutral, shape))
    kept = [other for other in range(type.rank) if other != dim]
    before_own = reduced(builder, others, neutral, [dim], kind)
    spread = builder.broadcast(before_own, type.shape, kept)
    name = OPERATIONS[kind].removeprefix("stablehlo.")
    first, second = (spread, part.value) if running.forward else (part.value, spread)
    combined = builder.binary(name, first, second)
    assert local_type(site.op.results[0].type, layout) is combined.type
    return site.result(0, combined, layout)
