"""Reads an operation's properties as numbers, and operands that give a shape."""

from __future__ import annotations

from pyshardy.interpreter.element_types import Array, UnsupportedType, wide
from pyshardy.ir.attributes import DenseArrayAttr, IntegerAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, TensorType


def integers(op: Operation, name: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
    """A list of integers, ``default`` if it is absent."""
    value = op.get(name)
    if isinstance(value, DenseArrayAttr):
        return value.values
    return tuple(value.integers()) if isinstance(value, DenseElementsAttr) else default


def pairs(op: Operation, name: str, count: int) -> tuple[tuple[int, int], ...]:
    """``count`` pairs of integers, zeros if they are absent."""
    flat = integers(op, name) or (0, 0) * count
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def integer(op: Operation, name: str, default: int = 0) -> int:
    """An integer, ``default`` if it is absent."""
    value = op.get(name)
    return value.value if isinstance(value, IntegerAttr) else default


def boolean(op: Operation, name: str) -> bool:
    """A boolean, False if it is absent."""
    return bool(integer(op, name))


def string(op: Operation, name: str) -> str:
    """A string, empty if it is absent."""
    value = op.get(name)
    return value.value if isinstance(value, StringAttr) else ""


def result_shape(op: Operation, index: int = 0) -> tuple[int, ...]:
    """The static shape of a result.

    Raises:
        UnsupportedType: it is not a tensor of static shape.
    """
    type = op.results[index].type
    if not isinstance(type, TensorType) or DYNAMIC in type.shape:
        raise UnsupportedType(f"the shape of {type} is not known")
    return type.shape


def uniform_integers(values: Array) -> tuple[int, ...]:
    """Integers that all lanes agree on: sizes of a shape, paddings.

    Raises:
        UnsupportedType: the lanes differ, so that arrays of one shape cannot hold what comes of it.
    """
    whole = wide(values)
    if len(whole) > 1 and (whole != whole[:1]).any():
        raise UnsupportedType("devices would get arrays of different shapes")
    return tuple(int(one) for one in whole[0].reshape(-1))
