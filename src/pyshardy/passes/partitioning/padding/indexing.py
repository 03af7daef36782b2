"""Gathers and scatters: indices must stay in, or out of, the visible part of the tensor that they index."""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import IntegerType, TensorType, element_width
from pyshardy.passes.partitioning.padding.masks import masked
from pyshardy.passes.partitioning.padding.walk import PaddingSite, pad_results, padding_rule, unsupported
from pyshardy.rules.properties import integers


@padding_rule("stablehlo.gather")
def _gather(site: PaddingSite) -> None:
    """Indices are clamped to the visible part; whole slices stay whole."""
    op = site.op
    operand = op.operands[0]
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, GatherDimensionNumbers)
    sizes, visible = list(integers(op, "slice_sizes")), site.type_before(operand).shape
    chosen = []
    for dim in site.padded_dims(operand):
        if dim in numbers.operand_batching_dims:
            continue
        if sizes[dim] == visible[dim] and sizes[dim] != 1:
            sizes[dim] = tensor_type(operand).shape[dim]
        elif sizes[dim] == 1:
            chosen += [dim] if dim in numbers.start_index_map else []
        else:
            raise unsupported(op, dim)
    windows = [sizes[dim] for dim in numbers.window_dims(len(sizes))]
    wanted = site.padded_result()
    assert isinstance(wanted, TensorType)
    for dim, size in zip(numbers.offset_dims, windows, strict=True):
        if wanted.shape[dim] != size:
            raise unsupported(op, dim)
    if chosen:
        rewriting.set_operand(op, 1, _clamped(site, numbers, op.operands[1]))
    rewriting.set_properties(op, op.properties.with_("slice_sizes", i64_array(sizes)))
    pad_results(site)


def _clamped(site: PaddingSite, numbers: GatherDimensionNumbers, indices: Value) -> Value:
    """The indices clamped to the visible part of the operand."""
    op = site.op
    type, sharding = tensor_type(indices), site.sharding(indices)
    visible, sizes = site.type_before(op.operands[0]).shape, integers(op, "slice_sizes")
    limits = [visible[dim] - sizes[dim] for dim in numbers.start_index_map]
    with_sharding = site.builder.with_sharding(sharding)
    lowest = with_sharding.constant(DenseElementsAttr.of(type, [0]))
    bound = site.builder.integers(limits, type.element)
    dims = (numbers.index_vector_dim,) if numbers.index_vector_dim < type.rank else ()
    bound = bound if dims else site.builder.reshape(bound, ())
    new = with_sharding.clamp(lowest, indices, with_sharding.broadcast(bound, type.shape, dims))
    return site.walk.introduce(new, site.type_before(indices), sharding)


@padding_rule("stablehlo.scatter")
def _scatter(site: PaddingSite) -> None:
    """Indices outside of the visible part are moved out of bounds."""
    op = site.op
    numbers = op.properties.get("scatter_dimension_numbers")
    assert isinstance(numbers, ScatterDimensionNumbers)
    count = len(op.results)
    inputs, indices = op.operands[:count], op.operands[count]
    _refuse_larger_bounds(site, numbers, inputs[0], op.operands[count + 1])
    vector = numbers.index_vector_dim
    dims = [
        dim for dim in site.padded_dims(indices) if dim != vector and dim not in numbers.scatter_indices_batching_dims
    ]
    if dims:
        if not numbers.scatter_dims_to_operand_dims:
            raise unsupported(op, dims[0])
        rewriting.set_operand(op, count, masked(site, indices, dims, site.builder.constant(_nowhere(indices))))
    for result, value in zip(op.results, inputs, strict=True):
        rewriting.set_type(result, value.type)
    rewriting.make_anew(op)


def _refuse_larger_bounds(site: PaddingSite, numbers: ScatterDimensionNumbers, operand: Value, update: Value) -> None:
    """Refuses windows that were out of bounds in the visible part, and would not be in the larger dimension."""
    sizes = numbers.window_sizes(tensor_type(operand).rank, tensor_type(update).shape)
    for dim in site.padded_dims(operand):
        if dim in numbers.scatter_dims_to_operand_dims and sizes.get(dim, 1) not in (
            1,
            tensor_type(operand).shape[dim],
        ):
            raise unsupported(site.op, dim)


def _nowhere(indices: Value) -> DenseElementsAttr:
    """An index that is out of bounds for every tensor, also for windows that begin there."""
    element = tensor_type(indices).element
    unsigned = isinstance(element, IntegerType) and element.signedness == "u"
    width = element_width(element)
    return DenseElementsAttr.of(TensorType((), element), [(1 << width) - 1 if unsigned else -(1 << (width - 1))])
