"""The counterparts of numpy's binary functions for exact numbers: applied to pairs, over axes, and at indices.

``operations.reductions`` takes them for the bodies of reductions, scatters, windows and collectives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, DType
from pyshardy.interpreter.exact import algebra, residues
from pyshardy.interpreter.exact.numbers import REAL, is_exact, is_void, larger, order_keys, settled, smaller


class Reducer:
    """A commutative and associative function of exact numbers, with the methods of ``numpy.ufunc`` that are used."""

    def __init__(self, pairwise: Callable[[Any, Any], Any], over_axes: Callable[[Any, Any], Any] | None) -> None:
        self._pairwise = pairwise
        self._over_axes = over_axes

    def __call__(self, a: Any, b: Any, out: Any = None) -> Any:
        result = self._pairwise(a, b)
        if out is None:
            return result
        out[...] = result
        return out

    def reduce(self, values: Any, axis: int | tuple[int, ...]) -> Any:
        """All numbers along ``axis`` together."""
        if self._over_axes is not None and values.dtype == REAL:
            return self._over_axes(values, axis)
        axes = (axis,) if isinstance(axis, int) else axis
        places = [one % values.ndim for one in axes]
        kept = [one for one in range(values.ndim) if one not in places]
        rows = values.transpose(*places, *kept).reshape(-1, *(values.shape[one] for one in kept))
        while len(rows) > 1:
            even = len(rows) - len(rows) % 2
            pairs = self._pairwise(rows[0:even:2], rows[1:even:2])
            rows = np.concatenate([pairs, rows[even:]]) if even < len(rows) else pairs
        return rows[0]

    def at(self, values: Any, positions: Array, updates: Any) -> None:
        """Combines ``updates`` into the flat ``values`` at ``positions``, which may repeat."""
        order = np.argsort(positions, kind="stable")
        ordered = positions[order]
        first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        turns = np.r_[first[1:], len(ordered)] - first
        for turn in range(int(turns.max(initial=0))):
            chosen = order[first[turns > turn] + turn]
            values[positions[chosen]] = self._pairwise(values[positions[chosen]], updates[chosen])


class _Sum(Reducer):
    def at(self, values: Any, positions: Array, updates: Any) -> None:
        if not (is_void(values.value) and is_void(updates.value)):
            if is_void(values.value):
                values.value = values.value.copy()
            np.add.at(values.value, positions, updates.value)
        np.add.at(values.residue, positions, updates.residue)
        values.residue[...] = residues.reduced_large(values.residue.copy())
        settled(values.value, values.residue)


def _extreme(sign: int) -> Callable[[Any, Any], Any]:
    def extreme(values: Any, axes: int | tuple[int, ...]) -> Any:
        axes = (axes,) if isinstance(axes, int) else axes
        places = [axis % values.ndim for axis in axes]
        kept = [axis for axis in range(values.ndim) if axis not in places]
        rows = values.transpose(*kept, *places).reshape(*(values.shape[axis] for axis in kept), -1)
        keys = order_keys(rows)
        # numpy compares complex numbers part by part, and takes the first NaN.
        chosen = np.argmax(keys, axis=-1) if sign > 0 else np.argmin(keys, axis=-1)
        return np.take_along_axis(rows, chosen[..., None], axis=-1)[..., 0]

    return extreme


_REDUCERS: dict[np.ufunc, Reducer] = {
    np.add: _Sum(algebra.plus, algebra.total),
    np.multiply: Reducer(algebra.times, None),
    np.maximum: Reducer(larger, _extreme(1)),
    np.minimum: Reducer(smaller, _extreme(-1)),
}


def combining(ufunc: np.ufunc, dtype: DType) -> np.ufunc | Reducer:
    """What combines arrays of ``dtype`` as ``ufunc`` combines native ones."""
    return _REDUCERS[ufunc] if is_exact(dtype) else ufunc
