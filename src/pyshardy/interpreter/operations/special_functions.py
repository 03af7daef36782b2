"""Special functions that numpy lacks, vectorised, in double precision: gamma, digamma, zeta, error functions, Bessel.

Formulas are from Abramowitz and Stegun (A&S) and the Digital Library of Mathematical Functions (DLMF). SciPy has the
same functions, equal in 14 digits except near zeros and 1.5 to 33 times as fast. It is not used: it takes 0.35 s to
import, longer than a check of a model spends here, and a verdict must not depend on whether a package is installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev

from pyshardy.interpreter.element_types import Array

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
"""B₂, B₄, …, B₂₀."""


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of one number applied to each."""
    vectorised = np.frompyfunc(function, 1, 1)
    return lambda values: np.asarray(vectorised(values)).astype(np.float64)


_exact_erf = _each(math.erf)
_exact_erfc = _each(math.erfc)


def _log_gamma(x: float) -> float:
    if x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


log_gamma = _each(_log_gamma)
"""log |Γ(x)|; infinity at the poles."""


def erfc(x: Array) -> Array:
    """1 - erf(x), without cancellation."""
    return _exact_erfc(x)


def erf(x: Array, *, single: bool = False) -> Array:
    """The error function; ``single`` asks for no more than the digits of f32."""
    if not single:
        return _exact_erf(x)
    # erf(x) / x is an even entire function: a polynomial in x² is enough up to where erf is 1 in f32.
    clipped = np.clip(x, -4.0, 4.0)
    return np.where(np.abs(x) >= 4.0, np.sign(x), clipped * _horner(_erf_coefficients(), clipped * clipped / 8.0 - 1.0))


@cache
def _erf_coefficients() -> tuple[float, ...]:
    def ratio(t: Array) -> Array:
        x = np.sqrt(np.maximum(8.0 * (t + 1.0), 1e-300))
        return _exact_erf(x) / x

    points = chebyshev.chebpts1(25)
    fitted = chebyshev.cheb2poly(chebyshev.chebfit(points, ratio(points), 24))
    return tuple(float(one) for one in fitted)


def _horner(coefficients: tuple[float, ...], x: Array) -> Array:
    total = np.full_like(x, coefficients[-1])
    for one in reversed(coefficients[:-1]):
        total *= x
        total += one
    return total


def erf_inverse(x: Array) -> Array:
    """y with erf(y) = x, by Halley's iteration from Winitzki's approximation; computed from 1 - |x| near the ends."""
    magnitude = np.abs(x)
    rest = 1.0 - magnitude
    logarithm = np.log(np.maximum(rest * (1.0 + magnitude), 1e-320))
    a = 0.147
    first = 2.0 / (math.pi * a) + logarithm / 2.0
    y = np.sqrt(np.maximum(np.sqrt(np.maximum(first * first - logarithm / a, 0.0)) - first, 0.0))
    for _ in range(3):
        error = np.where(magnitude < 0.5, _exact_erf(y) - magnitude, rest - _exact_erfc(y))
        step = error * math.sqrt(math.pi) / 2.0 * np.exp(np.minimum(y * y, 700.0))
        y = y - step / (1.0 + y * step)
    y = np.where(magnitude == 1.0, np.inf, np.where(magnitude > 1.0, np.nan, y))
    return np.copysign(y, x)


def digamma(x: Array) -> Array:
    """Γ'(x) / Γ(x): reflection (A&S 6.3.7), recurrence and the asymptotic series (6.3.18); NaN at the poles."""
    negative = x <= 0
    y = np.where(negative, 1.0 - x, x)
    result = np.zeros_like(y)
    while (small := y < 10.0).any():
        result = np.where(small, result - 1.0 / y, result)
        y = np.where(small, y + 1.0, y)
    inverse = 1.0 / (y * y)
    series = np.zeros_like(y)
    for number in range(len(_BERNOULLI), 0, -1):
        series = (series + _BERNOULLI[number - 1] / (2.0 * number)) * inverse
    result = result + np.log(y) - 0.5 / y - series
    # The distance to the next whole number alone keeps the tangent exact, for large x and next to the poles.
    fraction = x - np.rint(x)
    reflected = result - math.pi / np.tan(math.pi * fraction)
    poles = negative & (x == np.floor(x))
    return np.where(poles, np.nan, np.where(negative, reflected, result))


def zeta(s: Array, q: Array) -> Array:
    """The Hurwitz zeta function Σ (q + k)⁻ˢ by Euler and Maclaurin (DLMF 25.11.5)."""
    s, q = np.broadcast_arrays(s, q)
    terms = 12
    total = np.zeros(s.shape)
    for number in range(terms):
        total = total + (q + number) ** -s
    end = q + terms
    total = total + end ** (1.0 - s) / (s - 1.0) + 0.5 * end**-s
    factor, power = s, end ** (-s - 1.0)
    for number, bernoulli in enumerate(_BERNOULLI, 1):
        total = total + bernoulli / math.factorial(2 * number) * factor * power
        factor = factor * (s + 2 * number - 1) * (s + 2 * number)
        power = power / (end * end)
    whole = (q <= 0) & (q == np.floor(q))
    total = np.where(q == np.inf, np.where(s > 1.0, 0.0, total), total)
    total = np.where(whole, np.where((s % 2.0 == 0.0) | (q == 0), np.inf, np.nan), total)
    total = np.where((q < 0) & ~whole & (s != np.floor(s)), np.nan, total)
    return np.where(s == 1.0, np.inf, np.where(s < 1.0, np.nan, total))


def polygamma(n: Array, x: Array) -> Array:
    """The derivative of order n of digamma: (-1)ⁿ⁺¹ n! ζ(n + 1, x); NaN unless n is a whole number ≥ 0."""
    n, x = np.broadcast_arrays(n, x)
    sign = np.where(n % 2.0 == 0.0, -1.0, 1.0)
    value = sign * np.exp(log_gamma(n + 1.0)) * zeta(n + 1.0, x)
    value = np.where(n == 0.0, digamma(np.array(x)), value)
    return np.where((n < 0) | (n != np.floor(n)), np.nan, value)


def bessel_i1e(x: Array) -> Array:
    """e⁻|x| I₁(x): by the integral (A&S 9.6.18), for large x by the asymptotic series (9.7.1)."""
    magnitude = np.abs(x)
    small = np.minimum(magnitude, 40.0)
    count = 96
    total = np.zeros_like(small)
    for number in range(count):
        cosine = math.cos(math.pi * (number + 0.5) / count)
        total = total + np.exp(small * (cosine - 1.0)) * (1.0 - cosine * cosine)
    large = np.maximum(magnitude, 40.0)
    series, term = np.ones_like(large), np.ones_like(large)
    for number in range(1, 16):
        term = -term * (4.0 - (2 * number - 1) ** 2) / (number * 8.0 * large)
        series = series + term
    asymptotic = series / np.sqrt(2.0 * math.pi * large)
    return np.copysign(np.where(magnitude <= 40.0, small * total / count, asymptotic), x)
