"""Reads the properties of an operation that its sharding rule depends on, as plain Python values."""

from __future__ import annotations

from pyshardy.ir.attributes import DenseArrayAttr, EnumAttr, IntegerAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation


def integer(op: Operation, name: str, default: int) -> int:
    """The integer or boolean property ``name``."""
    value = op.properties.get(name)
    return value.value if isinstance(value, IntegerAttr) else default


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """The array property ``name``; empty if it is not there."""
    value = op.properties.get(name)
    return value.values if isinstance(value, DenseArrayAttr) else ()


def integer_elements(op: Operation, name: str) -> tuple[int, ...]:
    """The numbers of the elements property ``name`` in row-major order; empty if it is not there."""
    value = op.properties.get(name)
    return tuple(value.integers()) if isinstance(value, DenseElementsAttr) else ()


def string(op: Operation, name: str) -> str | None:
    """The string property ``name``."""
    value = op.properties.get(name)
    return value.value if isinstance(value, StringAttr) else None


def enum_case(op: Operation, name: str) -> str | None:
    """The case of the enumeration property ``name``."""
    value = op.properties.get(name)
    return value.case if isinstance(value, EnumAttr) else None
