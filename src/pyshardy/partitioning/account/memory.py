"""What the local program keeps in the memory of one device: arguments, results, and the peak in between.

Arguments live all the time, and so does the room for results: a runtime provides both before the program begins. A
result has the room of an argument that is donated, if one is as large. Where no result stands yet, and no argument any
more, values in between may stand, one in the room of one result (as XLA assigns buffers); those that find no such room
need memory besides. When they live ``liveness`` says. ``plan`` reports it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.donated import donated_and_read_later, donated_arguments
from pyshardy.partitioning.account.fusion import value_in_memory
from pyshardy.partitioning.account.liveness import (
    AS_WRITTEN,
    NOTHING,
    Liveness,
    LiveTensor,
    MemoryModel,
    Moment,
    last_reads,
    values_at,
    with_copies,
)


@dataclass(frozen=True)
class Memory:
    """Bytes on one device. ``live_at_peak`` are the values that stand in memory when most is needed, the largest
    first: arguments, and results of operations (of loops and functions that are at work then, too); ``reserved`` is
    room for results where nothing stands then; ``at_peak`` is the operation that is at work, None where nothing is
    made."""

    arguments: int
    results: int
    peak: int
    live_at_peak: tuple[LiveTensor, ...] = field(default=(), repr=False)
    at_peak: Operation | None = field(default=None, repr=False, compare=False)
    reserved: int = field(default=0, repr=False)


class FoldedMemory(Memory):
    """The memory of a plan that is folded: what stands there at the peak is seen in ``whole``, that of all layers,
    which is worked out when somebody asks for it."""

    def __init__(self, arguments: int, results: int, peak: int, whole: Callable[[], Memory]) -> None:
        for name, value in (("arguments", arguments), ("results", results), ("peak", peak), ("_whole", whole)):
            object.__setattr__(self, name, value)

    _whole: Callable[[], Memory]

    @property
    def live_at_peak(self) -> tuple[LiveTensor, ...]:
        return self._whole().live_at_peak

    @property
    def at_peak(self) -> Operation | None:
        return self._whole().at_peak

    @property
    def reserved(self) -> int:
        return self._whole().reserved

    def __eq__(self, other: object) -> bool:
        return self._whole() == (other._whole() if isinstance(other, FoldedMemory) else other)

    def __hash__(self) -> int:
        return hash(self._whole())

    def __repr__(self) -> str:
        return f"Memory(arguments={self.arguments!r}, results={self.results!r}, peak={self.peak!r})"


def memory_of(module: Operation, entry: Operation, model: MemoryModel = AS_WRITTEN) -> Memory:
    """The memory that ``entry``, a function of ``module``, needs, if values stand there as ``model`` says."""
    course = Course(module, entry, model)
    return course.memory_at(course.most())


class Change(NamedTuple):
    """A ``number`` of values more (fewer, if it is less than 0) of ``size`` bytes each: in the room for results, or in
    between."""

    in_room: bool
    size: int
    number: int

    @property
    def bytes(self) -> int:
        return self.size * self.number


class Step(NamedTuple):
    """What changes ``before`` the memory at a moment is looked at, and ``after`` it."""

    moment: Moment
    before: list[Change]
    after: list[Change]


class Most(NamedTuple):
    """The bytes of the peak, the number of the operation that is at work then (-1: before the first), and the room for
    results where nothing stands then."""

    bytes: int
    place: int
    reserved: int


class Course:
    """What stands in memory in the course of ``entry``, a function of ``module``: ``always`` so many bytes of arguments
    and room for results, and what ``steps`` change. ``results`` are the types of all results, if the function returns
    others besides its own; ``moderate`` replaces that of the model if it is given. ``in_place`` are the donated
    arguments whose room results take. ``last`` says which operation is the last to read a value from memory; what is in
    ``passing`` never stands there; ``returned`` counts how often a value is returned."""

    def __init__(
        self,
        module: Operation,
        entry: Operation,
        model: MemoryModel = AS_WRITTEN,
        results: Sequence[Type] | None = None,
        moderate: int | None = None,
    ) -> None:
        self._module, self.entry, self._model = module, entry, model
        # The copy of an argument stands in its room, or something else does: it counts for the order alone.
        copied = partial(donated_and_read_later, entry) if model.copies else tuple
        self.operations, self.passing = model.as_it_runs(entry.body, moderate, copied)
        self._turned = Liveness(module, model).turned(self.operations, self.passing)
        self.last = last_reads(self.operations, self.passing, self._turned)
        values = entry.body.terminator.operands
        self.returned = Counter(map(value_in_memory, values))
        types = [value.type for value in values] if results is None else results
        self._room = Counter(map(model.boundary_bytes_of, types))
        self.in_place = self._in_place()
        own = set(self.in_place)
        arguments = sum([self.size(value) for value in entry.body.arguments if value not in own])
        self.always = arguments + sum([size * count for size, count in self._room.items()])
        self.at_first = [self.change(value) for value in self.in_place if value in self.last]
        self._steps: list[Step] | None = None

    def _in_place(self) -> list[Value]:
        """The donated arguments whose room results take: each is as large as another result."""
        left, found = self._room.copy(), list[Value]()
        for value in donated_arguments(self.entry):
            size = self.size(value)
            if left[size] > 0:
                left[size] -= 1
                found.append(value)
        return found

    def size(self, value: Value) -> int:
        """The bytes of ``value`` of the function."""
        is_boundary = value in self.returned or value.defining_op is None
        return (self._model.boundary_bytes_of if is_boundary else self._model.bytes_of)(value.type)

    def change(self, value: Value, count: int = 1) -> Change:
        """What ``count`` values like ``value`` change."""
        if value.defining_op is None:
            return Change(True, self.size(value), count)
        times = self.returned.get(value, 0)
        return Change(bool(times), self.size(value), count * max(times, 1))

    @property
    def steps(self) -> list[Step]:
        """What changes, operation by operation."""
        if self._steps is None:
            self._steps = self._found_steps()
        return self._steps

    def _found_steps(self) -> list[Step]:
        found = []
        for moment in Liveness(self._module, self._model).moments(
            self.operations, self.passing, self.last, self.in_place, self._turned
        ):
            taken = moment.taken
            before = [self.change(value) for value in moment.begun] + [self.change(value, -1) for value in taken]
            found.append(Step(moment, before, [self.change(one, -1) for one in moment.ended if one not in taken]))
        return found

    def most(self, more: Mapping[int, Sequence[Change]] | None = None) -> Most:
        """When most is needed, if there is ``more`` that changes before operations of some numbers (-1: at first)."""
        peak = Most(-1, -1, 0)
        for step, standing in self._standings(more or {}):
            inside = 0 if step is None else step.moment.besides
            if standing.at_most + inside >= peak.bytes:
                placed = standing.placed()
                bytes, reserved = standing.at_most + inside - placed, standing.unoccupied - placed
                if bytes > peak.bytes or (bytes == peak.bytes and reserved < peak.reserved):
                    peak = Most(bytes, -1 if step is None else step.moment.place, reserved)
        return peak._replace(bytes=self.always + peak.bytes)

    def at_most(self, more: Mapping[int, Sequence[Change]]) -> list[tuple[int, int, int]]:
        """For each operation with which something changes, and at first (-1), its number, the most that may be needed
        there, and just behind it, if there is ``more`` that changes: nothing else is thought to stand in the room for
        results."""
        found = []
        for step, standing in self._standings(more):
            place, inside, after = (
                (-1, 0, []) if step is None else (step.moment.place, step.moment.inside.bytes, step.after)
            )
            at_work = standing.at_most + inside
            standing.apply(after)
            found.append((place, self.always + at_work, self.always + standing.at_most))
            standing.apply([one._replace(number=-one.number) for one in after])
        return found

    def at_each_operation(self) -> Iterator[tuple[Moment | None, int]]:
        """For each operation what changes with it, None if nothing does, and the room for results where nothing stands
        then."""
        reserved = place = 0
        for step, standing in self._standings({}):
            if step is None:
                reserved = standing.unoccupied - standing.placed()
                continue
            for _ in range(place, step.moment.place):
                yield None, reserved
            now = standing.unoccupied - standing.placed()
            yield step.moment, now
            standing.apply(step.after)
            reserved = standing.unoccupied - standing.placed()
            standing.apply([one._replace(number=-one.number) for one in step.after])
            place = step.moment.place + 1
        for _ in range(place, len(self.operations)):
            yield None, reserved

    def _standings(self, more: Mapping[int, Sequence[Change]]) -> Iterator[tuple[Step | None, _Standing]]:
        """What stands in memory at first, and at each moment."""
        standing = _Standing(self._room)
        standing.apply(self.at_first)
        waiting = sorted(more, reverse=True)
        while waiting and waiting[-1] < 0:
            standing.apply(more[waiting.pop()])
        yield None, standing
        for step in self.steps:
            while waiting and waiting[-1] <= step.moment.place:
                standing.apply(more[waiting.pop()])
            standing.apply(step.before)
            yield step, standing
            standing.apply(step.after)

    def memory_at(self, most: Most) -> Memory:
        """What stands in memory at the moment of ``most``."""
        body, type, own = self.entry.body, function_type(self.entry), set(self.in_place)
        moment = next((step.moment for step in self.steps if step.moment.place == most.place), None)
        found: list[Value] = [value for value in body.arguments if value not in own]
        found += values_at(self.operations, most.place, moment, self.passing, self.last, self.in_place)
        live = [LiveTensor(value, self.change(value).bytes) for value in found]
        inside, copied = (NOTHING, ()) if moment is None else (moment.inside, moment.copied)
        return Memory(
            sum(map(self._model.boundary_bytes_of, type.inputs)),
            sum(map(self._model.boundary_bytes_of, type.results)),
            most.bytes,
            tuple(sorted(with_copies((*live, *inside.live), copied), key=lambda one: -one.bytes)),
            None if moment is None else inside.op or moment.op,
            most.reserved,
        )


class _Standing:
    """What stands in memory besides what is always there; ``room`` says how many results there are of a size."""

    def __init__(self, room: Mapping[int, int]) -> None:
        self._free = dict(room)
        self._between: dict[int, int] = {}
        self.unoccupied = sum([size * count for size, count in room.items()])
        """Bytes of room for results where neither arguments nor results stand."""
        self.at_most = 0
        """Bytes that are needed if nothing in between stands in the room for results."""

    def apply(self, changes: Iterable[Change]) -> None:
        for in_room, size, count in changes:
            if not in_room:
                self._between[size] = self._between.get(size, 0) + count
                self.at_most += size * count
                continue
            free = self._free.get(size, 0)
            left = self._free[size] = free - count
            # A result that is made while the argument whose room it is to have still lives stands elsewhere.
            self.unoccupied += size * (max(left, 0) - max(free, 0))
            self.at_most += size * (max(-left, 0) - max(-free, 0))

    def placed(self) -> int:
        """Bytes of values in between that may stand where results are to be: each of those in another."""
        if not self.unoccupied:
            return 0
        rooms = sorted([one for one in self._free.items() if one[1] > 0])
        found = available = 0
        for size in sorted(self._between, reverse=True):
            while rooms and rooms[-1][0] >= size:
                available += rooms.pop()[1]
            count = min(self._between[size], available)
            available -= count
            found += count * size
        return found
