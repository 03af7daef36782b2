"""The layers of a program, and which of them are alike.

A model of many layers is one layer over and over: forward, backward, and once more where its weights are updated. Each
of these is a *series*: operations that were made alike, in the same order, on operands that are to them what those of
the layer before are to it. The layers of several series belong together: the backward one reads what the forward one
left. ``repeats`` finds what repeats, ``series`` which layer is which; ``folded`` leaves layers out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from operator import add
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding
from pyshardy.folding.own_functions import OwnFunctions, calls_in
from pyshardy.folding.repeats import repeats_of
from pyshardy.folding.series import LinkedSeries, Series
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value

_FEWEST_ALIKE = 4
"""Fewer layers that are alike are not looked at."""
_FURTHEST = 1 << 20
"""More than there are layers."""
_ROOM = _FURTHEST << 20
"""More than that times the operands or results of an operation."""


class PlaceInLayer(NamedTuple):
    """Where a value stands in a layer: the operation number ``operation`` of that layer of the ``series`` has it as its
    result ``number``, or as its operand of that number."""

    series: int
    operation: int
    number: int
    is_operand: bool


class Layers:
    """The series of ``function``, whose own operations are ``operations``: all layers from ``first`` up to (excluding)
    ``end`` are alike, each series has them, and what reads them and what they read is alike, too. There may be none."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.own_functions = OwnFunctions(function)
        self.operations = function.body.operations()
        linked = LinkedSeries(self.operations, repeats_of(self.operations, self.own_functions.called_once))
        self.numbers = linked.numbers
        """The place of each operation in ``operations``, if any repeat."""
        self._series_at = [-1] * len(self.operations)
        self.series = linked.series
        self.reach = 0
        """How many layers away what a layer reads is at most, and what reads it."""
        self._argument_below: dict[Value, Value] = {}
        self._homes: dict[Value, Use] = {}
        self._boundary: tuple[list[tuple[int, PlaceInLayer] | None], list[tuple[int, PlaceInLayer] | None]] | None = (
            None
        )
        self.first = self.end = 0
        for stack in linked.stacks():
            self._choose(stack)
            self.first, self.end = self._layers_alike()
            if self.first < self.end:
                break

    def a_layer(self) -> list[Operation]:
        """The operations of one layer, those in their regions included, and in functions that are called there."""
        pending = [op for one in self.series for op in self.operations[one.begin : one.begin + one.period]]
        return list(self._with_functions(pending))

    def operations_in(self, one: Series) -> list[Operation]:
        """The operations of one layer of a series, and those in functions that are called there."""
        layer = self.operations[one.begin : one.begin + one.period]
        return [op for op in self._with_functions(layer) if op.name != "func.func"]

    def _with_functions(self, operations: list[Operation]) -> Iterator[Operation]:
        """``operations``, those in their regions, and in functions that are called there."""
        functions, pending, seen = self.own_functions.all, list(operations), set()
        for op in pending:
            for nested in op.operations() if op.regions else (op,):
                yield nested
                if nested.name == "func.call" and callee(nested) not in seen:
                    seen.add(callee(nested))
                    function = functions.get(callee(nested))
                    pending += [] if function is None else [function]

    def operations_of(self, layer: int) -> list[Operation]:
        """The operations of ``layer``, which all series have."""
        begins = [(one.begin_of(layer), one.period) for one in self.series]
        return [op for begin, period in begins for op in self.operations[begin : begin + period]]

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
        other = self.series[self._series_at[number]].moved(number, layers)
        return None if other is None else self.operations[other]

    def step(self, which: int) -> int:
        """How far it is in that series from an operation to the one of the layer above that is like it, if layers that
        are sorted stood from the lowest to the highest; 0 for -1."""
        return self.series[which].direction * self.series[which].period if which >= 0 else 0

    def series_of(self, number: int) -> int:
        """Which of the series operation ``number`` belongs to; -1 for none."""
        return self._series_at[number]

    def homes(self, numbers: Iterable[int | None]) -> list[tuple[int, int] | None]:
        """The series and layer of each of the operations with these ``numbers``; None for those of no series."""
        found: list[tuple[int, int] | None] = []
        home, begin, end = None, 0, 0
        for number in numbers:
            if number is None:
                found.append(None)
                continue
            if not begin <= number < end:
                which = self._series_at[number]
                home, begin, end = None, number, number + 1
                if which >= 0:
                    one = self.series[which]
                    begin = number - (number - one.begin) % one.period
                    home, end = (which, one.layer(number)), begin + one.period
            found.append(home)
        return found

    def layer_of(self, value: Value) -> int | None:
        """The layer that ``value`` belongs to; None for what belongs to none, or to several."""
        found = self.place(value)
        return None if found is None else found[0]

    def place(self, value: Value) -> tuple[int, PlaceInLayer] | None:
        """The layer that ``value`` belongs to, and where in it; None for what belongs to none, or to several."""
        home = (value.owner, value.index) if isinstance(value, OpResult) else self._homes.get(value)
        number = -1 if home is None else self.numbers.get(home[0], -1)
        which = self._series_at[number]
        if home is None or number < 0 or which < 0:
            return None
        one = self.series[which]
        return one.layer(number), PlaceInLayer(
            which, (number - one.begin) % one.period, home[1], not isinstance(value, OpResult)
        )

    def boundary(self) -> tuple[list[tuple[int, PlaceInLayer] | None], list[tuple[int, PlaceInLayer] | None]]:
        """The layer that each argument of the function belongs to, and where in it, and the same of what it returns."""
        if self._boundary is None:
            arguments, returned = self.function.body.arguments, self.operations[-1].operands
            self._boundary = list(map(self.place, arguments)), list(map(self.place, returned))
        return self._boundary

    def value_at(self, place: PlaceInLayer, layer: int) -> Value | None:
        """The value that stands at ``place`` in ``layer``; None if the series does not have that."""
        one = self.series[place.series]
        if layer not in one.layers():
            return None
        op = self.operations[one.begin_of(layer) + place.operation]
        return op.operands[place.number] if place.is_operand else op.results[place.number]

    def moved_value(self, value: Value, layers: int) -> Value | None:
        """The value that is to its layer, so many ``layers`` above, what ``value``, which belongs to one, is to its
        own."""
        found = self.place(value)
        return None if found is None else self.value_at(found[1], found[0] + layers)

    def home(self, argument: Value) -> Use | None:
        """The use that makes ``argument`` one of a layer; None if it is none of any, or of several."""
        return self._homes.get(argument)

    def _home_of(self, argument: Value) -> Use:
        uses = [use for use in argument._uses if self._series_at[self.numbers.get(use[0], -1)] >= 0]
        return min(uses, key=self._order_of_use)

    def _order_of_use(self, use: Use) -> tuple[int, int, int]:
        number = self.numbers[use[0]]
        which = self._series_at[number]
        one = self.series[which]
        return which, (number - one.begin) % one.period, use[1]

    def _choose(self, series: list[Series]) -> None:
        """Takes ``series`` for those that layers are made of."""
        self.series = series
        self._argument_below.clear()
        self._homes.clear()
        self.own_functions.forget_layers()
        self._series_at = [-1] * len(self.operations)
        for which, one in enumerate(series):
            self._series_at[one.begin : one.end] = [which] * (one.end - one.begin)
        self.numbers_by_layer = self._numbers_by_layer()

    def _numbers_by_layer(self) -> dict[Operation, int]:
        """The place of each operation, if series whose layers are sorted had them from the lowest to the highest."""
        is_sorted = [one for one in self.series if one.order]
        if not is_sorted:
            return self.numbers
        found = dict(self.numbers)
        for one in is_sorted:
            for repeat, layer in enumerate(one.order):
                begin = one.begin + repeat * one.period
                instead = range(one.begin + (layer - one.base) * one.period, one.end)
                found.update(zip(self.operations[begin : begin + one.period], instead, strict=False))
        return found

    # --- which of them are alike --------------------------------------------------------------------------------------

    def _layers_alike(self) -> tuple[int, int]:
        """A long run of layers that all series have and in which each is like the one below."""
        if not self.series:
            return 0, 0
        ranges = [one.layers() for one in self.series]
        first, end = max(one.start for one in ranges), min(one.stop for one in ranges)
        if end - first < _FEWEST_ALIKE:
            return 0, 0
        relations = _Relations(self, self._places())
        reading = [_Reading(self, one, first, end) for one in self.series]
        different = {layer for one in reading for layer in one.different_layers(relations)}
        first, end = _longest_run(different, first, end)
        if end - first < _FEWEST_ALIKE:
            return 0, 0
        self.reach = max(one.reach(first, end) for one in reading)
        different = {layer for one in reading for layer in one.layers_used_differently(first, end, relations)}
        return _longest_run(different, first, end)

    def _places(self) -> list[int]:
        """For each operation which one of the first repeat it is like, counted from 1 and times ``_ROOM``, and of which
        layer it is; 0 for those of no series."""
        places = [0] * len(self.operations)
        for one in self.series:
            home = range((one.begin + 1) * _ROOM, (one.begin + 1 + one.period) * _ROOM, _ROOM)
            for begin in range(one.begin, one.end, one.period):
                layer = one.layer(begin)
                places[begin : begin + one.period] = [place + layer for place in home]
        return places

    def are_calls_alike(self, layer: int, lower: Operation, op: Operation) -> bool:
        """Whether ``op`` of ``layer`` and what is in it call the same functions as ``lower`` of the layer below, or
        what is to their layer what those are to theirs."""
        pairs = zip(calls_in(lower), calls_in(op), strict=True)
        numbers = self.numbers[lower], self.numbers[op]
        own = self.own_functions
        return all(own.are_alike(callee(one), callee(other), layer, numbers) for one, other in pairs)

    def is_argument_below(self, lower: Value, argument: Value, relations: _Relations) -> bool:
        """Whether ``argument`` is to its layer what ``lower`` is to the one below."""
        known = self._argument_below.get(argument)
        if known is not None:
            return known is lower
        if not isinstance(argument, BlockArgument) or not isinstance(lower, BlockArgument):
            return False
        self._argument_below[argument] = lower
        for one in (argument, lower):
            if one not in self._homes:
                self._homes[one] = self._home_of(one)
        mine, below = (function_argument_sharding(self.function, one.index) for one in (argument, lower))
        return argument.type is lower.type and mine is below and relations.are_used_alike(argument, lower)


