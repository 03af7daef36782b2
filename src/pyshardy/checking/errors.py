"""How far the shards of a result are from the result of one device, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyshardy.checking.shards import pieces
from pyshardy.interpreter.element_types import Array
from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.devices import replica_groups
from pyshardy.partitioning.layout import Layout

_COMBINE: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min, "product": np.prod}


def shard_errors(expected: Array, found: Array, boundary: Boundary) -> Array:
    """Of each element of ``expected`` the largest error on any device; ``found`` are the shards, stacked."""
    layout = boundary.layout
    errors = np.zeros(expected.shape)
    if not expected.size:
        return errors
    scale = _scale(expected)
    if layout.unreduced and layout.mesh is not None:
        found = _combined(found, layout)
    for device, piece in enumerate(pieces(layout, expected.shape, boundary.local_shape, len(found))):
        part = expected[piece]
        mine = found[device, ...][tuple(slice(size) for size in part.shape)]
        errors[piece] = np.maximum(errors[piece], _errors(part, mine, scale))
    return errors


def errors(expected: Array, found: Array) -> Array:
    """The error of each element, relative to the largest finite one of ``expected``; 0 or 1 for integers."""
    return _errors(expected, found, _scale(expected))


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
        # Numbers beyond 2**53 may differ by what f64 does not see.
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
    """Each device's value with those of the devices along the unreduced axes combined."""
    mesh = layout.mesh
    assert mesh is not None
    combined = np.array(found)
    for group in replica_groups(mesh, layout.unreduced):
        combined[group] = _COMBINE[layout.reduction](found[group], axis=0)
    return combined
