"""What the local program keeps in the memory of one device: arguments, results, and the peak in between.

Counted by liveness, in the order of the program. A value lives from the operation that makes it to its last use;
what a compiler makes where it is read (``fusion``) takes no memory, but what it is made of lives as long. A result
takes the place of an operand that dies with the operation where that can be done in place. Arguments live all the
time, those that are donated until their last use. ``plan`` reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from operator import attrgetter
from typing import NamedTuple

from pyshardy.dialects.func import arguments_attributes, callee, function_type, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, Operation, OpResult, Value
from pyshardy.ir.types import I1, TensorType, TupleType, Type, size_in_bytes
from pyshardy.partitioning.account.fusion import WITH_TENSORS_INSIDE, carried_along, value_in_memory, values_in_passing

_IN_PLACE_OF_ALL = frozenset({"stablehlo.optimization_barrier", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results take the place of whatever operands die with them."""

_RUNNING = WITH_TENSORS_INSIDE | {"func.call"}
"""Operations that run others, which need memory of their own."""

_IN_PLACE_OF_FIRST = frozenset({"stablehlo.dynamic_update_slice", "stablehlo.scatter"})
"""Operations that write a part of what their first operands hold."""

_DONATED = ("jax.buffer_donor", "tf.aliasing_output")
"""Attributes of arguments whose memory the program may have."""


class LiveTensor(NamedTuple):
    """A value of the local program that stands in memory, and its bytes on one device."""

    value: Value
    bytes: int


@dataclass(frozen=True)
class Memory:
    """Bytes on one device. ``live_at_peak`` are the values that stand in memory when most is needed, the largest
    first: arguments, and results of operations (of loops and functions that are at work then, too); ``at_peak`` is the
    operation that is at work, None where nothing is made."""

    arguments: int
    results: int
    peak: int
    live_at_peak: tuple[LiveTensor, ...] = field(default=(), repr=False)
    at_peak: Operation | None = field(default=None, repr=False, compare=False)


@lru_cache(maxsize=1 << 14)
def type_bytes(type: Type) -> int:
    """Bytes of a value of ``type``, a byte for each boolean; 0 for tokens."""
    if isinstance(type, TensorType):
        if not type.has_static_shape:
            return 0
        return prod(type.shape) if type.element is I1 else size_in_bytes(type)
    return sum(map(type_bytes, type.elements)) if isinstance(type, TupleType) else 0


PassingOf = Callable[[Sequence[Operation]], set[Value]]
"""Which results of operations of one block never stand in memory."""


def memory_of(module: Operation, entry: Operation, passing_of: PassingOf = values_in_passing) -> Memory:
    """The memory that ``entry``, a function of ``module``, needs, if what ``passing_of`` says never stands there."""
    donated = donated_arguments(entry)
    own = set(donated)
    peak = _Liveness(module, passing_of).of_block(entry.body, donated)
    kept = sum(type_bytes(value.type) for value in entry.body.arguments if value not in own)
    return _memory(entry, donated, peak._replace(bytes=kept + peak.bytes))


def _memory(entry: Operation, donated: Sequence[Value], peak: _Peak) -> Memory:
    type, own = function_type(entry), set(donated)
    kept = [value for value in entry.body.arguments if value not in own]
    live = [LiveTensor(value, size) for value in kept if (size := type_bytes(value.type))]
    return Memory(
        sum(map(type_bytes, type.inputs)),
        sum(map(type_bytes, type.results)),
        peak.bytes,
        tuple(sorted([*live, *peak.live], key=lambda one: -one.bytes)),
        peak.op,
    )


class Course(NamedTuple):
    """What stands in memory in the course of a function: bytes that are there ``always`` (arguments that are not
    donated), and besides these ``at_first`` and at ``moments``: operations that are at work, by their numbers among
    ``operations``; at all others as much as behind the one before. ``last`` says which is the last to read a value from
    memory; those in ``passing`` never stand there."""

    operations: list[Operation]
    always: int
    at_first: int
    moments: list[tuple[int, Moment]]
    last: Mapping[Value, int]
    passing: Collection[Value]
    donated: list[Value]

    def memory_at(self, place: int, entry: Operation, bytes: int) -> Memory:
        """What stands in memory at the moment of operation ``place`` of ``entry``, -1 for the beginning, if that is
        ``bytes`` in all."""
        moment = next((moment for number, moment in self.moments if number == place), None)
        peak = _peak_at(self.operations, place, moment, bytes, self.passing, self.last, self.donated)
        return _memory(entry, self.donated, peak)

    def takes_what_dies(self, op: Operation) -> bool:
        """Whether the results of ``op`` take the place of whatever dies with it."""
        return op.name in _IN_PLACE_OF_ALL


