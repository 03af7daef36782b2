"""The memory that a program needs on one device: arguments, results, and the peak of the values in between.

Arguments and result buffers are allocated for the whole run: the runtime provides both. A result takes over the buffer
of a donated argument of its size, if there is one. While a result buffer holds no result yet, and no argument any more,
one intermediate value at a time may use it (as XLA assigns buffers); the other intermediate values need memory of their
own. ``liveness`` has the live ranges, ``plan`` reports the outcome.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.ir.operation import Operation, Use, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.donated import copied_donated_arguments, donated_arguments
from pyshardy.partitioning.account.last_reads import last_reads
from pyshardy.partitioning.account.liveness import (
    NO_PEAK,
    Liveness,
    LiveTensor,
    MemoryEvent,
    live_values_at,
    with_copies,
)
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from pyshardy.partitioning.account.transposed_copies import KeptCopy


@dataclass(frozen=True)
class Memory:
    """Bytes on one device. ``live_at_peak`` are the values that have buffers at the peak, the largest first: arguments,
    and results of operations, also of loops and functions that run then. ``reserved`` is the size of the result buffers
    that are empty at the peak. ``at_peak`` is the operation that runs then, None at the start of the program."""

    arguments: int
    results: int
    peak: int
    live_at_peak: tuple[LiveTensor, ...] = field(default=(), repr=False)
    at_peak: Operation | None = field(default=None, repr=False, compare=False)
    reserved: int = field(default=0, repr=False)


class LazyMemory(Memory):
    """Memory whose live values are found in ``whole`` when first asked for."""

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
        return self._whole() == (other._whole() if isinstance(other, LazyMemory) else other)

    def __hash__(self) -> int:
        return hash(self._whole())

    def __repr__(self) -> str:
        return f"Memory(arguments={self.arguments!r}, results={self.results!r}, peak={self.peak!r})"


def memory_of(module: Operation, entry: Operation, model: MemoryModel = XLA_CPU) -> Memory:
    """The memory that ``entry``, a function of ``module``, needs, if values are stored as ``model`` says."""
    use = MemoryUse(module, entry, model)
    return use.memory_at(use.peak())


class AllocationChange(NamedTuple):
    """``number`` more values (fewer, if it is negative) of ``size`` bytes each: in result buffers, or intermediate
    ones."""

    in_result_buffers: bool
    size: int
    number: int

    @property
    def bytes(self) -> int:
        return self.size * self.number


class EventChanges(NamedTuple):
    """A memory event, with the changes ``before`` memory is measured at it, and those ``after``."""

    event: MemoryEvent
    before: list[AllocationChange]
    after: list[AllocationChange]


class CopySpan(NamedTuple):
    """Copies of so many ``bytes`` that are kept from operation number ``begin`` up to (excluding) number ``end``."""

    begin: int
    end: int
    bytes: int


class PeakUse(NamedTuple):
    """The bytes of the peak, the number of the operation that runs then (-1: before the first), and the size of the
    result buffers that are empty then. Of moments that need equal bytes it is the first of those with the smallest such
    buffers; ``tied`` are all of these moments, each as the operation and the size of the buffers."""

    bytes: int
    place: int
    reserved: int
    tied: tuple[tuple[int, int], ...] = ()


class MemoryUse:
    """The memory of a run of ``entry``, a function of ``module``, over time: ``constant_bytes`` for arguments and
    result buffers, plus the changes at each of ``steps``.

    ``results`` are the types of all results, if the function returns others besides those it has;
    ``max_reordered`` replaces that of the model. ``in_place`` are the donated arguments whose buffers results take
    over. ``last`` says which operation is the last to read a value; the values ``fused`` have no buffers; ``returned``
    counts how often a value is returned.
    """

    def __init__(
        self,
        module: Operation,
        entry: Operation,
        model: MemoryModel = XLA_CPU,
        results: Sequence[Type] | None = None,
        max_reordered: int | None = None,
    ) -> None:
        self._module, self.entry, self._model = module, entry, model
        # A copied argument changes the order only: its copy, or another value, takes over its buffer.
        copied = partial(copied_donated_arguments, entry) if model.copies_operands else tuple
        self.operations, self.fused, duplicated = model.schedule(entry.body, max_reordered, copied)
        self._transposed = Liveness(module, model).transposed_copies(self.operations, self.fused, duplicated)
        self.last = last_reads(self.operations, self.fused, self._transposed)
        values = entry.body.terminator.operands
        self.returned = Counter(map(buffer_owner, values))
        types = [value.type for value in values] if results is None else results
        self._result_buffers = Counter(map(model.boundary_bytes_of, types))
        self.in_place = self._in_place()
        reused = set(self.in_place)
        arguments = sum([self.size(value) for value in entry.body.arguments if value not in reused])
        self.constant_bytes = arguments + sum([size * count for size, count in self._result_buffers.items()])
        self.initial = [self.change(value) for value in self.in_place if value in self.last]
        self._steps: list[EventChanges] | None = None

    def _in_place(self) -> list[Value]:
        """The donated arguments whose buffers results take over: each is as large as a result of its own."""
        left, found = self._result_buffers.copy(), list[Value]()
        for value in donated_arguments(self.entry):
            size = self.size(value)
            if left[size] > 0:
                left[size] -= 1
                found.append(value)
        return found

    def size(self, value: Value) -> int:
        """The bytes of ``value`` of the function."""
        kept = self._transposed.kept_instead.get(value) if self._transposed is not None else None
        if kept is not None:
            return sum(map(self._model.bytes_of, kept))
        is_boundary = value in self.returned or value.defining_op is None
        return (self._model.boundary_bytes_of if is_boundary else self._model.bytes_of)(value.type)

    def change(self, value: Value, count: int = 1) -> AllocationChange:
        """What ``count`` values like ``value`` change when they are allocated."""
        if value.defining_op is None:
            return AllocationChange(True, self.size(value), count)
        times = self.returned.get(value, 0)
        return AllocationChange(bool(times), self.size(value), count * max(times, 1))

    @property
    def steps(self) -> list[EventChanges]:
        """The changes of memory, operation by operation."""
        if self._steps is None:
            self._steps = self._found_steps()
        return self._steps

    def _found_steps(self) -> list[EventChanges]:
        found = []
        for event in Liveness(self._module, self._model).events(
            self.operations, self.fused, self.last, self.in_place, self._transposed
        ):
            reused = event.reused
            before = [self.change(value) for value in event.allocated] + [self.change(value, -1) for value in reused]
            found.append(
                EventChanges(event, before, [self.change(one, -1) for one in event.freed if one not in reused])
            )
        return found

    @property
    def kept_copies(self) -> Sequence[KeptCopy]:
        """The copies that operations keep for later products."""
        return () if self._transposed is None else self._transposed.kept

    def has_buffer(self, value: Value) -> bool:
        """Whether ``value`` is stored: not if all its readers compute it."""
        computed = () if self._transposed is None else self._transposed.only_recomputed
        return value not in self.fused and value not in computed

    def is_duplicated(self, use: Use) -> bool:
        """Whether the reader of ``use`` computes the value again that others read from its buffer."""
        return self._transposed is not None and use in self._transposed.duplicated

    def is_computed_by_readers(self, value: Value) -> bool:
        """Whether readers of ``value`` compute it, all or some of them."""
        if not self.has_buffer(value):
            return True
        found = self._transposed
        if found is None:
            return False
        return value in found.computed_until or any(use in found.duplicated for use in value._uses)

    def peak(
        self,
        extra: Mapping[int, Sequence[AllocationChange]] | None = None,
        copies: Sequence[CopySpan] = (),
    ) -> PeakUse:
        """The peak, if there are also the changes ``extra``, each before the operation of a number (-1: at the start),
        and ``copies``."""
        peak, tied, copies_at = PeakUse(-1, -1, 0), list[tuple[int, int]](), _Copies(copies).at
        for step, occupancy in self._occupancies(extra or {}):
            inside = 0 if step is None else step.event.temporary_bytes + copies_at(step.event.place)
            if occupancy.upper_bound + inside >= peak.bytes:
                placed = occupancy.placed()
                bytes, reserved = occupancy.upper_bound + inside - placed, occupancy.unoccupied - placed
                place = -1 if step is None else step.event.place
                if bytes > peak.bytes:
                    tied.clear()
                if bytes >= peak.bytes:
                    tied.append((place, reserved))
                if bytes > peak.bytes or (bytes == peak.bytes and reserved < peak.reserved):
                    peak = PeakUse(bytes, place, reserved)
        return PeakUse(self.constant_bytes + peak.bytes, peak.place, peak.reserved, tuple(tied))

    def upper_bounds(
        self, extra: Mapping[int, Sequence[AllocationChange]], copies: Sequence[CopySpan]
    ) -> list[tuple[int, int, int]]:
        """For the start (-1), and for each operation that changes memory: its number, an upper bound of the bytes while
        it runs, and one for directly afterwards, with ``extra`` and ``copies`` as for ``peak``. They are bounds because
        no intermediate value is placed in a result buffer."""
        found, copies_at = [], _Copies(copies).at
        for step, occupancy in self._occupancies(extra):
            place, inside, after = (
                (-1, 0, []) if step is None else (step.event.place, step.event.temporary_bytes, step.after)
            )
            at_work = occupancy.upper_bound + inside + copies_at(place)
            occupancy.apply(after)
            found.append((place, self.constant_bytes + at_work, self.constant_bytes + occupancy.upper_bound))
            occupancy.apply([one._replace(number=-one.number) for one in after])
        return found

    def at_each_operation(self) -> Iterator[tuple[MemoryEvent | None, int]]:
        """For each operation its event, None if it changes nothing, and the size of the result buffers that are empty
        then."""
        reserved = place = 0
        for step, occupancy in self._occupancies({}):
            if step is None:
                reserved = occupancy.unoccupied - occupancy.placed()
                continue
            for _ in range(place, step.event.place):
                yield None, reserved
            now = occupancy.unoccupied - occupancy.placed()
            yield step.event, now
            occupancy.apply(step.after)
            reserved = occupancy.unoccupied - occupancy.placed()
            occupancy.apply([one._replace(number=-one.number) for one in step.after])
            place = step.event.place + 1
        for _ in range(place, len(self.operations)):
            yield None, reserved

    def _occupancies(
        self, extra: Mapping[int, Sequence[AllocationChange]]
    ) -> Iterator[tuple[EventChanges | None, _Occupancy]]:
        """What is allocated at the start, and at each step."""
        occupancy = _Occupancy(self._result_buffers)
        occupancy.apply(self.initial)
        waiting = sorted(extra, reverse=True)
        while waiting and waiting[-1] < 0:
            occupancy.apply(extra[waiting.pop()])
        yield None, occupancy
        for step in self.steps:
            while waiting and waiting[-1] <= step.event.place:
                occupancy.apply(extra[waiting.pop()])
            occupancy.apply(step.before)
            yield step, occupancy
            occupancy.apply(step.after)

    def memory_at(self, peak: PeakUse) -> Memory:
        """The memory at ``peak``."""
        body, type, reused = self.entry.body, function_type(self.entry), set(self.in_place)
        event = next((step.event for step in self.steps if step.event.place == peak.place), None)
        found: list[Value] = [value for value in body.arguments if value not in reused]
        found += live_values_at(self.operations, peak.place, event, self.fused, self.last, self.in_place)
        live = [LiveTensor(value, self.change(value).bytes) for value in found]
        inside, copied = (NO_PEAK, ()) if event is None else (event.inside, event.copied)
        return Memory(
            sum(map(self._model.boundary_bytes_of, type.inputs)),
            sum(map(self._model.boundary_bytes_of, type.results)),
            peak.bytes,
            tuple(sorted(with_copies((*live, *inside.live), copied), key=lambda one: -one.bytes)),
            None if event is None else inside.op or event.op,
            peak.reserved,
        )


class _Copies:
    """How many bytes of copies are kept at each operation."""

    def __init__(self, spans: Iterable[CopySpan]) -> None:
        changes = Counter[int]()
        for begin, end, size in spans:
            if begin < end:
                changes[begin] += size
                changes[end] -= size
        self._places = sorted(changes)
        self._bytes = [0, *accumulate([changes[place] for place in self._places])]

    def at(self, place: int) -> int:
        """The bytes that are kept at operation number ``place``."""
        return self._bytes[bisect_right(self._places, place)]


class _Occupancy:
    """What is allocated besides ``constant_bytes``; ``result_buffers`` counts result buffers by size."""

    def __init__(self, result_buffers: Mapping[int, int]) -> None:
        self._empty = dict(result_buffers)
        self._intermediate: dict[int, int] = {}
        self.unoccupied = sum([size * count for size, count in result_buffers.items()])
        """Bytes of result buffers that hold neither an argument nor a result."""
        self.upper_bound = 0
        """Bytes that are needed if no intermediate value uses a result buffer."""

    def apply(self, changes: Iterable[AllocationChange]) -> None:
        for in_result_buffers, size, count in changes:
            if not in_result_buffers:
                self._intermediate[size] = self._intermediate.get(size, 0) + count
                self.upper_bound += size * count
                continue
            free = self._empty.get(size, 0)
            left = self._empty[size] = free - count
            # A result that is made while the argument in its buffer is still live needs memory of its own.
            self.unoccupied += size * (max(left, 0) - max(free, 0))
            self.upper_bound += size * (max(-left, 0) - max(-free, 0))

    def placed(self) -> int:
        """Bytes of intermediate values that fit into empty result buffers, one value in each."""
        if not self.unoccupied:
            return 0
        rooms = sorted([one for one in self._empty.items() if one[1] > 0])
        found = available = 0
        for size in sorted(self._intermediate, reverse=True):
            while rooms and rooms[-1][0] >= size:
                available += rooms.pop()[1]
            count = min(self._intermediate[size], available)
            available -= count
            found += count * size
        return found
