"""When values of a block live: from the operation that makes them to the last that reads them.

Counted in the order in which a compiler runs them (``depth_first``). What a compiler makes where it is read
(``fusion``) takes no memory, but what it is made of lives as long. A result takes the place of an operand that dies
with the operation where that can be done in place: where a part is written, where a loop hands it on, or where each
element is made of the one in its place. A scatter begins with a copy, unless the program may have the memory of what it
reads; a backend may copy what products read in another order (``turned``). ``memory`` counts programs by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from math import prod
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import I1, TensorType, TupleType, Type, size_in_bytes
from pyshardy.partitioning.account.depth_first import MODERATE, depth_first, is_moderate
from pyshardy.partitioning.account.donated import carried_and_read_later
from pyshardy.partitioning.account.fusion import (
    InlinedCall,
    InlinedCalls,
    carried_along,
    has_tensors_inside,
    value_in_memory,
    values_in_passing,
    values_in_passing_on_cpus,
)
from pyshardy.partitioning.account.turned import Turned

_IN_PLACE_OF_ALL = frozenset({"stablehlo.optimization_barrier", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results take the place of whatever operands die with them."""

_IN_PLACE_OF_FIRST = frozenset({"stablehlo.dynamic_update_slice", "stablehlo.sort"})
"""Operations that write a part of what their first operands hold, or put that in another order."""


@lru_cache(maxsize=1 << 14)
def type_bytes(type: Type) -> int:
    """Bytes of a value of ``type``, a byte for each boolean; 0 for tokens."""
    if isinstance(type, TensorType):
        if not type.has_static_shape:
            return 0
        return prod(type.shape) if type.element is I1 else size_in_bytes(type)
    return sum(map(type_bytes, type.elements)) if isinstance(type, TupleType) else 0


@dataclass(frozen=True)
class MemoryModel:
    """What stands in memory, and how large it is there: bytes of a type (``bytes_of``), of one that is an argument or
    a result of the program (``boundary_bytes_of``), and which results of operations, those of one block, never stand in
    memory (``passing_of``). Blocks of at most ``moderate`` operations run depth first. ``copies`` says whether products
    copy what they read in another order than it stands in (``turned``), and programs an argument that is donated and
    read beside what its room is for."""

    bytes_of: Callable[[Type], int] = type_bytes
    boundary_bytes_of: Callable[[Type], int] = type_bytes
    passing_of: Callable[[Sequence[Operation]], set[Value]] = values_in_passing
    moderate: int = MODERATE
    copies: bool = False

    def as_it_runs(
        self, block: Block, moderate: int | None = None, copied: Callable[[], Collection[Value]] = tuple
    ) -> tuple[list[Operation], set[Value]]:
        """The operations of ``block`` in the order in which they run, and what of it never stands in memory, ``copied``
        saying of which arguments there are copies; ``moderate`` replaces that of the model if it is given."""
        operations = list(block)
        passing = self.passing_of(operations)
        if is_moderate(operations, self.moderate if moderate is None else moderate):
            remade = Turned(operations, passing).remade if self.copies else {}
            return depth_first(operations, passing, self.bytes_of, copied(), remade), passing
        return operations, passing


AS_WRITTEN = MemoryModel(passing_of=values_in_passing_on_cpus, copies=True)
"""Every value has the bytes of its elements; copies are made as XLA's CPU backend makes them."""

IN_ITS_ORDER = MemoryModel(moderate=0)
"""Without copies, if operations run in the order in which they stand."""


class LiveTensor(NamedTuple):
    """A value of the local program that stands in memory, and its bytes on one device."""

    value: Value
    bytes: int


class Peak(NamedTuple):
    """The most that stands in memory at one time, what that is, and the innermost operation at work then."""

    bytes: int
    live: tuple[LiveTensor, ...]
    op: Operation | None


NOTHING = Peak(0, (), None)
_NO_VALUES: frozenset[Value] = frozenset()
_NOWHERE: Mapping[Value, int] = MappingProxyType({})
_bytes_of_peak = attrgetter("bytes")


