"""Gathers from sharded operands: each device gathers from its shard, with zeros for all other indices; the sum is the
result."""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.reducers import reduced
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, I64, TensorType
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.following_reduction import expect_reduction
from pyshardy.passes.partitioning.global_to_local.index_bounds import IndexBounds
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer, integers


@converts("stablehlo.gather")
def _gather(site: ConversionSite) -> None:
    op = site.op
    operand, indices = op.operands
    if site.is_replicated(operand):
        return keep(site)
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, GatherDimensionNumbers)
    axes, counts = site.axes(operand), site.counts(operand)
    sizes = integers(op, "slice_sizes")
    masked = [
        dim
        for dim, count in enumerate(counts)
        if count > 1 and sizes[dim] == 1 and dim not in numbers.operand_batching_dims
    ]
    local_sizes = i64_array(_local_slice_sizes(site, numbers, sizes))
    sorted_indices = IntegerAttr(integer(op, "indices_are_sorted", 0), I1)
    properties = {"slice_sizes": local_sizes, "indices_are_sorted": sorted_indices}
    if not masked:
        return site.replace(site.rebuild((operand, indices), properties).results[0])
    all_axes = tuple(axis for dim in masked for axis in axes[dim])
    mesh = site.mesh(operand)
    assert mesh is not None
    expect_reduction(site, mesh, all_axes, "the gather", "collapsed operand dimensions of the gather.")
    adjusted, mask = _own_indices(site, numbers, masked)
    gathered = site.rebuild((operand, adjusted), properties).results[0]
    chosen = _mask_of_result(site, numbers, mask, tensor_type(gathered).shape)
    zeros = site.builder.splat(0, tensor_type(gathered))
    return site.replace(site.builder.select(chosen, gathered, zeros))


def _local_slice_sizes(site: ConversionSite, numbers: GatherDimensionNumbers, sizes: tuple[int, ...]) -> list[int]:
    operand = site.op.operands[0]
    whole, counts = site.type_before(operand).shape, site.counts(operand)
    local = list(sizes)
    for dim, count in enumerate(counts):
        if sizes[dim] == 1 or count == 1 or dim in numbers.operand_batching_dims:
            continue
        if sizes[dim] != whole[dim]:
            refuse(f"dimension {dim} of the operand is sharded, so its slices must have all {whole[dim]} elements")
        local[dim] = sizes[dim] // count
    return local


def _own_indices(site: ConversionSite, numbers: GatherDimensionNumbers, masked: list[int]) -> tuple[Value, Value]:
    """The indices relative to the device's shard, and for each index (or one for all) whether it is in the shard."""
    emit = site.builder
    operand, indices = site.op.operands
    mask: Value | None = None
    if any(dim in masked for dim in numbers.start_index_map):
        bounds = IndexBounds(site, operand, indices, numbers.start_index_map, numbers.index_vector_dim)
        clamped = bounds.clamped()
        first, last = bounds.first_and_last(lambda dim: dim in masked)
        lowest, highest = bounds.spread(first), bounds.spread(last)
        indices = emit.binary("subtract", clamped, lowest)
        above = emit.compare(clamped, "GE", lowest)
        mask = emit.binary("and", above, emit.compare(clamped, "LE", highest))
    here: Value | None = None
    mesh = site.mesh(operand)
    assert mesh is not None
    for dim in masked:
        if dim not in numbers.start_index_map:
            # The dimension is not indexed: all slices take its first element.
            start = emit.affine(mesh, site.axes(operand)[dim], tensor_type(operand).shape[dim])
            first_part = emit.compare(start, "EQ", emit.scalar(0, I64))
            here = first_part if here is None else emit.binary("and", here, first_part)
    if mask is not None and here is not None:
        mask = emit.binary("and", mask, emit.broadcast(here, tensor_type(mask).shape))
    mask = mask if mask is not None else here
    assert mask is not None
    return indices, mask


def _mask_of_result(
    site: ConversionSite, numbers: GatherDimensionNumbers, mask: Value, shape: tuple[int, ...]
) -> Value:
    emit = site.builder
    type = tensor_type(mask)
    if not type.rank:
        return emit.broadcast(mask, shape)
    if numbers.index_vector_dim < type.rank:
        mask = _all_along(site, mask, numbers.index_vector_dim)
    dims = [dim for dim in range(len(shape)) if dim not in numbers.offset_dims]
    return emit.broadcast(mask, shape, dims if tensor_type(mask).rank else ())


def _all_along(site: ConversionSite, mask: Value, dim: int) -> Value:
    """Whether ``mask`` is true everywhere along ``dim``."""
    true = site.builder.constant(DenseElementsAttr.of(TensorType((), I1), [1]))
    return reduced(site.builder, mask, true, [dim], "and")
