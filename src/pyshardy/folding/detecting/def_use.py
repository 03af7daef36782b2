"""Detection: which operation of a function reads which, by numbers.

Each step of detection asks which operations make the operands of many others, or read their results. That is looked up
here, once for each operand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, compress, pairwise
from operator import eq

from pyshardy.ir.operation import Operation, Value

_MOST_LAYERS_OF_VALUE = 2
"""A value shows the layer of what reads it if no more layers of a series make or read it. It is two, not one, because
repeats may begin in the midst of a layer: then the weights of one layer are read by two repeats."""


class DefUse:
    """The def-use chains of ``operations``, those of a function's body, which have so many operands as ``counts`` says.
    An operation is named by its number, its place there."""

    def __init__(self, operations: Sequence[Operation], counts: Iterable[int]) -> None:
        self.operations = operations
        self.numbers = dict(zip(operations, range(len(operations)), strict=True))
        """The number of each operation."""
        get = self.numbers.get
        self.makers = [get(value.owner, -1) for op in operations for value in op.operands]  # type: ignore[attr-defined]
        """The operation that makes each operand, for all operations one after the other; -1 for arguments."""
        self.starts = [0, *accumulate(counts)]
        """For each operation which of ``makers`` is that of its first operand; at the end how many there are."""
        self._readers: list[list[int]] = []
        self._readers_of_arguments: dict[Value, list[int]] = {}
        self._lowest: dict[tuple[tuple[int, ...], int], list[int | None]] = {}

    def makers_of_operands(self, begin: int, end: int) -> list[int]:
        """The operations that make the operands of operations ``begin`` up to (excluding) ``end``; -1 for arguments."""
        return self.makers[self.starts[begin] : self.starts[end]]

    def operand(self, place: int) -> Value:
        """The operand that ``makers[place]`` makes."""
        number = bisect_right(self.starts, place) - 1
        return self.operations[number].operands[place - self.starts[number]]

    def readers(self) -> list[list[int]]:
        """For each operation those that read its results, in the order of the text."""
        if not self._readers:
            found = self._readers = [[] for _ in self.operations]
            starts, makers = self.starts, self.makers
            for number, (start, end) in enumerate(pairwise(starts)):
                for maker in makers[start:end]:
                    if maker >= 0:
                        found[maker].append(number)
        return self._readers

    def readers_of(self, argument: Value) -> list[int]:
        """The operations that read ``argument``, the oldest use first; -1 for those in regions."""
        found = self._readers_of_arguments.get(argument)
        if found is None:
            get = self.numbers.get
            found = self._readers_of_arguments[argument] = [get(user, -1) for user, _ in argument._uses]
        return found

    def users(self, number: int) -> list[int]:
        """The operations that read results of operation ``number``, the oldest use first; -1 for those in regions."""
        get = self.numbers.get
        return [get(user, -1) for result in self.operations[number].results for user, _ in result._uses]

    def related_to_operands(self, number: int) -> Iterator[int]:
        """The operations that are related to operands of operation ``number``: those that make them, and for arguments
        all that read these; -1 for those in regions."""
        for index, maker in enumerate(self.makers_of_operands(number, number + 1)):
            if maker >= 0:
                yield maker
            else:
                yield from self.readers_of(self.operations[number].operands[index])

    def read_across(self, begin: int, period: int) -> int:
        """How many operands of the ``period`` operations from number ``begin`` on are made by the ``period`` operations
        before these."""
        makers = self.makers_of_operands(begin, min(begin + period, len(self.operations)))
        return sum(1 for maker in makers if begin - period <= maker < begin)

    def lowest_related(self, begins: tuple[int, ...], period: int) -> list[int | None]:
        """For each operation outside of a series the lowest layer of the series that it is related to, by an operand or
        by readers of its results, counted from the lowest of all; None if there is none. The layers of the series have
        ``period`` operations from ``begins`` on. Values that many layers read (an attention mask) are passed over."""
        found = self._lowest.get((begins, period))
        if found is not None:
            return found
        found = self._lowest[begins, period] = [None] * len(self.operations)
        readers = self.readers()
        own = range(min(begins), max(begins) + period)
        reading: dict[int | Value, list[int]] = {}
        """The layers that read an argument, or results of an operation that is not one of the series."""
        for layer, begin in enumerate(begins):
            for each in readers[begin : begin + period]:
                for reader in each:
                    if found[reader] is None:
                        found[reader] = layer
            read: set[int | Value] = {
                maker for maker in set(self.makers_of_operands(begin, begin + period)) if maker not in own
            }
            if -1 in read:
                read.remove(-1)
                read.update(self._arguments_read(begin, begin + period))
            for value in read:
                reading.setdefault(value, []).append(layer)
        for value, layers in reading.items():
            if len(layers) <= _MOST_LAYERS_OF_VALUE:
                for number in (value,) if isinstance(value, int) else self.readers_of(value):
                    lowest = found[number]
                    if number >= 0 and (lowest is None or lowest > layers[0]):
                        found[number] = layers[0]
        return found

    def _arguments_read(self, begin: int, end: int) -> Iterator[Value]:
        """The arguments that operations ``begin`` up to (excluding) ``end`` read."""
        for operand in compress(
            range(self.starts[begin], self.starts[end]), map(partial(eq, -1), self.makers_of_operands(begin, end))
        ):
            yield self.operand(operand)
