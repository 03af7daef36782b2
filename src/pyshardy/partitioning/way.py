"""A way to partition a program that has been tried, and what it costs: what it moves, computes and needs of memory.

If it has been gone with few of the layers, all of that is known before the others are put in. ``ways``, right of this
file, tries several and takes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.completion import Completion
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.prices import BYTES_PER_MULTIPLICATION

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""Another way may take so many times the work and memory, or so much more."""


class Way:
    """A way that has been tried, and what it costs. If ``completion`` says how, the layers are put in that the way has
    not gone through."""

    def __init__(self, partitioner: Partitioner, completion: Completion | None = None) -> None:
        self.partitioner = partitioner
        self._completion = completion
        self.is_complete = completion is None

    def completed(self) -> Way:
        """This way, gone with all layers."""
        if self._completion is not None and not self.is_complete:
            self._completion.complete()
            self.is_complete = True
            # Where they were multiplied, they may be rounded another way.
            self.__dict__.pop("bytes", None)
        return self

    def type_of(self, entry: str) -> FunctionType:
        """That of a function that is called from outside."""
        if self._completion is not None:
            return self._completion.type
        return function_type(self.partitioner.functions[entry])

    def collectives(self) -> list[Collective]:
        """Those that were emitted."""
        return self.partitioner.emitted_collectives if self._completion is None else self._completion.collectives()

    def _emitted(self) -> list[Collective]:
        """The same, but of those of layers that were put in it is not known who needs them."""
        if self._completion is None or not self.is_complete:
            return self.partitioner.emitted_collectives
        return self._completion.emitted()

    def values(self) -> Mapping[Value, Sharded]:
        """What each value of the program has become."""
        return self.partitioner.env if self._completion is None else self._completion.forms()

    def left(self) -> Mapping[Value, Layout]:
        """With free results: where each value came to be."""
        return self.partitioner.left if self._completion is None else self._completion.left()

    @cached_property
    def bytes(self) -> float:
        """What each device receives in a run, if every loop takes a few turns."""
        received = Received(self.partitioner.local, self._emitted())
        found = received.by_function(self._entry)
        if self._completion is not None and not self.is_complete:
            found += self._completion.bytes_left_out(received)
        return found

    @cached_property
    def work(self) -> int:
        """What each device computes."""
        found = work_of(self.partitioner.local, self._entry, self.partitioner.rules)
        if self._completion is not None and not self.is_complete:
            found += self._completion.work_left_out()
        return found

    @cached_property
    def peak(self) -> int:
        """The most memory that each device needs, in bytes."""
        found = None
        if self._completion is not None and not self.is_complete:
            found = self._completion.peak()
        return memory_of(self.completed().partitioner.local, self._entry).peak if found is None else found

    @property
    def _entry(self) -> Operation:
        return functions_by_name(self.partitioner.local)[entry_of(self.partitioner)]

    def share_of_sums(self) -> float:
        """How much of what moves are sums that every device gets the whole of."""
        kept = [one for one in self.completed()._emitted() if one.op.parent is not None]
        sums = sum(one.bytes for one in kept if one.kind == "all_reduce")
        return sums / (sum(one.bytes for one in kept) or 1)

    def only_adds_up(self) -> bool:
        """Whether all that moves are terms of sums: those have to meet, wherever results stay."""
        emitted = self.partitioner.emitted_collectives
        return all(one.kind in ("all_reduce", "reduce_scatter") for one in emitted)

    def is_better_than(self, other: Way) -> bool:
        """Whether it moves fewer bytes than ``other``, worth more than what it computes in exchange, with about as
        little work and memory."""
        if not (self.bytes.is_integer() and other.bytes.is_integer()):
            # They may be rounded another way.
            for one in (self, other):
                one.completed()
        saved = other.bytes - self.bytes
        return (
            saved > 0
            and saved > (self.work - other.work) * BYTES_PER_MULTIPLICATION
            and self.work <= max(_MORE_WORK * other.work, other.work + _LITTLE_WORK)
            and self.peak <= max(_MORE_MEMORY * other.peak, other.peak + _LITTLE_MEMORY)
        )


def entry_of(partitioner: Partitioner) -> str:
    """The name of the function that a run begins with.

    Raises:
        ValueError: no function can be called from outside.
    """
    if not partitioner.entries:
        raise ValueError("the program has no function that can be called from outside")
    return "main" if "main" in partitioner.entries else next(iter(partitioner.entries))
