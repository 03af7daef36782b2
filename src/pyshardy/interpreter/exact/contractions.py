"""Sums of products of exact numbers: the native evaluators, run on digits of residues (``algebra.bilinear``)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import algebra, residues
from pyshardy.interpreter.exact.numbers import as_kind, from_integers, is_exact, settled
from pyshardy.interpreter.exact.registry import exactly, exactly_on_natural
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import DOUBLES
from pyshardy.interpreter.operations.contractions import summed_by_equation
from pyshardy.ir.operation import Operation


@exactly_on_natural(
    "stablehlo.dot",
    "stablehlo.dot_general",
    "stablehlo.convolution",
    "stablehlo.dynamic_conv",
    "stablehlo.einsum",
    "chlo.ragged_dot",
)
def bilinear(native: Evaluator, frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    """The native evaluator on doubles and on digits, other operands (padding, sizes of groups) as they are."""
    first, second, *others = operands
    kind = frame.array_type(op.results[0].type)
    first, second = (as_kind(one if is_exact(one.dtype) else from_integers(one), kind) for one in (first, second))
    inner = frame.counting_in(DOUBLES)

    def on_doubles(a: Array, b: Array) -> Array:
        (result,) = native(inner, op, [a, b, *others])
        return np.asarray(result)

    decides = frame.machine.decides(op.results[0])
    return [algebra.bilinear(on_doubles, first, second, _terms(op, first, second), decides=decides)]


@exactly("stablehlo.unary_einsum")
def unary_einsum(frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    """A product with the number 1."""
    (values,) = operands
    value, residue = (summed_by_equation(op, plane).copy() for plane in (values.value, values.residue))
    return [settled(value, residues.reduced_large(residue))]


def _terms(op: Operation, first: Any, second: Any) -> int:
    """At most so many products add up to one element of the result."""
    numbers = op.properties.get("dot_dimension_numbers") or op.properties.get("ragged_dot_dimension_numbers")
    if isinstance(numbers, DotDimensionNumbers | RaggedDotDimensionNumbers):
        return int(prod(first.shape[1 + dimension] for dimension in numbers.lhs_contracting))
    convolution = op.properties.get("dimension_numbers")
    if isinstance(convolution, ConvDimensionNumbers):
        outputs = int(second.shape[1 + convolution.kernel_output_feature])
        return int(prod(second.shape[1:])) // max(1, outputs)
    if op.name == "stablehlo.dot":
        return int(first.shape[-1])
    return int(min(prod(first.shape[1:]), prod(second.shape[1:])))
