"""Arithmetic and rounding: exact where the type is exact, integers wrap around, and nothing traps.

What StableHLO leaves to the implementation follows XLA: division by zero gives all ones, the smallest number divided by
-1 itself, remainder by zero its dividend.
"""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.operations.elementwise import elementwise, fitted


@elementwise("stablehlo.add", "arith.addi", "arith.addf")
def add(a: Array, b: Array) -> Array:
    return np.add(a, b)


@elementwise("stablehlo.subtract", "arith.subi", "arith.subf")
def subtract(a: Array, b: Array) -> Array:
    return np.logical_xor(a, b) if a.dtype == np.bool_ else np.subtract(a, b)


@elementwise("stablehlo.multiply", "arith.muli", "arith.mulf")
def multiply(a: Array, b: Array) -> Array:
    return np.multiply(a, b)


@elementwise("stablehlo.divide", "arith.divsi", "arith.divf")
def divide(a: Array, b: Array) -> Array:
    """Quotients, of integers towards zero."""
    if a.dtype.kind == "c":
        return _complex_quotient(a.astype(np.complex128, copy=False), b.astype(np.complex128, copy=False))
    if a.dtype.kind not in "iub":
        return np.divide(a, b)
    if a.dtype.kind == "b":
        return np.logical_or(a, np.logical_not(b))
    quotient = _truncated_quotient(a, np.where(b == 0, np.ones_like(b), b))
    return np.where(b == 0, np.full_like(a, -1 if a.dtype.kind == "i" else np.iinfo(a.dtype).max), quotient)


def _complex_quotient(a: Array, b: Array) -> Array:
    """Quotients that are infinite or 0 where C says so (annex G.5.1), although their formula gives NaN."""
    quotient = np.divide(a, b)
    lost = (np.isnan(quotient.real) & np.isnan(quotient.imag)) | (b == 0)
    if not lost.any():
        return quotient
    a, b = (np.broadcast_to(value, quotient.shape)[lost] for value in (a, b))
    large, huge = np.isinf(a.real) | np.isinf(a.imag), np.isinf(b.real) | np.isinf(b.imag)
    by_zero = (b == 0) & ~(np.isnan(a.real) & np.isnan(a.imag))
    above, below = np.where(large, _directions(a), a), np.where(huge, _directions(b), b)
    product = above * np.conj(below)
    factor = np.where(large & np.isfinite(b), np.inf, np.where(huge & np.isfinite(a), 0.0, np.nan))
    real, imaginary = factor * product.real, factor * product.imag
    infinity = np.copysign(np.inf, b.real)
    fixed = quotient[lost]
    fixed.real = np.where(by_zero, infinity * a.real, real)
    fixed.imag = np.where(by_zero, infinity * a.imag, imaginary)
    quotient[lost] = fixed
    return quotient


def _directions(values: Array) -> Array:
    """Complex numbers whose infinite parts are 1 and whose finite parts are 0, signs kept."""
    result = np.empty_like(values)
    result.real = np.copysign(np.isinf(values.real).astype(np.float64), values.real)
    result.imag = np.copysign(np.isinf(values.imag).astype(np.float64), values.imag)
    return result


def _truncated_quotient(a: Array, b: Array) -> Array:
    quotient = np.floor_divide(a, b)
    if a.dtype.kind == "i":
        # Rounds down; towards zero is one more where the quotient is negative and not exact.
        inexact = (quotient * b != a) & ((a < 0) != (b < 0))
        quotient = quotient + inexact
        # numpy's smallest number divided by -1 may be anything; it wraps around to itself.
        quotient = np.where(b == -1, np.negative(a), quotient)
    return quotient.astype(a.dtype, copy=False)


@elementwise("stablehlo.remainder", "arith.remsi", "arith.remf")
def remainder(a: Array, b: Array) -> Array:
    """What division towards zero leaves, with the sign of the dividend."""
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    if a.dtype.kind == "b":
        return np.logical_and(a, np.logical_not(b))
    safe = np.where((b == 0) | (b == -1) if a.dtype.kind == "i" else b == 0, np.ones_like(b), b)
    return np.where(b == 0, a, np.fmod(a, safe))


