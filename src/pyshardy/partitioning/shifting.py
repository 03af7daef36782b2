"""Localizes ``slice``, ``pad``, ``reverse`` and ``concatenate`` along sharded dimensions: neighbours exchange elements.

Each result shard is a range of an operand (mirrored for ``reverse``), so ``window_exchange`` does the work; where it
would move more than gathering the dimension, the strategy gathers. Registers with ``registry``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, element_width
from pyshardy.partitioning.builder import tensor_type
from pyshardy.partitioning.coordinates import index_type, offset
from pyshardy.partitioning.devices import replica_groups
from pyshardy.partitioning.layout import Layout, Sharded, local_shape
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.strategy import Moving
from pyshardy.partitioning.window_exchange import Window, exchange_plan
from pyshardy.rules.properties import integer, integers
from pyshardy.sharding.rule import OpShardingRule

_Windows = Callable[[int, int, int], Window | None]
"""(dimension, shards, elements of a result shard) → what a result shard needs of the operand; None if that is not
affine in the shard."""

IMPOSSIBLE = float("inf")


def row_bytes(type: TensorType, layout: Layout, dim: int) -> float:
    """Bytes on one device of one element of dimension ``dim`` with all that the other dimensions have there."""
    row = element_width(type.element) / 8
    for index, size in enumerate(local_shape(type.shape, layout)):
        row *= size if index != dim else 1
    return row


def window_bytes(type: TensorType, layout: Layout, dim: int, window: Window | None) -> float:
    """The bytes that each device receives when it sees ``window`` along dimension ``dim``."""
    if window is None or not type.shape[dim]:
        return IMPOSSIBLE
    plan = exchange_plan(type.shape[dim], local_shape(type.shape, layout)[dim], layout.counts[dim], window)
    return plan.received * row_bytes(type, layout, dim)


def _moving(site: Site, rule: OpShardingRule, dims: Sequence[int], windows: _Windows) -> Moving:
    """Dimensions ``dims`` of operand 0 may stay sharded, by exchanging ``windows``."""
    source, result = site.op.operands[0].type, site.op.results[0].type
    assert isinstance(source, TensorType) and isinstance(result, TensorType)

    def received(operands: Sequence[Layout], results: Sequence[Layout]) -> float:
        total = 0.0
        for dim in dims:
            count = operands[0].counts[dim]
            if count > 1:
                window = windows(dim, count, -(-result.shape[dim] // count)) if result.shape[dim] else None
                total += window_bytes(source, operands[0], dim, window)
        return total

    factors = frozenset(factor for dim in dims for factor in rule.operand_mappings[0][dim])
    return Moving(factors, received, (site.op.name, site.op.properties))


def _shapes(op: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, TensorType) and isinstance(result, TensorType)
    return source.shape, result.shape


# --- slice ------------------------------------------------------------------------------------------------------------


@localizes("stablehlo.slice")
def _slice(site: Site) -> list[Sharded]:
    op, builder = site.op, site.builder
    starts, limits, strides = (integers(op, name) for name in ("start_indices", "limit_indices", "strides"))
    rule = site.rule()
    if rule is None:
        return site.fall_back()
    source, result = _shapes(op)
    cut = [dim for dim, (a, b) in enumerate(zip(source, result, strict=True)) if a != b]

    def windows(dim: int, count: int, local: int) -> Window:
        return Window(local * strides[dim], starts[dim], (local - 1) * strides[dim] + 1)

    strategy = site.strategy(rule, moving=_moving(site, rule, cut, windows))
    if strategy is None:
        return site.fall_back()
    operand, layout = site.reshard(site.operands[0], strategy.operands[0]), strategy.results[0]
    value, shape = operand.value, list(operand.local_shape)
    moved = [dim for dim in cut if layout.counts[dim] > 1]
    # What no other device needs is cut first: less is exchanged.
    begin = [starts[dim] if dim in cut and dim not in moved else 0 for dim in range(len(shape))]
    end = [limits[dim] if dim in cut and dim not in moved else size for dim, size in enumerate(shape)]
    step = [strides[dim] if dim in cut and dim not in moved else 1 for dim in range(len(shape))]
    value = builder.slice(value, begin, end, step)
    for dim in moved:
        window = windows(dim, layout.counts[dim], -(-result[dim] // layout.counts[dim]))
        value = site.exchange.exchange(value, operand, dim, window, None)
        value = builder.slice_dim(value, dim, 0, window.size, strides[dim])
    return [site.result(0, value, layout)]


# --- pad --------------------------------------------------------------------------------------------------------------


@localizes("stablehlo.pad")
def _pad(site: Site) -> list[Sharded]:
    op, builder = site.op, site.builder
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    lows, highs, interiors = (integers(op, name) for name in names)
    rule = site.rule()
    if rule is None:
        return site.fall_back()
    source, result = _shapes(op)
    changed = [dim for dim, padding in enumerate(zip(lows, highs, interiors, strict=True)) if any(padding)]

    def windows(dim: int, count: int, local: int) -> Window | None:
        gap = interiors[dim] + 1
        if local % gap:
            return None
        first = -(lows[dim] // gap)
        return Window(local // gap, first, max(1, (local - 1 - lows[dim]) // gap - first + 1))

    strategy = site.strategy(rule, moving=_moving(site, rule, changed, windows))
    if strategy is None:
        return site.fall_back()
    operand = site.reshard(site.operands[0], strategy.operands[0])
    fill = site.replicate(site.operands[1]).value
    layout = strategy.results[0]
    value = operand.value
    moved = [dim for dim in changed if layout.counts[dim] > 1]
    low, high = [0] * len(source), [0] * len(source)
    interior = [0] * len(source)
    for dim in moved:
        local = -(-result[dim] // layout.counts[dim])
        window = windows(dim, layout.counts[dim], local)
        assert window is not None
        value = site.exchange.exchange(value, operand, dim, window, fill)
        gap = interiors[dim] + 1
        low[dim], interior[dim] = window.start * gap + lows[dim], interiors[dim]
        high[dim] = local - (low[dim] + (window.size - 1) * gap + 1)
    for dim in changed:
        if dim not in moved:
            low[dim], high[dim], interior[dim] = lows[dim], highs[dim], interiors[dim]
    return [site.result(0, builder.pad(value, fill, low, high, interior), layout)]


# --- reverse ----------------------------------------------------------------------------------------------------------


@localizes("stablehlo.reverse")
def _reverse(site: Site) -> list[Sharded]:
    op = site.op
    dims = integers(op, "dimensions")
    rule = site.rule()
    type = op.results[0].type
    if rule is None or not isinstance(type, TensorType):
        return site.fall_back()

    def received(operands: Sequence[Layout], results: Sequence[Layout]) -> float:
        """A shard goes to its mirror image; then all shift by the padding, which now stands in front."""
        layout, total = operands[0], 0.0
        for dim in dims:
            if layout.counts[dim] > 1:
                local = local_shape(type.shape, layout)[dim]
                total += (local + _shift(type.shape[dim], local, layout.counts[dim])) * row_bytes(type, layout, dim)
        return total

    factors = frozenset(factor for dim in dims for factor in rule.operand_mappings[0][dim])
    strategy = site.strategy(rule, moving=Moving(factors, received, (op.name, op.properties)))
    if strategy is None:
        return site.fall_back()
    operand, layout = site.reshard(site.operands[0], strategy.operands[0]), strategy.results[0]
    value = operand.value
    for dim in dims:
        count = layout.counts[dim]
        if count > 1:
            assert layout.mesh is not None
            pairs = [
                (sender, receiver)
                for group in replica_groups(layout.mesh, layout.dims[dim])
                for sender, receiver in zip(group, reversed(group), strict=True)
            ]
            value = site.collectives.collective_permute(value, sorted(pairs), layout.dims[dim])
    (mirrored,) = site.emit([Sharded(value, type, layout)], [layout])
    value = mirrored.value
    for dim in dims:
        count, local = layout.counts[dim], operand.local_shape[dim]
        padding = count * local - type.shape[dim]
        if count > 1 and padding:
            shape = [count * local if index == dim else size for index, size in enumerate(type.shape)]
            filled = TensorType(shape, type.element)
            value = site.exchange.exchange(
                value, Sharded(value, filled, layout), dim, Window(local, padding, local), None
            )
    return [site.result(0, value, layout)]


def _shift(length: int, local: int, count: int) -> int:
    padding = count * local - length
    return exchange_plan(count * local, local, count, Window(local, padding, local)).received if padding else 0


# --- concatenate ------------------------------------------------------------------------------------------------------


@localizes("stablehlo.concatenate")
def _concatenate(site: Site) -> list[Sharded]:
    op = site.op
    dim = integer(op, "dimension", 0)
    rule = site.rule()
    result = op.results[0].type
    if rule is None or not isinstance(result, TensorType):
        return site.fall_back()
    types = [operand.type for operand in site.operands]
    begins = [sum(_size(type, dim) for type in types[:index]) for index in range(len(types))]
    present = [operand.layout.counts[dim] == 1 for operand in site.operands]

    def window(index: int, local: int) -> Window:
        return Window(local, -begins[index], local)

    def received(operands: Sequence[Layout], results: Sequence[Layout]) -> float:
        count = results[0].counts[dim]
        if count == 1:
            return 0.0
        local = -(-result.shape[dim] // count)
        total = 0.0
        for index, (type, layout) in enumerate(zip(types, operands, strict=True)):
            if not present[index] and _size(type, dim):
                assert isinstance(type, TensorType)
                total += window_bytes(type, layout, dim, window(index, local))
        return total

    key = (op.name, op.properties, tuple(present))
    factors = frozenset(factor for mapping in rule.operand_mappings for factor in mapping[dim])
    strategy = site.strategy(rule, moving=Moving(factors, received, key))
    if strategy is None:
        return site.fall_back()
    layout = strategy.results[0]
    count = layout.counts[dim]
    if count == 1:
        return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)
    mesh, local = layout.mesh, -(-result.shape[dim] // count)
    assert mesh is not None
    parts: list[tuple[int, Value]] = []
    for index, (operand, wanted) in enumerate(zip(site.operands, strategy.operands, strict=True)):
        if not _size(operand.type, dim):
            continue
        if present[index]:
            whole = site.reshard(operand, wanted.without([dim]))
            value = site.exchange.of_whole(whole.value, dim, mesh, layout.dims[dim], count, window(index, local), None)
        else:
            moved = site.reshard(operand, wanted)
            value = site.exchange.exchange(moved.value, moved, dim, window(index, local), None)
        parts.append((begins[index] + _size(operand.type, dim), value))
    return [site.result(0, _chosen(site, parts, dim, layout, local), layout)]


def _size(type: object, dim: int) -> int:
    assert isinstance(type, TensorType)
    return type.shape[dim]


def _chosen(site: Site, parts: list[tuple[int, Value]], dim: int, layout: Layout, local: int) -> Value:
    """Of each element the first of ``parts`` that does not end before it; a part is its end and its values."""
    builder, mesh = site.builder, layout.mesh
    assert mesh is not None and parts
    chosen = parts[-1][1]
    element = index_type(2 * parts[-1][0])
    for end, value in reversed(parts[:-1]):
        begin = offset(builder, mesh, layout.dims[dim], local, element)
        rest = builder.binary("subtract", builder.scalar(end, element), begin)
        places = builder.iota(TensorType((local,), element), 0)
        before = builder.compare(places, "LT", builder.broadcast(rest, (local,)))
        chosen = builder.select(builder.broadcast(before, tensor_type(value).shape, (dim,)), value, chosen)
    return chosen
