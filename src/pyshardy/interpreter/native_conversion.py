"""Converts values of one native element type to another."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import (
    Array,
    DType,
    bit_width,
    is_complex,
    is_float,
    is_integer,
    is_signed,
    narrow,
    wide,
    wide_type,
)


def naturally_converted(values: Array, dtype: DType) -> Array:
    """``values`` in type ``dtype``: floats become integers towards zero, at the ends of the range if they are beyond
    it and 0 if they are NaN; anything but 0 becomes true; complex numbers lose their imaginary part."""
    source = values.dtype
    if source == dtype:
        return values
    if is_complex(source) and not is_complex(dtype):
        values = values.real
        source = values.dtype
    if dtype == np.bool_:
        return np.not_equal(wide(values), 0)
    if is_float(source) and is_integer(dtype):
        return _float_to_integer(wide(values), dtype)
    if is_integer(source) and is_integer(dtype):
        return narrow(wide(values), dtype)
    if source == np.bool_:
        return values.astype(np.int8).astype(wide_type(dtype)).astype(dtype)
    return wide(values).astype(dtype)


def _float_to_integer(values: Array, dtype: DType) -> Array:
    width = bit_width(dtype)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed(dtype) else (0, (1 << width) - 1)
    exact = values.astype(np.float64, copy=False)
    target = wide_type(dtype)
    # float(high) may round up to a number beyond the range, so that the ends are set on their own.
    inside = (exact > low) & (exact < float(high)) & np.isfinite(exact)
    result = np.where(inside, exact, 0.0).astype(target)
    result = np.where(exact >= float(high), np.array(high, target), result)
    result = np.where(exact <= low, np.array(low, target), result)
    return result.astype(dtype)
