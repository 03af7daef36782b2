"""The layers of a program: where its operations repeat themselves, and which repeat stands for which layer.

A model of many layers is one layer over and over: forward, backward, and once more where its weights are updated. Each
of these is a *series*: operations that were made alike, in the same order, on operands that are to them what those of
the layer before are to it. The layers of several series belong together: the backward one reads what the forward one
left. ``fewer_layers`` stands right of this file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from operator import eq
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value

_FEWEST_REPEATS = 8
_MOST_PERIODS = 8
"""So many periods are tried, those that most operations suggest."""
_FURTHEST = 1 << 20
"""More than there are layers."""
_ROOM = _FURTHEST << 20
"""More than that times the operands or results of an operation."""


class _Repeats(NamedTuple):
    """What repeats: the number of its first operation, how many there are in a repeat, and how many repeats."""

    begin: int
    period: int
    times: int

    @property
    def end(self) -> int:
        return self.begin + self.period * self.times


class Series(NamedTuple):
    """Repeats of ``period`` operations, from number ``begin`` of the function up to ``end``. The first are of layer
    ``base``, the next of layer ``base + direction``: backward the last layer comes first."""

    begin: int
    period: int
    end: int
    base: int
    direction: int

    def layer(self, number: int) -> int:
        """The layer that operation ``number`` of the function belongs to."""
        return self.base + self.direction * ((number - self.begin) // self.period)

    def begin_of(self, layer: int) -> int:
        """The number of the first operation of ``layer``."""
        return self.begin + (layer - self.base) * self.direction * self.period

    def layers(self) -> range:
        """Its layers, from the lowest to the highest."""
        ends = self.base, self.layer(self.end - 1)
        return range(min(ends), max(ends) + 1)


class Repetition:
    """The series of ``function``, whose own operations are ``operations``: all layers from ``first`` up to (excluding)
    ``end`` are alike, each series has them, and what reads them and what they read is alike, too. There may be none."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.operations = list(function.body)
        self.numbers = {op: number for number, op in enumerate(self.operations)}
        """The place of each operation in ``operations``."""
        self._series_at = [-1] * len(self.operations)
        self.series = self._linked(_repeats_of(_kinds(self.operations)))
        self._argument_below: dict[Value, Value] = {}
        self._arguments_of_layers: set[Value] = set()
        self.first, self.end = self._layers_alike()

    def number(self, value: Value) -> int:
        """The number of the operation of a series that makes ``value``, -1 if none does."""
        made = value.defining_op
        number = -1 if made is None else self.numbers.get(made, -1)
        return number if self._series_at[number] >= 0 else -1

    def layer(self, number: int) -> int | None:
        """The layer of operation ``number``; None for those of no series."""
        which = self._series_at[number]
        return None if which < 0 else self.series[which].layer(number)

    def moved(self, number: int, layers: int) -> Operation | None:
        """The operation that is to its layer, so many ``layers`` above, what operation ``number`` is to its own."""
        one = self.series[self._series_at[number]]
        other = number + layers * one.direction * one.period
        return self.operations[other] if one.begin <= other < one.end else None

    def home(self, argument: Value) -> Use | None:
        """The use that makes ``argument`` one of a layer; None if it is none of any, or of several."""
        if argument not in self._arguments_of_layers:
            return None
        uses = [use for use in argument._uses if self._series_at[self.numbers.get(use[0], -1)] >= 0]
        return min(uses, key=self._order_of_use)

    def _order_of_use(self, use: Use) -> tuple[int, int, int]:
        number = self.numbers[use[0]]
        which = self._series_at[number]
        one = self.series[which]
        return which, (number - one.begin) % one.period, use[1]

    # --- which layers belong together ---------------------------------------------------------------------------------

    def _linked(self, found: Sequence[_Repeats]) -> list[Series]:
        """The series of what was ``found``, with their layers numbered so that what one reads of another is of the same
        layer, or nearly so."""
        for which, one in enumerate(found):
            self._series_at[one.begin : one.end] = [which] * (one.end - one.begin)
        links: dict[int, list[tuple[int, int, int, int]]] = {}
        for which, other, mine, theirs, step in self._links(found):
            links.setdefault(which, []).append((other, mine, theirs, step))
            links.setdefault(other, []).append((which, theirs, mine, step))
        numbered: dict[int, tuple[int, int]] = {}
        for which in range(len(found)):
            if which not in numbered:
                numbered[which] = 0, 1
                pending = [which]
                for known in pending:
                    base, direction = numbered[known]
                    for other, mine, theirs, step in links.get(known, ()):
                        if other not in numbered:
                            numbered[other] = base + direction * (mine - step * theirs), direction * step
                            pending.append(other)
        return [Series(one.begin, one.period, one.end, *numbered[which]) for which, one in enumerate(found)]

    def _links(self, found: Sequence[_Repeats]) -> Iterator[tuple[int, int, int, int, int]]:
        """What is read of other repeats: who reads whom, in which of its repeats which of theirs, and how far it is
        from there to what the next one reads."""
        for which, one in enumerate(found):
            middle = one.times // 2 - 1
            begin = one.begin + middle * one.period
            for number in range(begin, begin + one.period):
                op, following = self.operations[number], self.operations[number + one.period]
                for value, next_value in zip(op.operands, following.operands, strict=True):
                    mine, after = self.number(value), self.number(next_value)
                    other = self._series_at[mine] if mine >= 0 else which
                    if other != which and after >= 0 and abs(after - mine) == found[other].period:
                        theirs = (mine - found[other].begin) // found[other].period
                        yield which, other, middle, theirs, 1 if after > mine else -1

    # --- which of them are alike --------------------------------------------------------------------------------------

    def _layers_alike(self) -> tuple[int, int]:
        """The longest run of layers that all series have and in which each is like the one below."""
        if not self.series:
            return 0, 0
        ranges = [one.layers() for one in self.series]
        first, end = max(one.start for one in ranges), min(one.stop for one in ranges)
        if end - first < _FEWEST_REPEATS:
            return 0, 0
        different = self._different_layers(first, end)
        begins = [first, *sorted(different)]
        return max(zip(begins, [*begins[1:], end], strict=True), key=lambda one: one[1] - one[0])

    def _different_layers(self, first: int, end: int) -> set[int]:
        """Those of the layers that are not like the one below."""
        places = [0] * len(self.operations)
        for one in self.series:
            home = range((one.begin + 1) * _ROOM, (one.begin + 1 + one.period) * _ROOM, _ROOM)
            for layer in one.layers():
                begin = one.begin_of(layer)
                places[begin : begin + one.period] = [place + layer for place in home]
        relations = _Relations(self, places)
        different: set[int] = set()
        for one in self.series:
            before = relations.of(one.begin_of(first), one.period, first)
            for layer in range(first + 1, end):
                found = relations.of(one.begin_of(layer), one.period, layer)
                if found != before and not self._are_alike(found, before, relations):
                    different.add(layer)
                before = found
        return different

    def _are_alike(self, found: list[int], below: list[int], relations: _Relations) -> bool:
        """Whether what differs are arguments that are to their layer what those ``below`` are to theirs."""
        if len(found) != len(below):
            return False
        for mine, lower in zip(found, below, strict=True):
            if mine != lower:
                argument, other = relations.value(mine), relations.value(lower)
                if argument is None or other is None or not self._is_argument_below(other, argument, relations):
                    return False
        return True

    def _is_argument_below(self, lower: Value, argument: Value, relations: _Relations) -> bool:
        known = self._argument_below.get(argument)
        if known is not None:
            return known is lower
        if not isinstance(argument, BlockArgument) or not isinstance(lower, BlockArgument):
            return False
        self._argument_below[argument] = lower
        self._arguments_of_layers.update((argument, lower))
        mine, below = (function_argument_sharding(self.function, one.index) for one in (argument, lower))
        return argument.type is lower.type and mine is below and relations.are_used_alike(argument, lower)


