"""Converts elements from one type to another: by value, by bits, or by reducing precision."""

from __future__ import annotations

from typing import cast

import numpy as np

from pyshardy.interpreter.element_types import (
    Array,
    DType,
    bit_width,
    is_integer,
    narrow,
    numpy_type,
    wide,
)
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.native_conversion import naturally_converted
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.operation import Operation


@evaluates("stablehlo.convert")
def convert(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [converted(operands[0], frame.array_type(op.results[0].type))]


def converted(values: Array, dtype: DType) -> Array:
    """``values`` in type ``dtype``, which may be exact numbers, or become some (``naturally_converted``)."""
    if values.dtype == dtype:
        return values
    if is_exact(values.dtype) or is_exact(dtype):
        from pyshardy.interpreter.exact.conversion import converted as exactly_converted

        return cast(Array, exactly_converted(values, dtype))
    return naturally_converted(values, dtype)


@evaluates("stablehlo.bitcast_convert")
def bitcast_convert(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Reads the bits of the operand as another type; if elements differ in width, a last dimension is added or lost."""
    values, dtype = operands[0], numpy_type(op.results[0].type)
    if op.operands and values.dtype == frame.array_type(op.operands[0].type):
        # Where floats are doubles, the bits are those of the type that the program says.
        values = values.astype(numpy_type(op.operands[0].type), copy=False)
    return [frame.machine.numbers.constant(_with_bits_of(values, dtype))]


def _with_bits_of(values: Array, dtype: DType) -> Array:
    source_bits, target_bits = bit_width(values.dtype), bit_width(dtype)
    shape = values.shape
    if target_bits < source_bits:
        shape = (*shape, source_bits // target_bits)
    elif target_bits > source_bits:
        shape = shape[:-1]
    if source_bits % 8 == 0 and target_bits % 8 == 0:
        return np.ascontiguousarray(values).view(np.uint8).reshape(-1).view(dtype).reshape(shape)
    bits = _bits(values)
    grouped = bits.reshape(-1, target_bits)
    if target_bits == 1:
        return grouped.reshape(shape).astype(dtype)
    weights = 1 << np.arange(target_bits, dtype=np.uint64)
    numbers = (grouped.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)
    stored = numbers.astype(f"u{dtype.itemsize}")
    if is_integer(dtype):
        return narrow(stored, dtype).reshape(shape)
    result: Array = stored.view(dtype).reshape(shape)
    return result


def _bits(values: Array) -> Array:
    """The bits of all elements, lowest first, as a flat array of 0 and 1."""
    width = bit_width(values.dtype)
    raw = np.ascontiguousarray(values).view(np.uint8).reshape(-1, values.dtype.itemsize)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :width].reshape(-1)


@evaluates("stablehlo.reduce_precision")
def reduce_precision(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Rounds to a float format of fewer bits: mantissa to nearest even, too large becomes infinity, too small 0."""
    exponent_bits, mantissa_bits = (
        value.value if isinstance(value := op.get(name), IntegerAttr) else 0
        for name in ("exponent_bits", "mantissa_bits")
    )
    (values,) = operands
    return [rounded_to(values, exponent_bits, mantissa_bits)]


_MANTISSA_BITS = {
    "float64": 52,
    "float32": 23,
    "float16": 10,
    "bfloat16": 7,
    "float8_e3m4": 4,
    "float8_e4m3": 3,
    "float8_e4m3fn": 3,
    "float8_e5m2": 2,
}


def rounded_to(values: Array, exponent_bits: int, mantissa_bits: int) -> Array:
    """``values`` in a format of that many bits, in their own type."""
    if values.dtype.name not in _MANTISSA_BITS:
        wider = wide(values)
        return rounded_to(wider, exponent_bits, mantissa_bits).astype(values.dtype)
    width, own_mantissa = bit_width(values.dtype), _MANTISSA_BITS[values.dtype.name]
    own_exponent = width - 1 - own_mantissa
    stored = np.ascontiguousarray(values)
    bits = stored.view(f"u{width // 8}").astype(np.uint64)
    sign, magnitude = bits & np.uint64(1 << (width - 1)), bits & np.uint64((1 << (width - 1)) - 1)
    if mantissa_bits < own_mantissa:
        dropped = own_mantissa - mantissa_bits
        last = (magnitude >> np.uint64(dropped)) & np.uint64(1)
        magnitude = magnitude + np.uint64((1 << (dropped - 1)) - 1) + last
        magnitude &= ~np.uint64((1 << dropped) - 1)
    if exponent_bits < own_exponent:
        bias = (1 << (exponent_bits - 1)) - 1
        exponent = (magnitude >> np.uint64(own_mantissa)).astype(np.int64) - ((1 << (own_exponent - 1)) - 1)
        infinity = np.uint64(((1 << own_exponent) - 1) << own_mantissa)
        magnitude = np.where(exponent > bias, infinity, magnitude)
        magnitude = np.where(exponent < 1 - bias, np.uint64(0), magnitude)
    result = (magnitude | sign).astype(f"u{width // 8}").view(values.dtype)
    if not mantissa_bits:
        # A format without mantissa has no NaN: StableHLO makes infinities of them.
        infinity = np.uint64(((1 << own_exponent) - 1) << own_mantissa)
        endless = (infinity | sign).astype(f"u{width // 8}").view(values.dtype)
        return np.where(np.isnan(wide(stored)), endless, result)
    return np.where(np.isnan(wide(stored)), stored, result)
