"""The field operations on exact numbers, real or complex: sums, products, quotients, and sums of products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import residues
from pyshardy.interpreter.exact.numbers import ExactArray, is_void, settled, void

Bilinear = Callable[[Array, Array], Array]
"""A function of two arrays of doubles (or complex doubles), linear in each: a contraction, a convolution."""


def _both(ufunc: np.ufunc, a: Any, b: Any) -> Any:
    """Residues by ``ufunc``, and doubles if somebody looks at them."""
    residue = residues.reduced(ufunc(a.residue, b.residue))
    return (void(residue) if is_void(a.value) or is_void(b.value) else ufunc(a.value, b.value)), residue


def plus(a: Any, b: Any) -> Any:
    return settled(*_both(np.add, a, b))


def minus(a: Any, b: Any) -> Any:
    return settled(*_both(np.subtract, a, b))


def opposite(a: Any) -> Any:
    return ExactArray(a.value if is_void(a.value) else -a.value, -a.residue)


def times(a: Any, b: Any) -> Any:
    return ExactArray(*_both(np.multiply, a, b))


def over(a: Any, b: Any) -> Any:
    """Quotients; by zero as doubles have them."""
    residue = residues.multiply(a.residue, residues.inverse(b.residue))
    is_unseen = is_void(a.value) or is_void(b.value)
    return ExactArray(void(residue) if is_unseen else np.divide(a.value, b.value), residue)


def conjugate(a: Any) -> Any:
    return ExactArray(np.conj(a.value), np.conj(a.residue))


def total(a: Any, axes: int | tuple[int, ...]) -> Any:
    """Sums over axes."""
    residue = residues.total(a.residue, axes)
    return settled(void(residue) if is_void(a.value) else np.asarray(np.add.reduce(a.value, axis=axes)), residue)


# --- sums of products ------------------------------------------------------------------------------------------------

_FEW_TERMS = 1 << 8
"""So many products of two complex residues (21 bits each part) add up to at most 2^51."""
_MOST_TERMS = 1 << 10
"""And so many to at most 2^53."""
_DIGIT_BITS = 11
_MOST_SPLIT_TERMS = 1 << 20


def bilinear(function: Bilinear, a: Any, b: Any, terms: int, *, decides: bool) -> Any:
    """``function`` of exact numbers, each element of whose result is a sum of at most ``terms`` products. ``decides``
    says whether somebody looks at the doubles.

    On residues it is computed in doubles, which leaves no rounding.

    Raises:
        ValueError: a sum has too many terms.
    """
    if terms > _MOST_SPLIT_TERMS:
        raise ValueError(f"it adds up {terms} products, but {_MOST_SPLIT_TERMS} are the most in exact evaluation")
    if terms <= _FEW_TERMS:
        residue = residues.reduced(function(a.residue, b.residue))
    elif terms <= _MOST_TERMS:
        residue = residues.reduced_large(function(a.residue, b.residue))
    else:
        residue = _long_sums(function, a.residue, b.residue)
    return settled(function(a.value, b.value) if decides else void(residue), residue)


def _long_sums(function: Bilinear, a: Array, b: Array) -> Array:
    """By the two digits of one side."""
    scale = float(1 << _DIGIT_BITS)
    high = np.rint(np.ascontiguousarray(a).view(np.float64) / scale).view(a.dtype)
    low = a - scale * high
    parts = residues.reduced(residues.reduced_large(function(high, b)) * scale)
    return residues.add(parts, residues.reduced_large(function(low, b)))
