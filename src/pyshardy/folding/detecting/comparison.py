"""Detection: which layers of a stack are alike.

Layer 7 is *like* layer 6 if each operand of layer 7 is the counterpart of the operand of layer 6 (or both are one
value, a mask say), and the readers of their results are counterparts as well. A run of layers that are alike in this
sense is what ``fold`` may take layers from.

The test is quick because layers are compared as rows of integers: if layers of a series are 40 operations apart, what
layer 7 reads is 40 operations behind what layer 6 reads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress
from operator import add, not_

from pyshardy.dialects.func import callee
from pyshardy.dialects.sdy.placement import function_arguments_as_stored, function_results_as_stored
from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.layer_functions import Functions, LayerFunctions, calls_in
from pyshardy.folding.detecting.layers import AlikeLayers, FunctionBody, Layers
from pyshardy.folding.detecting.series import Series
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value

_FEWEST_ALIKE = 4
"""A stack in which fewer layers are alike is not folded."""
_OPERAND_UNIT = 1 << 20
_OPERATION_UNIT = _OPERAND_UNIT << 20
"""A reader of a value is one integer: its operation times ``_OPERATION_UNIT``, plus the number of its operand times
``_OPERAND_UNIT``, plus how many layers above the value it is. Operands and layers are fewer than 2 to the 20th."""
_NO_READER = _OPERATION_UNIT << 40
"""This is larger than any such integer."""


class LayerComparison:
    """Compares the layers of stacks of the function with this ``body``. ``def_use`` are the def-use chains of its
    operations, ``with_regions`` the numbers of those that have regions."""

    def __init__(self, body: FunctionBody, def_use: DefUse, with_regions: Sequence[int]) -> None:
        self._functions = body.functions
        self._def_use = def_use
        self._with_regions = with_regions
        self._argument_shardings = function_arguments_as_stored(body.function)
        self._result_shardings = function_results_as_stored(body.function)

    def alike_layers(self, layers: Layers) -> AlikeLayers:
        """The longest run of ``layers`` that all series have and in which each is like the one below."""
        ranges = [one.layers() for one in layers.series]
        first, end = max(one.start for one in ranges), min(one.stop for one in ranges)
        if end - first < _FEWEST_ALIKE:
            return layers.alike
        codes = _ReaderCodes(layers, self._functions, self._argument_shardings, self._result_shardings)
        rows = [_Rows(layers, self._def_use, one, first, end) for one in layers.series]
        different = {layer for one in rows for layer in one.different_layers(codes)}
        different |= _layers_of_other_free_operations(layers, codes, first, end)
        first, end = _longest_run(different, first, end)
        if end - first < _FEWEST_ALIKE:
            return layers.alike
        reach = max(one.reach(first, end, codes) for one in rows)
        results = self._read_from_outside(layers, first, end).union(*[one.read_by_all() for one in rows])
        different = {
            layer
            for one, outside in zip(rows, _by_series(layers, results), strict=True)
            for layer in one.layers_used_differently(first, end, codes, outside)
        }
        return AlikeLayers(*_longest_run(different, first, end), reach, codes.home_uses, codes.layer_functions)

    def _read_from_outside(self, layers: Layers, first: int, end: int) -> set[tuple[int, int]]:
        """The results of layers ``first`` up to ``end`` that operations outside of these layers read, or operations in
        regions, as (number of the operation, result). What those in regions of a layer read from outside is the same
        value for all layers (``repeats``)."""
        operations, middle, stays = layers.operations, (first + end) // 2, layers.stays(first, end)
        starts, made, with_regions = self._def_use.starts, self._def_use.makers, self._with_regions
        around = [number for number in with_regions if stays[number]]
        for one in layers.series:
            begin = one.begin_of(middle)
            around += with_regions[bisect_left(with_regions, begin) : bisect_left(with_regions, begin + one.period)]
        nested = [inner for number in around for inner in operations[number].operations()[1:]]
        read = {value for inner in nested for value in inner.operands if isinstance(value, OpResult)}
        # The last operation, number -1, stays: -1 stands for arguments and for what is defined in a region.
        numbers = ((layers.numbers.get(value.owner, -1), value.index) for value in read)
        found = {one for one in numbers if not stays[one[0]]}
        last = 0
        while (outside := stays.find(1, last)) >= 0:
            last = max(stays.find(0, outside), 0) or len(stays)
            begin, end = starts[outside], starts[last]
            for operand in compress(range(begin, end), map(not_, map(stays.__getitem__, made[begin:end]))):
                value = self._def_use.operand(operand)
                if isinstance(value, OpResult) and value not in layers.carried:
                    found.add((made[operand], value.index))
        return found


def _layers_of_other_free_operations(layers: Layers, codes: _ReaderCodes, first: int, end: int) -> set[int]:
    """The layers from ``first`` up to ``end`` in which other free operations equal each other than in the layer below,
    or a free operation equals one outside its layer."""
    found: dict[int, list[object]] = {}
    for group in layers.free.groups():
        numbers = list(map(layers.numbers.__getitem__, group))
        stand_in = set(map(layers.layer, numbers))
        for layer in stand_in:
            if layer is not None:
                same = [codes.of_operations[number] // _OPERATION_UNIT for number in numbers]
                found.setdefault(layer, []).append(same if len(stand_in) == 1 else object())
    return {layer for layer in range(first + 1, end) if found.get(layer) != found.get(layer - 1)}


def _by_series(layers: Layers, results: Iterable[tuple[int, int]]) -> list[list[tuple[int, int, int]]]:
    """For each series those of ``results`` that are its own, as (layer, number in the layer, result)."""
    found: list[list[tuple[int, int, int]]] = [[] for _ in layers.series]
    for number, index in results:
        which = layers.series_at[number]
        one = layers.series[which]
        found[which].append((one.layer(number), (number - one.begin) % one.period, index))
    return found


def _operation_codes(layers: Layers) -> list[int]:
    """For each operation ``_OPERATION_UNIT`` times its place plus its layer, 0 if it belongs to no series. Counterparts
    have the same place: the number, plus 1, of their counterpart in the first repeat of their series. Layers count from
    the lowest."""
    places = [0] * len(layers.operations)
    lowest = min(one.layers().start for one in layers.series)
    for one in layers.series:
        home, end = (one.begin + 1) * _OPERATION_UNIT - lowest, (one.begin + 1 + one.period) * _OPERATION_UNIT - lowest
        for begin in range(one.begin, one.end, one.period):
            layer = one.layer(begin)
            places[begin : begin + one.period] = range(home + layer, end + layer, _OPERATION_UNIT)
    return places


def _longest_run(different: set[int], first: int, end: int) -> tuple[int, int]:
    """The longest run of layers from ``first`` up to ``end`` of which only the first is ``different`` from the layer
    below it."""
    begins = [first, *sorted(different - {first})]
    return max(zip(begins, [*begins[1:], end], strict=True), key=lambda one: one[1] - one[0])


class _Rows:
    """What layers ``first`` up to (excluding) ``end`` of one series read, and who reads their results, as a row of
    integers for each layer: a layer is compared with the one below by comparing two lists."""

    def __init__(self, layers: Layers, def_use: DefUse, one: Series, first: int, end: int) -> None:
        self._layers = layers
        self._first = first
        begins = list(map(one.begin_of, range(first, end)))
        self._operations = [layers.operations[begin : begin + one.period] for begin in begins]
        self._rows = [layers.by_layer(def_use.makers_of_operands(begin, begin + one.period)) for begin in begins]
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
        self._memberships = [list(map(layers.series_at.__getitem__, row)) for row in self._rows]

    def different_layers(self, codes: _ReaderCodes) -> Iterator[int]:
        """The layers of which some operand is not the counterpart of that of the layer below.

        An operand is the number of the operation that makes it. Where the layer in the middle and the one below read
        the same number, all layers have to (``steps`` is 0 there): one layer has made it for all. Elsewhere the number
        has to grow by the distance between layers of the series that makes it. Values that such a number does not
        identify are compared one by one: arguments, and operations with several results."""
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
                and self._are_below(codes, before, values)
                and all(map(partial(codes.pair_calls, self._first + row), called_below, called))
            ):
                yield self._first + row
            before = values

    def _from_the_middle(self) -> list[int]:
        """All rows but the first, from the middle outward: the first and last layers may be unlike the others."""
        middle = len(self._rows) // 2
        return sorted(range(1, len(self._rows)), key=lambda row: abs(row - middle))

    def _operands_to_look_at(self, row: int) -> list[tuple[int, int]]:
        """The operands of that layer which the number of an operation does not identify: arguments, and results of
        operations that have several. Each as the place of the operation in the layer and the number of the operand."""
        return [
            (place, index)
            for place, op in enumerate(self._operations[row])
            for index, value in enumerate(op.operands)
            if not isinstance(value, OpResult) or len(value.owner.results) > 1
        ]

    def _are_below(self, codes: _ReaderCodes, lower: Sequence[Value], values: Sequence[Value]) -> bool:
        """Whether each of ``lower`` is the counterpart in the layer below of that of ``values``, or this itself. Of
        results only the index is compared: their operations have been by number."""
        for below, value in zip(lower, values, strict=True):
            if value is below:
                continue
            if isinstance(value, OpResult) and isinstance(below, OpResult):
                if value.index != below.index:
                    return False
            elif not codes.pair_arguments(below, value):
                return False
        return True

    def reach(self, first: int, end: int, codes: _ReaderCodes) -> int:
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
                elif value in codes.home_uses:
                    read.append(value)
            near += [user for value in read for user, _ in value._uses]
        layer, found = codes.layer(self._operations[row][0]), set(map(codes.layer, near)) - {-1}
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
        self, first: int, end: int, codes: _ReaderCodes, outside: Sequence[tuple[int, int, int]]
    ) -> Iterator[int]:
        """The layers from ``first`` up to ``end``, whose operands are alike, of which some result is read otherwise
        than its counterpart in the layer below: by other readers, or in another order. ``outside`` are the results of
        the series, as (layer, number in the layer, result), that others than these layers read, or all of these.

        A result that one operation of its own layer reads, and nobody else, needs no look at its reader: that operands
        are alike says it, unless there are readers ``outside`` in another layer."""
        rows = self._operations[first - self._first : end - self._first]
        layers = self._layers
        inside, others = self._results_to_look_at(rows[len(rows) // 2], codes)
        looked_at = {*inside, *others}
        # The counterparts of these in the middle are not read from outside.
        read_outside = {layer for layer, number, index in outside if (number, index) not in looked_at}
        get, membership = layers.numbers.get, layers.series_at.__getitem__
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
                codes.add_uses(row[number].results[index]._uses, layer, found_outside)
            found = list(map(len, each)), indices, found_outside
            is_same = found == before and numbers == expected and list(map(membership, numbers)) == series
            if layer > first and (not is_same or layer in read_outside or layer - 1 in read_outside):
                yield layer
            before = found
            expected = list(map(add, numbers, steps))

    def _results_to_look_at(
        self, operations: Sequence[Operation], codes: _ReaderCodes
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The results of a layer, which has these ``operations``, whose readers have to be compared, as (number in the
        layer, result): those that only layers read, but several times or in another layer; and those that an
        operation outside of all layers reads."""
        layer, inside, outside = codes.layer(operations[0]), [], []
        for number, op in enumerate(operations):
            for result in op.results:
                if result in self._layers.carried:
                    continue
                found = [codes.layer(user) for user, _ in result._uses]
                if -1 in found:
                    outside.append((number, result.index))
                elif len(found) > 1 or any(one != layer for one in found):
                    inside.append((number, result.index))
        return inside, outside


