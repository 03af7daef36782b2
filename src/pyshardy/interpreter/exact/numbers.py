"""Exact numbers: a double, which comparisons use, and a residue, which decides equality.

Comparisons, branches and roundings to integers use the double, as in the program as it runs; equality uses the residue,
so that the order of sums does not matter and no error is too small to be found. Where two doubles are so close that
rounding could have put either first, residues decide, which are the same in every correct program. Infinities and NaN
are marked by the double, and their residue has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, DType
from pyshardy.interpreter.exact import residues
from pyshardy.interpreter.exact.residues import PRIME

REAL = np.dtype([("value", np.float64), ("residue", np.float64)])
COMPLEX = np.dtype([("value", np.complex128), ("residue", np.complex128)])
"""The element types of exact numbers, as ``dtype`` of their arrays says."""

_DROPPED_BITS = 13
"""Of the 52 of a double's fraction: what rounding may have touched when numbers are compared."""
_LARGEST_REST = 1e-9
"""What rounding may leave of a zero. A residue of 0 alone may also be one of a multiple of the prime."""


class ExactArray:
    """An array of exact numbers: two of doubles, ``value`` and ``residue``, of one shape.

    numpy's functions that move elements work on it as on any array, on both at once (NEP 18).
    """

    __slots__ = ("residue", "value")

    def __init__(self, value: Array, residue: Array) -> None:
        if value.shape != residue.shape:
            value, residue = np.broadcast_arrays(value, residue)
        self.value = value
        self.residue = residue

    @property
    def dtype(self) -> DType:
        return COMPLEX if self.value.dtype.kind == "c" else REAL

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.value.shape
        return shape

    @property
    def ndim(self) -> int:
        return self.value.ndim

    @property
    def size(self) -> int:
        return self.value.size

    @property
    def strides(self) -> tuple[int, ...]:
        return self.value.strides

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> ExactArray:
        residue = np.asarray(self.residue[index])
        return ExactArray(void(residue) if is_void(self.value) else np.asarray(self.value[index]), residue)

    def __setitem__(self, index: Any, numbers: Any) -> None:
        self.residue[index] = numbers.residue
        if is_void(self.value):
            if is_void(numbers.value):
                return
            self.value = self.value.copy()
        self.value[index] = numbers.value

    def reshape(self, *shape: Any) -> ExactArray:
        return ExactArray(self.value.reshape(*shape), self.residue.reshape(*shape))

    def transpose(self, *axes: Any) -> ExactArray:
        return ExactArray(self.value.transpose(*axes), self.residue.transpose(*axes))

    def swapaxes(self, first: int, second: int) -> ExactArray:
        return ExactArray(self.value.swapaxes(first, second), self.residue.swapaxes(first, second))

    def copy(self) -> ExactArray:
        return ExactArray(self.value if is_void(self.value) else self.value.copy(), self.residue.copy())

    def astype(self, dtype: DType, copy: bool = True) -> ExactArray:
        """Itself: exact numbers are converted by ``exact.conversion``.

        Raises:
            TypeError: ``dtype`` is another one.
        """
        if dtype != self.dtype:
            raise TypeError(f"exact numbers of {self.dtype} are not {dtype}")
        return self.copy() if copy else self

    def __array_function__(
        self, function: Callable[..., Any], types: Iterable[type], args: Any, kwargs: Mapping[str, Any]
    ) -> Any:
        found = [function(*_planes(args, "residue"), **_planes(dict(kwargs), "residue"))]
        if _are_void((args, dict(kwargs))):
            found.insert(
                0, type(found[0])(map(void, found[0])) if isinstance(found[0], tuple | list) else void(found[0])
            )
        else:
            found.insert(0, function(*_planes(args, "value"), **_planes(dict(kwargs), "value")))
        if isinstance(found[0], tuple | list):
            return type(found[0])([ExactArray(*pair) for pair in zip(*found, strict=True)])
        return ExactArray(np.asarray(found[0]), np.asarray(found[1]))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        raise TypeError(
            "exact numbers cannot become a plain array; an evaluator makes new arrays like its operands: "
            "np.zeros_like(operand, shape=…) instead of np.zeros(…)"
        )

    def __repr__(self) -> str:
        return f"exact({self.value!r})"


def _planes(given: Any, name: str) -> Any:
    if isinstance(given, ExactArray):
        return getattr(given, name)
    if isinstance(given, dict):
        return {key: _planes(value, name) for key, value in given.items()}
    if type(given) in (tuple, list):
        return type(given)(_planes(value, name) for value in given)
    return given


def _are_void(given: Any) -> bool:
    """Whether no exact array among ``given`` has doubles."""
    if isinstance(given, ExactArray):
        return is_void(given.value)
    if isinstance(given, dict):
        return all(map(_are_void, given.values()))
    return all(map(_are_void, given)) if type(given) in (tuple, list) else True


def is_exact(dtype: DType) -> bool:
    """Whether these are exact numbers, real or complex."""
    return dtype.names is not None


_VOID = {np.dtype(np.float64): np.zeros(()), np.dtype(np.complex128): np.zeros((), np.complex128)}


def void(like: Array) -> Array:
    """Placeholders for doubles that are never read, of the shape and type of ``like``; they take no memory."""
    return np.broadcast_to(_VOID[like.dtype], like.shape)


def is_void(value: Array) -> bool:
    """Whether these are placeholders (``void``)."""
    return value.base is not None and value.base is _VOID.get(value.dtype)


