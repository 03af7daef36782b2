"""Quantized types: integers that stand for ``(integer - zero point) * scale``.

A quantized value is kept as its integers. ``operations.quantization`` computes with what they stand for.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from pyshardy.interpreter.element_types import Array, UnsupportedType, narrow, numpy_type, wide
from pyshardy.interpreter.exact.numbers import approximation
from pyshardy.ir.types import DialectType, FloatType, IntegerType, ShapedType, Type

_TYPE = re.compile(
    r"!quant\.uniform<(?P<sign>[usi]i?)(?P<width>\d+)(<(?P<low>-?\d+):(?P<high>-?\d+)>)?:(?P<float>\w+)"
    r"(:(?P<axis>\d+))?,\s*(?P<values>[^<>]*)>"
)


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
