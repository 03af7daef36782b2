"""A candidate plan: a program partitioned with some options, and what the result costs.

``candidate_plans`` makes several of them; ``best_plan`` takes the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property, partial

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.collective_kinds import PERMUTES, collective_kind, reduces
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram, counted_collectives, counted_memory
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import IN_PROGRAM_ORDER
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.localizing.run import Specialization
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.cost_weights import BYTES_PER_MULTIPLICATION

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""A plan that moves fewer bytes may exceed the work and memory of the other one by these factors, or by these amounts
if they are more."""


class CannotPrice(Exception):
    """The cost of a candidate plan cannot be computed from the form in which it is."""


class CandidatePlan:
    """The program that ``partitioner`` has emitted, and its cost."""

    def __init__(self, partitioner: Partitioner) -> None:
        self.partitioner = partitioner

    # --- what came of it ----------------------------------------------------------------------------------------------

    @property
    def entry(self) -> str:
        """The name of the entry function."""
        return entry_of(self.partitioner)

    def entries(self) -> Mapping[str, tuple[FunctionType, Specialization]]:
        """The functions that are called from outside: their global types, and the layouts of their arguments and
        results."""
        partitioner = self.partitioner
        return {
            name: (function_type(partitioner.functions[name]), found) for name, found in partitioner.entries.items()
        }

    def local(self) -> Operation:
        """The program of one device."""
        return self.partitioner.local

    def program(self) -> Operation:
        """The global program with all its shardings."""
        return self.partitioner.module

    def collectives(self) -> list[Collective]:
        """The collectives that were emitted, with their causes in ``program``."""
        return self.emitted()

    def emitted(self) -> list[Collective]:
        """The collectives that were emitted, with their operations in the program of one device as it is now."""
        return self.partitioner.emitted_collectives

    def values(self) -> Mapping[Value, Sharded]:
        """What each value of the global program has become."""
        return self.partitioner.env

    def origins(self) -> Mapping[Value, Value]:
        """For values on one side of a call the values on the other side: arguments of inlined functions, results of
        their calls."""
        return self.partitioner.origins

    def chosen_layouts(self) -> Mapping[Value, Layout]:
        """With free results: the layout in which each value came out."""
        return self.partitioner.chosen_layouts

    # --- what it costs ------------------------------------------------------------------------------------------------

    @cached_property
    def bytes(self) -> float:
        """The bytes that each device receives in a run, if every loop iterates a fixed number of times (``Received``),
        known or not: plans are compared by it. ``Plan.bytes_moved`` counts a loop once."""
        return self._received().by_function(self._entry)

    @property
    def rounded_bytes(self) -> float:
        """``bytes`` to nine decimal places, so that plans that differ only in the order of summation compare as
        equal."""
        return float(f"{self.bytes:.9e}")

    @cached_property
    def work(self) -> int:
        """How much each device computes, in multiplications and elements (``work_of``)."""
        return work_of(self.partitioner.local, self._entry, self.partitioner.rules)

    @cached_property
    def peak(self) -> int:
        """The peak memory of each device, in bytes, by ``IN_PROGRAM_ORDER``: operations run in the order in which they
        are written, and nothing is copied. It only compares plans, and is faster than the model of ``Plan.memory``."""
        return memory_of(self.local(), self._entry, IN_PROGRAM_ORDER).peak

    def counted_plan(self) -> CountedPlan:
        """The plan in the form from which costs on hardware are computed.

        Raises:
            CannotPrice: it has no such form.
        """
        module, entry = self.partitioner.module, self._entry
        local = CountedProgram(self.partitioner.local, entry)
        return CountedPlan(
            lambda: CountedProgram(module, functions_by_name(module)[self.entry]),
            local,
            counted_collectives(local, self.emitted()),
            partial(counted_memory, self.partitioner.local, entry),
        )

    def _received(self) -> Received:
        return Received(self.partitioner.local, self.emitted())

    @property
    def _entry(self) -> Operation:
        return functions_by_name(self.partitioner.local)[self.entry]

    def _moved(self) -> Iterable[tuple[Collective, int]]:
        """The collectives that have not been erased as dead, each with how often it occurs."""
        return [(one, 1) for one in self.partitioner.emitted_collectives if one.op.parent is not None]

    def has_operations_of(self, other: CandidatePlan) -> bool:
        """Whether its program of one device has the same operations as that of ``other``, in whatever order, and its
        collectives go along the same axes."""
        return self._kinds == other._kinds

    @cached_property
    def _kinds(self) -> tuple[Counter[Hashable], Counter[Hashable]]:
        """How many operations of each name and types there are, and how many collectives of each kind, axes and
        bytes."""
        operations = self.partitioner.local.operations()
        return kinds_of_operations(operations), kinds_of_collectives(self.partitioner.emitted_collectives)

    def all_reduce_share(self) -> float:
        """The share of all bytes moved that all-reduces move."""
        kept = [(one.kind, one.bytes * times) for one, times in self._moved()]
        return sum(moved for kind, moved in kept if kind == "all_reduce") / (sum(moved for _, moved in kept) or 1)

    @property
    def permutes(self) -> bool:
        """Whether a collective permutes."""
        return any(collective_kind(one.kind).route == PERMUTES for one in self.partitioner.emitted_collectives)

    def only_reduces(self) -> bool:
        """Whether all collectives reduce partial sums. Those are needed wherever results stay, so that other layouts
        save nothing."""
        emitted = self.partitioner.emitted_collectives
        return all(reduces(one.kind) for one in emitted)

    def moves_less_than(self, other: CandidatePlan) -> bool:
        """Whether each device receives fewer bytes than with ``other``."""
        return self.bytes < other.bytes

    def is_better_than(self, other: CandidatePlan) -> bool:
        """Whether this plan moves fewer bytes than ``other``, by more than its additional work is worth, with work and
        memory within the limits."""
        saved = other.bytes - self.bytes
        return (
            saved > 0
            and saved > (self.work - other.work) * BYTES_PER_MULTIPLICATION
            and self.work <= max(_MORE_WORK * other.work, other.work + _LITTLE_WORK)
            and self.peak <= max(_MORE_MEMORY * other.peak, other.peak + _LITTLE_MEMORY)
        )


def kinds_of_operations(operations: Iterable[Operation]) -> Counter[Hashable]:
    """How many of ``operations`` there are of each name and types."""
    return Counter([(op.name, *[one.type for one in (*op.operands, *op.results)]) for op in operations])


def kinds_of_collectives(collectives: Iterable[Collective]) -> Counter[Hashable]:
    """How many of ``collectives`` there are of each kind, axes and bytes."""
    return Counter([(one.kind, one.axes, one.bytes) for one in collectives])


def entry_of(partitioner: Partitioner) -> str:
    """The name of the entry function: ``main``, or the first function that can be called from outside.

    Raises:
        ValueError: no function can be called from outside.
    """
    if not partitioner.entries:
        raise ValueError("the program has no function that can be called from outside")
    return "main" if "main" in partitioner.entries else next(iter(partitioner.entries))