def settled(value: Array, residue: Array) -> Any:
    """Fresh sums, changed in place: what rounding left of a zero is zero."""
    if is_void(value):
        return ExactArray(value, residue)
    if value.dtype.kind == "c":
        parts = [(value.real, residue.real), (value.imag, residue.imag)]
    else:
        parts = [(value, residue)]
    for double, rest in parts:
        if not rest.all():
            double[(rest == 0) & (np.abs(double) < _LARGEST_REST)] = 0.0
    return ExactArray(value, residue)


def approximation(value: Any) -> Array:
    """The doubles of exact numbers; other arrays as they are."""
    doubles: Array = value.value if is_exact(value.dtype) else value
    return doubles


def from_doubles(values: Array) -> Any:
    """What floats, complex or not, are exactly."""
    whole = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    found = residues.of_floats(residues.without_repeats(values).astype(whole.dtype))
    return ExactArray(whole, found if found.shape == whole.shape else np.broadcast_to(found, whole.shape))


def from_integers(values: Array) -> Any:
    """Integers or booleans as real numbers."""
    return ExactArray(values.astype(np.float64), residues.of_integers(values))


def real_part(numbers: Any) -> Any:
    return ExactArray(numbers.value.real, numbers.residue.real)


def imaginary_part(numbers: Any) -> Any:
    return ExactArray(numbers.value.imag, numbers.residue.imag)


def from_parts(real_numbers: Any, imaginary_numbers: Any) -> Any:
    """Complex numbers of two real ones each."""
    shape = np.broadcast_shapes(real_numbers.shape, imaginary_numbers.shape)
    planes = []
    for name in ("value", "residue"):
        plane = np.empty(shape, np.complex128)
        plane.real, plane.imag = getattr(real_numbers, name), getattr(imaginary_numbers, name)
        planes.append(plane)
    return ExactArray(*planes)


def as_kind(numbers: Any, dtype: DType) -> Any:
    """Exact numbers in the other kind: real ones become complex, complex ones lose their imaginary part."""
    if numbers.dtype == dtype:
        return numbers
    if dtype == REAL:
        return real_part(numbers)
    return ExactArray(numbers.value.astype(np.complex128), numbers.residue.astype(np.complex128))


def scalar(value: float) -> Any:
    """One real number, with the axis of lanes."""
    return from_doubles(np.array([value]))


# --- equality and order ----------------------------------------------------------------------------------------------


def equal(a: Any, b: Any) -> Array:
    """Whether numbers are the same; NaN is not."""
    same: Array = a.residue == b.residue
    first, second = np.isfinite(a.value), np.isfinite(b.value)
    if first.all() and second.all():
        return same
    return np.where(first & second, same, a.value == b.value)


def identical(a: Any, b: Any) -> Array:
    """Like ``equal``, but NaN is NaN, and all complex numbers that are not finite are one."""
    if a.dtype == COMPLEX:
        symbols: Array = ~np.isfinite(a.value) & ~np.isfinite(b.value)
    else:
        symbols = np.isnan(a.value) & np.isnan(b.value)
    same: Array = np.logical_or(equal(a, b), symbols)
    return same


def rounded(values: Array) -> Array:
    """Doubles without the digits that rounding may have touched."""
    bits = np.ascontiguousarray(values).view(np.int64)
    shortened: Array = ((bits + (1 << (_DROPPED_BITS - 1))) & ~np.int64((1 << _DROPPED_BITS) - 1)).view(np.float64)
    return shortened.reshape(values.shape)


def less(a: Any, b: Any) -> Array:
    """Whether the first is less: by the doubles, and by residues where they are about the same."""
    if a.dtype == COMPLEX:
        first, second = real_part(a), real_part(b)
        return np.where(equal(first, second), less(imaginary_part(a), imaginary_part(b)), less(first, second))
    x, y = rounded(a.value), rounded(b.value)
    before: Array = x < y
    close = x == y
    if close.any():
        before = before | (close & (a.residue < b.residue))
    return before & ~equal(a, b)


def order_keys(numbers: Any) -> Array:
    """Complex doubles that numpy sorts as ``less`` would: NaN comes last."""
    keys = np.empty(numbers.shape, np.complex128)
    keys.real = rounded(numbers.value)
    keys.imag = numbers.residue
    keys.real[keys.real == 0] = 0.0
    return keys


def is_nan(numbers: Any) -> Array:
    found: Array = np.isnan(numbers.value)
    return found


def larger(a: Any, b: Any) -> Any:
    """The larger of each two; NaN if one is."""
    return np.where((is_nan(a) | ~less(a, b)) & ~is_nan(b), a, b)


def smaller(a: Any, b: Any) -> Any:
    """The smaller of each two; NaN if one is."""
    return np.where((is_nan(a) | ~less(b, a)) & ~is_nan(b), a, b)


def nearest_integer(numbers: Any) -> tuple[Array, Array]:
    """The integers next to real numbers as doubles, and whether the numbers are exactly those."""
    near = np.rint(numbers.value)
    whole = np.where(np.isfinite(near), np.clip(near, -(2.0**62), 2.0**62), 0.0).astype(np.int64)
    return near, (residues.of_integers(whole) == numbers.residue) & (np.abs(numbers.value - near) < 1e-3)


def symbol_codes(numbers: Any) -> Array:
    """0 for numbers, others for infinity, minus infinity and NaN."""
    codes = np.zeros(numbers.shape)
    for part in (numbers.value.real, numbers.value.imag) if numbers.dtype == COMPLEX else (numbers.value,):
        codes = 4 * codes + np.where(np.isnan(part), 3, np.where(np.isposinf(part), 1, 2 * np.isneginf(part)))
    return codes


__all__ = ["COMPLEX", "PRIME", "REAL"]
