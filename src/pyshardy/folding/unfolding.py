"""Unfold: the layers that were left out are written into the result of a stage.

``splice`` has certified that they would be copies of the template, the layer below the splice point. So each layer is
written as one: every operation of the template is copied, with operands that are the counterparts of those of the
original (``_write``). Then the layers on the two sides of the splice point, which read each other, read the new layers
instead (``_connect``); the function returns the results of these, too (``_return``); and the uses of all values are
brought into the order that they would have if no layer had been left out (``_order``).

It is possible to write only some of the layers: the program is still a folded one then, with fewer layers left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from pyshardy.dialects.func import function_type, with_entry_attributes
from pyshardy.folding.certifying.parts import BOUNDARY, NAMING, LayerPosition, Ref, UseRef, ValueRef, name_in
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.certifying.use_order import UsesLeftOut
from pyshardy.folding.detecting.carried import Carried
from pyshardy.folding.folded import Folded
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.types import FunctionType


class Unfolding:
    """Writes layers that were left out at ``splice`` into ``module``: all, or those that are kept in ``target``,
    another folding of the same program with fewer layers left out. ``rows`` are the operations of the layers that were
    written and of those near the splice point, by series and layer.

    In this class layers have the numbers that they have in the result: full numbers if all layers are written, else the
    folded numbers of ``target``. Where a method takes the full number, it says so.

    ``results_attributes`` are those of each result of the program; without them the function keeps its own.

    Raises:
        NoCertificate: an operation that is to be written has no copy in ``target``, whose location it could get.
    """

    def __init__(
        self,
        splice: Splice,
        module: Operation,
        target: Folded | None = None,
        results_attributes: Sequence[DictionaryAttr] | None = None,
    ) -> None:
        self._splice = splice
        folded = splice.folded
        self._location = folded.location if target is None else folded.locations_in(target)
        self._target = target
        self._first, self._end = folded.first, self._result_number(folded.end)
        """The layers that are written are these, ``_first`` up to (excluding) ``_end``."""
        returned = range(len(folded.results)) if target is None else target.returned
        self._places_returned = {index: place for place, index in enumerate(returned)}
        """For each result of the program that the function will return the number that it has there."""
        self.rows: dict[tuple[int, int], Sequence[Operation]] = {
            (series, self._result_number(layer)): operations for (series, layer), operations in splice.parts.items()
        }
        given = [(op, op.location) for op in module.operations()]
        self._uses = self._given_uses()
        """The uses of the values of ``splice.uses`` in layers near the splice point that were kept, in their order, by
        reference and layer."""
        self._self_contained: dict[Operation, bool] = {}
        self._write()
        self._connect()
        self._return(results_attributes)
        self._order()
        for op, location in given:
            if isinstance(location, int) and location < 0:
                op.location = self._location(location, 0)

    def _result_number(self, layer: int) -> int:
        """The number that the layer with the full number ``layer`` has in the result."""
        return layer if self._target is None else self._target.folded_number(layer)

    def _full_number(self, layer: int) -> int:
        """The full number of the layer that has the number ``layer`` in the result."""
        return layer if self._target is None else self._target.full_number(layer)

    def _near(self) -> Iterator[int]:
        """The layers that were kept and may be related to layers that were not."""
        reach, first, end = self._splice.reach, self._first, self._end
        return itertools.chain(range(first - reach, first), range(end, end + reach))

    def _is_across(self, layer: int, distance: int) -> bool:
        """Whether a relation of ``layer``, one that was kept, to the layer ``distance`` above leads across the splice
        point in the folded program. Others are the same with the new layers."""
        return layer + distance >= self._first if layer < self._first else layer + distance < self._end

    def _given_uses(self) -> dict[tuple[ValueRef, int], list[Use]]:
        refs = [ref for ref, _ in self._splice.uses]
        return {(ref, layer): list(self._value(ref, layer)._uses) for layer in self._near() for ref in refs}

    def _is_written(self, layer: int) -> bool:
        """Whether ``layer`` (its full number), which was left out, is written."""
        return self._target is None or not self._target.first <= layer < self._target.end

    def _argument(self, family: int, layer: int) -> BlockArgument:
        return self._splice.folded.argument(family, self._full_number(layer))

    def _write(self) -> None:
        """Writes copies of the template for the layers that were left out."""
        read = list(map(self._read_by, range(len(self._splice.template))))
        locations = [list(map(self._locations_left_out, template)) for template in self._splice.template]
        has_functions = bool(self._splice.folded.layer_functions)
        template = itertools.chain.from_iterable(self._splice.template)
        free = {op for op in template if self._splice.folded.free_source(op) is not None}
        for series, layer, point in self._order_of_layers():
            made = self.rows[series, layer] = list[Operation]()
            distance, (others, numbers) = self._full_number(layer) - self._splice.below, read[series]
            values = [self._value(ref, layer) for ref in others]
            for op, its, found in zip(self._splice.template[series], numbers, locations[series], strict=True):
                operands = [values[number] for number in its]
                if op.regions:
                    copy = self._copy_with_regions(op, operands, layer)
                else:
                    location = found[distance] if found else self._location(op.location, distance)
                    copy = rewriting.made_alike(op, operands, location)
                    if op in free:
                        properties = self._splice.folded.free_properties(op, distance)
                        assert properties is not None
                        rewriting.set_properties(copy, properties)
                        copy.signature = None
                if has_functions and (op.name in NAMING or op.regions):
                    self._rename(copy, distance)
                made.append(copy)
                values += copy.results
            rewriting.insert_all_before(point, made)

    def _locations_left_out(self, op: Operation) -> Sequence[int | Location | None]:
        """The locations of the counterparts of ``op``, one of the template, in this and in the layers above, if all are
        written and it is quicker to find them together."""
        folded = self._splice.folded
        return () if self._target is not None or op.regions else folded.locations(op, folded.multiplicity)

    def _rename(self, op: Operation, layers: int) -> None:
        """Has ``op``, a copy of an operation that is ``layers`` below, and those in it name the functions of their own
        layer."""
        for one in op.operations():
            if one.name in NAMING:
                properties, attributes = self._renamed(one.properties, layers), self._renamed(one.attributes, layers)
                if properties is not one.properties:
                    rewriting.set_properties(one, properties)
                if attributes is not one.attributes:
                    rewriting.set_attributes(one, attributes)

    def _renamed(self, dictionary: DictionaryAttr, layers: int) -> DictionaryAttr:
        """``dictionary`` with the names of functions replaced by those of their counterparts ``layers`` above."""
        for key, attribute in dictionary.entries.items():
            name = name_in(attribute)
            other = None if name is None else self._splice.folded.layer_functions.counterpart(name, layers)
            if other is not None:
                made = StringAttr(other) if isinstance(attribute, StringAttr) else SymbolRefAttr(other)
                dictionary = dictionary.with_(key, made)
        return dictionary

    def _order_of_layers(self) -> Iterator[tuple[int, int, Operation]]:
        """The layers to be written, in the order of the text for each series: (series, layer, insertion point)."""
        for series, layer, point, result in self._splice.insertions.all():
            if self._is_written(layer) if result is None else result in self._places_returned:
                yield series, self._result_number(layer), point

    def _read_by(self, series: int) -> tuple[Sequence[Ref], Sequence[Sequence[int]]]:
        """The values that a layer of ``series`` reads and does not make, and for each of its operations which operands
        it has: their numbers among these values and, behind them, the results of the layer, in order."""
        template = self._splice.template[series]
        read = [[ref for _, ref in self._splice.reads[op]] for op in template]
        own = [
            ValueRef(series, 0, number, index) for number, op in enumerate(template) for index in range(len(op.results))
        ]
        others = dict.fromkeys(itertools.chain.from_iterable(read))
        for ref in own:
            others.pop(ref, None)
        numbers = {ref: number for number, ref in enumerate([*others, *own])}
        return list(others), [[numbers[ref] for ref in refs] for refs in read]

    def _copy_with_regions(self, op: Operation, operands: list[Value], layer: int) -> Operation:
        """The counterpart in ``layer`` of ``op``, which has regions and is of the template."""
        distance = self._full_number(layer) - self._splice.below
        location = self._location(op.location, distance)
        if self._is_self_contained(op):
            regions = tuple([rewriting.copied_region(region) for region in op.regions])
            for region in regions:
                for block in region.blocks:
                    for inner in block:
                        inner.location = self._location(inner.location, distance)
            made = rewriting.made_alike(op, operands, location, regions)
            self._locate_arguments(op, made, distance)
            return made
        nested = op.operations()[1:]
        mapping = {
            inner.operands[index]: self._value(ref, layer)
            for inner in nested
            for index, ref in self._splice.reads[inner]
        }
        regions = tuple([rewriting.copied_region(region, mapping) for region in op.regions])
        made = rewriting.made_alike(op, operands, location, regions)
        copies = made.operations()[1:]
        self._locate_arguments(op, made, distance)
        for inner, copy in zip(nested, copies, strict=True):
            copy.location = self._location(inner.location, distance)
            if inner.regions:
                self._locate_arguments(inner, copy, distance)
            for value, its in zip(values_inside(inner), values_inside(copy), strict=True):
                self._order_inside(value, its, copies)
        for mine, its in zip(op.block_arguments(), made.block_arguments(), strict=True):
            self._order_inside(mine, its, copies)
        return made

    def _locate_arguments(self, op: Operation, made: Operation, distance: int) -> None:
        """Gives the arguments of the regions of ``made``, the counterpart of ``op`` that is ``distance`` layers above,
        the locations that they have in the program."""
        theirs = self._splice.folded.locations_of_arguments(op.location, distance)
        alike, copies = op.block_arguments(), made.block_arguments()
        if theirs is not None and len(copies) == len(theirs):
            for argument, copy, its in zip(alike, copies, theirs, strict=True):
                if argument.location is not None:
                    copy.location = its

    def _is_self_contained(self, op: Operation) -> bool:
        """Whether the operations in the regions of ``op`` have no regions, read no values from outside, and read each
        value at most once. Then a copy needs no mapping of values and no order of uses."""
        known = self._self_contained.get(op)
        if known is None:
            nested = op.operations()[1:]
            inside = [*op.block_arguments(), *(result for inner in nested for result in inner.results)]
            known = all(not inner.regions and not self._splice.reads[inner] for inner in nested)
            known = self._self_contained[op] = known and all(len(value._uses) < 2 for value in inside)
        return known

    def _order_inside(self, value: Value, its: Value, copies: list[Operation]) -> None:
        """Brings the uses of ``its``, the copy of ``value`` in copied regions, into the order of those of ``value``;
        ``copies`` are the operations of the regions."""
        if len(value._uses) > 1:
            uses = [(copies[self._splice.positions[user].nested - 1], index) for user, index in value._uses]
            rewriting.order_uses(its, uses)

    def _connect(self) -> None:
        """Gives operations near the splice point, which read across it in the folded program, the operands that they
        have with the new layers."""
        for layer in self._near():
            for series, template in enumerate(self._splice.template):
                for op, alike in zip(self.rows[series, layer], template, strict=True):
                    pairs = zip(op.operations(), alike.operations(), strict=True) if op.regions else ((op, alike),)
                    for inner, its in pairs:
                        for index, ref in self._splice.reads[its]:
                            if isinstance(ref, ValueRef) and self._is_across(layer, ref.distance):
                                value = self._value(ref, layer)
                                if inner.operands[index] is not value:
                                    rewriting.set_operand(inner, index, value)
        for (op, index), (reader, _, _, carried) in self._splice.carried.uses.items():
            value = self._carried(carried, None if reader is None else self._result_number(reader))
            if op.operands[index] is not value:
                rewriting.set_operand(op, index, value)

    def _return(self, results_attributes: Sequence[DictionaryAttr] | None) -> None:
        """Has the function return the results of the new layers, too, in their places among the others."""
        terminator = self._splice.block.terminator
        places = self._splice.folded.places_of_results
        returned: list[Value] = []
        for index in self._places_returned:
            family = self._splice.folded.results[index]
            layer = -1 if family is None else self._result_number(family[1])
            ref = None if family is None else self._splice.returned_refs.get(family[0])
            if ref is not None and (index not in places or self._is_across_near(layer, ref)):
                returned.append(self._value(ref, layer))
            else:
                returned.append(terminator.operands[places[index]])
        orders = [
            (value, [self._use_returned(use) for use in value._uses])
            for value in terminator.operands
            if len(value._uses) > 1
        ]
        rewriting.set_operands(terminator, returned)
        for value, uses in orders:
            now = value._uses
            rewriting.order_uses(value, dict.fromkeys([*(use for use in uses if use in now), *now]))
        function = self._splice.folded.function
        inputs = function_type(function).inputs
        type = FunctionType(inputs, [value.type for value in returned])
        properties = function.properties.with_("function_type", type)
        if results_attributes is not None:
            attributes = [results_attributes[index] for index in self._places_returned]
            properties = with_entry_attributes(properties, "res_attrs", attributes)
        rewriting.set_properties(function, properties)

    def _is_across_near(self, layer: int, ref: Ref) -> bool:
        return isinstance(ref, ValueRef) and layer in self._near() and self._is_across(layer, ref.distance)

    def _use_returned(self, use: Use) -> Use:
        """``use``, or, if it is by the terminator, the use there will be once all results are returned."""
        op, index = use
        if op is not self._splice.block.terminator:
            return use
        return op, self._places_returned[self._splice.folded.returned[index]]

    def _order(self) -> None:
        """Brings the uses of values that the new layers read, or make, into the order that they would have if no layer
        had been left out."""
        reach, first, end = self._splice.reach, self._first, self._end
        terminator = self._splice.block.terminator

        def user(use: UseRef, layer: int) -> Use:
            if use.series == BOUNDARY:
                result = self._splice.folded.number_of_result(use.operation, self._full_number(layer + use.distance))
                return terminator, self._places_returned[result]
            op = self.rows[use.series, layer + use.distance][use.operation]
            return op.operations()[use.nested] if use.nested else op, use.operand

        for layer in range(first - reach, end + reach):
            for ref, uses in self._splice.uses:
                given = self._uses.get((ref, layer))
                if given is None:
                    now = [user(use, layer) for use in uses]
                else:
                    now = [
                        user(use, layer) if self._is_across(layer, use.distance) else self._use_returned(one)
                        for use, one in zip(uses, given, strict=True)
                    ]
                rewriting.order_uses(self._value(ref, layer), now)
        for outside, readers in self._splice.outside.items():
            found: list[Use] = []
            for reader in readers:
                if not isinstance(reader, UsesLeftOut):
                    found.append(self._use_returned(reader))
                    continue
                refs = list(map(self._splice.use_ref, reader.uses))
                for layer in filter(self._is_written, reader.layers):
                    found += [user(ref, self._result_number(layer)) for ref in refs]
            rewriting.order_uses(outside, found)

    def counterpart(self, value: Value, layer: int) -> Value:
        """The counterpart of ``value`` if ``layer`` were in the place of the template: for a value of the template that
        in ``layer``, for a value of the layer above it that in ``layer + 1``. ``value`` itself if it is in no layer."""
        if isinstance(value, OpResult):
            position = self._splice.position_if_alike(value.owner)
            if position is None or value in self._splice.shared:
                return value
            return self._operation(position, layer).results[value.index]
        assert isinstance(value, BlockArgument)
        if value.owner is self._splice.block:
            folded = self._splice.folded
            family = folded.family(value.index)
            return value if family is None else folded.argument(family[0], layer + family[1] - folded.below)
        around = value.owner.parent_op
        position = None if around is None else self._splice.position_if_alike(around)
        if around is None or position is None:
            return value
        blocks = [block for region in around.regions for block in region.blocks]
        copies = [block for region in self._operation(position, layer).regions for block in region.blocks]
        return copies[blocks.index(value.owner)].arguments[value.index]

    def counterpart_of(self, op: Operation, layer: int) -> Operation:
        """The counterpart of operation ``op`` if ``layer`` were in the place of the template (see ``counterpart``)."""
        position = self._splice.position_if_alike(op)
        return op if position is None else self._operation(position, layer)

    def _operation(self, position: LayerPosition, layer: int) -> Operation:
        op = self.rows[position.series, layer + position.layer - self._splice.below][position.operation]
        return op.operations()[position.nested] if position.nested else op

    def _value(self, ref: Ref, layer: int) -> Value:
        """The value that ``ref`` is relative to ``layer``."""
        if isinstance(ref, Value):
            return ref
        if isinstance(ref, Carried):
            return self._carried(ref, layer)
        series, distance, number, index = ref
        if series == BOUNDARY:
            return self._argument(number, layer + distance)
        return self.rows[series, layer + distance][number].results[index]

    def _carried(self, ref: Carried, layer: int | None) -> Value:
        """The value that ``layer``, or what comes behind all layers, gets from the one before it in the text."""
        folded, carried = self._splice.folded, self._splice.carried

        def is_kept(layer: int) -> bool:
            return not folded.first <= layer < folded.end

        before = carried.before(
            ref.series,
            None if layer is None else self._full_number(layer),
            lambda one: is_kept(one) or self._is_written(one),
        )
        if is_kept(before):
            return carried.made(ref, before)
        return self.rows[ref.series, self._result_number(before)][ref.operation].results[ref.result]


def values_inside(op: Operation) -> list[Value]:
    """The results of ``op`` and the arguments of its blocks."""
    return [*op.results, *op.block_arguments()]
