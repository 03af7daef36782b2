"""The layers of a function: which operation and which value belongs to which layer.

A model repeats one layer: in the forward pass, in the backward pass, and where weights are updated. Each of these is a
*series*; the series of one model are a *stack*. ``detection`` chooses the stack, and ``comparison`` says which of its
layers are alike. The rest of folding asks here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.folding.detecting.carried import CarriedEdge, handed_on, user_of_last
from pyshardy.folding.detecting.free_operations import FreeOperations
from pyshardy.folding.detecting.layer_functions import Functions, LayerFunctions
from pyshardy.folding.detecting.series import Home, Series
from pyshardy.ir.operation import Operation, OpResult, Use, Value


class PlaceInLayer(NamedTuple):
    """Where a value stands in a layer: operation number ``operation`` of the layer of ``series`` has it as its result,
    or as its operand, number ``operand_or_result``."""

    series: int
    operation: int
    operand_or_result: int
    is_operand: bool


class AlikeLayers(NamedTuple):
    """Layers ``first`` up to (excluding) ``end``, each of which is like the one below; none if ``first`` is ``end``."""

    first: int
    end: int
    reach: int
    """The farthest that these layers are related: 2 if a layer reads results of the layer two below it, or layers two
    below and two above read one argument."""
    home_uses: Mapping[Value, Use]
    """The use by which an argument of the function belongs to a layer (``Layers.home_use``)."""
    layer_functions: LayerFunctions


class FunctionBody(NamedTuple):
    """The body of a ``function`` in which layers are looked for."""

    function: Operation
    operations: list[Operation]
    """An operation is named by its *number*, its place here."""
    numbers: Mapping[Operation, int]
    """The number of each operation; empty if nothing repeats."""
    functions: Functions
    free: FreeOperations


class Layers:
    """The layers of ``series``, the series of one stack of the function with this ``body``; if there are no ``series``,
    nothing repeats. ``alike`` are those of them that are alike: none until ``detection`` has compared them."""

    def __init__(self, body: FunctionBody, series: Sequence[Series]) -> None:
        self.function, self.operations, self.numbers, functions, self.free = body
        self.series = series
        self.alike = AlikeLayers(0, 0, 0, {}, LayerFunctions(functions))
        self.series_at = [-1] * len(self.operations)
        """For each operation which of ``series`` it belongs to, -1 for none."""
        for which, one in enumerate(series):
            self.series_at[one.begin : one.end] = [which] * (one.end - one.begin)
        self._boundary: tuple[list[tuple[int, PlaceInLayer] | None], list[tuple[int, PlaceInLayer] | None]] | None = (
            None
        )
        self._numbers_by_layer: list[int] = []
        self._operations_by_layer: list[Operation] = self.operations
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
        """The values that are carried through sorted series (``carried``)."""

    @property
    def first(self) -> int:
        """The first of the layers that are alike."""
        return self.alike.first

    @property
    def end(self) -> int:
        """The layer behind the last of those that are alike."""
        return self.alike.end

    @property
    def reach(self) -> int:
        """The farthest that layers which are alike are related (``AlikeLayers.reach``)."""
        return self.alike.reach

    @property
    def layer_functions(self) -> LayerFunctions:
        """The functions that belong to layers."""
        return self.alike.layer_functions

    def operations_of_a_layer(self, series: Sequence[Series]) -> Iterator[Operation]:
        """The operations of one layer in these ``series``, with those in regions and in functions that are called."""
        functions, seen = self.layer_functions.all, set()
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
        return number if self.series_at[number] >= 0 else -1

    def layer(self, number: int) -> int | None:
        """The layer of operation ``number``; None if it belongs to no series."""
        which = self.series_at[number]
        return None if which < 0 else self.series[which].layer(number)

    def counterpart(self, number: int, layers: int) -> Operation | None:
        """The counterpart of operation ``number``, one of a series, in the layer that is ``layers`` above; None if the
        series has no such layer."""
        other = self.series[self.series_at[number]].counterpart(number, layers)
        return None if other is None else self.operations[other]

    def counterparts(self, number: int, times: int) -> list[Operation]:
        """Operation number ``number``, one of a series, and its counterparts in the layers above, ``times`` in all; the
        series has these layers."""
        one = self.series[self.series_at[number]]
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

    def home(self, number: int | None) -> Home | None:
        """The home of operation ``number``; None if it belongs to no series."""
        which = -1 if number is None else self.series_at[number]
        return None if number is None or which < 0 else Home(which, self.series[which].layer(number))

    def place(self, value: Value) -> tuple[int, PlaceInLayer] | None:
        """The layer of ``value``, and its place there; None if it has no layer."""
        made_or_read = (value.owner, value.index) if isinstance(value, OpResult) else self.home_use(value)
        if made_or_read is None:
            return None
        op, index = made_or_read
        number = self.numbers.get(op, -1)
        which = self.series_at[number]
        if number < 0 or which < 0:
            return None
        one = self.series[which]
        return one.layer(number), PlaceInLayer(
            which, (number - one.begin) % one.period, index, not isinstance(value, OpResult)
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
        return op.operands[place.operand_or_result] if place.is_operand else op.results[place.operand_or_result]

    def counterpart_of_value(self, value: Value, layers: int) -> Value | None:
        """The counterpart of ``value`` in the layer that is ``layers`` above; None if ``value`` is of no layer, or
        there is no such layer."""
        found = self.place(value)
        return None if found is None else self.value_at(found[1], found[0] + layers)

    def home_use(self, argument: Value) -> Use | None:
        """The use of ``argument`` by which it belongs to a layer: the layer of the operation that reads it there. None
        if it belongs to no layer, as an argument that all layers read."""
        return self.alike.home_uses.get(argument)

    def carried_from(self, value: OpResult, stays: Sequence[int]) -> Value | None:
        """The counterpart of ``value``, which is carried, in the nearest repeat before in the text that stays; None if
        there is none."""
        number = self.number(value)
        one = self.series[self.series_at[number]]
        before = next((at for at in range(number, one.begin - 1, -one.period) if stays[at]), None)
        return None if before is None else self.operations[before].results[value.index]

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
        found: dict[CarriedEdge, list[OpResult]] = {}
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
                if 0 <= number < len(self.operations) - 1 and self.series_at[number] < 0:
                    yield last
