"""Arithmetic modulo the prime 2^22 - 3 on arrays of doubles that hold whole numbers, without any rounding.

Real numbers that are equal have equal residues; those that two different programs compute differ with a probability of
about 1 - 2^-22 (Schwartz and Zippel), each element for itself, and each run again. The prime is the largest for which
two thousand products of residues add up to less than 2^53: so a product of matrices is one of doubles. Residues are the
representatives next to 0; those of complex numbers are complex. ``numbers`` combines them with doubles.
"""

from __future__ import annotations

from functools import cache
from math import prod
from zlib import crc32

import numpy as np

from pyshardy.interpreter.element_types import Array

PRIME = 2**22 - 3
_INVERSE = 1.0 / PRIME
_BLOCK = 64
_CACHED = 1 << 15
_LEAST_EXPONENT, _EXPONENTS = -1200, 2400


def reduced(values: Array) -> Array:
    """The residues of whole numbers up to 2^51, in their place if they are contiguous."""
    values = np.asarray(values, order="C")
    if not values.flags.writeable:
        values = values.copy()
    flat = values.view(np.float64).reshape(-1) if values.ndim else values.reshape(1)
    # In pieces that stay in the cache.
    for start in range(0, flat.size, _CACHED):
        piece = flat[start : start + _CACHED]
        multiples = piece * _INVERSE
        np.rint(multiples, out=multiples)
        multiples *= PRIME
        piece -= multiples
    return values


def reduced_large(values: Array) -> Array:
    """The residues of whole numbers up to 2^53, which one step only brings near."""
    return reduced(reduced(values))


def without_repeats(values: Array) -> Array:
    """``values`` without what broadcasting repeats, to be computed with once and broadcast again."""
    return values[tuple(slice(0, 1) if step == 0 else slice(None) for step in values.strides)]


def of_integers(values: Array) -> Array:
    """The residues of integers of any type."""
    if values.dtype == np.uint64:
        values = values % np.uint64(PRIME)
    return reduced((values.astype(np.int64) % PRIME).astype(np.float64))


def of_floats(values: Array) -> Array:
    """The residues of doubles, each m·2^e exactly; 0 for what is not finite.

    >>> of_floats(np.array([3.0, -1.0, 0.5])).tolist()
    [3.0, -1.0, -2097150.0]
    """
    if values.dtype.kind == "c":
        return _complex(of_floats(values.real), of_floats(values.imag))
    finite = np.isfinite(values)
    mantissa, exponent = np.frexp(values if finite.all() else np.where(finite, values, 0.0))
    whole = np.ldexp(mantissa, 53).astype(np.int64) % PRIME
    return reduced((whole * _powers_of_two()[exponent - 53 - _LEAST_EXPONENT]).astype(np.float64) + 0.0)


@cache
def _powers_of_two() -> Array:
    """2^e for all exponents that there are, from the least one."""
    numbers = [pow(2, _LEAST_EXPONENT, PRIME)]
    for _ in range(_EXPONENTS):
        numbers.append(2 * numbers[-1] % PRIME)
    return np.array(numbers, np.int64)


def _complex(real: Array, imaginary: Array) -> Array:
    result = np.empty(real.shape, np.complex128)
    result.real, result.imag = real, imaginary
    return result


def add(a: Array, b: Array) -> Array:
    return reduced(a + b)


def subtract(a: Array, b: Array) -> Array:
    return reduced(a - b)


def multiply(a: Array, b: Array) -> Array:
    return reduced(a * b)


def power(base: Array, exponent: int) -> Array:
    """``base`` to a fixed power of at least 0, by repeated squaring."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        if exponent:
            base = multiply(base, base)
    return result


def inverse(residues: Array) -> Array:
    """1 / x, and 0 for 0: by powers for a few, whose products serve for all others (Montgomery's trick)."""
    if residues.dtype.kind == "c":
        x, y = residues.real, residues.imag
        norm = inverse(add(multiply(x, x), multiply(y, y)))
        return _complex(multiply(x, norm), multiply(-y, norm))
    distinct = without_repeats(residues)
    nonzero = np.where(distinct == 0, 1.0, distinct).reshape(-1)
    if nonzero.size <= _BLOCK:
        inverted = power(nonzero, PRIME - 2)
    else:
        columns = -(-nonzero.size // _BLOCK)
        rows = np.ones(_BLOCK * columns)
        rows[: nonzero.size] = nonzero
        inverted = _inverse_of_rows(rows.reshape(_BLOCK, columns)).reshape(-1)[: nonzero.size]
    result = np.where(distinct == 0, 0.0, inverted.reshape(distinct.shape))
    return np.broadcast_to(result, residues.shape)


def _inverse_of_rows(rows: Array) -> Array:
    products = np.empty_like(rows)
    products[0] = rows[0]
    for number in range(1, len(rows)):
        products[number] = multiply(products[number - 1], rows[number])
    rest = power(products[-1], PRIME - 2)
    inverted = np.empty_like(rows)
    for number in range(len(rows) - 1, 0, -1):
        inverted[number] = multiply(rest, products[number - 1])
        rest = multiply(rest, rows[number])
    inverted[0] = rest
    return inverted


def total(residues: Array, axes: int | tuple[int, ...]) -> Array:
    """Sums over axes; fewer than 2^30 numbers each."""
    return reduced(np.asarray(np.add.reduce(residues, axis=axes)))


# --- functions that are nothing but functions ------------------------------------------------------------------------

_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_STEP = np.uint64(0x9E3779B97F4A7C15)
_KEPT_BITS = np.uint64(64 - 42)


def _mixed(bits: Array) -> Array:
    """A permutation of 64 bits without any pattern (the finaliser of SplitMix64)."""
    bits ^= bits >> np.uint64(30)
    bits *= _MIX[0]
    bits ^= bits >> np.uint64(27)
    bits *= _MIX[1]
    bits ^= bits >> np.uint64(31)
    return bits


def image(name: str, *arguments: Array) -> Array:
    """A fixed pseudo-random function ``name`` of residues (of both parts of complex ones), elementwise."""
    bits = np.asarray(np.uint64(crc32(name.encode()) << 32))
    for one in arguments:
        for part in (one.real, one.imag) if one.dtype.kind == "c" else (one,):
            bits = _mixed(bits + part.astype(np.int64).view(np.uint64) * _STEP + np.uint64(1))
    return reduced((bits >> _KEPT_BITS).astype(np.float64))


def complex_image(name: str, *arguments: Array) -> Array:
    """Like ``image``, with complex results."""
    return _complex(image(name, *arguments), image(f"{name} i", *arguments))


def image_of_rows(name: str, residues: Array, trailing: int) -> Array:
    """A fixed pseudo-random function of all numbers of the last ``trailing`` dimensions together, and their places."""
    first = residues.ndim - trailing
    shape = residues.shape[:first]
    rows = np.ascontiguousarray(residues).reshape(*shape, prod(residues.shape[first:]))
    if not rows.shape[-1]:
        return np.zeros(shape)
    places = np.arange(rows.shape[-1], dtype=np.float64)
    return image(name, total(image("place", rows, places), -1))
