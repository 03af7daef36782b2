"""Detection, last step: the layers of a function, and which of them are alike.

A model repeats one layer: in the forward pass, in the backward pass, and where weights are updated. Each of these is a
*series*. ``repeats`` finds operations that repeat, ``series`` says which repeat is which layer, and this file tests
what the layers read and who reads their results. Layer 7 is *like* layer 6 if each operand of layer 7 is the
counterpart of the operand of layer 6 (or both are one value, a mask say), and the readers of their results are
counterparts as well. A run of layers that are alike in this sense is what ``folded`` may take layers from.

The test is quick because layers are compared as rows of integers: if layers of a series are 40 operations apart, what
layer 7 reads is 40 operations behind what layer 6 reads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress
from operator import add, not_
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.dialects.sdy.placement import function_arguments_as_stored, function_results_as_stored
from pyshardy.folding.carried import Handed, handed_on, user_of_last
from pyshardy.folding.def_use import DefUse
from pyshardy.folding.free_constants import FreeConstants
from pyshardy.folding.joining import joined_repeats
from pyshardy.folding.own_functions import OwnFunctions, calls_in
from pyshardy.folding.repeats import Repeats, repeats_of
from pyshardy.folding.series import LinkedSeries, Series
from pyshardy.folding.splitting import split_repeats
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.operation_kinds import OperationKinds

_FEWEST_ALIKE = 4
"""A stack in which fewer layers are alike is not folded."""
_FURTHEST = 1 << 20
_ROOM = _FURTHEST << 20
"""A reader of a value is one integer: ``_ROOM`` times the place of the reading operation, ``_FURTHEST`` times the
number of the operand, and how many layers above the value the reader is. There are fewer layers, and fewer operands,
than 2 to the 20th."""
_NOWHERE = _ROOM << 40
"""This is larger than any such integer."""


class PlaceInLayer(NamedTuple):
    """Where a value stands in a layer: the operation number ``operation`` of that layer of the ``series`` has it as its
    result ``number``, or as its operand of that number."""

    series: int
    operation: int
    number: int
    is_operand: bool


class Layers:
    """The layers of one stack of ``function``. ``operations`` are those of its body; ``series`` are the series of the
    stack. Layers from ``first`` up to (excluding) ``end`` are in all series, and each is like the one below. If
    ``first`` is ``end``, no layers are alike; if there are no ``series``, nothing repeats. ``kinds`` are those of all
    operations of the module, if they are known already.

    An operation is named by its *number*, its place in ``operations``."""

    def __init__(self, function: Operation, kinds: OperationKinds | None = None) -> None:
        self.function = function
        if kinds is None:
            kinds = OperationKinds(function.parent_op or function)
        self.own_functions = OwnFunctions(function, kinds)
        self.operations, numbers = kinds.within(function.body)
        self.free = FreeConstants(kinds, function.body, self.own_functions.all)
        called_once = self.own_functions.called_once
        found = repeats_of(self.operations, numbers, kinds.examples, called_once, self.free.values)
        operands = [len(one.operands) for one in kinds.examples]
        self.def_use = DefUse(self.operations, map(operands.__getitem__, numbers)) if found else DefUse((), ())
        linked = LinkedSeries(self.def_use, found)
        self.numbers = self.def_use.numbers
        """The number of each operation; empty if nothing repeats."""
        has_regions = [bool(one.regions) for one in kinds.examples]
        self._with_regions = list(compress(range(len(numbers)), map(has_regions.__getitem__, numbers)))
        """The numbers of the operations that have regions."""
        self._series_at = [-1] * len(self.operations)
        """For each operation which of ``series`` it belongs to, -1 for none."""
        self.series: list[Series] = []
        self.reach = 0
        """The farthest that layers which are alike are related: 2 if a layer reads results of the layer two below it,
        or layers two below and two above read one argument."""
        self._argument_below: dict[Value, Value] = {}
        """The counterpart in the layer below of each argument for which that was asked."""
        self.carried: set[OpResult] = set()
        """The values that are carried through sorted series (``carried``)."""
        self._homes: dict[Value, Use] = {}
        """The use by which each of these arguments belongs to a layer (``home_use``)."""
        self._boundary: tuple[list[tuple[int, PlaceInLayer] | None], list[tuple[int, PlaceInLayer] | None]] | None = (
            None
        )
        self._argument_shardings = function_arguments_as_stored(function) if linked.series else []
        self.first = self.end = 0
        self._find(linked.stacks())
        # Where layers are sorted by their names, stretches are split only as they are grouped: the rest takes long.
        ungrouped = [] if any(one.order for one in linked.series) else found
        others = (split_repeats, linked.repeats), (split_repeats, ungrouped), (joined_repeats, linked.repeats)
        for other, repeats in others:
            if 2 * self._left_out() < len(self.operations):
                self._try(other(self.def_use, repeats))
        # Nobody else needs them, and they are as large as the program.
        self.def_use = DefUse((), ())

    def operations_of_a_layer(self, series: Sequence[Series]) -> Iterator[Operation]:
        """The operations of one layer in these ``series``, with those in regions and in functions that are called."""
        functions, seen = self.own_functions.all, set()
        pending = [op for one in series for op in self.operations[one.begin : one.begin + one.period]]
        for op in pending:
            for nested in op.operations() if op.regions else (op,):
                if nested.name != "func.func":
                    yield nested
                if nested.name == "func.call" and callee(nested) not in seen:
                    seen.add(callee(nested))
                    function = functions.get(callee(nested))
                    pending += [] if function is None else [function]

    def number(self, value: Value) -> int:
        """The number of the operation that makes ``value`` if that belongs to a series, else -1."""
        made = value.defining_op
        number = -1 if made is None else self.numbers.get(made, -1)
        return number if self._series_at[number] >= 0 else -1

    def layer(self, number: int) -> int | None:
        """The layer of operation ``number``; None if it belongs to no series."""
        which = self._series_at[number]
        return None if which < 0 else self.series[which].layer(number)

    def counterpart(self, number: int, layers: int) -> Operation | None:
        """The counterpart of operation ``number``, one of a series, in the layer that is ``layers`` above; None if the
        series has no such layer."""
        other = self.series[self._series_at[number]].counterpart(number, layers)
        return None if other is None else self.operations[other]

    def counterparts(self, number: int, times: int) -> list[Operation]:
        """Operation number ``number``, one of a series, and its counterparts in the layers above, ``times`` in all; the
        series has these layers."""
        one = self.series[self._series_at[number]]
        if one.order:
            found = [one.counterpart(number, layers) for layers in range(times)]
            return [self.operations[other] for other in found if other is not None]
        end = number + times * one.direction * one.period
        return self.operations[number : end if end >= 0 else None : one.direction * one.period]

    def stays(self, first: int, end: int) -> bytearray:
        """For each operation of the function 1 if it stays without layers ``first`` up to (excluding) ``end``, else
        0."""
        found = bytearray(b"\1") * len(self.operations)
        for one in self.series:
            for begin in map(one.begin_of, range(first, end)):
                found[begin : begin + one.period] = bytes(one.period)
        return found

    def outside(self, first: int, end: int) -> list[Operation]:
        """The operations of the function but those of layers ``first`` up to (excluding) ``end``, in their order."""
        return list(compress(self.operations, self.stays(first, end)))

    def step(self, which: int) -> int:
        """How far it is in series ``which`` from an operation to its counterpart in the layer above, in numbers
        ``by_layer``; negative where layers go downward, 0 if ``which`` is -1, for no series."""
        return self.series[which].direction * self.series[which].period if which >= 0 else 0

    def series_of(self, number: int) -> int:
        """Which of the series operation ``number`` belongs to; -1 if none."""
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
        """The layer of ``value``: of the operation that makes it, or, for an argument, of its home; None if it has
        none."""
        found = self.place(value)
        return None if found is None else found[0]

    def place(self, value: Value) -> tuple[int, PlaceInLayer] | None:
        """The layer of ``value``, and its place there; None if it has no layer."""
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
        """The layer and the place in it of each argument of the function, and of each value that it returns."""
        if self._boundary is None:
            arguments, returned = self.function.body.arguments, self.operations[-1].operands
            self._boundary = list(map(self.place, arguments)), list(map(self.place, returned))
        return self._boundary

    def value_at(self, place: PlaceInLayer, layer: int) -> Value | None:
        """The value at ``place`` in ``layer``; None if the series does not have that layer."""
        one = self.series[place.series]
        if layer not in one.layers():
            return None
        op = self.operations[one.begin_of(layer) + place.operation]
        return op.operands[place.number] if place.is_operand else op.results[place.number]

    def counterpart_of_value(self, value: Value, layers: int) -> Value | None:
        """The counterpart of ``value`` in the layer that is ``layers`` above; None if ``value`` is of no layer, or
        there is no such layer."""
        found = self.place(value)
        return None if found is None else self.value_at(found[1], found[0] + layers)

    def home_use(self, argument: Value) -> Use | None:
        """The use of ``argument`` by which it belongs to a layer: the layer of the operation that reads it there. None
        if it belongs to no layer, as an argument that all layers read."""
        return self._homes.get(argument)

    def _find(self, stacks: Iterable[list[Series]]) -> None:
        """Takes the first of ``stacks`` in which layers are alike; the last if there is none."""
        for stack in stacks:
            self._choose(stack)
            self.first, self.end = self._layers_alike()
            if self.first < self.end:
                break

    def _try(self, found: Sequence[Repeats] | None) -> None:
        """Takes a stack of the repeats ``found`` instead, if there are any, and more could be left out."""
        if found is not None:
            series, count, alike = self.series, self._left_out(), (self.first, self.end, self.reach)
            arguments, own = (self._argument_below, self._homes), self.own_functions.entered()
            self._find(LinkedSeries(self.def_use, found).stacks())
            if self._left_out() <= count:
                self._choose(series)
                self.first, self.end, self.reach = alike
                self._argument_below, self._homes = arguments
                self.own_functions.enter_again(own)

    def _left_out(self) -> int:
        """About how many operations are left out if the program is folded."""
        layers = self.end - self.first - 2 * self.reach - 1
        return max(0, layers) * sum(one.period for one in self.series)

    def _choose(self, series: list[Series]) -> None:
        """Makes ``series`` those of the stack that is looked at."""
        self.series = series
        self._argument_below = {}
        self._homes = {}
        self.own_functions.forget_layers()
        self._series_at = [-1] * len(self.operations)
        for which, one in enumerate(series):
            self._series_at[one.begin : one.end] = [which] * (one.end - one.begin)
        self._numbers_by_layer = []
        self._operations_by_layer = self.operations
        is_sorted = [one for one in series if one.order]
        if is_sorted:
            # The last one is for -1, which stands for no operation.
            self._numbers_by_layer = numbers = [*range(len(self.operations)), -1]
            self._operations_by_layer = operations = list(self.operations)
            for one in is_sorted:
                for repeat, layer in enumerate(one.order):
                    begin, instead = one.begin + repeat * one.period, one.begin + (layer - one.base) * one.period
                    numbers[begin : begin + one.period] = range(instead, instead + one.period)
                    operations[instead : instead + one.period] = self.operations[begin : begin + one.period]
        self.carried = {value for one in is_sorted for value in self._carried(one)}

    def are_at(self, operations: Sequence[Operation], numbers: Sequence[int]) -> bool:
        """Whether these ``operations`` have these ``numbers`` ``by_layer``."""
        if not numbers or min(numbers) < 0 or max(numbers) >= len(self.operations):
            return False
        return operations == tuple(map(self._operations_by_layer.__getitem__, numbers))

    def by_layer(self, numbers: list[int]) -> list[int]:
        """The numbers that the operations with these ``numbers`` would have if the layers of sorted series stood from
        the lowest to the highest. Between these the distance to the layer above is the same for all layers."""
        return list(map(self._numbers_by_layer.__getitem__, numbers)) if self._numbers_by_layer else numbers

    def _carried(self, one: Series) -> Iterator[OpResult]:
        """The values that are carried through ``one``, a sorted series, by the same operations of all repeats; and what
        the last one hands on to an operation of no layer. If the function returns that, or an operation in a region
        reads it, it belongs to the last layer alone."""
        before: Sequence[Operation] = ()
        found: dict[Handed, list[OpResult]] = {}
        for begin in range(one.begin, one.end, one.period):
            repeat = self.operations[begin : begin + one.period]
            for each in handed_on(before, repeat) if before else ():
                value = repeat[each.reader].operands[each.operand]
                assert isinstance(value, OpResult)
                found.setdefault(each, []).append(value)
            if before and not found:
                return
            before = repeat
        for handed, values in found.items():
            if len(values) > 1:
                yield from values
                last = before[handed.maker].results[values[0].index]
                user = user_of_last(last)
                number = -1 if user is None else self.numbers.get(user, -1)
                if 0 <= number < len(self.operations) - 1 and self._series_at[number] < 0:
                    yield last

    def carried_from(self, value: OpResult, stays: Sequence[int]) -> Value | None:
        """The counterpart of ``value``, which is carried, in the nearest repeat before in the text that stays; None if
        there is none."""
        number = self.number(value)
        one = self.series[self._series_at[number]]
        before = next((at for at in range(number, one.begin - 1, -one.period) if stays[at]), None)
        return None if before is None else self.operations[before].results[value.index]

    # --- which of them are alike --------------------------------------------------------------------------------------

    def _layers_alike(self) -> tuple[int, int]:
        """The longest run of layers that all series have and in which each is like the one below, as its first layer
        and the end (excluded)."""
        if not self.series:
            return 0, 0
        ranges = [one.layers() for one in self.series]
        first, end = max(one.start for one in ranges), min(one.stop for one in ranges)
        if end - first < _FEWEST_ALIKE:
            return 0, 0
        places = self._places()
        relations = _Relations(self, places, self._homes)
        reading = [_Reading(self, one, first, end) for one in self.series]
        different = {layer for one in reading for layer in one.different_layers(relations)}
        different |= self._layers_of_other_numbers(places, first, end)
        first, end = _longest_run(different, first, end)
        if end - first < _FEWEST_ALIKE:
            return 0, 0
        self.reach = max(one.reach(first, end, relations) for one in reading)
        results = self._read_from_outside(first, end).union(*[one.read_by_all() for one in reading])
        outside = self._by_series(results)
        different = {
            layer
            for one, own in zip(reading, outside, strict=True)
            for layer in one.layers_used_differently(first, end, relations, own)
        }
        return _longest_run(different, first, end)

    def _layers_of_other_numbers(self, places: Sequence[int], first: int, end: int) -> set[int]:
        """The layers from ``first`` up to ``end`` whose free constants are not equal to each other as those of the
        layer below are, or are equal to some that stand elsewhere; ``places`` are those of ``_places``."""
        found: dict[int, list[object]] = {}
        for group in self.free.groups.values():
            numbers = list(map(self.numbers.__getitem__, group))
            layers = set(map(self.layer, numbers))
            for layer in layers:
                if layer is not None:
                    same = [places[number] // _ROOM for number in numbers]
                    found.setdefault(layer, []).append(same if len(layers) == 1 else object())
        return {layer for layer in range(first + 1, end) if found.get(layer) != found.get(layer - 1)}

    def _read_from_outside(self, first: int, end: int) -> set[tuple[int, int]]:
        """The results of layers ``first`` up to ``end`` that operations outside of these layers read, or operations in
        regions, as (number of the operation, result). What those in regions of a layer read from outside is the same
        value for all layers (``repeats``)."""
        operations, middle, stays = self.operations, (first + end) // 2, self.stays(first, end)
        starts, made, with_regions = self.def_use.starts, self.def_use.made, self._with_regions
        around = [number for number in with_regions if stays[number]]
        for one in self.series:
            begin = one.begin_of(middle)
            around += with_regions[bisect_left(with_regions, begin) : bisect_left(with_regions, begin + one.period)]
        nested = [inner for number in around for inner in operations[number].operations()[1:]]
        read = {value for inner in nested for value in inner.operands if isinstance(value, OpResult)}
        # The last operation, number -1, stays: -1 stands for arguments and for what is defined in a region.
        numbers = ((self.numbers.get(value.owner, -1), value.index) for value in read)
        found = {one for one in numbers if not stays[one[0]]}
        last = 0
        while (outside := stays.find(1, last)) >= 0:
            last = max(stays.find(0, outside), 0) or len(stays)
            begin, end = starts[outside], starts[last]
            for operand in compress(range(begin, end), map(not_, map(stays.__getitem__, made[begin:end]))):
                value = self.def_use.operand(operand)
                if isinstance(value, OpResult) and value not in self.carried:
                    found.add((made[operand], value.index))
        return found

    def _by_series(self, results: Iterable[tuple[int, int]]) -> list[list[tuple[int, int, int]]]:
        """For each series those of ``results`` that are its own, as (layer, number in the layer, result)."""
        found: list[list[tuple[int, int, int]]] = [[] for _ in self.series]
        for number, index in results:
            which = self._series_at[number]
            one = self.series[which]
            found[which].append((one.layer(number), (number - one.begin) % one.period, index))
        return found

    def _places(self) -> list[int]:
        """For each operation ``_ROOM`` times its place plus its layer, 0 if it belongs to no series. Counterparts have
        the same place: the number, plus 1, of their counterpart in the first repeat of their series. Layers count from
        the lowest."""
        places = [0] * len(self.operations)
        lowest = min(one.layers().start for one in self.series)
        for one in self.series:
            home, end = (one.begin + 1) * _ROOM - lowest, (one.begin + 1 + one.period) * _ROOM - lowest
            for begin in range(one.begin, one.end, one.period):
                layer = one.layer(begin)
                places[begin : begin + one.period] = range(home + layer, end + layer, _ROOM)
        return places

    def are_calls_alike(self, layer: int, lower: Operation, op: Operation) -> bool:
        """Whether the calls in ``op`` of ``layer`` and those in ``lower``, its counterpart in the layer below, are of
        the same functions, or of functions of their own that are counterparts."""
        pairs = zip(calls_in(lower), calls_in(op), strict=True)
        numbers = self.numbers[lower], self.numbers[op]
        own = self.own_functions
        return all(own.are_alike(callee(one), callee(other), layer, numbers) for one, other in pairs)

    def is_argument_below(self, lower: Value, argument: Value, relations: _Relations) -> bool:
        """Whether ``argument`` is the counterpart of ``lower`` in the layer above: it has the same type and sharding,
        and its readers are counterparts. An argument has one counterpart below: the first that is asked for is it."""
        known = self._argument_below.get(argument)
        if known is not None:
            return known is lower
        if not isinstance(argument, BlockArgument) or not isinstance(lower, BlockArgument):
            return False
        self._argument_below[argument] = lower
        readers, readers_below = relations.readers_of(argument), relations.readers_of(lower)
        mine, below = self._argument_shardings[argument.index], self._argument_shardings[lower.index]
        return argument.type is lower.type and mine is below and relations.are_alike(readers, readers_below)


class _Reading:
    """What layers ``first`` up to (excluding) ``end`` of one series read, and who reads their results, as a row of
    integers for each layer: a layer is compared with the one below by comparing two lists."""

    def __init__(self, layers: Layers, one: Series, first: int, end: int) -> None:
        self._layers = layers
        self._first = first
        begins = list(map(one.begin_of, range(first, end)))
        self._operations = [layers.operations[begin : begin + one.period] for begin in begins]
        self._rows = [layers.by_layer(layers.def_use.made_by(begin, begin + one.period)) for begin in begins]
        if layers.carried and one.order:
            # The terminator, which makes nothing, stands for the layer before in the text.
            carried, instead = layers.carried, len(layers.operations) - 1
            for row, operations in zip(self._rows, self._operations, strict=True):
                values = [value for op in operations for value in op.operands]
                row[:] = [instead if value in carried else number for value, number in zip(values, row, strict=True)]
        self._calls = [
            number
            for number, op in enumerate(self._operations[0])
            if op.name == "func.call" or (op.regions and any(one.name == "func.call" for one in op.operations()))
        ]
        self._memberships = [list(map(layers._series_at.__getitem__, row)) for row in self._rows]

    def different_layers(self, relations: _Relations) -> Iterator[int]:
        """The layers of which some operand is not the counterpart of that of the layer below.

        An operand is the number of the operation that makes it. Where the layer in the middle and the one below read
        the same number, all layers have to (``steps`` is 0 there): one layer has made it for all. Elsewhere the number
        has to grow by the distance between layers of the series that makes it. Values that such a number does not
        tell are compared one by one: arguments, and operations with several results."""
        rows, memberships = self._rows, self._memberships
        middle = next(
            (row for row in self._from_the_middle() if memberships[row] == memberships[row - 1]), len(rows) // 2
        )
        steps = list(map(self._layers.step, memberships[middle]))
        if middle:
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
                and self._are_below(relations, before, values)
                and all(map(partial(self._layers.are_calls_alike, self._first + row), called_below, called))
            ):
                yield self._first + row
            before = values

    def _from_the_middle(self) -> list[int]:
        """All rows but the first, from the middle outward: the first and last layers may be unlike the others."""
        middle = len(self._rows) // 2
        return sorted(range(1, len(self._rows)), key=lambda row: abs(row - middle))

    def _operands_to_look_at(self, row: int) -> list[tuple[int, int]]:
        """The operands of that layer which the number of an operation does not tell: arguments, and results of
        operations that have several. Each as the place of the operation in the layer and the number of the operand."""
        return [
            (place, index)
            for place, op in enumerate(self._operations[row])
            for index, value in enumerate(op.operands)
            if not isinstance(value, OpResult) or len(value.owner.results) > 1
        ]

    def _are_below(self, relations: _Relations, lower: Sequence[Value], values: Sequence[Value]) -> bool:
        """Whether each of ``lower`` is the counterpart in the layer below of that of ``values``, or this itself. Of
        results only the index is compared: their operations have been by number."""
        for below, value in zip(lower, values, strict=True):
            if value is below:
                continue
            if isinstance(value, OpResult) and isinstance(below, OpResult):
                if value.index != below.index:
                    return False
            elif not self._layers.is_argument_below(below, value, relations):
                return False
        return True

    def reach(self, first: int, end: int, relations: _Relations) -> int:
        """How many layers away the makers of operands are at most, the readers of results, and the other readers of
        arguments, for layers from ``first`` up to ``end``, whose operands are alike."""
        row, carried = (first + end) // 2 - self._first, self._layers.carried
        near: list[Operation] = []
        for op, lower in zip(self._operations[row], self._operations[row - 1], strict=True):
            read: list[Value] = [one for one in op.results if one not in carried]
            for value, below in zip(op.operands, lower.operands, strict=True):
                if isinstance(value, OpResult):
                    if value is not below and value not in carried:
                        near.append(value.owner)
                elif self._layers.home_use(value) is not None:
                    read.append(value)
            near += [user for value in read for user, _ in value._uses]
        layer, found = relations.layer(self._operations[row][0]), set(map(relations.layer, near)) - {-1}
        return max((abs(other - layer) for other in found), default=0)

    def read_by_all(self) -> set[tuple[int, int]]:
        """The results of one layer that all layers read, as (number of the operation, result)."""
        row, layers = len(self._operations) // 2, self._layers
        pairs = zip(self._operations[row], self._operations[row - 1], strict=True)
        return {
            (layers.numbers[value.owner], value.index)
            for op, below in pairs
            for value, other in zip(op.operands, below.operands, strict=True)
            if value is other and isinstance(value, OpResult) and layers.number(value) >= 0
        }

    def layers_used_differently(
        self, first: int, end: int, relations: _Relations, outside: Sequence[tuple[int, int, int]]
    ) -> Iterator[int]:
        """The layers from ``first`` up to ``end``, whose operands are alike, of which some result is read otherwise
        than its counterpart in the layer below: by other readers, or in another order. ``outside`` are the results of
        the series, as (layer, number in the layer, result), that others than these layers read, or all of these.

        A result that one operation of its own layer reads, and nobody else, needs no look at its reader: that operands
        are alike says it, unless there are readers ``outside`` in another layer."""
        rows = self._operations[first - self._first : end - self._first]
        layers = self._layers
        inside, others = self._results_to_look_at(rows[len(rows) // 2], relations)
        looked_at = {*inside, *others}
        # The counterparts of these in the middle are not read from outside.
        read_outside = {layer for layer, number, index in outside if (number, index) not in looked_at}
        get, membership = layers.numbers.get, layers._series_at.__getitem__
        middle = rows[len(rows) // 2]
        series = [
            membership(get(user, -1)) for number, index in inside for user, _ in middle[number].results[index]._uses
        ]
        steps = list(map(layers.step, series))
        expected: list[int] = []
        before: tuple[object, ...] = ()
        for layer, row in enumerate(rows, first):
            each = [row[number].results[index]._uses for number, index in inside]
            users, indices = tuple(zip(*chain.from_iterable(each), strict=True)) or ((), ())
            numbers = expected
            if not layers.are_at(users, expected):
                numbers = layers.by_layer([get(user, -1) for user in users])
            found_outside: list[int] = []
            for number, index in others:
                relations.add_uses(row[number].results[index]._uses, layer, found_outside)
            found = list(map(len, each)), indices, found_outside
            is_same = found == before and numbers == expected and list(map(membership, numbers)) == series
            if layer > first and (not is_same or layer in read_outside or layer - 1 in read_outside):
                yield layer
            before = found
            expected = list(map(add, numbers, steps))

    def _results_to_look_at(
        self, operations: Sequence[Operation], relations: _Relations
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The results of a layer, which has these ``operations``, whose readers have to be compared, as (number in the
        layer, result): those that only layers read, but several times or in another layer; and those that an
        operation outside of all layers reads."""
        layer, inside, outside = relations.layer(operations[0]), [], []
        for number, op in enumerate(operations):
            for result in op.results:
                if result in self._layers.carried:
                    continue
                found = [relations.layer(user) for user, _ in result._uses]
                if -1 in found:
                    outside.append((number, result.index))
                elif len(found) > 1 or any(one != layer for one in found):
                    inside.append((number, result.index))
        return inside, outside


