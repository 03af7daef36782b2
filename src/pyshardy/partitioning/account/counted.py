"""A plan as its costs are added up: a program in which an operation may stand for several that are alike.

In the plan of a whole program every operation stands for itself. A folded program has few of its layers: each operation
of a kept layer may stand for its counterparts in layers left out, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from pyshardy.dialects.func import callee, function_type, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import turns_around, turns_product
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside, value_in_memory
from pyshardy.partitioning.account.executions import Segment, executions_of_block
from pyshardy.partitioning.account.liveness import MemoryModel
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_parts import MemoryParts, memory_parts, worked_on
from pyshardy.partitioning.account.transposed_copies import most_copied


class CountsDiffer(Exception):
    """Counted operations cannot stand for the others: costs need the whole program."""


def _own_location(op: Operation, _: int) -> Sequence[int | Location | None]:
    return (op.location,)


class CountedProgram(NamedTuple):
    """The program ``module``, a run of which begins with its function ``entry``.

    ``copies``: how many operations each stands for, itself included, if more than one. ``all_locations(op, n)``: the
    locations of these n. ``alike``: pairs of such an operation and a counterpart in the entry. ``all_segments``: what
    the entry executes, if other operations besides its own. ``counted``: the operations of the entry to add up, if
    those represented by others must be skipped.
    """

    module: Operation
    entry: Operation
    copies: Mapping[Operation, int] = MappingProxyType({})
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
        """How many operations of the entry ``op``, which is one, stands for."""
        return self.copies.get(op, 1)

    def locations(self, op: Operation) -> Sequence[int | Location | None]:
        """Where the operations stand that ``op`` stands for."""
        return self.all_locations(op, self.copies.get(op, 1))


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
    """The program as it is given (or ``CountsDiffer`` is raised), that of one device, the collectives that a run of
    this meets with how many each stands for, what it keeps in memory by a model (or raises ``CountsDiffer``), and the
    types of all results if it returns others besides its own."""

    given: Callable[[], CountedProgram]
    local: CountedProgram
    collectives: Sequence[tuple[Collective, int]]
    memory_by: Callable[[MemoryModel], CountedMemory]
    results: Sequence[Type] | None = None

    @cached_property
    def source(self) -> CountedProgram:
        """The program as it is given.

        Raises:
            CountsDiffer: it is not known any more.
        """
        return self.given()

    def most_memory(self, model: MemoryModel) -> int:
        """Bytes that are certainly enough for what it keeps in memory by ``model``, known sooner than those: all that
        ever stands there, each once, whenever it lives."""
        return _MostMemory(self.local, model, self.results).bytes

    def most_memory_unfused(self, model: MemoryModel) -> int:
        """The same, no less and known sooner still: as if nothing were fused."""
        return _MostMemory(self.local, model._replace(fused_of=_nothing_fused), self.results).bytes


def _nothing_fused(_: Sequence[Operation]) -> set[Value]:
    return set()


class _MostMemory:
    """The ``bytes`` of all that stands in memory in a run of ``local``, which returns values of the types ``results``
    if these are not its own."""

    def __init__(self, local: CountedProgram, model: MemoryModel, results: Sequence[Type] | None) -> None:
        self._local = local
        self._model = model
        self._sizes: dict[Type, int] = {}
        type = function_type(local.entry)
        # A result may stand in its room, and elsewhere before; so may an argument whose room it is to have.
        self.bytes = 2 * sum(map(self._size, (*type.inputs, *(type.results if results is None else results))))
        self._returned = Counter(map(value_in_memory, local.entry.body.terminator.operands))
        functions = functions_by_name(local.module).values()
        waiting = [function.body for function in functions if not is_declaration(function)]
        for block in waiting:
            waiting += self._add_block(block)

    def _size(self, type: Type) -> int:
        found = self._sizes.get(type)
        if found is None:
            found = self._sizes[type] = max(self._model.bytes_of(type), self._model.boundary_bytes_of(type))
        return found

    def _add_block(self, block: Block) -> list[Block]:
        """Adds what operations of ``block`` make; the blocks that these run."""
        operations, copies, copied, inside = block.operations(), self._local.copies, 0, list[Block]()
        passing, sizes = self._model.fused_of(operations), self._sizes
        if copies and block is self._local.entry.body:
            passing -= self._passing_in_some(passing)
        for op in operations:
            for result in op.results:
                if result not in passing:
                    made = sizes.get(result.type)
                    size = self._size(result.type) if made is None else made
                    self.bytes += size * (copies.get(op, 1) if copies else 1) * self._returned.get(result, 1)
            if self._model.copies:
                # A copy may be kept for later readers in the same order.
                copied += most_copied(op, self._size) * (copies.get(op, 1) if copies else 1)
            if op.regions and has_tensors_inside(op):
                inside += [one for region in op.regions for one in region.blocks]
        # A loop may copy its arguments.
        carried = sum([self._size(value.type) for one in inside for value in one.arguments])
        self.bytes += copied + carried * (2 if self._model.copies else 1)
        return inside

    def _passing_in_some(self, passing: Set[Value]) -> set[Value]:
        """What is ``passing`` though what it stands for is not."""
        return {
            value
            for op, other in self._local.alike
            for value, alike in zip(op.results, other.results, strict=True)
            if (value in passing) != (alike in passing)
        }


def counted_collectives(program: CountedProgram, emitted: Iterable[Collective]) -> list[tuple[Collective, int]]:
    """The collectives among those ``emitted`` that a run of ``program`` meets, and how many each stands for: those of a
    function as often as it is called, each with the turns of the loops around it and around those calls."""
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