@elementwise("stablehlo.power")
def power(a: Array, b: Array) -> Array:
    """Powers; of integers by repeated squaring, with 0 for negative exponents unless the base is 1 or -1."""
    if a.dtype.kind in "fc":
        return _double_power(a, b)
    exponent = b.astype(np.int64) if a.dtype.kind == "i" else b.astype(np.uint64)
    result, base = np.ones(np.broadcast_shapes(a.shape, b.shape), a.dtype), a
    rest = np.where(exponent < 0, np.zeros_like(exponent), exponent)
    while rest.any():
        result = np.where(rest & 1, result * base, result).astype(a.dtype, copy=False)
        base = base * base
        rest = rest >> 1
    if a.dtype.kind == "i":
        odd = np.where(exponent & 1, a, np.ones_like(a))
        of_negative = np.where(a == 1, a, np.where(a == -1, odd, np.zeros_like(a)))
        result = np.where(exponent < 0, of_negative, result)
    return result


def _double_power(a: Array, b: Array) -> Array:
    target = np.complex128 if a.dtype.kind == "c" else np.float64
    return np.power(a.astype(target, copy=False), b.astype(target, copy=False))


@elementwise("stablehlo.maximum", "arith.maxsi", "arith.maximumf")
def maximum(a: Array, b: Array) -> Array:
    """The larger; NaN if any is, 0 rather than -0, complex numbers by real part, then imaginary part."""
    larger = np.maximum(a, b)
    zeros = _zeros(larger, a, b)
    return np.where(zeros, a + b, larger) if zeros.any() else larger


@elementwise("stablehlo.minimum", "arith.minsi", "arith.minimumf")
def minimum(a: Array, b: Array) -> Array:
    """The smaller; NaN if any is, -0 rather than 0."""
    smaller = np.minimum(a, b)
    zeros = _zeros(smaller, a, b)
    return np.where(zeros, -(-a - b), smaller) if zeros.any() else smaller


def _zeros(chosen: Array, a: Array, b: Array) -> Array:
    """Where both floats are zeros, perhaps of different sign: numpy takes any of them."""
    return (chosen == 0) & (a == b) if chosen.dtype.kind == "f" else np.zeros(1, np.bool_)


@elementwise("stablehlo.negate", "arith.negf")
def negate(a: Array) -> Array:
    return a if a.dtype == np.bool_ else np.negative(a)


@elementwise("stablehlo.abs")
def absolute(a: Array) -> Array:
    if a.dtype == np.complex64:
        return np.abs(a.astype(np.complex128))
    return np.abs(a)


@elementwise("stablehlo.sign")
def sign(a: Array) -> Array:
    """-1, 0 or 1; zeros keep their sign, NaN stays, a complex number becomes one of magnitude 1."""
    if a.dtype.kind == "f":
        return np.where(np.isnan(a) | (a == 0), a, np.copysign(np.ones_like(a), a))
    if a.dtype.kind == "c":
        magnitude = np.abs(a)
        return np.where(magnitude == 0, np.zeros_like(a), a / np.where(magnitude == 0, 1, magnitude))
    return np.sign(a)


@elementwise("stablehlo.floor")
def floor(a: Array) -> Array:
    return np.floor(a)


@elementwise("stablehlo.ceil")
def ceil(a: Array) -> Array:
    return np.ceil(a)


@elementwise("stablehlo.round_nearest_even")
def round_nearest_even(a: Array) -> Array:
    return np.rint(a)


@elementwise("stablehlo.round_nearest_afz")
def round_nearest_afz(a: Array) -> Array:
    """The nearest integer, halves away from zero."""
    whole = np.trunc(a)
    return np.where(np.abs(a - whole) >= 0.5, whole + np.copysign(np.ones_like(a), a), whole)


@elementwise("stablehlo.clamp")
def clamp(low: Array, a: Array, high: Array) -> Array:
    """``a`` between the bounds, which are scalars or as large as ``a``."""
    clamped: Array = np.minimum(np.maximum(fitted(low, a), a), fitted(high, a))
    return clamped


@elementwise("stablehlo.complex")
def make_complex(real: Array, imaginary: Array) -> Array:
    """Complex numbers from their parts."""
    shape = np.broadcast_shapes(real.shape, imaginary.shape)
    result = np.empty(shape, np.complex64 if real.dtype == np.float32 else np.complex128)
    result.real, result.imag = real, imaginary
    return result


@elementwise("stablehlo.real")
def real_part(a: Array) -> Array:
    return a.real


@elementwise("stablehlo.imag")
def imaginary_part(a: Array) -> Array:
    return a.imag


@elementwise("stablehlo.is_finite")
def is_finite(a: Array) -> Array:
    return np.isfinite(a)
