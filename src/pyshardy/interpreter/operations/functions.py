"""Elementary functions, computed in double precision and rounded once to the type of the result."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.operations.elementwise import precise


@precise("stablehlo.exponential")
def exponential(a: Array) -> Array:
    return np.exp(a)


@precise("stablehlo.exponential_minus_one")
def exponential_minus_one(a: Array) -> Array:
    result: Array = np.expm1(a)
    if a.dtype.kind != "c":
        return result
    # With infinities numpy's formula gives NaN where e^a does not.
    power = np.exp(a)
    return np.where(np.isfinite(result), result, _parts(power.real - 1, power.imag))


@precise("stablehlo.log")
def log(a: Array) -> Array:
    return np.log(a)


@precise("stablehlo.log_plus_one")
def log_plus_one(a: Array) -> Array:
    return _complex_log_plus_one(a) if a.dtype.kind == "c" else np.log1p(a)


def _complex_log_plus_one(z: Array) -> Array:
    """log(1 + z) = log1p(2x + x² + y²) / 2 + i atan2(y, 1 + x), the sum with twice the digits: near the circle around
    -1 it is much smaller than its terms."""
    x, y = z.real, z.imag
    near = (np.abs(x) < 4) & (np.abs(y) < 4)
    a, b = np.where(near, x, 0.0), np.where(near, y, 0.0)
    (square_x, rest_x), (square_y, rest_y) = _exact_square(a), _exact_square(b)
    total, rest = _exact_sum(2 * a, square_y)
    total, more = _exact_sum(total, square_x)
    total = total + (rest + more + rest_x + rest_y)
    real = np.where(near, np.log1p(total) / 2, np.log(1 + z).real)
    return _parts(real, np.arctan2(y, 1 + x))


def _exact_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """A sum and what rounding took from it (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _exact_square(a: Array) -> tuple[Array, Array]:
    """A square and what rounding took from it (Dekker)."""
    square = a * a
    scaled = a * 134217729.0
    high = scaled - (scaled - a)
    low = a - high
    return square, ((high * high - square) + 2 * high * low) + low * low


def _parts(real: Array, imaginary: Array) -> Array:
    result = np.empty(real.shape, np.complex128)
    result.real, result.imag = real, imaginary
    return result


@precise("stablehlo.logistic")
def logistic(a: Array) -> Array:
    """1 / (1 + e^-a); of complex numbers to the left as e^a / (1 + e^a), which stays finite."""
    if a.dtype.kind != "c":
        return 1 / (1 + np.exp(-a))
    power = np.exp(np.where(a.real < 0, a, -a))
    quotient: Array = np.where(a.real < 0, power, 1) / (1 + power)
    return quotient


@precise("stablehlo.sqrt")
def sqrt(a: Array) -> Array:
    return np.sqrt(a)


@precise("stablehlo.rsqrt")
def rsqrt(a: Array) -> Array:
    root = 1 / np.sqrt(a)
    return np.where(np.isinf(a), 0, root) if a.dtype.kind == "c" else root


@precise("stablehlo.cbrt")
def cbrt(a: Array) -> Array:
    return a ** (1 / 3) if a.dtype.kind == "c" else np.cbrt(a)


@precise("stablehlo.sine")
def sine(a: Array) -> Array:
    return np.sin(a)


@precise("stablehlo.cosine")
def cosine(a: Array) -> Array:
    return np.cos(a)


@precise("stablehlo.tan", "chlo.tan")
def tan(a: Array) -> Array:
    return np.tan(a)


@precise("stablehlo.tanh")
def tanh(a: Array) -> Array:
    return np.tanh(a)


@precise("stablehlo.atan2")
def atan2(y: Array, x: Array) -> Array:
    """The angle of the point (x, y); of complex numbers by its analytic continuation."""
    if y.dtype.kind == "c":
        angle: Array = -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))
        return angle
    return np.arctan2(y, x)
