"""Rules of ``reduce_window`` and ``select_and_scatter``."""

from __future__ import annotations

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import bounded, bounds_of, shapes_agree
from pyshardy.dialects.stablehlo.verification.reducers import alike, check_reducer
from pyshardy.dialects.stablehlo.verification.reductions import check_alike, halves
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    inferred,
    integers,
    one_block,
    returned,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.windows import (
    WindowDimension,
    read_padding,
    window_of,
    windowed,
    windowed_bounds,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I1, TensorType, Type

# --- reduce_window ----------------------------------------------------------------------------------------------------


def _window(op: Operation) -> list[WindowDimension]:
    inputs, _ = halves(op)
    if not inputs:
        raise Wrong("requires at least 1 input value")
    check_alike(inputs)
    sizes = integers(op, "window_dimensions")
    if len(sizes) != inputs[0].rank:
        raise Wrong(
            f"expects window-dimensions size == input rank, but got window-dimensions size: {len(sizes)} and input: "
            f"'{inputs[0]}' with rank = {inputs[0].rank}."
        )
    return window_of(
        op, sizes, padding=read_padding(op), base_dilation="base_dilations", window_dilation="window_dilations"
    )


def _reduced_windows(op: Operation) -> list[Type]:
    window = _window(op)
    inputs, initial = halves(op)
    sizes = integers(op, "window_dimensions")
    accumulators = check_reducer(op.regions[0].blocks[0], inputs, initial, sizes)
    return [
        bounded(windowed(one.shape, window), accumulator.element, windowed_bounds(bounds_of(one), window))
        for one, accumulator in zip(inputs, accumulators, strict=True)
    ]


# --- select_and_scatter -----------------------------------------------------------------------------------------------


def _check_selection(op: Operation) -> None:
    operand, block = tensor(op.operands[0]), op.regions[0].blocks[0]
    arguments = [argument.type for argument in block.arguments]
    if len(arguments) != 2:
        raise Wrong(f"expects the select-region to take 2 parameters, but takes {len(arguments)}")
    expected = TensorType((), operand.element)
    for index, found in enumerate(arguments):
        if not alike(found, expected):
            raise Wrong(
                f"expects the type of select-region's parameter at index {index} to be '{expected}', but got '{found}'"
            )
    results = returned(block)
    if len(results) != 1:
        raise Wrong(f"expects select-region to return single value, but got: {len(results)}")
    result = results[0]
    if not isinstance(result, TensorType) or result.rank or result.element is not I1:
        raise Wrong(f"expects the return-type of select-region to be tensor<i1>, but got: '{result}'")


def _check_scattered_windows(op: Operation) -> None:
    operand, source, initial = map(tensor, op.operands)
    sizes = integers(op, "window_dimensions")
    _check_selection(op)
    check_reducer(op.regions[1].blocks[0], [TensorType((), source.element)], [initial])
    if len(sizes) != operand.rank:
        raise Wrong(
            f"expects window-dimensions size == operand rank, but got window-dimensions size: {len(sizes)} and "
            f"operand-type: '{operand}' with rank = {operand.rank}."
        )
    window = window_of(op, sizes, padding=read_padding(op))
    expected = TensorType(windowed(operand.shape, window), source.element)
    if not shapes_agree(source.shape, expected.shape):
        raise Wrong(f"expects source-type to be '{expected}', but got'{source}'")


def _scattered_windows(op: Operation) -> list[Type]:
    operand, source, initial = map(tensor, op.operands)
    (accumulator,) = check_reducer(op.regions[1].blocks[0], [TensorType((), source.element)], [initial])
    return [TensorType(operand.shape, accumulator.element, operand.encoding)]


_TENSORS = Many(kinds.TENSOR)

RULES: Rules = {
    "reduce_window": (
        typed([_TENSORS], [_TENSORS]),
        one_block("body"),
        inferred(_reduced_windows),
    ),
    "select_and_scatter": (
        typed([kinds.TENSOR] * 3, [kinds.TENSOR]),
        one_block("select", "scatter"),
        _check_scattered_windows,
        inferred(_scattered_windows),
    ),
}