def course_of(module: Operation, entry: Operation) -> Course:
    """What stands in memory in the course of ``entry``, a function of ``module``."""
    donated = donated_arguments(entry)
    own = set(donated)
    operations = list(entry.body)
    passing = values_in_passing(operations)
    last = _last_reads(operations, passing)
    moments = _Liveness(module)._busy_moments(operations, passing, last, donated)
    return Course(
        operations,
        sum(type_bytes(value.type) for value in entry.body.arguments if value not in own),
        _begin(donated, last),
        [(number, moment) for number, moment, _ in moments],
        last,
        passing,
        donated,
    )


def donated_arguments(entry: Operation) -> list[Value]:
    """The arguments of ``entry`` whose memory the program may have."""
    return [
        value
        for value in entry.body.arguments
        if any(name in arguments_attributes(entry, value.index) for name in _DONATED)
    ]


class _Peak(NamedTuple):
    """The most that stands in memory at one time, what that is, and the innermost operation at work then."""

    bytes: int
    live: tuple[LiveTensor, ...]
    op: Operation | None


_NOTHING = _Peak(0, (), None)
_bytes_of = attrgetter("bytes")


class Moment(NamedTuple):
    """An operation of a block at work: what stands in memory then in all, of that what the functions and regions that
    it runs need (``inside``); the values that it makes there (``begun``), those that it is the last to read
    (``ended``), and of these the ones whose place its results take (``taken``)."""

    op: Operation
    bytes: int
    inside: _Peak
    begun: list[Value]
    ended: list[Value]
    taken: list[Value]


class _Liveness:
    def __init__(self, module: Operation, passing_of: PassingOf = values_in_passing) -> None:
        self._functions = functions_by_name(module)
        self._passing_of = passing_of
        self._peaks: dict[Operation, _Peak] = {}

    def of_block(self, block: Block, owned: Sequence[Value] = ()) -> _Peak:
        """The peak of what is made in ``block``, with what its operations need inside; arguments that are ``owned``
        count until they die."""
        operations = list(block)
        passing = self._passing_of(operations)
        last = _last_reads(operations, passing)
        peak, place, there = _begin(owned, last), -1, None
        for index, moment, _ in self._busy_moments(operations, passing, last, owned):
            if moment.bytes > peak:
                peak, place, there = moment.bytes, index, moment
        return _peak_at(operations, place, there, peak, passing, last, owned)

    def moments(
        self, operations: Sequence[Operation], passing: set[Value], last: dict[Value, int], owned: Sequence[Value]
    ) -> Iterator[Moment]:
        """Each of ``operations``, those of one block, at work."""
        begin, live = 0, _begin(owned, last)
        for index, moment, left in self._busy_moments(operations, passing, last, owned):
            for op in operations[begin:index]:
                yield Moment(op, live, _NOTHING, [], [], [])
            yield moment
            begin, live = index + 1, left
        for op in operations[begin:]:
            yield Moment(op, live, _NOTHING, [], [], [])

    def _busy_moments(
        self, operations: Sequence[Operation], passing: set[Value], last: dict[Value, int], owned: Sequence[Value]
    ) -> Iterator[tuple[int, Moment, int]]:
        """Those of ``operations`` that make something in memory, are the last to read something there, or run
        something, with their numbers, and what stands in memory behind them. At any other one nothing changes."""
        dying: dict[int, list[Value]] = {}
        own, block = set(owned), operations[0].parent if operations else None
        for value, index in last.items():
            if (isinstance(value, OpResult) and value not in passing and value.owner.parent is block) or value in own:
                dying.setdefault(index, []).append(value)
        live = _begin(owned, last)
        for index, op in enumerate(operations):
            begun: list[Value] = [result for result in op.results if result not in passing]
            ending = dying.get(index, [])
            runs = op.name in _RUNNING
            if not begun and not ending and not runs:
                continue
            made = sum([type_bytes(result.type) for result in begun])
            taken = _taken(op, made, ending) if made and ending else []
            inside = self._inside(op, made) if runs else _NOTHING
            now = live - sum([type_bytes(value.type) for value in taken]) + made + inside.bytes
            unread = [one for one in begun if not one._uses]
            moment = Moment(op, now, inside, begun, [*ending, *unread] if unread else ending, taken)
            live += made - sum([type_bytes(value.type) for value in ending])
            live -= sum([type_bytes(one.type) for one in unread])
            yield index, moment, live

    def _inside(self, op: Operation, made: int) -> _Peak:
        """What the functions and regions that ``op`` runs need besides its results."""
        if op.name == "func.call":
            return _beyond(self._of_function(callee(op)), made)
        if op.name not in WITH_TENSORS_INSIDE:
            return _NOTHING
        if op.name == "stablehlo.while":
            along = set(carried_along(op))
            peaks = []
            for region in op.regions:
                own = [one for one in region.blocks[0].arguments if one.index not in along]
                peaks.append(_beyond(self.of_block(region.blocks[0], own), made))
            return max(peaks, key=_bytes_of)
        branches = [self.of_block(block) for region in op.regions for block in region.blocks]
        return max((_beyond(one, made) for one in branches), key=_bytes_of, default=_NOTHING)

    def _of_function(self, name: str) -> _Peak:
        function = self._functions.get(name)
        if function is None or is_declaration(function):
            return _NOTHING
        if function not in self._peaks:
            self._peaks[function] = _NOTHING
            self._peaks[function] = self.of_block(function.body)
        return self._peaks[function]


