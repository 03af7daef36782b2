"""Which operations a program holds, by name: what a pass asks before it looks at anything.

Most passes care for a few kinds of operations that most programs lack. The census of a program is taken once and holds
until an operation is put into, or taken out of, some block (``ir.rewriting`` says when). Passes stand right of it.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from operator import attrgetter

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.rewriting import edition

_NAME = attrgetter("name")


class Census:
    """The ``operations`` of a program in pre-order, itself first, and how often each name is among them (``counts``).

    Operations that are added or moved later are not in it.
    """

    __slots__ = ("_edition", "counts", "operations")

    def __init__(self, root: Operation) -> None:
        self._edition = edition()
        self.operations = root.operations()
        self.counts = Counter(map(_NAME, self.operations))

    @property
    def holds(self) -> bool:
        """Whether no block has changed since."""
        return self._edition is edition()

    def has(self, *names: str) -> bool:
        """Whether there is an operation with one of ``names``."""
        return any(name in self.counts for name in names)

    def named(self, *names: str) -> list[Operation]:
        """The operations with one of ``names``, in pre-order."""
        return [op for op in self.operations if op.name in names] if self.has(*names) else []

    def named_postorder(self, *names: str) -> list[Operation]:
        """Like ``named``, but an operation comes behind those in its regions."""
        found: list[Operation] = []
        around: list[Operation] = []
        for op in self.named(*names):
            while around and not around[-1].is_proper_ancestor_of(op):
                found.append(around.pop())
            around.append(op)
        return [*found, *reversed(around)]


def census(root: Operation, context: Context) -> Census:
    """The census of ``root`` as it is now, from the memory of the run if it still holds."""
    memory = context.censuses
    known = memory.get(root)
    if not isinstance(known, Census) or not known.holds:
        # All that are remembered are of one edition.
        if any(not one.holds for one in islice(memory.values(), 1) if isinstance(one, Census)):
            memory.clear()
        known = memory[root] = Census(root)
    return known
