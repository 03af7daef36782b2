"""Rules of ``map``, ``reduce`` and ``sort``: the operations with a body that look at whole dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    bounded,
    bounds_of,
    raw_text,
    shapes_agree,
)
from pyshardy.dialects.stablehlo.verification.reducers import check_reducer
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    ends,
    inferred,
    integer,
    integers,
    one_block,
    operand_types,
    result_types,
    returned,
    same_shape,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I1, TensorType, Type


def halves(op: Operation) -> tuple[list[TensorType], list[TensorType]]:
    """The types of inputs and initial values: the two halves of the operands."""
    types = [tensor(value) for value in op.operands]
    return types[: len(types) // 2], types[len(types) // 2 :]


def check_alike(inputs: Sequence[TensorType]) -> None:
    """All inputs have shapes that agree, with the most specific one of them."""
    for index, type in enumerate(inputs):
        if not shapes_agree(type.shape, inputs[0].shape):
            raise Wrong(
                f"expects all inputs to have compatible shapes. Shape at input-index {index} is not compatible with "
                "shape at input-index 0"
            )


# --- map --------------------------------------------------------------------------------------------------------------


def _mapped(op: Operation) -> list[Type]:
    block, operands = op.regions[0].blocks[0], [tensor(value) for value in op.operands]
    arguments = [argument.type for argument in block.arguments]
    if len(arguments) != len(operands):
        raise Wrong(
            "expects number of operands to match the arity of map computation, but got: "
            f"{len(operands)} and {len(arguments)}"
        )
    for index, (argument, operand) in enumerate(zip(arguments, operands, strict=True)):
        if not isinstance(argument, TensorType) or argument.rank:
            raise Wrong(f"computation arguments must be 0-rank tensor, but got: arg #{index} of type '{argument}'")
        if argument.element is not operand.element:
            raise Wrong(
                "element type of operands and computation arguments must match, but got: "
                f"'{operand.element}' and '{argument.element}'"
            )
    if not ends(block):
        return result_types(op)
    results = returned(block)
    if len(results) != 1:
        raise Wrong(f"computation must return single output, but got: {len(results)}")
    result, dimensions = results[0], integers(op, "dimensions")
    if not isinstance(result, TensorType) or result.rank:
        raise Wrong(f"computation must return 0-rank tensor, but got: '{result}'")
    if dimensions != tuple(range(len(dimensions))):
        raise Wrong(f"requires monotonically increasing dimension numbers, but got: {raw_text(dimensions)}")
    shaped = operands[-1]
    if len(dimensions) != shaped.rank:
        raise Wrong(
            f"applied to a subset of dimensions currently not supported: operand dimensions = {shaped.rank}, "
            f"requested map dimensions size = {len(dimensions)}"
        )
    return [TensorType(shaped.shape, result.element)]


# --- reduce -----------------------------------------------------------------------------------------------------------


def _reduced(op: Operation) -> list[Type]:
    inputs, initial = halves(op)
    check_alike(inputs)
    dimensions, rank = integers(op, "dimensions"), inputs[0].rank if inputs else 0
    for index, dim in enumerate(dimensions):
        if not 0 <= dim < rank:
            raise Wrong(f"Out-of-bounds dimension {dim}, expected to be in range [0, {rank})")
        if dim in dimensions[:index]:
            raise Wrong(f"Duplicate reduction dimension: {dim}")
    if not inputs:
        raise Wrong("requires at least 1 input value")
    kept = [dim for dim in range(rank) if dim not in dimensions]
    shape = [inputs[0].shape[dim] for dim in kept]
    accumulators = check_reducer(op.regions[0].blocks[0], inputs, initial, shape)
    bounds = bounds_of(inputs[0])
    limits = [bounds[dim] for dim in kept] if bounds else []
    return [bounded(shape, accumulator.element, limits) for accumulator in accumulators]


# --- sort -------------------------------------------------------------------------------------------------------------


def _check_sort(op: Operation) -> None:
    operands = [tensor(value) for value in op.operands]
    dimension, rank = integer(op, "dimension", -1), operands[0].rank
    if not -rank <= dimension < rank:
        raise Wrong(f"dimension attribute value must be in range [-{rank}, {rank}), but found {dimension}")
    block = op.regions[0].blocks[0]
    arguments = [argument.type for argument in block.arguments]
    if len(arguments) != 2 * len(operands):
        raise Wrong(f"comparator block should have {2 * len(operands)} arguments")
    for index, found in enumerate(arguments):
        expected = TensorType((), operands[index // 2].element)
        if found is not expected:
            raise Wrong(f"comparator block argument #{index} should be of type '{expected}' but got '{found}'")
    results = returned(block)
    if len(results) != 1:
        raise Wrong(f"comparator must return single output but got {len(results)}")
    if not isinstance(results[0], TensorType) or results[0].rank or results[0].element is not I1:
        raise Wrong(f"comparator must return tensor<i1> but got '{results[0]}'")


_TENSORS = Many(kinds.TENSOR)

RULES: Rules = {
    "map": (
        typed([_TENSORS], [kinds.TENSOR]),
        one_block("computation"),
        same_shape,
        inferred(_mapped),
    ),
    "reduce": (
        typed([_TENSORS], [_TENSORS]),
        one_block("body"),
        inferred(_reduced),
    ),
    "sort": (
        typed([_TENSORS], [_TENSORS]),
        one_block("comparator"),
        same_shape,
        _check_sort,
        inferred(operand_types),
    ),
}
