"""A plan in the form in which its costs are added up: an operation may stand for several that are alike.

A ``CountedProgram`` has the multiplicity of each operation that stands for several; others stand for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import turns_around, turns_product
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.executions import Segment, executions_of_block
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import MemoryModel
from pyshardy.partitioning.account.memory_parts import MemoryParts, memory_parts, worked_on


class CountsDiffer(Exception):
    """Counted operations cannot stand for the others: costs need the whole program."""


def _own_location(op: Operation, _: int) -> Sequence[int | Location | None]:
    return (op.location,)


class CountedProgram(NamedTuple):
    """The program ``module``, a run of which begins with its function ``entry``.

    ``multiplicities``: how many operations each stands for, itself included, if more than one. ``all_locations(op,
    n)``: the locations of these n. ``alike``: pairs of such an operation and a counterpart in the entry.
    ``all_segments``: what the entry executes, if other operations besides its own. ``counted``: the operations of the
    entry to add up, if those represented by others must be skipped.
    """

    module: Operation
    entry: Operation
    multiplicities: Mapping[Operation, int] = MappingProxyType({})
    all_locations: Callable[[Operation, int], Sequence[int | Location | None]] = _own_location
    alike: Sequence[tuple[Operation, Operation]] = ()
    all_segments: Callable[[], Sequence[Segment]] | None = None
    counted: Sequence[Operation] | None = None

    @property
    def operations(self) -> Sequence[Operation]:
        """The operations of the entry that count, in their order."""
        return self.entry.body.operations() if self.counted is None else self.counted

    def segments(self) -> Sequence[Segment]:
        """What the entry runs, in its order, those that operations stand for included."""
        return [Segment(executions_of_block(self.entry.body))] if self.all_segments is None else self.all_segments()

    def times(self, op: Operation) -> int:
        """The multiplicity of ``op``, an operation of the entry: how many operations it stands for, itself included."""
        return self.multiplicities.get(op, 1)

    def locations(self, op: Operation) -> Sequence[int | Location | None]:
        """Where the operations stand that ``op`` stands for."""
        return self.all_locations(op, self.multiplicities.get(op, 1))


class CountedMemory(NamedTuple):
    """Bytes on one device: of arguments, of results, and when most is needed, by parts."""

    arguments: int
    results: int
    peak: int
    parts: MemoryParts


def counted_memory(module: Operation, entry: Operation, model: MemoryModel) -> CountedMemory:
    """What ``entry``, a function of ``module``, keeps in memory by ``model``."""
    memory = memory_of(module, entry, model)
    parts = memory_parts(memory, entry, worked_on(memory.at_peak, model))
    return CountedMemory(memory.arguments, memory.results, memory.peak, parts)


@dataclass(frozen=True)
class CountedPlan:
    """A plan in counted form."""

    make_source: Callable[[], CountedProgram]
    """Makes the source program; may raise ``CountsDiffer``."""
    local: CountedProgram
    """The program of one device."""
    collectives: Sequence[tuple[Collective, int]]
    """The collectives that a run of it executes, with how many each stands for."""
    memory_by: Callable[[MemoryModel], CountedMemory]
    """What it keeps in memory by a model; may raise ``CountsDiffer``."""
    results: Sequence[Type] | None = None
    """The types of all results, if it returns others besides those of ``local``."""

    @cached_property
    def source(self) -> CountedProgram:
        """The source program.

        Raises:
            CountsDiffer: it is not known any more.
        """
        return self.make_source()


def counted_collectives(program: CountedProgram, emitted: Iterable[Collective]) -> list[tuple[Collective, int]]:
    """The collectives among those ``emitted`` that a run of ``program`` executes, and how many each stands for: those
    of a function as often as it is called, each with the trip counts of the loops around it and around those calls."""
    functions = functions_by_name(program.module)
    where = _Places()
    by_function: dict[Operation, list[Collective]] = {}
    for one in emitted:
        if one.op.parent is not None:
            by_function.setdefault(where.of(one.op).function, []).append(one)
    runs: dict[Operation, list[tuple[int | None, int]]] = {}
    waiting: list[tuple[Operation, int | None, int]] = [(program.entry, 1, 1)]
    while waiting:
        function, turns, times = waiting.pop()
        runs.setdefault(function, []).append((turns, times))
        is_entry = function is program.entry
        for op in function.operations() if len(functions) > 1 else ():
            if op.name == "func.call":
                called = times * program.times(op) if is_entry else times
                waiting.append((functions[callee(op)], turns_product(turns, where.of(op).turns), called))
    return [
        (
            one if turns == 1 and inside == 1 else one._replace(turns=turns_product(turns, inside)),
            times * program.times(one.op) if function is program.entry else times,
        )
        for function, found in runs.items()
        for turns, times in found
        for one in by_function.get(function, ())
        for inside in (where.of(one.op).turns,)
    ]


class _Place(NamedTuple):
    """The ``function`` in which operations of a block stand, and how often loops make each call of it run them."""

    function: Operation
    turns: int | None


class _Places:
    """Where operations stand. Those of one block stand at one place."""

    def __init__(self) -> None:
        self._known: dict[Block | None, _Place] = {}

    def of(self, op: Operation) -> _Place:
        """Where ``op`` stands."""
        found = self._known.get(op.parent)
        if found is None:
            function = next(above for above in op.ancestors() if above.name == "func.func")
            found = self._known[op.parent] = _Place(function, turns_around(op))
        return found
