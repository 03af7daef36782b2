"""Layers left out of a function for a while: how the others are joined, and what those that are left out get at last.

The program stays where it is: what is left reads, across the gap, what is left (``Rewiring``), and a run goes through a
list of operations without those that are left out. Left of this file is ``repetition``, which finds the layers;
``alike_layers``, right of it, knows when this is right.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import FunctionResult, function_argument_sharding, function_result_sharding
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.rewiring import Rewiring
from pyshardy.propagation.repetition import Repetition, Series
from pyshardy.propagation.sharding_table import Holder
from pyshardy.rules.registry import is_from_outside, looks_around

_FEWEST_LEFT_OUT = 4


class Place(NamedTuple):
    """Where something stands: in which layer, of those that are gone through, and where in it."""

    layer: int
    key: Hashable


class Gap:
    """The ``layers`` that are left out of a function, from ``first`` up to (excluding) ``end``, so that on both sides
    ``distance`` and one of those that are alike stay; none if that leaves too few. ``below`` and ``above`` are the
    layers beside the gap, and from ``lowest`` up to (excluding) ``highest`` those that are alike, numbered as if the
    gap was none; operations read what is ``reads`` layers away at most. Without ``distance`` nothing is left out: the
    gap is where layers may be put in."""

    def __init__(self, repetition: Repetition, reads: int, distance: int | None) -> None:
        self._main = repetition.function
        self._repetition = repetition
        self.reads = reads
        self._is_open = distance is None
        if distance is None:
            self.first = self.end = (repetition.first + repetition.end) // 2
            self.layers = 0
        else:
            self.first, self.end = repetition.first + distance + 1, repetition.end - distance - 1
            self.layers = self.end - self.first if self.end - self.first >= max(distance, _FEWEST_LEFT_OUT) else 0
        self.below, self.above = self.first - 1, self.first
        self.lowest, self.highest = repetition.first, repetition.end - self.layers
        self._places: dict[Operation, Place | None] = {}
        self._places_of_holders: dict[Holder, Place | None] = {}

    @property
    def _terminator(self) -> Operation:
        return self._repetition.operations[-1]

    def is_known_what_layers_do(self) -> bool:
        """Whether what happens in a layer concerns no other by ways that are not followed here."""
        for op in self._repetition.a_layer():
            if op.name == "func.call" or (looks_around(op) and is_from_outside(op)):
                return False
        # What is returned twice has two shardings to agree with, in an order that layers may not share.
        return all(len(self._returned_as(value)) < 2 for value in self._values_of_a_layer())

    def _values_of_a_layer(self) -> Iterator[Value]:
        for one in self._repetition.series:
            for op in self._operations_of(one, self.first):
                yield from op.results
        for one, number, index in self._arguments():
            yield self._operations_of(one, self.first)[number].operands[index]

    def _arguments(self) -> list[tuple[Series, int, int]]:
        """The operands that are arguments of a layer: of which series, place in the layer, and number."""
        return [
            (one, number, index)
            for one in self._repetition.series
            for number, op in enumerate(self._operations_of(one, self.first))
            for index, value in enumerate(op.operands)
            if self._repetition.home(value) == (op, index)
        ]

    def _operations_of(self, one: Series, layer: int) -> list[Operation]:
        begin = one.begin_of(layer)
        return self._repetition.operations[begin : begin + one.period]

    def _returned_as(self, value: Value) -> list[int]:
        """As which results ``value`` is returned."""
        return [index for user, index in value._uses if user is self._terminator]

    # --- without the layers -------------------------------------------------------------------------------------------

    def _segments(self) -> Iterable[tuple[Series, int, int]]:
        """Each series, and from which operation up to which one it is left out."""
        for one in self._repetition.series if self.layers else ():
            begin, last = sorted((one.begin_of(self.first), one.begin_of(self.end - 1)))
            yield one, begin, last + one.period

    def without_left_out(self, operations: list[Operation]) -> list[Operation]:
        """Those of ``operations``, in program order, that are left."""
        found: list[Operation] = []
        position = 0
        for _, begin, end in self._segments():
            gap_begins = operations.index(self._repetition.operations[begin], position)
            found += operations[position:gap_begins]
            position = operations.index(self._repetition.operations[end], gap_begins)
        return found + operations[position:]

    def is_left_out(self, op: Operation) -> bool:
        """Whether ``op`` itself stands in a layer that is left out."""
        return self._is_left_out(self._repetition.layer(self._repetition.numbers.get(op, -1)))

    def is_holder_left_out(self, holder: Holder | None) -> bool:
        """Whether ``holder`` belongs to a layer that is left out."""
        return isinstance(holder, Value) and self._is_left_out(self._repetition.layer_of(holder))

    def _is_left_out(self, layer: int | None) -> bool:
        return layer is not None and self.first <= layer < self.end

    def rewiring(self) -> Rewiring | None:
        """Lets what is left read what is left, as layers beside each other do; None if that is not possible, or nothing
        is left out."""
        repetition = self._repetition
        if not self.layers:
            return Rewiring({}, {}) if self._is_open else None
        operands: dict[Operation, list[Value]] = {}
        read: dict[Value, set[Use]] = {}
        for one in repetition.series:
            for layer in (
                *range(self.first - self._repetition.reach, self.first),
                *range(self.end, self.end + self._repetition.reach),
            ):
                beyond = self.first - self.end if layer >= self.end else self.end - self.first
                begin = one.begin_of(layer)
                for op in repetition.operations[begin : begin + one.period]:
                    for index, value in enumerate(op.operands):
                        if self._is_left_out(repetition.layer_of(value)):
                            other = repetition.moved_value(value, beyond)
                            if other is None or self._is_left_out(repetition.layer_of(other)):
                                return None
                            operands.setdefault(op, op.operands.copy())[index] = other
                            read.setdefault(other, set()).add((op, index))
        uses: dict[Value, dict[Use, None]] = {}
        for value, expected in read.items():
            found = {use: None for use in map(self._use_beyond, value._uses) if use is not None}
            if len(found) != len(value._uses) or not expected <= found.keys():
                return None
            uses[value] = found
        # How often something is read matters, too.
        for value in self._shared_values():
            uses[value] = {use: None for use in value._uses if not self._is_left_out(self._layer_around(use[0]))}
        return Rewiring(operands, uses)

    def _shared_values(self) -> set[Value]:
        """What a layer reads that belongs to none."""
        operations = [op for one in self._repetition.series for op in self._operations_of(one, self.first)]
        nested = [inner for op in operations for inner in (op.operations() if op.regions else (op,))]
        own = self._main.body
        read = {value for op in nested for value in op.operands}
        return {value for value in read if value.parent_block is own and self._repetition.layer_of(value) is None}

    def _layer_around(self, op: Operation) -> int | None:
        """The layer in which ``op`` stands, or an operation around it."""
        while op.parent_op is not None and op.parent_op is not self._main:
            op = op.parent_op
        return self._repetition.layer(self._repetition.numbers.get(op, -1))

    def _use_beyond(self, use: Use) -> Use | None:
        """``use`` itself, or if its operation is left out the one on the other side of the gap."""
        repetition = self._repetition
        number = repetition.numbers.get(use[0], -1)
        layer = repetition.layer(number)
        if not self._is_left_out(layer):
            return use
        for distance in (self.first - self.end, self.end - self.first):
            other = repetition.moved(number, distance)
            if other is not None and not self._is_left_out(repetition.layer(repetition.numbers[other])):
                return other, use[1]
        return None

    def are_constants_in_order(self) -> bool:
        """Whether the constants of layers that stand elsewhere stand there layer by layer, upward or downward."""
        blocks: list[tuple[int, list[Hashable]]] = []
        for place in map(self.place, self._repetition.constants):
            if place is None:
                return False
            if not blocks or blocks[-1][0] != place.layer:
                blocks.append((place.layer, []))
            blocks[-1][1].append(place.key)
        rows: dict[tuple[Hashable, ...], list[tuple[int, int]]] = {}
        for number, (layer, keys) in enumerate(blocks):
            if self.lowest <= layer < self.highest:
                rows.setdefault(tuple(keys), []).append((number, layer))
        layers = list(range(self.lowest, self.highest))
        for row in rows.values():
            begin, found = row[0][0], [layer for _, layer in row]
            if found not in (layers, layers[::-1]) or [at for at, _ in row] != list(range(begin, begin + len(row))):
                return False
        return True

    def is_alike(self, place: Place | None) -> bool:
        """Whether that stands in one of the layers that are alike."""
        return place is not None and self.lowest <= place.layer < self.highest

    # --- where something stands ---------------------------------------------------------------------------------------

    def place(self, op: Operation) -> Place | None:
        """Where ``op`` stands; None for what is in no layer."""
        if op in self._places:
            return self._places[op]
        repetition, found = self._repetition, None
        number = repetition.numbers.get(op, -1)
        layer = repetition.layer(number)
        if layer is not None:
            assert not self._is_left_out(layer)
            which = repetition.series_of(number)
            one = repetition.series[which]
            found = Place(self._joined(layer), (which, (number - one.begin) % one.period))
        elif op in repetition.constants:
            user, index = repetition.constants[op]
            outer = self.place(user)
            found = None if outer is None else Place(outer.layer, ("constant", outer.key, index))
        elif (around := op.parent_op) is not None and around is not self._main:
            outer = self.place(around)
            if outer is not None:
                found = Place(outer.layer, (outer.key, around.operations().index(op)))
        self._places[op] = found
        return found

    def _joined(self, layer: int) -> int:
        return layer - self.layers if layer >= self.end else layer

    def place_of_holder(self, holder: Holder | None) -> Place | None:
        """Where ``holder`` stands; None for what is in no layer."""
        if holder is None:
            return None
        if holder not in self._places_of_holders:
            self._places_of_holders[holder] = self._found_place_of_holder(holder)
        return self._places_of_holders[holder]

    def _found_place_of_holder(self, holder: Holder) -> Place | None:
        if isinstance(holder, FunctionResult):
            if holder.func is not self._main:
                return None
            inner = self.place_of_holder(self._terminator.operands[holder.number])
            return Place(inner.layer, ("returned", inner.key)) if inner is not None else None
        if isinstance(holder, OpResult):
            made = self.place(holder.owner)
            return Place(made.layer, (made.key, holder.index)) if made is not None else None
        assert isinstance(holder, BlockArgument)
        owner = holder.owner.parent_op
        if owner is not self._main:
            around = self.place(owner) if owner is not None else None
            if around is None or owner is None:
                return None
            blocks = [block for region in owner.regions for block in region.blocks]
            return Place(around.layer, (around.key, "argument", blocks.index(holder.owner), holder.index))
        home = self._repetition.home(holder)
        user = self.place(home[0]) if home is not None else None
        return Place(user.layer, ("argument", user.key, home[1])) if user is not None and home is not None else None

    # --- what the layers get ------------------------------------------------------------------------------------------

    def erase(self, removed: list[Operation]) -> None:
        """Erases what was ``removed``, and what is like it in these layers."""
        repetition = self._repetition
        gone = list(removed)
        for op in removed:
            number = repetition.numbers.get(op, -1)
            if repetition.layer(number) == self.below:
                others = [repetition.moved(number, layers) for layers in range(1, self.layers + 1)]
                gone += [other for other in others if other is not None]
        for op in gone:
            rewriting.drop_operands(op)
        for op in gone:
            rewriting.erase(op)

    def fill(self) -> None:
        """Gives the layers that are left out what the one below them has got."""
        operations, template = self._repetition.operations, self.first - 1
        for one, begin, end in self._segments():
            for number in range(one.period):
                op = operations[one.begin_of(template) + number]
                alike = operations[begin + number : end : one.period]
                _write(op, alike)
                if op.regions:
                    for nested in zip(op.operations(), *[other.operations() for other in alike], strict=True):
                        _write(nested[0], nested[1:])
        self._fill_function()

    def _fill_function(self) -> None:
        """Gives the function's arguments and results that belong to these layers the same as those of the one below."""
        operations, layers = self._repetition.operations, range(self.first, self.end)
        arguments: dict[int, Attribute | None] = {}
        results: dict[int, Attribute | None] = {}

        def fill_result(source: Value, targets: Iterable[Value]) -> None:
            for index in self._returned_as(source):
                got = function_result_sharding(self._main, index)
                if got is not None:
                    results.update((other, got) for target in targets for other in self._returned_as(target))

        for one, number, index in self._arguments():
            source, *targets = (
                operations[one.begin_of(layer) + number].operands[index] for layer in (self.first - 1, *layers)
            )
            assert isinstance(source, BlockArgument)
            got = function_argument_sharding(self._main, source.index)
            if got is not None:
                arguments.update((target.index, got) for target in targets if isinstance(target, BlockArgument))
            fill_result(source, targets)
        for one in self._repetition.series:
            for number, op in enumerate(self._operations_of(one, self.first - 1)):
                for result in op.results:
                    if self._returned_as(result):
                        others = [operations[one.begin_of(layer) + number] for layer in layers]
                        fill_result(result, [other.results[result.index] for other in others])
        if arguments:
            set_argument_attributes(self._main, SHARDING, arguments)
        if results:
            set_result_attributes(self._main, SHARDING, results)


def _write(op: Operation, alike: Iterable[Operation]) -> None:
    """Gives operations that were ``alike`` what ``op`` carries now."""
    attributes, properties = op.attributes, op.properties
    for other in alike:
        other.attributes = attributes
        other.properties = properties
