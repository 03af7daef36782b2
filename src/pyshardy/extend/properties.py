"""Reads properties as numbers, whatever kind of attribute holds them: ``7 : i64``, ``array<i64: 1, 2>``,
``dense<[1, 2]>``, ``[1, 2]``, ``0.5 : f32``. (``rules.properties`` reads one kind each.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, DenseArrayAttr, FloatAttr, IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import IntegerType, TensorType


def number(op: Operation, name: str, default: float = 0.0) -> float:
    """The property ``name``, an integer or a float; ``default`` if it is not there, or something else."""
    value = op.properties.get(name)
    if isinstance(value, FloatAttr):
        return float_value(value.bits, str(value.type))
    return value.value if isinstance(value, IntegerAttr) else default


def numbers(op: Operation, name: str) -> tuple[int, ...]:
    """The integers of the property ``name``, row by row; empty if it is not there, or something else."""
    return _numbers(op.properties.get(name))


def _numbers(value: Attribute | None) -> tuple[int, ...]:
    if isinstance(value, IntegerAttr):
        return (value.value,)
    if isinstance(value, DenseArrayAttr):
        return tuple(map(int, value.values))
    if isinstance(value, DenseElementsAttr) and isinstance(value.type.element, IntegerType):
        return tuple(value.integers())
    if isinstance(value, ArrayAttr):
        return tuple(found for one in value for found in _numbers(one))
    return ()


def with_numbers(op: Operation, name: str, values: Sequence[int]) -> Attribute:
    """The property ``name`` as it would be with these integers; for ``adapts``.

    Raises:
        ValueError: it holds no integers, or another count of them.
    """
    value, count = op.properties.get(name), len(values)
    if isinstance(value, DenseArrayAttr) and len(value.values) == count:
        return DenseArrayAttr(value.element_type, values)
    if len(_numbers(value)) == count:
        if isinstance(value, IntegerAttr):
            return IntegerAttr(values[0], value.type)
        if isinstance(value, DenseElementsAttr):
            return DenseElementsAttr.of(cast(TensorType, value.type), list(values))
        if isinstance(value, ArrayAttr) and all(isinstance(one, IntegerAttr) for one in value):
            pairs = zip(values, value, strict=True)
            return ArrayAttr([IntegerAttr(new, cast(IntegerAttr, old).type) for new, old in pairs])
    raise ValueError(f"the property {name!r} of '{op.name}' holds no {count} integers")