class _Relations:
    """What operations read, and what reads their results, as numbers that are the same for those that are to their
    layers what others are to theirs. ``places`` says for each operation which one of the first repeat it is like,
    counted from 1 and times ``_ROOM``, and of which layer it is; 0 for those of no series."""

    def __init__(self, repetition: Repetition, places: list[int]) -> None:
        self._operations = repetition.operations
        self._numbers = repetition.numbers
        self._function = repetition.function
        self._places = places
        self._others: dict[object, int] = {}
        self._values: list[Value | None] = []

    def of(self, begin: int, count: int, layer: int) -> list[int]:
        """The relations of ``count`` operations of ``layer`` from number ``begin`` on."""
        found: list[int] = []
        add, numbers, places = found.append, self._numbers, self._places
        for op in self._operations[begin : begin + count]:
            for value in op.operands:
                place = places[numbers.get(value.owner, -1)] if isinstance(value, OpResult) else 0
                if place:
                    add(place - layer + value.index * _FURTHEST)  # type: ignore[attr-defined]
                else:
                    add(self._other(value, value))
            for result in op.results:
                self._add_uses(result, layer, found)
        return found

    def value(self, relation: int) -> Value | None:
        """The operand from outside of all series that is meant by ``relation``, if it is one."""
        return self._values[~relation] if relation < 0 else None

    def are_used_alike(self, argument: Value, lower: Value) -> bool:
        """Whether the uses of ``argument`` are to a layer what those of ``lower`` are to the one below."""
        found: list[int] = []
        below: list[int] = []
        self._add_uses(argument, 1, found)
        self._add_uses(lower, 0, below)
        return found == below

    def _add_uses(self, value: Value, layer: int, found: list[int]) -> None:
        uses, numbers, places = value._uses, self._numbers, self._places
        found.append(len(uses))
        for user, index in uses:
            place = places[numbers.get(user, -1)]
            if place:
                found.append(place - layer + index * _FURTHEST)
            elif user is self._operations[-1]:
                found.append(self._other(function_result_sharding(self._function, index), None))
            else:
                # Nothing else is like it.
                found.append(self._other((user, index), None))

    def _other(self, key: object, value: Value | None) -> int:
        number = self._others.get(key)
        if number is None:
            number = self._others[key] = ~len(self._values)
            self._values.append(value)
        return number