class Moment(NamedTuple):
    """Operation number ``place`` of a block at work: what the functions and regions that it runs need (``inside``), the
    values that it makes in memory (``begun``), those that die with it (``ended``), and of these the ones whose place
    its results take (``taken``); ``copied`` is what it reads in another order, and stands there in both."""

    place: int
    op: Operation
    inside: Peak
    begun: list[Value]
    ended: list[Value]
    taken: list[Value]
    copied: tuple[LiveTensor, ...] = ()

    @property
    def besides(self) -> int:
        """The bytes of what stands in memory at that moment alone."""
        return self.inside.bytes + sum([one.bytes for one in self.copied])


class Liveness:
    """When the values of ``module`` live, if they stand in memory as ``model`` says."""

    def __init__(self, module: Operation, model: MemoryModel = AS_WRITTEN) -> None:
        self._functions = functions_by_name(module)
        self._model = model
        self._peaks: dict[tuple[Operation, frozenset[Value]], Peak] = {}

    def of_block(
        self,
        block: Block,
        owned: Sequence[Value] = (),
        passed_on: Collection[Value] = (),
        *,
        is_turn: bool = False,
    ) -> Peak:
        """The peak of what is made in ``block``, with what its operations need inside; arguments that are ``owned``
        count until they die; what is ``passed_on`` never stands in memory. If it is the turn of a loop, what arguments
        that are copied leave counts until the next ones stand there."""
        size = self._size
        operations, passing = self._model.as_it_runs(block)
        passing.update(passed_on)
        turned = self.turned(operations, passing)
        last = last_reads(operations, passing, turned)
        live = sum([size(value) for value in owned if value in last])
        empty = self.empty_rooms(block, operations, passing) if is_turn else {}
        live += sum([size(one) for group in empty.values() for one in group])
        peak, place, there, left = live, -1, None, dict(empty)
        for moment in self.moments(operations, passing, last, owned, turned, empty):
            live -= sum([size(one) for one in empty.pop(moment.op, ())])
            live += sum([size(value) for value in moment.begun])
            now = live - sum([size(value) for value in moment.taken]) + moment.besides
            if now > peak:
                peak, place, there, left = now, moment.place, moment, dict(empty)
            live -= sum([size(value) for value in moment.ended])
        found = [(value, self._size(value)) for value in values_at(operations, place, there, passing, last, owned)]
        inside, copied = (NOTHING, ()) if there is None else (there.inside, there.copied)
        at_work = None if there is None else inside.op or there.op
        copied = (*copied, *[LiveTensor(one, size(one)) for group in left.values() for one in group])
        return Peak(peak, (*with_copies(map(LiveTensor._make, found), copied), *inside.live), at_work)

    def in_order(self, block: Block) -> list[Operation]:
        """The operations of ``block`` as they run."""
        return self._model.as_it_runs(block)[0]

    def turned(self, operations: Sequence[Operation], passing: Collection[Value]) -> Turned | None:
        """What products among ``operations``, those of one block in order, read in another order; None if nothing is
        copied for that."""
        return Turned(operations, passing) if self._model.copies else None

    def empty_rooms(
        self, body: Block, operations: Sequence[Operation], passing: Collection[Value]
    ) -> dict[Operation, list[BlockArgument]]:
        """The arguments of the ``body`` of a loop that are copied, by the operation that fills the room which they
        leave."""
        return carried_and_read_later(body, operations, passing) if self._model.copies else {}

    def _size(self, value: Value) -> int:
        return self._model.bytes_of(value.type)

    def moments(
        self,
        operations: Sequence[Operation],
        passing: set[Value],
        last: dict[Value, int],
        owned: Sequence[Value],
        turned: Turned | None = None,
        empty: Collection[Operation] = (),
    ) -> Iterator[Moment]:
        """Those of ``operations``, of one block, that make something in memory, are the last to read something there,
        or run something. At any other one nothing changes. What fills a room that is ``empty`` takes no other."""
        fills = frozenset(empty)
        dying: dict[int, list[Value]] = {}
        own, block = set(owned), operations[0].parent if operations else None
        kept = Counter[Value]()
        for value, index in last.items():
            if (isinstance(value, OpResult) and value not in passing and value.owner.parent is block) or value in own:
                dying.setdefault(index, []).append(value)
        never = _NO_VALUES if turned is None else turned.only_again
        for index, op in enumerate(operations):
            begun: list[Value] = [result for result in op.results if result not in passing and result not in never]
            ending = dying.get(index, [])
            if turned is not None:
                turned.let_go(index, kept)
            runs = op.name == "func.call" or has_tensors_inside(op)
            if not begun and not ending and not runs:
                if turned is not None:
                    turned.held(index, kept)
                continue
            made = sum([self._size(result) for result in begun])
            taken = self._taken(op, made, ending, turned) if made and ending and op not in fills else []
            inside = self._inside(op, made, passing) if runs else NOTHING
            unread = [one for one in begun if not one._uses]
            copied: tuple[LiveTensor, ...] = ()
            if turned is not None:
                others = [(value, self._size(value)) for value, count in kept.items() if count > 0]
                copied = tuple(starmap(LiveTensor, [*turned.copied_for(op, ending, self._size), *others]))
                turned.held(index, kept)
            yield Moment(index, op, inside, begun, [*ending, *unread] if unread else ending, taken, copied)

    def passed_on(self, op: Operation, passing: Collection[Value]) -> frozenset[Value]:
        """What the function that ``op`` calls, if it is a call, returns without that it ever stands in memory: what the
        results ``passing`` of the call are inside."""
        function = self._functions.get(callee(op)) if op.name == "func.call" else None
        if function is None or is_declaration(function) or not any(one in passing for one in op.results):
            return frozenset()
        returned = function.body.terminator.operands
        return frozenset([returned[one.index] for one in op.results if one in passing])

    def _inside(self, op: Operation, made: int, passing: Collection[Value]) -> Peak:
        """What the functions and regions that ``op`` runs need besides its results."""
        if op.name == "func.call":
            return _beyond(self._of_function(callee(op), self.passed_on(op, passing)), made)
        if not has_tensors_inside(op):
            return NOTHING
        if is_loop(op):
            along = set(carried_along(op))
            peaks = []
            for number, region in enumerate(op.regions):
                own = [one for one in region.blocks[0].arguments if one.index not in along]
                peaks.append(_beyond(self.of_block(region.blocks[0], own, is_turn=number == 1), made))
            return max(peaks, key=_bytes_of_peak)
        branches = [self.of_block(block) for region in op.regions for block in region.blocks]
        return max((_beyond(one, made) for one in branches), key=_bytes_of_peak, default=NOTHING)

    def _of_function(self, name: str, passed_on: frozenset[Value]) -> Peak:
        function = self._functions.get(name)
        if function is None or is_declaration(function):
            return NOTHING
        key = function, passed_on
        if key not in self._peaks:
            self._peaks[key] = NOTHING
            self._peaks[key] = self.of_block(function.body, passed_on=passed_on)
        return self._peaks[key]

    def _taken(self, op: Operation, made: int, ending: Sequence[Value], turned: Turned | None) -> list[Value]:
        """Those of the values that die with ``op`` whose place its results take."""
        if takes_what_dies(op):
            taken, left = [], made
            looked_at = set(map(value_in_memory, _read_inside(op)))
            for value in sorted(ending, key=lambda one: -self._size(one)):
                if self._size(value) <= left and value not in looked_at:
                    taken.append(value)
                    left -= self._size(value)
            return taken
        if op.name in _IN_PLACE_OF_FIRST:
            firsts = set(map(value_in_memory, op.operands[: len(op.results)]))
            return [value for value in ending if value in firsts]
        if op.traits & ELEMENTWISE:
            alike = [value for value in ending if self._size(value) == made]
            return [value for value in alike if turned is None or turned.works_in_place(op, value)][:1]
        if op.name == "stablehlo.scatter":
            donated = set(op.operands[: len(op.results)])
            return [value for value in ending if value in donated and isinstance(value, BlockArgument)]
        return []