def _longest_run(different: set[int], first: int, end: int) -> tuple[int, int]:
    """The longest run of layers from ``first`` up to ``end`` of which only the first is ``different`` from the layer
    below it."""
    begins = [first, *sorted(different - {first})]
    return max(zip(begins, [*begins[1:], end], strict=True), key=lambda one: one[1] - one[0])


class _Relations:
    """The readers of values as integers that are the same for counterparts (see ``_ROOM``); ``places`` are those of
    ``Layers._places``. A negative integer stands for a reader outside of all layers: the sharding of the result if the
    function returns the value, else this very use, which no other is like."""

    def __init__(self, layers: Layers, places: list[int], homes: dict[Value, Use]) -> None:
        self._operations = layers.operations
        self._numbers = layers.numbers
        self._result_shardings = function_results_as_stored(layers.function)
        self._places = places
        self._homes = homes
        self._readers: dict[Value, list[int]] = {}
        self._others: dict[object, int] = {}

    def layer(self, op: Operation) -> int:
        """The layer of ``op``, counted from the lowest; -1 if it belongs to none."""
        place = self._places[self._numbers.get(op, -1)]
        return place % _FURTHEST if place else -1

    def readers_of(self, argument: Value) -> list[int]:
        """The integers of the readers of ``argument``, which some layer reads, with the layers that they stand in.

        The use that comes first in a layer becomes its home. A weight is read by the forward pass and the update of one
        layer, so any would do; it has to be the same place for all layers."""
        found = self._readers.get(argument)
        if found is None:
            found = self._readers[argument] = []
            numbers, places, first = self._numbers, self._places, _NOWHERE
            for use in argument._uses:
                place = places[numbers.get(use[0], -1)]
                if place:
                    place += use[1] * _FURTHEST
                    if place // _FURTHEST < first:
                        first, self._homes[argument] = place // _FURTHEST, use
                found.append(place or self._outside(use))
        return found

    def are_alike(self, readers: Sequence[int], below: Sequence[int]) -> bool:
        """Whether these are the ``readers_of`` two arguments whose readers are counterparts, in the same order:
        ``below`` those in the layer below."""
        return readers == [one + 1 if one > 0 else one for one in below]

    def add_uses(self, uses: Iterable[Use], layer: int, found: list[int]) -> None:
        """Adds to ``found`` the integers of the readers of a value of ``layer``, which has these ``uses``, and how many
        there are."""
        numbers, places, before = self._numbers, self._places, len(found)
        for use in uses:
            place = places[numbers.get(use[0], -1)]
            found.append(place - layer + use[1] * _FURTHEST if place else self._outside(use))
        found.append(len(found) - before)

    def _outside(self, use: Use) -> int:
        """The integer of a reader outside of all layers."""
        key: object = self._result_shardings[use[1]] if use[0] is self._operations[-1] else use
        return self._others.setdefault(key, ~len(self._others))
