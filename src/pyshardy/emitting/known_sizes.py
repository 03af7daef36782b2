"""Finds the sizes of a program that are known: static shapes, and operands that are constants."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType


def has_fixed_sizes(op: Operation) -> bool:
    """Whether all operands and results are tensors of static shapes."""
    shapes = [one.type.shape if isinstance(one.type, TensorType) else None for one in (*op.operands, *op.results)]
    return all(shape is not None and all(size >= 0 for size in shape) for shape in shapes)


def has_fixed_elements(*shapes: Sequence[int]) -> bool:
    """Whether all sizes are known and none is zero."""
    return all(size > 0 for shape in shapes for size in shape)


def constant_elements(value: Value) -> DenseElementsAttr | None:
    """The elements of a constant; None for any other value."""
    producer: Operation | None = value.defining_op
    if producer is None or producer.name not in CONSTANTS:
        return None
    found = producer.properties.get("value")
    return found if isinstance(found, DenseElementsAttr) else None


def known_integers(value: Value) -> tuple[int, ...] | None:
    """The elements of a constant of integers; None for any other value."""
    found = constant_elements(value)
    return None if found is None else tuple(found.integers())
