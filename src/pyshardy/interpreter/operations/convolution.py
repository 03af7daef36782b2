"""Convolutions with every attribute: strides, padding, dilations, reversal, feature and batch groups, any layout.

The result is a sum of matrix products: one for each position of the kernel, or one for each position of the result,
whichever is fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.interpreter.element_types import Array, DType, narrow, wide, wide_type
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.contractions import matrix_product
from pyshardy.interpreter.operations.properties import integer, integers, pairs, uniform_integers
from pyshardy.interpreter.operations.slicing import padded
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation


class Window(NamedTuple):
    """How a kernel moves over its input, one entry a spatial dimension."""

    strides: Sequence[int]
    padding: Sequence[tuple[int, int]]
    input_dilation: Sequence[int]
    kernel_dilation: Sequence[int]
    reversal: Sequence[int]


@evaluates("stablehlo.convolution")
def convolution(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    padding = pairs(op, "padding", len(numbers.input_spatial))
    return [_convolved(frame, op, operands, numbers, padding)]


@evaluates("stablehlo.dynamic_conv")
def dynamic_conv(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    flat = uniform_integers(operands[2])
    return [_convolved(frame, op, operands, numbers, tuple(zip(flat[::2], flat[1::2], strict=True)))]


def _convolved(
    frame: Frame,
    op: Operation,
    operands: Sequence[Array],
    numbers: ConvDimensionNumbers,
    padding: Sequence[tuple[int, int]],
) -> Array:
    ones = (1,) * len(numbers.input_spatial)
    window = Window(
        integers(op, "window_strides", ones),
        padding,
        integers(op, "lhs_dilation", ones),
        integers(op, "rhs_dilation", ones),
        integers(op, "window_reversal", (0,) * len(ones)),
    )
    groups = integer(op, "feature_group_count", 1), integer(op, "batch_group_count", 1)
    dtype = frame.array_type(op.results[0].type)
    compute = wide_type(dtype)
    # lanes, batch, features, space …
    values = wide(operands[0]).transpose(
        0, 1 + numbers.input_batch, 1 + numbers.input_feature, *(1 + one for one in numbers.input_spatial)
    )
    # lanes, output features, input features, space …
    kernel = wide(operands[1]).transpose(
        0,
        1 + numbers.kernel_output_feature,
        1 + numbers.kernel_input_feature,
        *(1 + one for one in numbers.kernel_spatial),
    )
    result = narrow(convolved(values, kernel, window, *groups, compute), dtype)
    places = (numbers.output_batch, numbers.output_feature, *numbers.output_spatial)
    return result.transpose(0, *(1 + places.index(dimension) for dimension in range(len(places))))


def convolved(
    values: Array, kernel: Array, window: Window, feature_groups: int, batch_groups: int, compute: DType
) -> Array:
    """(lanes, batch, features, space …) with (lanes, output features, input features, space …) to the layout of the
    first."""
    low, high = zip(*window.padding, strict=True) if window.padding else ((), ())
    interior = tuple(step - 1 for step in window.input_dilation)
    values = padded(values, np.zeros(1, values.dtype), (0, 0, *low), (0, 0, *high), (0, 0, *interior))
    flipped = tuple(3 + place for place, reverse in enumerate(window.reversal) if reverse)
    kernel = np.flip(kernel, flipped) if flipped else kernel
    sizes = kernel.shape[3:]
    extents = [(size - 1) * step + 1 for size, step in zip(sizes, window.kernel_dilation, strict=True)]
    counts = [
        max(0, (have - extent) // stride + 1) if extent > 0 else 0
        for have, extent, stride in zip(values.shape[3:], extents, window.strides, strict=True)
    ]
    lanes, groups = max(len(values), len(kernel)), max(feature_groups, batch_groups)
    batch, features = values.shape[1] // batch_groups, values.shape[2] // feature_groups
    outputs = kernel.shape[1] // groups
    # lanes, groups, batch, features of a group, space …
    if batch_groups > 1:
        values = values.reshape(len(values), groups, batch, features, *values.shape[3:])
    else:
        values = values.reshape(len(values), batch, groups, features, *values.shape[3:]).swapaxes(1, 2)
    kernel = kernel.reshape(len(kernel), groups, outputs, *kernel.shape[2:])
    result = np.zeros((lanes, groups, batch, outputs, *counts), compute)
    if result.size and kernel.size:
        run = _by_kernel_position if prod(sizes) <= prod(counts) else _by_result_position
        run(values, kernel, window, result)
    return result.swapaxes(1, 2).reshape(lanes, batch, groups * outputs, *counts)


def _by_kernel_position(values: Array, kernel: Array, window: Window, result: Array) -> None:
    counts, sizes = result.shape[4:], kernel.shape[4:]
    lanes, groups, batch, outputs = result.shape[:4]
    features = values.shape[3]
    total = np.zeros((lanes, groups, batch * prod(counts), outputs), result.dtype)
    whole = (slice(None),) * 4
    for place in np.ndindex(*sizes):
        start = [one * step for one, step in zip(place, window.kernel_dilation, strict=True)]
        cut = tuple(
            slice(first, first + (count - 1) * stride + 1, stride)
            for first, count, stride in zip(start, counts, window.strides, strict=True)
        )
        part = np.moveaxis(values[whole + cut], 3, -1).reshape(len(values), groups, -1, features)
        weights = kernel[(..., *place)].swapaxes(-1, -2)
        total += matrix_product(part, weights, result.dtype)
    result[...] = np.moveaxis(total.reshape(lanes, groups, batch, *counts, outputs), -1, 3)


def _by_result_position(values: Array, kernel: Array, window: Window, result: Array) -> None:
    counts, sizes = result.shape[4:], kernel.shape[4:]
    weights = kernel.reshape(*kernel.shape[:3], -1).swapaxes(-1, -2)
    whole = (slice(None),) * 4
    for place in np.ndindex(*counts):
        start = [one * stride for one, stride in zip(place, window.strides, strict=True)]
        cut = tuple(
            slice(first, first + (size - 1) * step + 1, step)
            for first, size, step in zip(start, sizes, window.kernel_dilation, strict=True)
        )
        part = values[whole + cut]
        result[(..., *place)] = matrix_product(part.reshape(*part.shape[:3], -1), weights, result.dtype)
