"""Groups the operations of a program that were made alike, so that one of each kind is looked at instead of all.

A large program does not fit into the processor's caches, and each walk over it fetches it from memory again. What
depends on the name, properties, attributes and types of operations alone is asked of the few hundred kinds of one walk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import compress

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, Signature


class OperationKinds:
    """The kinds of ``operations``, as they are now. Operations of one kind have the same name, properties, attributes
    and types; they may differ in what they read, and in what is in their regions. Operations that were not made alike
    are of different kinds, even if they are equal."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.numbers: list[int] = []
        """The kind of each operation."""
        self.examples: list[Operation] = []
        """The first operation of each kind."""
        last: dict[Signature | None, tuple[DictionaryAttr, DictionaryAttr, int]] = {}
        known: dict[tuple[Signature, DictionaryAttr, DictionaryAttr], int] = {}
        find, append = last.get, self.numbers.append
        for op in operations:
            signature, properties, attributes = op.signature, op.properties, op.attributes
            found = find(signature)
            if found is not None and found[0] is properties and found[1] is attributes:
                append(found[2])
                continue
            number = len(self.examples)
            if signature is not None:
                number = known.setdefault((signature, properties, attributes), number)
                last[signature] = properties, attributes, number
            if number == len(self.examples):
                self.examples.append(op)
            append(number)

    def within(self, block: Block) -> tuple[list[Operation], list[int]]:
        """Those of the operations that stand directly in ``block``, and their kinds."""
        inside = [op.parent is block for op in self.operations]
        return list(compress(self.operations, inside)), list(compress(self.numbers, inside))

    @cached_property
    def counts(self) -> Counter[int]:
        """How many operations each kind has."""
        return Counter(self.numbers)