def _peak_at(
    operations: Sequence[Operation],
    place: int,
    moment: Moment | None,
    bytes: int,
    passing: Collection[Value],
    last: Mapping[Value, int],
    owned: Sequence[Value],
) -> _Peak:
    """What stands in memory, ``bytes`` in all, at the ``moment`` of operation ``place``; at the beginning if it is
    -1."""
    if moment is None:
        return _Peak(bytes, tuple(_live_at(operations, -1, passing, last, owned, set())), None)
    gone = set(moment.taken)
    if moment.inside.bytes:
        # Inside they stand under other names.
        gone.update(moment.op.results)
    found = _live_at(operations, place, passing, last, owned, gone)
    return _Peak(bytes, (*found, *moment.inside.live), moment.inside.op or moment.op)


def memory_moments(module: Operation, entry: Operation) -> Iterator[Moment]:
    """The operations of ``entry``, a function of ``module``, at work one after the other; arguments that are not
    donated stand in memory besides."""
    operations = list(entry.body)
    passing = values_in_passing(operations)
    last = _last_reads(operations, passing)
    return _Liveness(module).moments(operations, passing, last, donated_arguments(entry))


def _begin(owned: Sequence[Value], last: dict[Value, int]) -> int:
    """What of the ``owned`` arguments stands in memory at the beginning."""
    return sum(type_bytes(value.type) for value in owned if value in last)


def _beyond(peak: _Peak, made: int) -> _Peak:
    """``peak`` without the ``made`` bytes that count as results of the operation around, in which it ends."""
    return _Peak(peak.bytes - made, peak.live, peak.op) if peak.bytes > made else _NOTHING


def _last_reads(operations: Sequence[Operation], passing: set[Value]) -> dict[Value, int]:
    """For each value the number of the last operation that reads it from memory, itself or by what passes."""
    last: dict[Value, int] = {}
    for index in range(len(operations) - 1, -1, -1):
        op = operations[index]
        end, results = index, op.results
        if len(results) == 1 and results[0] in passing:
            end = last.get(results[0], index)
        if op.name not in WITH_TENSORS_INSIDE:
            for value in op.operands:
                if last.get(value, -1) < end:
                    last[value] = end
            continue
        for value in (*op.operands, *_read_inside(op)):
            last[value] = max(end, last.get(value, -1))
        for number in carried_along(op):
            value = op.operands[number]
            last[value] = max(last[value], last.get(op.results[number], -1))
    return last


def _read_inside(op: Operation) -> Iterable[Value]:
    return (value for nested in op.walk() if nested is not op for value in nested.operands)


def _taken(op: Operation, made: int, ending: Sequence[Value]) -> list[Value]:
    """Those of the values that die with ``op`` whose place its results take."""
    if op.name in _IN_PLACE_OF_ALL:
        taken, left = [], made
        looked_at = set(map(value_in_memory, _read_inside(op)))
        for value in sorted(ending, key=lambda one: -type_bytes(one.type)):
            if type_bytes(value.type) <= left and value not in looked_at:
                taken.append(value)
                left -= type_bytes(value.type)
        return taken
    if op.name in _IN_PLACE_OF_FIRST:
        firsts = set(map(value_in_memory, op.operands[: len(op.results)]))
        return [value for value in ending if value in firsts]
    if op.traits & ELEMENTWISE:
        return [value for value in ending if type_bytes(value.type) == made][:1]
    return []


def _live_at(
    operations: Sequence[Operation],
    place: int,
    passing: Collection[Value],
    last: Mapping[Value, int],
    owned: Sequence[Value],
    gone: set[Value],
) -> list[LiveTensor]:
    """What stands in memory while operation ``place`` is at work (-1: at the beginning), but what is ``gone``."""
    alive = [value for value in owned if last.get(value, -1) >= place]
    for index, op in enumerate(operations[: place + 1]):
        for result in op.results:
            if result not in passing and (index == place or last.get(result, -1) >= place):
                alive.append(result)
    return [LiveTensor(value, size) for value in alive if value not in gone and (size := type_bytes(value.type))]
