"""Rules of convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import elements_compatible
from pyshardy.dialects.stablehlo.verification.contractions import check_precisions, inferred_shape
from pyshardy.dialects.stablehlo.verification.rules import Rules, integer, tensor, typed
from pyshardy.dialects.stablehlo.verification.windows import read_padding, window_of, windowed
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC


def _numbers(op: Operation) -> ConvDimensionNumbers:
    numbers = op.properties.entries["dimension_numbers"]
    assert isinstance(numbers, ConvDimensionNumbers)
    return numbers


def _check_operands(op: Operation) -> None:
    lhs, rhs = (tensor(value) for value in op.operands[:2])
    if lhs.rank < 2:
        raise Wrong(f"expects convolution arguments to have >= 2 dimensions. Got: '{lhs}' and '{rhs}'.")
    if lhs.rank != rhs.rank:
        raise Wrong(f"expects convolution arguments to have same number of dimensions. Got: '{lhs}' and '{rhs}'.")
    if not elements_compatible(lhs.element, rhs.element):
        raise Wrong(f"expects lhs and rhs to have compatible element type. Got: '{lhs.element}' and '{rhs.element}'")


def _check_dimensions(numbers: ConvDimensionNumbers, rank: int) -> None:
    spatial = (numbers.input_spatial, numbers.kernel_spatial, numbers.output_spatial)
    counts = [len(dims) for dims in spatial]
    if len(set(counts)) > 1:
        raise Wrong(
            "expects the same size for input, kernel and output spatial-dimensions, but got "
            f"{counts[0]}, {counts[1]}, and {counts[2]} resp."
        )
    named = {
        "input": (numbers.input_batch, numbers.input_feature, *numbers.input_spatial),
        "kernel": (numbers.kernel_input_feature, numbers.kernel_output_feature, *numbers.kernel_spatial),
        "output": (numbers.output_batch, numbers.output_feature, *numbers.output_spatial),
    }
    if not all(0 <= dim < rank for dims in named.values() for dim in dims):
        raise Wrong(f"expects input, kernel, and output dimension-numbers to be in-range [0, {rank}).")
    for name, dims in named.items():
        if len(set(dims)) < len(dims):
            raise Wrong(f"expects {name} dimension-numbers to be unique, got {{{', '.join(map(str, dims))}}}.")
    if counts[0] + 2 != rank:
        raise Wrong(f"expects convolution arguments to have {counts[0] + 2} dimensions. Got: {rank}")


def _check_groups(op: Operation, numbers: ConvDimensionNumbers) -> None:
    lhs, rhs = (tensor(value).shape for value in op.operands[:2])
    features, batches = integer(op, "feature_group_count", 1), integer(op, "batch_group_count", 1)
    if features > 1 and batches > 1:
        raise Wrong(
            "expects batch_group_count and feature_group_count not to be both greater than 1. Got "
            f"{batches} and {features} resp."
        )
    batch = lhs[numbers.input_batch]
    if batch != DYNAMIC and batch % batches:
        raise Wrong(
            f"expects input batch dimension ({batch}) to be divisible by batch_group_count. Got "
            f"batch_group_count = {batches}."
        )
    size = lhs[numbers.input_feature]
    kernel = rhs[numbers.kernel_input_feature]
    if size != DYNAMIC:
        if size % features:
            raise Wrong(
                f"expects input feature dimension ({size}) to be a multiple of feature_group_count. Got "
                f"feature_group_count = {features}."
            )
        if kernel not in (DYNAMIC, size // features):
            raise Wrong(
                f"expects input feature dimension ({size}) / feature_group_count = kernel input feature dimension "
                f"({kernel}). Got feature_group_count = {features}."
            )
    output = rhs[numbers.kernel_output_feature]
    if output != DYNAMIC:
        if output % batches:
            raise Wrong(
                f"expects output feature dimension size ({output}) to be a multiple of batch_group_count. Got "
                f"batch_group_count = {batches}."
            )
        if output % features:
            raise Wrong(
                f"expects kernel output feature dimension ({output}) to be divisible by feature_group_count. For "
                f"feature_group_count = {features}."
            )


def _check_numbers(op: Operation) -> None:
    numbers = _numbers(op)
    _check_dimensions(numbers, tensor(op.operands[0]).rank)
    _check_groups(op, numbers)
    check_precisions(op)


def _convolution(op: Operation) -> Sequence[int]:
    _check_operands(op)
    lhs, rhs = (tensor(value).shape for value in op.operands)
    numbers = _numbers(op)
    padding = read_padding(op)
    _check_numbers(op)
    window = window_of(
        op,
        [rhs[dim] for dim in numbers.kernel_spatial],
        padding=padding,
        base_dilation="lhs_dilation",
        window_dilation="rhs_dilation",
        reversal="window_reversal",
    )
    output = [DYNAMIC] * len(lhs)
    batch = lhs[numbers.input_batch]
    output[numbers.output_batch] = batch if batch == DYNAMIC else batch // integer(op, "batch_group_count", 1)
    output[numbers.output_feature] = rhs[numbers.kernel_output_feature]
    spatial = windowed([lhs[dim] for dim in numbers.input_spatial], window)
    for dim, size in zip(numbers.output_spatial, spatial, strict=True):
        output[dim] = size
    return output


def _check_dynamic_convolution(op: Operation) -> None:
    _check_operands(op)
    _check_numbers(op)
    shape, spatial = tensor(op.operands[2]).shape, len(_numbers(op).input_spatial)
    if shape != (spatial, 2):
        raise Wrong(f"expects padding to be of shape [{spatial}, 2], but got [{shape[0]}, {shape[1]}]")


RULES: Rules = {
    "convolution": (
        typed([kinds.TENSOR, kinds.TENSOR_OR_BY_AXIS], [kinds.TENSOR_OR_BY_AXIS]),
        inferred_shape(_convolution),
    ),
    "dynamic_conv": (
        typed(
            [kinds.TENSOR, kinds.TENSOR, kinds.static_of_rank(2, "integer ", kinds.INTEGER)],
            [kinds.TENSOR],
        ),
        _check_dynamic_convolution,
    ),
}
