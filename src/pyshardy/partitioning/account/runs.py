"""What a program runs, in its order, and which results of what came before each operation reads.

Of a whole program that is plain to see. Of a folded one ``folding`` says it, with the layers that were left out: there
one operation stands for several, and each reads what its own layer made.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from pyshardy.ir.operation import Block, BlockArgument, Operation, Value
from pyshardy.partitioning.account.fusion import has_tensors_inside

Made = int
"""A value by its number: those of a block are numbered in order, its arguments first, then the results of each run."""

OUTSIDE: Made = -1
"""A value that is there before the block begins."""


class Run(NamedTuple):
    """``op`` runs, or an operation that is alike: what its operands are, and what the operations in its regions read of
    the block."""

    op: Operation
    operands: tuple[Made, ...]
    captured: tuple[Made, ...] = ()


class Stretch:
    """Some of what runs, one behind the other. Those that are of one ``kind``, if it is not None, do the same to what
    they ``read`` that was made before: that has the same order in all of them."""

    def __init__(self, runs: Sequence[Run], kind: Hashable = None, read: Sequence[Made] = ()) -> None:
        self.kind = kind
        self.read = read
        self._runs = runs

    def runs(self) -> Sequence[Run]:
        """What runs."""
        return self._runs


def runs_of_block(block: Block) -> Sequence[Run]:
    """The operations of ``block``, each once."""
    made: dict[Value, Made] = {argument: number for number, argument in enumerate(block.arguments)}
    found = []
    for op in block:
        operands = tuple([made.get(value, OUTSIDE) for value in op.operands])
        inside = tuple([made[one] for one in captured(op) if one in made]) if op.regions else ()
        found.append(Run(op, operands, inside))
        for result in op.results:
            made[result] = len(made)
    return found


def captured(op: Operation) -> Sequence[Value]:
    """What operations in the regions of ``op`` read that stands outside of them, if those work on tensors."""
    if not has_tensors_inside(op):
        return ()
    nested = op.operations()[1:]
    inside = set(nested)
    found: dict[Value, None] = {}
    for one in nested:
        for value in one.operands:
            around = value.defining_op
            if isinstance(value, BlockArgument):
                around = value.owner.parent_op
                outside = around is not op and around not in inside
            else:
                outside = around not in inside
            if outside:
                found[value] = None
    return list(found)
