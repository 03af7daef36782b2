"""The field operations on exact numbers, real or complex: sums, products, quotients, and sums of products.

``numbers`` stands left of this file; evaluators of single operations and of compound ones (batch norms, triangular
systems) are written with these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import residues
from pyshardy.interpreter.exact.numbers import ExactArray, settled

Bilinear = Callable[[Array, Array], Array]
"""A function of two arrays of doubles (or complex doubles), linear in each: a contraction, a convolution."""


def plus(a: Any, b: Any) -> Any:
    return settled(a.value + b.value, residues.add(a.residue, b.residue))


def minus(a: Any, b: Any) -> Any:
    return settled(a.value - b.value, residues.subtract(a.residue, b.residue))


def opposite(a: Any) -> Any:
    return ExactArray(-a.value, -a.residue)


def times(a: Any, b: Any) -> Any:
    return ExactArray(a.value * b.value, residues.multiply(a.residue, b.residue))


def over(a: Any, b: Any) -> Any:
    """Quotients; by zero as doubles have them."""
    return ExactArray(np.divide(a.value, b.value), residues.multiply(a.residue, residues.inverse(b.residue)))


def conjugate(a: Any) -> Any:
    return ExactArray(np.conj(a.value), np.conj(a.residue))


def total(a: Any, axes: int | tuple[int, ...]) -> Any:
    """Sums over axes."""
    return settled(np.asarray(np.add.reduce(a.value, axis=axes)), residues.total(a.residue, axes))


# --- sums of products ------------------------------------------------------------------------------------------------

_MOST_TERMS = 1 << 10
"""So many products of two complex residues (21 bits each part) add up to at most 2^53."""
_DIGIT_BITS = 11
_MOST_SPLIT_TERMS = 1 << 20


def bilinear(function: Bilinear, a: Any, b: Any, terms: int) -> Any:
    """``function`` of exact numbers, each element of whose result is a sum of at most ``terms`` products.

    On residues it is computed in doubles, which leaves no rounding.

    Raises:
        ValueError: a sum has too many terms.
    """
    if terms > _MOST_SPLIT_TERMS:
        raise ValueError(f"it adds up {terms} products, but {_MOST_SPLIT_TERMS} are the most in exact evaluation")
    value = function(a.value, b.value)
    if terms <= _MOST_TERMS * (1 if value.dtype.kind == "c" else 2):
        return settled(value, residues.reduced_large(function(a.residue, b.residue)))
    # Long sums: by the two digits of one side.
    scale = float(1 << _DIGIT_BITS)
    high = np.rint(np.ascontiguousarray(a.residue).view(np.float64) / scale).view(a.residue.dtype)
    low = a.residue - scale * high
    parts = residues.reduced_large(function(high, b.residue)) * scale
    return settled(value, residues.add(residues.reduced(parts), residues.reduced_large(function(low, b.residue))))
