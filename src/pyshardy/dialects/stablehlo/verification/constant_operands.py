"""The values of operands that constants give: shapes and paddings of dynamic operations are checked against them."""

from __future__ import annotations

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import IndexType, IntegerType


def constant_integers(value: Value) -> list[int] | None:
    """The integers that ``value`` consists of, or None if no constant defines it."""
    source = value.defining_op
    if source is None or source.name not in ("stablehlo.constant", "arith.constant"):
        return None
    found = source.properties.entries.get("value")
    if not isinstance(found, DenseElementsAttr) or not isinstance(found.type.element, IntegerType | IndexType):
        return None
    return found.integers()