def takes_what_dies(op: Operation) -> bool:
    """Whether the results of ``op`` take the place of whatever dies with it."""
    return op.name in _IN_PLACE_OF_ALL or is_loop(op)


def last_reads(
    operations: Sequence[Operation], passing: Collection[Value], turned: Turned | None = None
) -> dict[Value, int]:
    """For each value the number of the last operation that reads it from memory, itself or by what passes, or is made
    again for what is ``turned``."""
    last: dict[Value, int] = {}
    again, made_until = (_NO_VALUES, _NOWHERE) if turned is None else (turned.again, turned.made_until)
    for index in range(len(operations) - 1, -1, -1):
        op = operations[index]
        end, results = index, op.results
        if op.name != "func.call":
            if len(results) == 1 and results[0] in passing:
                end = last.get(results[0], index)
            elif again and len(results) == 1:
                end = max(index, made_until.get(results[0], index))
        elif any(one in passing or one in made_until for one in results):
            ends = {one: (last if one in passing else made_until).get(one, index) for one in results}
            _note_reads_of_call(op, index, InlinedCalls([op], on_cpus=turned is not None).of(op), ends, last)
            continue
        if not has_tensors_inside(op):
            for number, value in enumerate(op.operands):
                if turned is not None and value in again and turned.is_read_so(op, number):
                    continue
                if last.get(value, -1) < end:
                    last[value] = end
            continue
        for value in (*op.operands, *_read_inside(op)):
            last[value] = max(end, last.get(value, -1))
        for number in carried_along(op):
            value = op.operands[number]
            last[value] = max(last[value], last.get(op.results[number], -1))
    return last


