"""Finds the root of a collective: ``collective_broadcast`` sends from it, ``collective_reduce`` to it.

The root is the first member of each group; or the last operand has, for each of the other operands, the position of its
root in the group.
"""

from __future__ import annotations

from pyshardy.ir.attributes import IntegerAttr, UnitAttr
from pyshardy.ir.operation import Operation, Value


def has_dynamic_root(op: Operation) -> bool:
    """Whether the last operand says where the roots are."""
    value = op.properties.entries.get("has_dynamic_root")
    return isinstance(value, UnitAttr) or (isinstance(value, IntegerAttr) and bool(value.value))


def data_operands(op: Operation) -> list[Value]:
    """The operands without the places of the roots."""
    return op.operands[:-1] if has_dynamic_root(op) else list(op.operands)
