"""Operations that would see elements outside of the visible part of an operand, and those whose attributes contain
sizes."""

from __future__ import annotations

from itertools import pairwise

from pyshardy.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
)
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.reducers import neutral_elements, reduction_of_result
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.communication_free import convolution_contracts, slice_is_free
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.passes.partitioning.padding.masks import masked
from pyshardy.passes.partitioning.padding.walk import PaddingSite, pad_results, padding_rule, unsupported
from pyshardy.rules.properties import integer, integer_elements, integers


def _refuse_if_padded(site: PaddingSite, value: Value, dims: list[int] | range) -> None:
    for dim in site.padded_dims(value):
        if dim in dims:
            raise unsupported(site.op, dim)


# --- contractions -----------------------------------------------------------------------------------------------------


@padding_rule("stablehlo.dot_general")
def _dot_general(site: PaddingSite) -> None:
    numbers = site.op.properties.get("dot_dimension_numbers")
    assert isinstance(numbers, DotDimensionNumbers)
    _contract(site, list(numbers.lhs_contracting), list(numbers.rhs_contracting))
    pad_results(site)


@padding_rule("stablehlo.dot")
def _dot(site: PaddingSite) -> None:
    _contract(site, [tensor_type(site.op.operands[0]).rank - 1], [0])
    pad_results(site)


def _contract(site: PaddingSite, lhs: list[int], rhs: list[int]) -> None:
    for index, dims in enumerate((lhs, rhs)):
        rewriting.set_operand(site.op, index, masked(site, site.op.operands[index], dims))


@padding_rule("stablehlo.convolution")
def _convolution(site: PaddingSite) -> None:
    """Masks contracting and spatial dimensions with zeros. If more windows fit into the padded input, the result is
    sliced."""
    op = site.op
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    lhs, rhs = op.operands
    if integer(op, "feature_group_count", 1) > 1:
        _refuse_if_padded(site, lhs, [numbers.input_feature])
        _refuse_if_padded(site, rhs, [numbers.kernel_input_feature, numbers.kernel_output_feature])
    if integer(op, "batch_group_count", 1) > 1:
        _refuse_if_padded(site, lhs, [numbers.input_batch])
        _refuse_if_padded(site, rhs, [numbers.kernel_output_feature])
    _contract(
        site,
        [numbers.input_feature, *numbers.input_spatial],
        [numbers.kernel_input_feature, *numbers.kernel_spatial],
    )
    # A padded kernel would have fewer windows.
    sliding = [dim for index, dim in enumerate(numbers.kernel_spatial) if not convolution_contracts(op, index)]
    _refuse_if_padded(site, op.operands[1], sliding)
    wanted = site.padded_result()
    assert isinstance(wanted, TensorType)
    for dim, operand, place in (
        (numbers.output_batch, lhs, numbers.input_batch),
        (numbers.output_feature, rhs, numbers.kernel_output_feature),
    ):
        if wanted.shape[dim] != site.type_before(op.results[0]).shape[dim] and place not in site.padded_dims(operand):
            raise unsupported(op, dim)
    made = list(wanted.shape)
    for index, (source, target) in enumerate(zip(numbers.input_spatial, numbers.output_spatial, strict=True)):
        made[target] = _windows(site, numbers, index, tensor_type(op.operands[0]).shape[source])
        if made[target] < wanted.shape[target]:
            refuse(
                "inferred convolution output spatial size is smaller than the target padded size. Spatial sharding "
                "must be resolved by resolve-permutation-factors to be divisible or replicated."
            )
    result = op.results[0]
    rewriting.set_type(result, wanted.with_shape(made))
    rewriting.make_anew(op)
    if made != list(wanted.shape):
        following = op.next_op
        assert following is not None
        site.builder.at(following)
        new = site.cut(result, wanted.shape, site.sharding(result))
        rewriting.replace_all_uses_except(result, new, new.defining_op or op)


