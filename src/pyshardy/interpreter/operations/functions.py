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
    return np.expm1(a)


@precise("stablehlo.log")
def log(a: Array) -> Array:
    return np.log(a)


@precise("stablehlo.log_plus_one")
def log_plus_one(a: Array) -> Array:
    return np.log1p(a)


@precise("stablehlo.logistic")
def logistic(a: Array) -> Array:
    """1 / (1 + e^-a)."""
    return 1 / (1 + np.exp(-a))


@precise("stablehlo.sqrt")
def sqrt(a: Array) -> Array:
    return np.sqrt(a)


@precise("stablehlo.rsqrt")
def rsqrt(a: Array) -> Array:
    return 1 / np.sqrt(a)


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