def _kinds(operations: Sequence[Operation]) -> list[int]:
    """A number for each operation, the same for those that were made alike."""
    numbers: dict[Hashable, int] = {}
    found = []
    for op in operations:
        signature = op.signature
        key: Hashable
        if signature is not None and signature.properties is op.properties and not op.regions:
            key = (signature, op.attributes)
        else:
            key = (tuple([value.type for value in op.operands]), *_made_of(op, {}))
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def _made_of(op: Operation, inside: dict[Value, int]) -> tuple[Hashable, ...]:
    """All that ``op`` is made of but its operands; ``inside`` numbers the values that its regions define."""
    parts: list[Hashable] = [op.name, op.properties, op.attributes, tuple([result.type for result in op.results])]
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                inside[argument] = len(inside)
            parts.append(tuple([argument.type for argument in block.arguments]))
            for nested in block:
                operands = tuple([inside.get(value, value) for value in nested.operands])
                parts.append((operands, *_made_of(nested, inside)))
                for result in nested.results:
                    inside[result] = len(inside)
    return tuple(parts)


def _repeats_of(kinds: Sequence[int]) -> list[_Repeats]:
    """What repeats in ``kinds``, in the order of the program; where that can be said in several ways, the longest."""
    found = [one for period in _periods(kinds) for one in _repeats(kinds, period)]
    taken: list[_Repeats] = []
    for one in sorted(found, key=lambda one: (one.begin - one.end, one.period)):
        if all(one.end <= other.begin or one.begin >= other.end for other in taken):
            taken.append(one)
    return sorted(taken)


def _periods(kinds: Sequence[int]) -> list[int]:
    """The distances at which sixteen operations are like the sixteen before, the most frequent first."""
    runs = list(kinds)
    for step in (1, 2, 4, 8):
        numbers: dict[tuple[int, int], int] = {}
        pairs = zip(runs, runs[step:], strict=False)
        runs = [numbers.setdefault(pair, len(numbers)) for pair in pairs]
    last: dict[int, int] = {}
    distances: Counter[int] = Counter()
    for index, run in enumerate(runs):
        before = last.get(run)
        if before is not None:
            distances[index - before] += 1
        last[run] = index
    # What repeats often enough has most of its operations at that distance from the last one like it.
    return [period for period, count in distances.most_common(_MOST_PERIODS) if 2 * count > period * _FEWEST_REPEATS]


def _repeats(kinds: Sequence[int], period: int) -> list[_Repeats]:
    """What repeats with ``period`` often enough."""
    found = []
    least = period * (_FEWEST_REPEATS - 1)
    begin = 0
    for run in bytes(map(eq, kinds, kinds[period:])).split(b"\0"):
        if len(run) >= least:
            found.append(_Repeats(begin, period, len(run) // period + 1))
        begin += len(run) + 1
    return found