def _windows(site: PaddingSite, numbers: ConvDimensionNumbers, index: int, size: int) -> int:
    """The number of windows along spatial dimension ``index`` of ``size`` elements."""
    op = site.op

    def entry(name: str) -> int:
        found = integers(op, name)
        return found[index] if found else 1

    padding = integer_elements(op, "padding")
    around = sum(padding[2 * index : 2 * index + 2])
    kernel = tensor_type(op.operands[1]).shape[numbers.kernel_spatial[index]]
    reach = (kernel - 1) * entry("rhs_dilation") + 1
    whole = (size - 1) * entry("lhs_dilation") + 1 + around
    return max(0, (whole - reach) // entry("window_strides") + 1)


# --- reductions and windows -------------------------------------------------------------------------------------------


@padding_rule("stablehlo.reduce")
def _reduce(site: PaddingSite) -> None:
    """Elements outside of the visible part must be neutral."""
    op = site.op
    count, dims = len(op.results), list(integers(op, "dimensions"))
    filled: list[Value] = []
    for index, operand in enumerate(op.operands[:count]):
        inside = [dim for dim in site.padded_dims(operand) if dim in dims]
        if not inside:
            filled.append(operand)
            continue
        kind = reduction_of_result(op.regions[0], index, count)
        neutral = neutral_elements(kind, TensorType((), tensor_type(operand).element)) if kind is not None else None
        if neutral is None:
            raise unsupported(op, inside[0])
        filled.append(masked(site, operand, dims, None if kind == "sum" else site.builder.constant(neutral)))
    for index, value in enumerate(filled):
        rewriting.set_operand(op, index, value)
    pad_results(site)


@padding_rule("stablehlo.reduce_window", "stablehlo.select_and_scatter")
def _window(site: PaddingSite) -> None:
    op = site.op
    rank = tensor_type(op.operands[0]).rank
    padding = integer_elements(op, "padding") or (0,) * (2 * rank)
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    for dim in range(rank):
        if any((integers(op, name) or (1,) * rank)[dim] != 1 for name in names) or any(padding[2 * dim : 2 * dim + 2]):
            _refuse_if_padded(site, op.operands[0], [dim])
    pad_results(site)


# --- parts of tensors -------------------------------------------------------------------------------------------------


@padding_rule("stablehlo.slice")
def _slice(site: PaddingSite) -> None:
    """A slice of a padded dimension must leave every element on its device; its limit is padded with the result."""
    op = site.op
    operand, result = op.operands[0], op.results[0]
    wanted = site.target()
    starts, limits = integers(op, "start_indices"), list(integers(op, "limit_indices"))
    strides, sizes, counts = integers(op, "strides"), site.type_before(operand).shape, site.counts(operand)
    if wanted is result.type and not any(counts[dim] > 1 for dim in site.padded_dims(operand)):
        return pad_results(site)
    for dim, size in enumerate(wanted.shape):
        new = starts[dim] + (size - 1) * strides[dim] + 1 if strides[dim] > 1 else starts[dim] + size
        changed = size != site.type_before(result).shape[dim] or dim in site.padded_dims(operand)
        if not changed:
            continue
        if not slice_is_free(counts[dim], sizes[dim], starts[dim], limits[dim], strides[dim]):
            refuse(
                "Check failed: newLimits[i] == limitIndices[i] || "
                "isCommunicationFreeSliceDim(i, op, operandSharding, mesh)"
            )
        limits[dim] = new
    rewriting.set_properties(op, op.properties.with_("limit_indices", i64_array(limits)))
    rewriting.set_attributes(
        op, DictionaryAttr({name: one for name, one in op.attributes.entries.items() if name == "sdy.sharding"})
    )
    rewriting.set_type(result, wanted)
    return None


@padding_rule("stablehlo.pad")
def _pad(site: PaddingSite) -> None:
    """The padding at the end changes so that the result gets its new size. Elements of the operand outside of its
    visible part take the place of padding, so they are overwritten by it."""
    op = site.op
    operand, fill = op.operands
    lows, highs = integers(op, "edge_padding_low"), integers(op, "edge_padding_high")
    interiors = integers(op, "interior_padding")
    seen = [dim for dim in site.padded_dims(operand) if highs[dim] > 0 or interiors[dim] > 0]
    wanted = site.target()
    shape = tensor_type(operand).shape
    new = [
        size - now - low - max(0, now - 1) * interior
        for size, now, low, interior in zip(wanted.shape, shape, lows, interiors, strict=True)
    ]
    if seen:
        zero = _is_zero(fill)
        rewriting.set_operand(op, 0, masked(site, operand, None, None if zero else fill))
    rewriting.set_properties(op, op.properties.with_("edge_padding_high", i64_array(new)))
    rewriting.set_type(op.results[0], wanted)
    rewriting.make_anew(op)


def _is_zero(value: Value) -> bool:
    made = value.defining_op
    found = made.properties.get("value") if made is not None else None
    return isinstance(found, DenseElementsAttr) and found.splat_value == 0


@padding_rule("stablehlo.concatenate")
def _concatenate(site: PaddingSite) -> None:
    along = integer(site.op, "dimension", 0)
    for operand in site.op.operands:
        _refuse_if_padded(site, operand, [along])
    pad_results(site)


@padding_rule("stablehlo.reverse")
def _reverse(site: PaddingSite) -> None:
    _refuse_if_padded(site, site.op.operands[0], list(integers(site.op, "dimensions")))
    pad_results(site)


@padding_rule("stablehlo.dynamic_slice")
def _dynamic_slice(site: PaddingSite) -> None:
    op = site.op
    operand = op.operands[0]
    sizes = list(integers(op, "slice_sizes"))
    for dim in site.padded_dims(operand):
        if sizes[dim] != site.type_before(operand).shape[dim]:
            raise unsupported(op, dim)
        sizes[dim] = tensor_type(operand).shape[dim]
    rewriting.set_properties(op, op.properties.with_("slice_sizes", i64_array(sizes)))
    pad_results(site)


@padding_rule("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(site: PaddingSite) -> None:
    operand, update = site.op.operands[:2]
    for dim in (*site.padded_dims(operand), *site.padded_dims(update)):
        if site.type_before(update).shape[dim] != site.type_before(operand).shape[dim]:
            raise unsupported(site.op, dim)
    rewriting.set_type(site.op.results[0], operand.type)
    rewriting.make_anew(site.op)


# --- shapes -----------------------------------------------------------------------------------------------------------


@padding_rule("stablehlo.reshape")
def _reshape(site: PaddingSite) -> None:
    """Of dimensions that are split or merged together only the first may be larger, because then the added elements
    stay at the end."""
    op = site.op
    rewriting.set_type(op.results[0], site.target())
    rewriting.make_anew(op)
    for value, group in _groups(site, op):
        large = [dim for dim in group if site.type_before(value).shape[dim] != 1]
        _refuse_if_padded(site, value, large[1:])


def _groups(site: PaddingSite, op: Operation) -> list[tuple[Value, range]]:
    """The dimensions of operand and result that are split or merged together."""
    values = (op.operands[0], op.results[0])
    shapes = [site.type_before(value).shape for value in values]
    if any(0 in shape for shape in shapes):
        return []
    ends: list[dict[int, int]] = []
    for shape in shapes:
        product, found = 1, {1: 0}
        for dim, size in enumerate(shape):
            product *= size
            found[product] = dim + 1
        ends.append(found)
    common = sorted(set(ends[0]) & set(ends[1]))
    return [
        (value, range(found[a], found[b]))
        for a, b in pairwise(common)
        for value, found in zip(values, ends, strict=True)
    ]


# --- control flow -----------------------------------------------------------------------------------------------------


@padding_rule("stablehlo.while")
def _while(site: PaddingSite) -> None:
    pad_results(site)
    for region in site.op.regions:
        for argument, result in zip(region.blocks[0].arguments, site.op.results, strict=True):
            rewriting.set_type(argument, result.type)


@padding_rule("stablehlo.optimization_barrier")
def _optimization_barrier(site: PaddingSite) -> None:
    for operand, result in zip(site.op.operands, site.op.results, strict=True):
        rewriting.set_type(result, operand.type)
    rewriting.make_anew(site.op)


@padding_rule("sdy.manual_computation")
def _manual_computation(site: PaddingSite) -> None:
    for argument in site.op.body.arguments:
        if site.walk.target(argument) is not argument.type:
            refuse(f"block argument #{argument.index} has a non-divisible sharding along axes that are not manual")
    for index, operand in enumerate(site.op.operands):
        if site.padded_dims(operand):
            refuse(f"operand #{index} has a non-divisible sharding")
