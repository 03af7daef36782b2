"""Localizes ``gather``: each device answers the indices that fall into its shard, and the answers are added.

Indices are moved into the range of the whole operand first, as a gather does, then by the offset of the shard;
what another shard has counts as zero. So an operand that is sharded along an indexed dimension costs an all-reduce
(or a reduce-scatter) of the result instead of an all-gather of itself, wherever that is less. Registers with
``registry``; ``scatters`` is its mirror image.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.coordinates import offset
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.emitting.reducers import neutral_bits
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, Type
from pyshardy.partitioning.localizing.index_columns import counting_dims
from pyshardy.partitioning.localizing.indexing import IndexVectors, holds, is_signed, wider, zero
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.prices import BYTES_PER_LOOKUP
from pyshardy.rules.builder import NEED_REPLICATION, NULL, REDUCTION, RuleBuilder, operand_shape, result_shape
from pyshardy.rules.properties import integers
from pyshardy.sharding.rule import OpShardingRule


def answers_add(element: Type) -> str | None:
    """How the devices' answers combine if all but one are zero; None where there is no zero."""
    if element is I1:
        return "or"
    return "sum" if neutral_bits("sum", element) is not None else None


@localizes("stablehlo.gather")
def _gather(site: Site) -> list[Sharded]:
    numbers = site.op.properties.get("dimension_numbers")
    if not isinstance(numbers, GatherDimensionNumbers) or not has_fixed_sizes(site.op) or 0 in result_shape(site.op):
        return site.fall_back()
    counted = _counted(site, numbers)
    rule = _rule(site.op, numbers, counted)
    reduction = answers_add(site.operands[0].element)
    strategy = site.strategy(rule, reduction=reduction, work=BYTES_PER_LOOKUP)
    if strategy is None:
        return site.fall_back()
    operand, indices = map(site.reshard, site.operands, strategy.operands)
    return [_emit(site, numbers, operand, indices, strategy.results[0])]


def _counted(site: Site, numbers: GatherDimensionNumbers) -> dict[int, int]:
    """The dimensions of the indices whose index vectors count the rows of the operand, each with that dimension."""
    found = counting_dims(
        site.op.operands[1],
        numbers.index_vector_dim,
        numbers.start_index_map,
        operand_shape(site.op, 0),
        site.origin,
    )
    collapsed, taken = numbers.collapsed_slice_dims, numbers.start_indices_batching_dims
    return {one: dim for one, dim in found.items() if dim in collapsed and one not in taken}


def _rule(op: Operation, numbers: GatherDimensionNumbers, counted: Mapping[int, int]) -> OpShardingRule:
    """How a gather may be shared: windows that are whole pass through, and so do rows that are ``counted``; all other
    windowed and collapsed dimensions of the operand are shared by adding up answers."""
    operand, indices, result = operand_shape(op, 0), operand_shape(op, 1), result_shape(op)
    builder, sizes = RuleBuilder(op), integers(op, "slice_sizes")
    batching = dict(zip(numbers.start_indices_batching_dims, numbers.operand_batching_dims, strict=True)) | dict(
        counted
    )
    offset_dims = dict(zip(numbers.window_dims(len(operand)), numbers.offset_dims, strict=True))
    batch_dims = [dim for dim in range(len(result)) if dim not in numbers.offset_dims]
    indices_dims = [dim for dim in range(len(indices)) if dim != numbers.index_vector_dim]
    for indices_dim, result_dim in zip(indices_dims, batch_dims, strict=True):
        builder.add([batching.get(indices_dim, NULL), indices_dim], [result_dim], result[result_dim])
    for dim, size in enumerate(operand):
        if dim in numbers.operand_batching_dims or dim in counted.values():
            continue
        if dim in offset_dims and sizes[dim] == size:
            builder.add([dim, NULL], [offset_dims[dim]], size)
        else:
            # A partial window that no index moves would need an index of its own.
            shared = size > 1 and (sizes[dim] == 1 or dim in numbers.start_index_map)
            builder.add([dim, NULL], [NULL], size, REDUCTION if shared else NEED_REPLICATION)
            if dim in offset_dims:
                builder.add([NULL, NULL], [offset_dims[dim]], sizes[dim], NEED_REPLICATION)
    if numbers.index_vector_dim < len(indices):
        builder.add([NULL, numbers.index_vector_dim], [NULL], indices[numbers.index_vector_dim], NEED_REPLICATION)
    return builder.build()


