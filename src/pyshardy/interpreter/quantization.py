"""Quantized types: integers that stand for ``(integer - zero point) * scale``.

A quantized value is kept as its integers. Operations that move elements work on them as they are; the others compute
with the numbers they stand for and quantize the result, which is how StableHLO defines them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pyshardy.interpreter.element_types import Array, UnsupportedType, narrow, numpy_type, wide
from pyshardy.interpreter.exact.numbers import approximation
from pyshardy.interpreter.registry import Evaluator, evaluates
from pyshardy.ir.opdef import MOVES
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DialectType, FloatType, IntegerType, ShapedType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame
    from pyshardy.interpreter.number_systems import NumberSystem

_TYPE = re.compile(
    r"!quant\.uniform<(?P<sign>[usi]i?)(?P<width>\d+)(<(?P<low>-?\d+):(?P<high>-?\d+)>)?:(?P<float>\w+)"
    r"(:(?P<axis>\d+))?,\s*(?P<values>[^<>]*)>"
)
_ALSO = "bitcast_convert constant custom_call uniform_dequantize uniform_quantize"
_ALSO_WITH_INTEGERS = frozenset(f"stablehlo.{name}" for name in _ALSO.split())
"""Operations that work on integers as they are, besides those that only move them."""


class Quantization(NamedTuple):
    """What a quantized element type says; ``axis`` is the dimension that scales and zero points belong to."""

    storage: IntegerType
    expressed: FloatType
    low: int
    high: int
    axis: int | None
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]


@cache
def quantization(type: Type) -> Quantization | None:
    """What a tensor or element type says about quantization; None if it is not quantized.

    Raises:
        UnsupportedType: it is quantized in a way that is not known here.
    """
    element = type.element if isinstance(type, ShapedType) else type
    if not isinstance(element, DialectType) or not element.body.startswith("!quant."):
        return None
    match = _TYPE.fullmatch(element.body)
    if match is None:
        raise UnsupportedType(f"there is no array type for elements of type {element}")
    width, unsigned = int(match["width"]), match["sign"].startswith("u")
    lowest, highest = (0, 2**width - 1) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    pairs = [one.strip().partition(":") for one in match["values"].strip("{} ").split(",")]
    return Quantization(
        IntegerType(width, "u" if unsigned else ""),
        FloatType(match["float"]),
        int(match["low"] or lowest),
        int(match["high"] or highest),
        int(match["axis"]) if match["axis"] else None,
        tuple(float(scale) for scale, _, _ in pairs),
        tuple(int(zero or 0) for _, _, zero in pairs),
    )


def dequantized(values: Array, kind: Quantization) -> Array:
    """The numbers that integers (with the axis of lanes) stand for."""
    scales, zeros = _spread(kind, values.ndim)
    return narrow((wide(values).astype(np.float64) - zeros) * scales, numpy_type(kind.expressed))


def quantized(values: Array, kind: Quantization) -> Array:
    """The integers next to numbers, halves to even, at the ends of the range if they are beyond it."""
    scales, zeros = _spread(kind, values.ndim)
    given = wide(approximation(values)).astype(np.float64)
    numbers = np.rint(given / scales) + zeros
    return narrow(np.clip(numbers, kind.low, kind.high).astype(np.int64), numpy_type(kind.storage))


def _spread(kind: Quantization, rank: int) -> tuple[Array, Array]:
    scales, zeros = np.array(kind.scales), np.array(kind.zero_points, np.float64)
    if kind.axis is None:
        return scales[0], zeros[0]
    shape = [1] * rank
    shape[1 + kind.axis] = -1
    return scales.reshape(shape), zeros.reshape(shape)


@evaluates("stablehlo.uniform_quantize")
def uniform_quantize(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Quantizes numbers, or quantizes anew what is quantized in another way."""
    source, target = quantization(op.operands[0].type), quantization(op.results[0].type)
    assert target is not None
    values = operands[0] if source is None else dequantized(operands[0], source)
    return [quantized(values, target)]


@evaluates("stablehlo.uniform_dequantize")
def uniform_dequantize(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    source = quantization(op.operands[0].type)
    assert source is not None
    natural = narrow(dequantized(operands[0], source), numpy_type(op.results[0].type))
    return [frame.machine.numbers.constant(natural)]


def on_numbers(op: Operation, evaluate: Evaluator, numbers: NumberSystem) -> Evaluator:
    """The evaluator for an operation on quantized values: ``evaluate`` itself, or around it the way from integers to
    numbers and back. What has a body leaves that way to the operations in the body.

    Raises:
        UnsupportedType: a value is quantized in a way that is not known here.
    """
    if op.regions or op.traits & MOVES or op.name in _ALSO_WITH_INTEGERS:
        return evaluate
    if op.name.startswith(("check.", "func.", "interpreter.", "sdy.")):
        return evaluate
    sources = [quantization(value.type) for value in op.operands]
    targets = [quantization(value.type) for value in op.results]
    plain = Operation(
        op.name, op.definition, (), [_expressed(value.type) for value in op.results], op.properties, op.attributes
    )
    plain.location = op.location

    def run(frame: Frame, _: Operation, operands: list[Array]) -> Sequence[Array]:
        given = [
            value if kind is None else numbers.constant(dequantized(value, kind))
            for value, kind in zip(operands, sources, strict=True)
        ]
        results = evaluate(frame, plain, given)
        return [value if kind is None else quantized(value, kind) for value, kind in zip(results, targets, strict=True)]

    return run


def _expressed(type: Type) -> Type:
    kind = quantization(type)
    return type if kind is None or not isinstance(type, TensorType) else TensorType(type.shape, kind.expressed)
