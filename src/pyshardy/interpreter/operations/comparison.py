"""Comparisons and selections."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.interpreter.element_types import Array, wide
from pyshardy.interpreter.exact.comparison import compared as exactly_compared
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import EnumAttr
from pyshardy.ir.operation import Operation

_DIRECTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


def case_of(op: Operation, name: str, default: str = "") -> str:
    """The case of the enumeration ``name`` of an operation."""
    value = op.get(name)
    return value.case if isinstance(value, EnumAttr) else default


@evaluates("stablehlo.compare")
def compare(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Element by element; with TOTALORDER -NaN < -inf < … < -0 < 0 < … < inf < NaN."""
    return [compared(operands[0], operands[1], case_of(op, "comparison_direction"), case_of(op, "compare_type"))]


def compared(a: Array, b: Array, direction: str, kind: str) -> Array:
    """Booleans for ``a direction b``."""
    if is_exact(a.dtype):
        return exactly_compared(a, b, direction, kind)
    if kind == "TOTALORDER" and wide(a[:0]).dtype.kind == "f":
        a, b = total_order(a), total_order(b)
    return _DIRECTIONS[direction](wide(a), wide(b))


def total_order(values: Array) -> Array:
    """Integers in the total order of the floats ``values``."""
    floats = np.ascontiguousarray(wide(values))
    bits = floats.view(f"i{floats.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


@evaluates("stablehlo.select")
def select(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The second operand where the first is true, else the third; the first may be a scalar."""
    where, yes, no = operands
    if where.ndim != yes.ndim:
        where = where.reshape(len(where), *(1,) * (yes.ndim - 1))
    return [np.where(where, yes, no)]