def _emit(site: Site, numbers: GatherDimensionNumbers, operand: Sharded, indices: Sharded, layout: Layout) -> Sharded:
    builder, sizes = site.builder, list(integers(site.op, "slice_sizes"))
    shape, local = operand.shape, operand.local_shape
    picked_from: list[int] = []
    for dim, count in enumerate(operand.layout.counts):
        if count == 1 or dim in numbers.operand_batching_dims:
            continue
        if sizes[dim] == shape[dim]:
            sizes[dim] = local[dim]
        else:
            picked_from.append(dim)
    properties = site.op.properties.with_("slice_sizes", i64_array(sizes))
    if indices.padded_dims() or (len(numbers.start_index_map) > 1 and picked_from):
        properties = properties.without("indices_are_sorted")
    if not picked_from:
        return site.emit([operand, indices], [layout], properties)[0]

    vectors = IndexVectors(builder, indices.value, numbers.index_vector_dim)
    limits = [shape[dim] - sizes[dim] for dim in numbers.start_index_map]
    largest = max(size + window for size, window in zip(shape, sizes, strict=True))
    if not is_signed(vectors.element) or not holds(vectors.element, largest):
        vectors.widen(wider(largest), limits)
    partial = [dim for dim in picked_from if sizes[dim] > 1]
    values = _surrounded(site, operand, partial, sizes)
    answered: list[Value] = []
    mesh = operand.layout.mesh
    assert mesh is not None
    for dim in picked_from:
        begin = offset(builder, mesh, operand.layout.dims[dim], local[dim], vectors.element)
        if dim not in numbers.start_index_map:
            answered.append(builder.compare(begin, "EQ", builder.scalar(0, vectors.element)))
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
        answered.append(builder.binary("and", builder.compare(moved, "GE", first), builder.compare(moved, "LT", last)))
    surrounded = Sharded(values, operand.type, operand.layout)
    moved_indices = Sharded(vectors.joined(), indices.type, indices.layout)
    found = site.emit([surrounded, moved_indices], [layout], properties)[0]
    return _only_where(site, found, answered, numbers)


def _surrounded(site: Site, operand: Sharded, dims: Sequence[int], sizes: Sequence[int]) -> Value:
    """The local operand with a window of zeros before and behind it in ``dims``, so that each window lies inside, and
    shows zeros where other shards begin."""
    if not dims:
        return operand.value
    masked = site.mask(operand, zero(operand.element), list(dims)).value
    around = [sizes[dim] if dim in dims else 0 for dim in range(len(sizes))]
    return site.builder.pad(masked, site.builder.scalar(0, operand.element), around, around)


def _only_where(site: Site, found: Sharded, answered: list[Value], numbers: GatherDimensionNumbers) -> Sharded:
    if not answered:
        return found
    builder, type = site.builder, tensor_type(found.value)
    answered.sort(key=lambda value: tensor_type(value).rank)
    batch_dims = [dim for dim in range(type.rank) if dim not in numbers.offset_dims]
    shape = [type.shape[dim] for dim in batch_dims]
    spread = [one if tensor_type(one).rank == len(shape) else builder.broadcast(one, shape) for one in answered]
    mask = reduce(lambda a, b: builder.binary("and", a, b), spread)
    if tensor_type(mask).rank:
        mask = builder.broadcast(mask, type.shape, batch_dims)
    zeros = builder.splat(0, type)
    return Sharded(builder.select(mask, found.value, zeros), found.type, found.layout)