class _Reading:
    """What the operations of one series, layers ``first`` up to (excluding) ``end``, read, and who reads their results:
    as numbers, a row a layer, so that one look compares a layer with the one below."""

    def __init__(self, layers: Layers, one: Series, first: int, end: int) -> None:
        self._layers = layers
        self._first = first
        get = layers.numbers_by_layer.get
        self._operations = [
            layers.operations[begin : begin + one.period] for begin in map(one.begin_of, range(first, end))
        ]
        self._rows = [
            [get(value.owner, -1) for op in operations for value in op.operands]  # type: ignore[attr-defined]
            for operations in self._operations
        ]
        self._calls = [
            number
            for number, op in enumerate(self._operations[0])
            if op.name == "func.call" or (op.regions and any(one.name == "func.call" for one in op.operations()))
        ]
        self._memberships = [list(map(layers._series_at.__getitem__, row)) for row in self._rows]

    def different_layers(self, relations: _Relations) -> Iterator[int]:
        """The layers that do not read what those below read, moved by a layer."""
        rows, memberships = self._rows, self._memberships
        middle = next(
            (row for row in self._from_the_middle() if memberships[row] == memberships[row - 1]), len(rows) // 2
        )
        steps = list(map(self._layers.step, memberships[middle]))
        if middle:
            # What one layer has made, and all read, is the same for all.
            pairs = zip(steps, rows[middle], rows[middle - 1], strict=True)
            steps = [0 if mine == below else step for step, mine, below in pairs]
        unnumbered = self._operands_to_look_at(middle)
        before: list[Value] = []
        called: list[Operation] = []
        for row, (read, membership) in enumerate(zip(rows, memberships, strict=True)):
            operations = self._operations[row]
            values = [operations[number].operands[index] for number, index in unnumbered]
            called_below, called = called, [operations[number] for number in self._calls]
            if row and not (
                membership == memberships[row - 1]
                and read == list(map(add, rows[row - 1], steps))
                and all(map(partial(self._is_below, relations), before, values))
                and all(map(partial(self._layers.are_calls_alike, self._first + row), called_below, called))
            ):
                yield self._first + row
            before = values

    def _from_the_middle(self) -> list[int]:
        middle = len(self._rows) // 2
        return sorted(range(1, len(self._rows)), key=lambda row: abs(row - middle))

    def _operands_to_look_at(self, row: int) -> list[tuple[int, int]]:
        """The operands of the layer that its numbers do not say everything about: arguments, and one of several
        results. As places in the layer and operand numbers."""
        return [
            (place, index)
            for place, op in enumerate(self._operations[row])
            for index, value in enumerate(op.operands)
            if not isinstance(value, OpResult) or len(value.owner.results) > 1
        ]

    def _is_below(self, relations: _Relations, lower: Value, value: Value) -> bool:
        if isinstance(value, OpResult) and isinstance(lower, OpResult):
            return value.index == lower.index
        return value is lower or self._layers.is_argument_below(lower, value, relations)

    def reach(self, first: int, end: int) -> int:
        """How many layers away is at most what layers from ``first`` up to ``end``, which are alike, read, and what
        reads them or their arguments: that may be no layer that is alike."""
        layers, layer = self._layers, (first + end) // 2
        found = {layer}
        row = layer - self._first
        for op, lower in zip(self._operations[row], self._operations[row - 1], strict=True):
            read: list[Value] = [*op.results]
            for value, below in zip(op.operands, lower.operands, strict=True):
                other = layers.layer_of(value)
                if other is not None and (value is not below or isinstance(value, BlockArgument)):
                    found.add(other)
                    if isinstance(value, BlockArgument):
                        read.append(value)
            for value in read:
                users = [layers.layer(layers.numbers.get(user, -1)) for user, _ in value._uses]
                found.update(user for user in users if user is not None)
        return max(layer - min(found), max(found) - layer)

    def layers_used_differently(self, first: int, end: int, relations: _Relations) -> Iterator[int]:
        """The layers from ``first`` up to ``end``, which read alike, whose results are not read as those of the layer
        below are. Where only an operation of the same layer reads a result, all is known from how many readers there
        are and from what is read."""
        rows = [
            [result._uses for op in operations for result in op.results]
            for operations in self._operations[first - self._first : end - self._first]
        ]
        inside, outside = self._results_to_look_at(rows[len(rows) // 2], (first + end) // 2)
        get, membership = self._layers.numbers_by_layer.get, self._layers._series_at.__getitem__
        template = rows[len(rows) // 2]
        series = [membership(get(user, -1)) for place in inside for user, _ in template[place]]
        steps = list(map(self._layers.step, series))
        expected: list[int] = []
        before: tuple[object, ...] = ()
        for layer, row in enumerate(rows, first):
            uses = [use for place in inside for use in row[place]]
            numbers = [get(user, -1) for user, _ in uses]
            others: list[int] = []
            for place in outside:
                relations.add_uses(row[place], layer, others)
            found = list(map(len, row)), [index for _, index in uses], others
            is_same = found == before and numbers == expected and list(map(membership, numbers)) == series
            if layer > first and not is_same:
                yield layer
            before = found
            expected = list(map(add, numbers, steps))

    def _results_to_look_at(self, row: list[dict[Use, None]], layer: int) -> tuple[list[int], list[int]]:
        """The results in this layer that are read several times or by other layers, and those that others than layers
        read."""
        layers = self._layers
        inside, outside = [], []
        for place, uses in enumerate(row):
            found = [layers.layer(layers.numbers.get(user, -1)) for user, _ in uses]
            if None in found:
                outside.append(place)
            elif len(found) > 1 or any(one != layer for one in found):
                inside.append(place)
        return inside, outside


def _longest_run(different: set[int], first: int, end: int) -> tuple[int, int]:
    """The longest run from ``first`` up to ``end`` in which only its first is ``different`` from the one below."""
    begins = [first, *sorted(different - {first})]
    return max(zip(begins, [*begins[1:], end], strict=True), key=lambda one: one[1] - one[0])


class _Relations:
    """What reads a value, as numbers that are the same for values that are to their layers what others are to theirs.
    ``places`` says for each operation which one of the first repeat it is like, counted from 1 and times ``_ROOM``, and
    of which layer it is; 0 for those of no series."""

    def __init__(self, layers: Layers, places: list[int]) -> None:
        self._operations = layers.operations
        self._numbers = layers.numbers
        self._function = layers.function
        self._places = places
        self._others: dict[object, int] = {}

    def are_used_alike(self, argument: Value, lower: Value) -> bool:
        """Whether the uses of ``argument`` are to a layer what those of ``lower`` are to the one below."""
        found: list[int] = []
        below: list[int] = []
        self.add_uses(argument._uses, 1, found)
        self.add_uses(lower._uses, 0, below)
        return found == below

    def add_uses(self, uses: Iterable[Use], layer: int, found: list[int]) -> None:
        """Adds to ``found`` what reads a value of ``layer``, by its ``uses``."""
        numbers, places, before = self._numbers, self._places, len(found)
        for user, index in uses:
            place = places[numbers.get(user, -1)]
            if place:
                found.append(place - layer + index * _FURTHEST)
            elif user is self._operations[-1]:
                found.append(self._other(function_result_sharding(self._function, index)))
            else:
                # Nothing else is like it.
                found.append(self._other((user, index)))
        found.append(len(found) - before)

    def _other(self, key: object) -> int:
        return self._others.setdefault(key, ~len(self._others))
