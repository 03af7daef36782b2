"""Localizes ``gather``: each device gathers the rows that are in its shard, and the contributions are summed.

Indices are clamped to the whole operand first, as the operation does, and then reduced by the offset of the shard; rows
of other shards count as zeros. So an operand that is sharded along an indexed dimension costs an all-reduce or
reduce-scatter of the result instead of an all-gather of itself, wherever that is less. ``scatters`` works alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.coordinates import offset
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.reducers import neutral_bits
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, Type
from pyshardy.partitioning.localizing.index_columns import iota_dims
from pyshardy.partitioning.localizing.indexing import IndexVectors, holds, is_signed, wider, zero
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.cost_weights import BYTES_PER_LOOKUP
from pyshardy.rules.builder import NEED_REPLICATION, NULL, REDUCTION, RuleBuilder, operand_shape, result_shape
from pyshardy.rules.properties import integers
from pyshardy.sharding.rule import OpShardingRule


def contribution_reduction(element: Type) -> str | None:
    """The reduction that combines contributions of which all but one are zero; None if there is no zero."""
    if element is I1:
        return "or"
    return "sum" if neutral_bits("sum", element) is not None else None


@localizes("stablehlo.gather")
def _gather(site: Site) -> list[Sharded]:
    numbers = site.op.properties.get("dimension_numbers")
    if not isinstance(numbers, GatherDimensionNumbers) or not has_fixed_sizes(site.op) or 0 in result_shape(site.op):
        return site.fall_back()
    enumerated = _enumerated_dims(site, numbers)
    rule = _rule(site.op, numbers, enumerated)
    reduction = contribution_reduction(site.operands[0].element)
    strategy = site.strategy(rule, reduction=reduction, work=BYTES_PER_LOOKUP)
    if strategy is None:
        return site.fall_back()
    operand, indices = map(site.reshard, site.operands, strategy.operands)
    return [_emit(site, numbers, operand, indices, strategy.results[0])]


def _enumerated_dims(site: Site, numbers: GatherDimensionNumbers) -> dict[int, int]:
    """The dimensions of the indices along which the index vectors enumerate the rows of the operand, each with that
    dimension of the operand."""
    found = iota_dims(
        site.op.operands[1],
        numbers.index_vector_dim,
        numbers.start_index_map,
        operand_shape(site.op, 0),
        site.origin,
    )
    collapsed, taken = numbers.collapsed_slice_dims, numbers.start_indices_batching_dims
    return {one: dim for one, dim in found.items() if dim in collapsed and one not in taken}


def _rule(op: Operation, numbers: GatherDimensionNumbers, enumerated: Mapping[int, int]) -> OpShardingRule:
    """How a gather may be sharded: whole windows and ``enumerated`` rows are pass-through factors; other windowed and
    collapsed dimensions of the operand are reduction factors, along which contributions are summed."""
    operand, indices, result = operand_shape(op, 0), operand_shape(op, 1), result_shape(op)
    builder, sizes = RuleBuilder(op), integers(op, "slice_sizes")
    batching = dict(zip(numbers.start_indices_batching_dims, numbers.operand_batching_dims, strict=True)) | dict(
        enumerated
    )
    offset_dims = dict(zip(numbers.window_dims(len(operand)), numbers.offset_dims, strict=True))
    batch_dims = [dim for dim in range(len(result)) if dim not in numbers.offset_dims]
    indices_dims = [dim for dim in range(len(indices)) if dim != numbers.index_vector_dim]
    for indices_dim, result_dim in zip(indices_dims, batch_dims, strict=True):
        builder.add([batching.get(indices_dim, NULL), indices_dim], [result_dim], result[result_dim])
    for dim, size in enumerate(operand):
        if dim in numbers.operand_batching_dims or dim in enumerated.values():
            continue
        if dim in offset_dims and sizes[dim] == size:
            builder.add([dim, NULL], [offset_dims[dim]], size)
        else:
            # A partial window in a dimension without index would need an index of its own on each device.
            shared = size > 1 and (sizes[dim] == 1 or dim in numbers.start_index_map)
            builder.add([dim, NULL], [NULL], size, REDUCTION if shared else NEED_REPLICATION)
            if dim in offset_dims:
                builder.add([NULL, NULL], [offset_dims[dim]], sizes[dim], NEED_REPLICATION)
    if numbers.index_vector_dim < len(indices):
        builder.add([NULL, numbers.index_vector_dim], [NULL], indices[numbers.index_vector_dim], NEED_REPLICATION)
    return builder.build()


def _emit(site: Site, numbers: GatherDimensionNumbers, operand: Sharded, indices: Sharded, layout: Layout) -> Sharded:
    """Emits the local gather of ``operand`` by ``indices``, with zeros for rows of other shards."""
    builder, sizes = site.builder, list(integers(site.op, "slice_sizes"))
    shape, local = operand.shape, operand.local_shape
    indexed: list[int] = []
    for dim, count in enumerate(operand.layout.counts):
        if count == 1 or dim in numbers.operand_batching_dims:
            continue
        if sizes[dim] == shape[dim]:
            sizes[dim] = local[dim]
        else:
            indexed.append(dim)
    properties = site.op.properties.with_("slice_sizes", i64_array(sizes))
    if indices.padded_dims() or (len(numbers.start_index_map) > 1 and indexed):
        properties = properties.without("indices_are_sorted")
    if not indexed:
        return site.emit([operand, indices], [layout], properties)[0]

    vectors = IndexVectors(builder, indices.value, numbers.index_vector_dim)
    limits = [shape[dim] - sizes[dim] for dim in numbers.start_index_map]
    largest = max(size + window for size, window in zip(shape, sizes, strict=True))
    if not is_signed(vectors.element) or not holds(vectors.element, largest):
        vectors.widen(wider(largest), limits)
    partial = [dim for dim in indexed if sizes[dim] > 1]
    values = _padded_with_zeros(site, operand, partial, sizes)
    in_shard: list[Value] = []
    mesh = operand.layout.mesh
    assert mesh is not None
    for dim in indexed:
        begin = offset(builder, mesh, operand.layout.dims[dim], local[dim], vectors.element)
        if dim not in numbers.start_index_map:
            in_shard.append(builder.compare(begin, "EQ", builder.scalar(0, vectors.element)))
            continue
        number = numbers.start_index_map.index(dim)
        vectors[number] = vectors.clamped(number, shape[dim] - sizes[dim])
        if sizes[dim] > 1:
            before = builder.scalar(sizes[dim], vectors.element)
            vectors.move(number, builder.binary("subtract", begin, before))
            continue
        moved = vectors.move(number, begin)
        first = builder.splat(0, tensor_type(moved))
        last = builder.splat(local[dim], tensor_type(moved))
        in_shard.append(builder.binary("and", builder.compare(moved, "GE", first), builder.compare(moved, "LT", last)))
    padded = Sharded(values, operand.type, operand.layout)
    moved_indices = Sharded(vectors.joined(), indices.type, indices.layout)
    found = site.emit([padded, moved_indices], [layout], properties)[0]
    return _zero_elsewhere(site, found, in_shard, numbers)


def _padded_with_zeros(site: Site, operand: Sharded, dims: Sequence[int], sizes: Sequence[int]) -> Value:
    """The local operand with a window of zeros before and after it in ``dims``, so that every window lies inside and
    reads zeros where it reaches into another shard."""
    if not dims:
        return operand.value
    masked = site.mask(operand, zero(operand.element), list(dims)).value
    around = [sizes[dim] if dim in dims else 0 for dim in range(len(sizes))]
    return site.builder.pad(masked, site.builder.scalar(0, operand.element), around, around)


def _zero_elsewhere(site: Site, found: Sharded, in_shard: list[Value], numbers: GatherDimensionNumbers) -> Sharded:
    """``found`` where all of ``in_shard`` are true, zeros elsewhere."""
    if not in_shard:
        return found
    builder, type = site.builder, tensor_type(found.value)
    in_shard.sort(key=lambda value: tensor_type(value).rank)
    batch_dims = [dim for dim in range(type.rank) if dim not in numbers.offset_dims]
    shape = [type.shape[dim] for dim in batch_dims]
    spread = [one if tensor_type(one).rank == len(shape) else builder.broadcast(one, shape) for one in in_shard]
    mask = reduce(lambda a, b: builder.binary("and", a, b), spread)
    if tensor_type(mask).rank:
        mask = builder.broadcast(mask, type.shape, batch_dims)
    zeros = builder.splat(0, type)
    return Sharded(builder.select(mask, found.value, zeros), found.type, found.layout)
