"""The order of the uses of every value of a program, as numbers that can be compared."""

from __future__ import annotations

from pyshardy.ir.operation import Operation


def uses_by_number(root: Operation) -> list[list[list[int]]]:
    """For every value in `root`, in program order, its uses, newest first: numbers of the operation and the operand."""
    operations = list(root.walk())
    numbers = {op: number for number, op in enumerate(operations)}
    values = [
        value
        for op in operations
        for value in (
            *op.results,
            *(one for region in op.regions for block in region.blocks for one in block.arguments),
        )
    ]
    return [[[numbers[user], index] for user, index in value.uses] for value in values]
