"""When values of a block live: from the operation that makes them to the last that reads them.

Counted in the order in which a compiler runs them (``depth_first``). What a compiler makes where it is read
(``fusion``) takes no memory, but what it is made of lives as long. A result takes the place of an operand that dies
with the operation where that can be done in place: where a part is written, where a loop hands it on, or where each
element is made of the one in its place. A kernel that makes what a product reads writes it as the product wants it,
in rows and columns; and a scatter begins with a copy, unless the program may have the memory of what it reads.
``memory`` counts programs by it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from operator import attrgetter
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import I1, TensorType, TupleType, Type, size_in_bytes
from pyshardy.partitioning.account.depth_first import MODERATE, in_order
from pyshardy.partitioning.account.fusion import (
    InlinedCall,
    InlinedCalls,
    carried_along,
    has_tensors_inside,
    value_in_memory,
    values_in_passing,
)

_IN_PLACE_OF_ALL = frozenset({"stablehlo.optimization_barrier", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results take the place of whatever operands die with them."""

_IN_PLACE_OF_FIRST = frozenset({"stablehlo.dynamic_update_slice"})
"""Operations that write a part of what their first operands hold."""

_IN_ANOTHER_LAYOUT = frozenset(f"stablehlo.{name}" for name in ("convolution", "dot_general", "transpose"))
"""Operations that read more than two dimensions in an order of their own, in which kernels write what they read."""


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
    memory (``passing_of``). Blocks of at most ``moderate`` operations run depth first."""

    bytes_of: Callable[[Type], int] = type_bytes
    boundary_bytes_of: Callable[[Type], int] = type_bytes
    passing_of: Callable[[Sequence[Operation]], set[Value]] = values_in_passing
    moderate: int = MODERATE


AS_WRITTEN = MemoryModel()
"""Every value has the bytes of its elements."""

IN_ITS_ORDER = MemoryModel(moderate=0)
"""The same if operations run in the order in which they stand."""


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
_bytes_of_peak = attrgetter("bytes")


class Moment(NamedTuple):
    """Operation number ``place`` of a block at work: what the functions and regions that it runs need (``inside``), the
    values that it makes in memory (``begun``), those that die with it (``ended``), and of these the ones whose place
    its results take (``taken``)."""

    place: int
    op: Operation
    inside: Peak
    begun: list[Value]
    ended: list[Value]
    taken: list[Value]


class Liveness:
    """When the values of ``module`` live, if they stand in memory as ``model`` says."""

    def __init__(self, module: Operation, model: MemoryModel = AS_WRITTEN) -> None:
        self._functions = functions_by_name(module)
        self._model = model
        self._peaks: dict[tuple[Operation, frozenset[Value]], Peak] = {}

    def of_block(self, block: Block, owned: Sequence[Value] = (), passed_on: Collection[Value] = ()) -> Peak:
        """The peak of what is made in ``block``, with what its operations need inside; arguments that are ``owned``
        count until they die; what is ``passed_on`` never stands in memory."""
        operations, size = self.in_order(block), self._size
        passing = self._model.passing_of(operations)
        passing.update(passed_on)
        last = last_reads(operations, passing)
        live = sum([size(value) for value in owned if value in last])
        peak, place, there = live, -1, None
        for moment in self.moments(operations, passing, last, owned):
            live += sum([size(value) for value in moment.begun])
            now = live - sum([size(value) for value in moment.taken]) + moment.inside.bytes
            if now > peak:
                peak, place, there = now, moment.place, moment
            live -= sum([size(value) for value in moment.ended])
        found = [(value, self._size(value)) for value in values_at(operations, place, there, passing, last, owned)]
        inside = NOTHING if there is None else there.inside
        at_work = None if there is None else inside.op or there.op
        return Peak(peak, (*(LiveTensor(*one) for one in found if one[1]), *inside.live), at_work)

    def in_order(self, block: Block) -> list[Operation]:
        """The operations of ``block`` as they run."""
        return in_order(block, self._model.moderate)

    def _size(self, value: Value) -> int:
        return self._model.bytes_of(value.type)

    def moments(
        self, operations: Sequence[Operation], passing: set[Value], last: dict[Value, int], owned: Sequence[Value]
    ) -> Iterator[Moment]:
        """Those of ``operations``, of one block, that make something in memory, are the last to read something there,
        or run something. At any other one nothing changes."""
        dying: dict[int, list[Value]] = {}
        own, block = set(owned), operations[0].parent if operations else None
        for value, index in last.items():
            if (isinstance(value, OpResult) and value not in passing and value.owner.parent is block) or value in own:
                dying.setdefault(index, []).append(value)
        for index, op in enumerate(operations):
            begun: list[Value] = [result for result in op.results if result not in passing]
            ending = dying.get(index, [])
            runs = op.name == "func.call" or has_tensors_inside(op)
            if not begun and not ending and not runs:
                continue
            made = sum([self._size(result) for result in begun])
            taken = self._taken(op, made, ending) if made and ending else []
            inside = self._inside(op, made, passing) if runs else NOTHING
            unread = [one for one in begun if not one._uses]
            yield Moment(index, op, inside, begun, [*ending, *unread] if unread else ending, taken)

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
            for region in op.regions:
                own = [one for one in region.blocks[0].arguments if one.index not in along]
                peaks.append(_beyond(self.of_block(region.blocks[0], own), made))
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

    def _taken(self, op: Operation, made: int, ending: Sequence[Value]) -> list[Value]:
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
        if op.traits & ELEMENTWISE and not _is_read_in_another_layout(op.results[0]):
            return [value for value in ending if self._size(value) == made][:1]
        if op.name == "stablehlo.scatter":
            donated = set(op.operands[: len(op.results)])
            return [value for value in ending if value in donated and isinstance(value, BlockArgument)]
        return []


def takes_what_dies(op: Operation) -> bool:
    """Whether the results of ``op`` take the place of whatever dies with it."""
    return op.name in _IN_PLACE_OF_ALL or is_loop(op)


def _is_read_in_another_layout(value: Value) -> bool:
    return any(
        op.name in _IN_ANOTHER_LAYOUT
        and not _is_batched(op)
        and any(isinstance(one.type, TensorType) and len(one.type.shape) > 2 for one in op.operands)
        for op in value.users
    )


def _is_batched(op: Operation) -> bool:
    """Whether ``op`` is a product of matrices that lie one behind the other."""
    numbers = op.properties.get("dot_dimension_numbers")
    return isinstance(numbers, DotDimensionNumbers) and bool(numbers.lhs_batching)


def last_reads(operations: Sequence[Operation], passing: Collection[Value]) -> dict[Value, int]:
    """For each value the number of the last operation that reads it from memory, itself or by what passes."""
    last: dict[Value, int] = {}
    for index in range(len(operations) - 1, -1, -1):
        op = operations[index]
        end, results = index, op.results
        if op.name != "func.call":
            if len(results) == 1 and results[0] in passing:
                end = last.get(results[0], index)
        elif any(one in passing for one in results):
            _note_reads_of_call(op, index, InlinedCalls([op]).of(op), passing, last)
            continue
        if not has_tensors_inside(op):
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


def _note_reads_of_call(
    op: Operation, index: int, inlined: InlinedCall | None, passing: Collection[Value], last: dict[Value, int]
) -> None:
    """Notes in ``last`` what operation number ``index``, a call of which results pass, reads; what these are made of,
    as long as they are read."""
    for value in op.operands:
        last[value] = max(index, last.get(value, -1))
    for result in op.results if inlined is not None else ():
        end = last.get(result, index)
        if inlined is None or result not in passing or end <= index:
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
    if moment is not None:
        gone.update(moment.taken)
        if moment.inside.bytes:
            # Inside they stand under other names.
            gone.update(moment.op.results)
    for value in owned:
        if last.get(value, -1) >= place and value not in gone:
            yield value
    for index, op in enumerate(operations[: place + 1]):
        for result in op.results:
            if result not in passing and (index == place or last.get(result, -1) >= place) and result not in gone:
                yield result


def _beyond(peak: Peak, made: int) -> Peak:
    """``peak`` without the ``made`` bytes that count as results of the operation around, in which it ends."""
    return Peak(peak.bytes - made, peak.live, peak.op) if peak.bytes > made else NOTHING


def _read_inside(op: Operation) -> Iterable[Value]:
    return (value for nested in op.walk() if nested is not op for value in nested.operands)
