"""The values that regions of an operation read from outside."""

from __future__ import annotations

from pyshardy.ir.operation import BlockArgument, Operation, Value


def captured_values(op: Operation) -> list[Value]:
    """The values defined outside of ``op`` that operations in its regions read, each once, in the order of the text."""
    nested = op.operations()[1:]
    inside = set(nested)
    found: dict[Value, None] = {}
    for one in nested:
        for value in one.operands:
            if isinstance(value, BlockArgument):
                around = value.owner.parent_op
                outside = around is not op and around not in inside
            else:
                outside = value.defining_op not in inside
            if outside:
                found[value] = None
    return list(found)
