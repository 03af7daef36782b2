"""A candidate plan: a program that has been partitioned in one way, and what that costs.

``candidate_plans`` makes several and takes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.collective_kinds import adds_up
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir import shortcuts
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.same_program import is_same_program
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram, counted_collectives, counted_memory
from pyshardy.partitioning.account.liveness import IN_ITS_ORDER
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.localizing.run import Specialization
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.prices import BYTES_PER_MULTIPLICATION

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""Another plan may take so many times the work and memory, or so much more."""


class CannotPrice(Exception):
    """It cannot be said what a candidate plan costs, as it is made."""


class CandidatePlan:
    """What ``partitioner`` has made of its program, and what it costs."""

    def __init__(self, partitioner: Partitioner) -> None:
        self.partitioner = partitioner

    # --- what came of it ----------------------------------------------------------------------------------------------

    @property
    def entry(self) -> str:
        """The name of the function that a run begins with."""
        return entry_of(self.partitioner)

    def entries(self) -> Mapping[str, tuple[FunctionType, Specialization]]:
        """The functions that are called from outside: their types in the program, and how they were cut up."""
        partitioner = self.partitioner
        return {
            name: (function_type(partitioner.functions[name]), found) for name, found in partitioner.entries.items()
        }

    def local(self) -> Operation:
        """The program of one device."""
        return self.partitioner.local

    def program(self) -> Operation:
        """The program with all its shardings."""
        return self.partitioner.module

    def collectives(self) -> list[Collective]:
        """Those that were emitted."""
        return self.partitioner.emitted_collectives

    def values(self) -> Mapping[Value, Sharded]:
        """What each value of the program has become."""
        return self.partitioner.env

    def origins(self) -> Mapping[Value, Value]:
        """What values on one side of a call are on the other."""
        return self.partitioner.origins

    def left(self) -> Mapping[Value, Layout]:
        """With free results: where each value came to be."""
        return self.partitioner.left

    # --- what it costs ------------------------------------------------------------------------------------------------

    @cached_property
    def bytes(self) -> float:
        """What each device receives in a run, if every loop takes a few turns."""
        return self._received().by_function(self._entry)

    @property
    def bytes_told(self) -> float:
        """The same, however the sum was rounded."""
        return float(f"{self.bytes:.9e}")

    @cached_property
    def work(self) -> int:
        """What each device computes."""
        return work_of(self.partitioner.local, self._entry, self.partitioner.rules)

    @cached_property
    def peak(self) -> int:
        """The most memory that each device needs, in bytes, if operations run in the order in which they stand."""
        return memory_of(self.local(), self._entry, IN_ITS_ORDER).peak

    def counted_plan(self) -> CountedPlan:
        """The plan as its costs are added up.

        Raises:
            CannotPrice: that cannot be said.
        """
        module, entry = self.partitioner.module, self._entry
        local = CountedProgram(self.partitioner.local, entry)
        return CountedPlan(
            lambda: CountedProgram(module, functions_by_name(module)[self.entry]),
            local,
            counted_collectives(local, self.partitioner.emitted_collectives),
            partial(counted_memory, self.partitioner.local, entry),
        )

    def _received(self) -> Received:
        return Received(self.partitioner.local, self.partitioner.emitted_collectives)

    @property
    def _entry(self) -> Operation:
        return functions_by_name(self.partitioner.local)[self.entry]

    def _moved(self) -> Iterable[tuple[Collective, int]]:
        """The collectives that are left, and how often each is there."""
        return [(one, 1) for one in self.partitioner.emitted_collectives if one.op.parent is not None]

    def is_same_as(self, other: CandidatePlan) -> bool:
        """Whether it is certain that its program of one device is that of ``other``, wherever that comes from."""
        return shortcuts.taken() and is_same_program(self.partitioner.local, other.partitioner.local, locations=False)

    def share_of_sums(self) -> float:
        """How much of what moves are sums that every device gets the whole of."""
        kept = [(one.kind, one.bytes * times) for one, times in self._moved()]
        return sum(moved for kind, moved in kept if kind == "all_reduce") / (sum(moved for _, moved in kept) or 1)

    def only_adds_up(self) -> bool:
        """Whether all that moves are terms of sums: those have to meet, wherever results stay."""
        emitted = self.partitioner.emitted_collectives
        return all(adds_up(one.kind) for one in emitted)

    def exact(self) -> CandidatePlan:
        """This plan, with costs that are added up operation by operation."""
        return self

    def moves_less_than(self, other: CandidatePlan) -> bool:
        """Whether each device receives less than with ``other``."""
        return self.bytes < other.bytes

    def is_better_than(self, other: CandidatePlan) -> bool:
        """Whether it moves fewer bytes than ``other``, worth more than what it computes in exchange, with about as
        little work and memory."""
        if not (self.bytes.is_integer() and other.bytes.is_integer()):
            # They may be rounded another way.
            for one in (self, other):
                one.exact()
        saved = other.bytes - self.bytes
        return (
            saved > 0
            and saved > (self.work - other.work) * BYTES_PER_MULTIPLICATION
            and self.work <= max(_MORE_WORK * other.work, other.work + _LITTLE_WORK)
            and self.peak <= max(_MORE_MEMORY * other.peak, other.peak + _LITTLE_MEMORY)
        )


def entry_of(partitioner: Partitioner) -> str:
    """The name of the function that a run begins with: ``main``, or the first.

    Raises:
        ValueError: no function can be called from outside.
    """
    if not partitioner.entries:
        raise ValueError("the program has no function that can be called from outside")
    return "main" if "main" in partitioner.entries else next(iter(partitioner.entries))
