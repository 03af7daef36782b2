"""Mistakes in numbers and operands: masks and bounds off by one, neutral elements that are none, padding with another
number, operands in the wrong order, sums that are maxima.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION
from pyshardy.interpreter.element_types import constant_array, wide
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EnumAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FloatType, IntegerType, TensorType
from tests.checking.mutation import Mutation, changed, made_before

_NEIGHBOURS = {"LT": "LE", "LE": "LT", "GT": "GE", "GE": "GT", "EQ": "NE", "NE": "EQ"}


def _compare(op: Operation) -> Iterator[Mutation]:
    """A mask of integers, one wider or narrower."""
    direction = op.properties.get("comparison_direction")
    type = op.operands[0].type
    is_mask = isinstance(type, TensorType) and isinstance(type.element, IntegerType) and type.rank > 0
    if is_mask and isinstance(direction, EnumAttr):
        other = COMPARISON_DIRECTION.of(_NEIGHBOURS[direction.case])
        yield Mutation("a mask off by one", lambda op: changed(op, comparison_direction=other))


def _constant(op: Operation) -> Iterator[Mutation]:
    """A float that reductions, masks or padding use, changed: 0 to 1, an infinity to 0; an integer that a mask or an
    index is computed with, one more."""
    value, type = op.properties.get("value"), op.results[0].type
    if not isinstance(value, DenseElementsAttr) or not isinstance(type, TensorType):
        return
    if isinstance(type.element, IntegerType) and type.element.width > 1 and type.rank == 0 and _is_bound(op.results[0]):
        (number,) = value.integers()
        more = DenseElementsAttr.of(type, [number + 1])
        yield Mutation("a bound one more", lambda op: changed(op, value=more))
    if not isinstance(type.element, FloatType) or not _is_neutral(op.results[0]):
        return
    numbers = wide(constant_array(value, {})).astype(np.float64).reshape(-1)
    if not numbers.size or (numbers != numbers[0]).any():
        return
    other = 0.0 if not np.isfinite(numbers[0]) else 1.0 if numbers[0] == 0 else 0.0

    def change(op: Operation) -> None:
        changed(op, value=DenseElementsAttr.splat_of(type, other))

    yield Mutation("a neutral element changed", change)


def _is_neutral(value: Value) -> bool:
    for user, index in value.uses:
        if user.name in ("stablehlo.reduce", "stablehlo.pad", "stablehlo.reduce_window", "stablehlo.select"):
            return True
        if user.name == "stablehlo.broadcast_in_dim" and index == 0 and _is_neutral(user.results[0]):
            return True
    return False


_COMPUTED_WITH = frozenset(
    f"stablehlo.{name}" for name in ("add", "compare", "divide", "multiply", "remainder", "subtract")
)


def _is_bound(value: Value) -> bool:
    for user, _ in value.uses:
        if user.name in _COMPUTED_WITH and user.parent is value.parent_block:
            return True
        if user.name == "stablehlo.broadcast_in_dim" and _is_bound(user.results[0]):
            return True
    return False


def _exchanged(first: int) -> Callable[[Operation], Iterator[Mutation]]:
    """Two operands of one type, each in the place of the other."""

    def mutations(op: Operation) -> Iterator[Mutation]:
        if len(op.operands) < first + 2:
            return
        one, other = op.operands[first : first + 2]
        if one is other or one.type != other.type:
            return

        def exchange(op: Operation) -> None:
            one, other = op.operands[first : first + 2]
            rewriting.set_operand(op, first, other)
            rewriting.set_operand(op, first + 1, one)

        yield Mutation("operands exchanged", exchange)

    return mutations


def _padding(op: Operation) -> Iterator[Mutation]:
    """Another number in the padding."""
    fill = op.operands[1]
    type = fill.type
    if isinstance(type, TensorType) and isinstance(type.element, FloatType):
        one = DenseElementsAttr.splat_of(type, 3.0)

        def change(op: Operation) -> None:
            rewriting.set_operand(op, 1, made_before(op, "constant", [], op.operands[1], value=one))

        yield Mutation("another number in the padding", change)


NUMBERS: dict[str, Callable[[Operation], Iterator[Mutation]]] = {
    "compare": _compare,
    "concatenate": _exchanged(0),
    "constant": _constant,
    "divide": _exchanged(0),
    "dot_general": _exchanged(0),
    "pad": _padding,
    "select": _exchanged(1),
    "subtract": _exchanged(0),
}