class _ReaderCodes:
    """The readers of values as integers that are the same for counterparts (see ``_OPERATION_UNIT``). A negative
    integer stands for a reader outside of all layers: the sharding of the result if the function returns the value,
    else this very use, which no other is like."""

    def __init__(
        self,
        layers: Layers,
        functions: Functions,
        argument_shardings: Sequence[object],
        result_shardings: Sequence[object],
    ) -> None:
        self.layer_functions = LayerFunctions(functions)
        self.of_operations = _operation_codes(layers)
        self.home_uses: dict[Value, Use] = {}
        """The use by which each argument belongs to a layer (``readers_of``)."""
        self._operations = layers.operations
        self._numbers = layers.numbers
        self._argument_shardings = argument_shardings
        self._result_shardings = result_shardings
        self._argument_below: dict[Value, Value] = {}
        """The counterpart in the layer below of each argument that ``pair_arguments`` has entered."""
        self._readers: dict[Value, list[int]] = {}
        self._others: dict[object, int] = {}

    def pair_calls(self, layer: int, lower: Operation, op: Operation) -> bool:
        """Enters the functions that ``op`` of ``layer`` calls as counterparts of those that ``lower`` calls, its
        counterpart in the layer below, unless both call the same ones. False if they cannot be counterparts."""
        pairs = zip(calls_in(lower), calls_in(op), strict=True)
        numbers = self._numbers[lower], self._numbers[op]
        own = self.layer_functions
        return all(own.pair(callee(one), callee(other), layer, numbers) for one, other in pairs)

    def pair_arguments(self, lower: Value, argument: Value) -> bool:
        """Enters ``argument`` as the counterpart of ``lower`` in the layer above. False if it cannot be: it has to have
        the same type and sharding, and readers that are counterparts. An argument has one counterpart below, the first
        that is entered."""
        known = self._argument_below.get(argument)
        if known is not None:
            return known is lower
        if not isinstance(argument, BlockArgument) or not isinstance(lower, BlockArgument):
            return False
        self._argument_below[argument] = lower
        readers, readers_below = self.readers_of(argument), self.readers_of(lower)
        mine, below = self._argument_shardings[argument.index], self._argument_shardings[lower.index]
        return argument.type is lower.type and mine is below and self.are_alike(readers, readers_below)

    def layer(self, op: Operation) -> int:
        """The layer of ``op``, counted from the lowest; -1 if it belongs to none."""
        place = self.of_operations[self._numbers.get(op, -1)]
        return place % _OPERAND_UNIT if place else -1

    def readers_of(self, argument: Value) -> list[int]:
        """The integers of the readers of ``argument``, which some layer reads, with the layers that they stand in.

        The use that comes first in a layer becomes its home. A weight is read by the forward pass and the update of one
        layer, so any would do; it has to be the same place for all layers."""
        found = self._readers.get(argument)
        if found is None:
            found = self._readers[argument] = []
            numbers, places, first = self._numbers, self.of_operations, _NO_READER
            for use in argument._uses:
                place = places[numbers.get(use[0], -1)]
                if place:
                    place += use[1] * _OPERAND_UNIT
                    if place // _OPERAND_UNIT < first:
                        first, self.home_uses[argument] = place // _OPERAND_UNIT, use
                found.append(place or self._outside(use))
        return found

    def are_alike(self, readers: Sequence[int], below: Sequence[int]) -> bool:
        """Whether these are the ``readers_of`` two arguments whose readers are counterparts, in the same order:
        ``below`` those in the layer below."""
        return readers == [one + 1 if one > 0 else one for one in below]

    def add_uses(self, uses: Iterable[Use], layer: int, found: list[int]) -> None:
        """Adds to ``found`` the integers of the readers of a value of ``layer``, which has these ``uses``, and how many
        there are."""
        numbers, places, before = self._numbers, self.of_operations, len(found)
        for use in uses:
            place = places[numbers.get(use[0], -1)]
            found.append(place - layer + use[1] * _OPERAND_UNIT if place else self._outside(use))
        found.append(len(found) - before)

    def _outside(self, use: Use) -> int:
        """The integer of a reader outside of all layers."""
        key: object = self._result_shardings[use[1]] if use[0] is self._operations[-1] else use
        return self._others.setdefault(key, ~len(self._others))
