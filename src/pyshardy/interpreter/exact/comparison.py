"""Comparisons of exact numbers, with and without an order for NaN."""

from __future__ import annotations

from typing import Any

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import numbers


def compared(a: Any, b: Any, direction: str, kind: str) -> Array:
    """Booleans for ``a direction b``; with TOTALORDER NaN is equal to itself and larger than all others."""
    total = kind == "TOTALORDER"
    if direction in ("EQ", "NE"):
        same = numbers.identical(a, b) if total else numbers.equal(a, b)
        return same if direction == "EQ" else ~same
    if direction in ("GT", "GE"):
        a, b = b, a
    if direction in ("LT", "GT"):
        return _less(a, b, total)
    if total:
        return ~_less(b, a, total)
    return numbers.less(a, b) | numbers.equal(a, b)


def _less(a: Any, b: Any, total: bool) -> Array:
    before = numbers.less(a, b)
    return before | (~numbers.is_nan(a) & numbers.is_nan(b)) if total else before
