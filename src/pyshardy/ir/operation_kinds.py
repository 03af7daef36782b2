"""Groups the operations of a program that were made alike, so that one of each kind is looked at instead of all.

A large program does not fit into the processor's caches, and each walk over it fetches it from memory again. What
depends on the name, properties, attributes and types of operations alone is asked of the few hundred kinds of one walk.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import compress

from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, Signature


class OperationKinds:
    """The kinds of ``root`` and all operations in it, as they are now. Operations of one kind have the same name,
    properties, attributes and types; they may differ in what they read, and in what is in their regions. Operations
    that were not made alike are of different kinds, even if they are equal."""

    def __init__(self, root: Operation) -> None:
        self.operations = [root]
        """``root`` and all operations in it, in the order of the text."""
        self.numbers: list[int] = []
        """The kind of each operation."""
        self.examples: list[Operation] = []
        """The first operation of each kind."""
        self._ends: dict[int, int] = {}
        """For each operation with regions, by its place, the place behind the last operation in them."""
        last: dict[Signature | None, tuple[DictionaryAttr, DictionaryAttr, int]] = {}
        known: dict[tuple[Signature, DictionaryAttr, DictionaryAttr], int] = {}
        find, append, found = last.get, self.numbers.append, self.operations
        # What is still to be gone through, and the places of operations whose regions are gone through before that.
        pending: list[Operation | int | None] = [root]
        found.clear()
        while pending:
            op = pending.pop()
            if isinstance(op, int):
                self._ends[op] = len(found)
                continue
            while op is not None:
                place = len(found)
                found.append(op)
                signature, properties, attributes = op.signature, op.properties, op.attributes
                kind = find(signature)
                if kind is not None and kind[0] is properties and kind[1] is attributes:
                    append(kind[2])
                else:
                    number = len(self.examples)
                    if signature is not None:
                        number = known.setdefault((signature, properties, attributes), number)
                        last[signature] = properties, attributes, number
                    if number == len(self.examples):
                        self.examples.append(op)
                    append(number)
                if op.regions:
                    pending += (None if op is root else op._next, place)
                    pending += [block.first for region in reversed(op.regions) for block in reversed(region.blocks)]
                    break
                op = op._next if op is not root else None

    def within(self, block: Block) -> tuple[list[Operation], list[int]]:
        """Those of the operations that stand directly in ``block``, and their kinds."""
        owner = block.parent_op
        found = next((place for place in self._ends if self.operations[place] is owner), None)
        operations, numbers = list[Operation](), list[int]()
        if owner is None or found is None:
            return operations, numbers
        at, end = found + 1, self._ends[found]
        if sum(len(region.blocks) for region in owner.regions) > 1:
            inside = [op.parent is block for op in self.operations[at:end]]
            return list(compress(self.operations[at:end], inside)), list(compress(self.numbers[at:end], inside))
        for place in sorted(one for one in self._ends if at <= one < end):
            if place >= at:
                operations += self.operations[at : place + 1]
                numbers += self.numbers[at : place + 1]
                at = self._ends[place]
        operations += self.operations[at:end]
        numbers += self.numbers[at:end]
        return operations, numbers

    @cached_property
    def counts(self) -> Counter[int]:
        """How many operations each kind has."""
        return Counter(self.numbers)