def _note_reads_of_call(
    op: Operation, index: int, inlined: InlinedCall | None, ends: Mapping[OpResult, int], last: dict[Value, int]
) -> None:
    """Notes in ``last`` what operation number ``index``, a call, reads; what the results are made of that are made
    where they are read, as long as that happens (``ends``)."""
    for value in op.operands:
        last[value] = max(index, last.get(value, -1))
    for result, end in ends.items() if inlined is not None else ():
        if inlined is None or end <= index:
            continue
        made_of = [op.operands[number] for number in inlined.made_of[result.index]]
        for value in (*made_of, *[op.results[number] for number in inlined.beside[result.index]]):
            last[value] = max(end, last.get(value, -1))


def values_at(
    operations: Sequence[Operation],
    place: int,
    moment: Moment | None,
    passing: Collection[Value],
    last: Mapping[Value, int],
    owned: Sequence[Value],
) -> Iterator[Value]:
    """What of a block stands in memory at the ``moment`` of operation ``place``; at the beginning if it is -1."""
    gone: set[Value] = set()
    begun: Collection[Value] = ()
    if moment is not None:
        begun = moment.begun
        gone.update(moment.taken)
        if moment.inside.bytes:
            # Inside they stand under other names.
            gone.update(moment.op.results)
    for value in owned:
        if last.get(value, -1) >= place and value not in gone:
            yield value
    for op in operations[: place + 1]:
        for result in op.results:
            if result not in passing and result not in gone and (result in begun or last.get(result, -1) >= place):
                yield result


def with_copies(live: Iterable[LiveTensor], copied: Iterable[LiveTensor]) -> list[LiveTensor]:
    """What is ``live``, and what is ``copied``: a value and its copy count as one. Without what has no bytes."""
    found: dict[Value, int] = {}
    for value, size in (*live, *copied):
        found[value] = found.get(value, 0) + size
    return [LiveTensor(value, size) for value, size in found.items() if size]


def _beyond(peak: Peak, made: int) -> Peak:
    """``peak`` without the ``made`` bytes that count as results of the operation around, in which it ends."""
    return Peak(peak.bytes - made, peak.live, peak.op) if peak.bytes > made else NOTHING


def _read_inside(op: Operation) -> Iterable[Value]:
    return (value for nested in op.walk() if nested is not op for value in nested.operands)
