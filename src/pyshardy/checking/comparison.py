"""Compares the shards of a result with the result of one device: which elements differ, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyshardy.checking.shards import pieces
from pyshardy.emitting.devices import replica_groups
from pyshardy.emitting.layout import Layout
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import approximation, identical, is_exact
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.partitioning.boundary import Boundary

_UFUNCS: dict[str, Any] = {
    "sum": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "product": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@dataclass(frozen=True)
class Difference:
    """An element of a shard that differs: the device, the index in the whole tensor, and both values."""

    device: int
    element: tuple[int, ...]
    expected: str
    found: str

    def __str__(self) -> str:
        place = f"element {list(self.element)}" if self.element else "it"
        return f"{place} is {self.found} on device {self.device}, {self.expected} in the given program"


@dataclass(frozen=True)
class Comparison:
    """One result: the number of elements that differ on any device, the error of each element relative to the largest,
    and the first that differs."""

    differing: int
    errors: Array
    first: Difference | None

    @property
    def error(self) -> float:
        """The largest error."""
        return float(self.errors.max(initial=0.0))


def compared(
    expected: Array,
    found: Array,
    layout: Layout,
    local_shape: tuple[int, ...],
    *,
    only_finite: bool = False,
    only_both_finite: bool = False,
) -> Comparison:
    """Compares ``expected``, a tensor of global shape, with ``found``, the shards of all devices in ``layout``, stacked
    along dimension 0 by device id: their shape is (devices, *``local_shape``), or (1, *``local_shape``) if all devices
    have the same. Errors have the global shape. With ``only_finite`` only elements are compared where ``expected`` is
    finite, with ``only_both_finite`` only those where both are."""
    errors = np.zeros(expected.shape)
    differing = np.zeros(expected.shape, np.bool_)
    first: Difference | None = None
    if not expected.size:
        return Comparison(0, errors, None)
    if layout.unreduced and layout.mesh is not None:
        found = _combined(found, layout)
    scale: float | None = None
    for device, piece in enumerate(pieces(layout, expected.shape, local_shape, len(found))):
        part = expected[piece]
        place: Any = (device, *(slice(size) for size in part.shape))
        local = found[place]
        differs = ~_same(part, local)
        if only_finite or only_both_finite:
            differs &= np.isfinite(approximation(part))
        if only_both_finite:
            differs &= np.isfinite(approximation(local))
        if not differs.any():
            continue
        scale = _scale(approximation(expected)) if scale is None else scale
        errors[piece] = np.maximum(errors[piece], _errors(approximation(part), approximation(local), scale) * differs)
        differing[piece] |= differs
        if first is None:
            place = tuple(int(one) for one in np.argwhere(differs)[0])
            element = tuple(p + (s.start or 0) for p, s in zip(place, piece, strict=True))
            first = Difference(device, element, _text(part, place), _text(local, place))
    return Comparison(int(differing.sum()), errors, first)


def compared_result(
    expected: Array, found: Array, boundary: Boundary, *, only_finite: bool = False, only_both_finite: bool = False
) -> Comparison:
    """Compares ``expected`` with ``found``, the shards of a result of a program with this ``boundary``."""
    return compared(
        expected,
        found,
        boundary.layout,
        boundary.local_shape,
        only_finite=only_finite,
        only_both_finite=only_both_finite,
    )


def errors(expected: Array, found: Array) -> Array:
    """The error of each element, relative to the largest finite one of ``expected``; 0 or 1 for integers."""
    return _errors(expected, found, _scale(expected))


def _same(expected: Array, found: Array) -> Array:
    if is_exact(expected.dtype):
        return identical(expected, found)
    if expected.dtype.kind in "fc":
        same: Array = (expected == found) | (np.isnan(expected) & np.isnan(found))
    else:
        same = np.asarray(expected == found)
    return same


def _text(values: Array, place: tuple[int, ...]) -> str:
    one = approximation(values)[place]
    return f"{one:.9g}" if isinstance(one, np.floating | np.complexfloating) else str(one)


def _scale(expected: Array) -> float:
    if _is_exact(expected):
        return 1.0
    wide = as_wide(expected)
    finite = np.abs(wide[np.isfinite(wide)])
    return float(finite.max()) if finite.size else 0.0


def _is_exact(array: Array) -> bool:
    return array.dtype == np.bool_ or np.issubdtype(array.dtype, np.integer)


def as_wide(array: Array) -> Array:
    """Floats as f64, complex numbers as complex128."""
    with np.errstate(all="ignore"):
        return array.astype(np.complex128 if np.issubdtype(array.dtype, np.complexfloating) else np.float64)


def _errors(expected: Array, found: Array, scale: float) -> Array:
    if _is_exact(expected):
        # Integers beyond 2**53 may differ although they are equal as f64.
        distance = np.abs(expected.astype(np.float64) - found.astype(np.float64))
        return np.where(expected != found, np.maximum(distance, 1.0), 0.0)
    expected, found = as_wide(expected), as_wide(found)
    with np.errstate(all="ignore"):
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        if expected.dtype.kind == "c":
            # Which part of a product overflows first depends on the order.
            same |= ~np.isfinite(expected) & ~np.isfinite(found)
        difference = np.where(same, 0.0, np.abs(expected - found))
    difference = np.where(np.isnan(difference), np.inf, difference)
    return difference / scale if scale else difference


def _combined(found: Array, layout: Layout) -> Array:
    """The values of all devices, with partial results combined along the unreduced axes."""
    mesh = layout.mesh
    assert mesh is not None
    combined: Array = found.copy()
    combine = combining(_UFUNCS[layout.reduction], found.dtype)
    for group in replica_groups(mesh, layout.unreduced):
        members = found[group]
        total = combine.reduce(members, axis=0)
        if not is_exact(found.dtype):
            # numpy gives sums of small integers a wider type.
            total = np.asarray(total).astype(found.dtype)
        for device in group:
            combined[device] = total
    return combined
