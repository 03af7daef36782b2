"""The operations that a program executes, in order, and which value of what came before each operand is.

These are the operations of the program. Where one operation stands for several (``counted``), the caller supplies the
executions of all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from pyshardy.ir.captured_values import captured_values
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside

ValueNumber = int
"""The number of a value: in execution order, the arguments of the block first, then the results of each operation."""

OUTSIDE: ValueNumber = -1
"""A value from outside of the block."""


class Execution(NamedTuple):
    """One execution of ``op``, or of an operation that ``op`` stands for: the numbers of its operands, and of the
    values of the block that operations in its regions read."""

    op: Operation
    operands: tuple[ValueNumber, ...]
    captured: tuple[ValueNumber, ...] = ()


class Segment:
    """Consecutive executions of a program. Segments with the same ``kind``, unless that is None, execute the same
    operations on the values ``read`` of earlier segments, which they list in the same order."""

    def __init__(
        self, executions: Sequence[Execution], kind: Hashable = None, read: Sequence[ValueNumber] = ()
    ) -> None:
        self.kind = kind
        self.read = read
        self._executions = executions

    def executions(self) -> Sequence[Execution]:
        """The executions, in order."""
        return self._executions


def executions_of_block(block: Block) -> Sequence[Execution]:
    """One execution of each operation of ``block``."""
    made: dict[Value, ValueNumber] = {argument: number for number, argument in enumerate(block.arguments)}
    found = []
    for op in block:
        operands = tuple([made.get(value, OUTSIDE) for value in op.operands])
        inside = tuple([made[one] for one in captured(op) if one in made]) if op.regions else ()
        found.append(Execution(op, operands, inside))
        for result in op.results:
            made[result] = len(made)
    return found


def captured(op: Operation) -> Sequence[Value]:
    """The values from outside of ``op`` that operations in its regions read, if these work on tensors."""
    return captured_values(op) if has_tensors_inside(op) else ()
