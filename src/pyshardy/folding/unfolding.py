"""Unfolding: the layers that were left out are written into what a folded program has become.

Each is written like the layer below the splice point, operation by operation; then those beside them are let read of
them, the function returns what they make, and uses are brought into the order in which they would stand if no layer had
been left out. ``splice`` has seen that this is right. It can stop early, too: with some of the layers written, the
program is still folded, only less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from pyshardy.dialects.func import function_type
from pyshardy.folding.folded import Folded
from pyshardy.folding.parts import NAMING, LayerPosition, Ref, UseRef, name_in
from pyshardy.folding.splice import Repeated, Splice
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.types import FunctionType


class Unfolding:
    """Writes the layers that were left out at ``splice`` into ``module``, or those of them alone that ``less`` has,
    which is the same program folded less; ``rows`` are the operations of each, and those of the layers near the splice
    point, by number of the series and layer. Layers that ``less`` has not are not counted.

    Raises:
        NotAlike: ``less`` does not have what is to be written.
    """

    def __init__(self, splice: Splice, module: Operation, less: Folded | None = None) -> None:
        self._splice = splice
        folded = splice.folded
        self._location = folded.location if less is None else folded.locations_in(less)
        self._less = less
        self._first, self._end = folded.first, self._folded_number(folded.end)
        """Those that are written."""
        returned = range(len(folded.results)) if less is None else less.returned
        self._places_returned = {index: place for place, index in enumerate(returned)}
        """Where each result of the program will be returned."""
        self.rows: dict[tuple[int, int], Sequence[Operation]] = {
            (series, self._folded_number(layer)): operations for (series, layer), operations in splice.parts.items()
        }
        given = [(op, op.location) for op in module.operations()]
        self._plain: dict[Operation, bool] = {}
        self._shared: dict[Value, int] = {}
        self._read_series: dict[tuple[int, int], int] = {}
        self._read_families: dict[int, dict[int, int]] = {}
        self._first_results = [[*accumulate((len(op.results) for op in one), initial=0)] for one in splice.template]
        self._write()
        self._join()
        self._return()
        self._order()
        for op, location in given:
            if isinstance(location, int) and location < 0:
                op.location = self._location(location, 0)

    def _folded_number(self, layer: int) -> int:
        return layer if self._less is None else self._less.folded_number(layer)

    def _full_number(self, layer: int) -> int:
        """The number of a layer in the program."""
        return layer if self._less is None else self._less.full_number(layer)

    def _is_written(self, layer: int) -> bool:
        """Whether ``layer`` of the program, one that is left out, is written."""
        return self._less is None or not self._less.first <= layer < self._less.end

    def _argument(self, family: int, layer: int) -> BlockArgument:
        return self._splice.argument(family, self._full_number(layer))

    def _write(self) -> None:
        values = {key: [one for op in found for one in op.results] for key, found in self.rows.items()}
        """The results of a series and layer, one behind the other."""
        recipes = [[self._recipe(op) for op in template] for template in self._splice.template]
        origins = [[self._splice.folded.origin(op.location) for op in template] for template in self._splice.template]
        operations, has_functions = self._splice.folded.layers.operations, bool(self._splice.folded.own_functions)
        is_last = self._less is None
        for series, layer, point in self._order_of_layers():
            made: list[Operation] = []
            own: list[OpResult] = []
            self.rows[series, layer], values[series, layer] = made, own
            sources, moved = self._sources(layer, values), self._full_number(layer) - self._splice.below
            for op, recipe, origin in zip(self._splice.template[series], recipes[series], origins[series], strict=True):
                operands = [sources[which][number] for which, number in recipe]
                if op.regions:
                    copy = self._written(op, operands, layer)
                else:
                    if origin is None or not is_last:
                        location = self._location(op.location, moved)
                    else:
                        location = operations[origin[0] + moved * origin[1]].location
                    copy = rewriting.made_alike(op, operands, location)
                if has_functions and (op.name in NAMING or op.regions):
                    self._rename(copy, moved)
                made.append(copy)
                own += copy.results
            rewriting.insert_all_before(point, made)

    def _rename(self, op: Operation, layers: int) -> None:
        """Has ``op``, a copy of what is so many layers below, and what is in it name the functions of its own layer."""
        for one in op.operations():
            if one.name in NAMING:
                properties, attributes = self._renamed(one.properties, layers), self._renamed(one.attributes, layers)
                if properties is not one.properties:
                    rewriting.set_properties(one, properties)
                if attributes is not one.attributes:
                    rewriting.set_attributes(one, attributes)

    def _renamed(self, dictionary: DictionaryAttr, layers: int) -> DictionaryAttr:
        for key, attribute in dictionary.entries.items():
            name = name_in(attribute)
            other = None if name is None else self._splice.folded.own_functions.counterpart(name, layers)
            if other is not None:
                made = StringAttr(other) if isinstance(attribute, StringAttr) else SymbolRefAttr(other)
                dictionary = dictionary.with_(key, made)
        return dictionary

    def _order_of_layers(self) -> Iterator[tuple[int, int, Operation]]:
        """The layers of each series that are put in, in the order of the program, and before what they belong."""
        for series in range(len(self._splice.template) - len(self._splice.series_of_results)):
            for layer in self._splice.left_out(series):
                if self._is_written(layer):
                    yield series, self._folded_number(layer), self._splice.insertion_point(series, layer)
        for index, series, layer in self._splice.results_left_out():
            if index in self._places_returned:
                yield series, self._folded_number(layer), self._splice.insertion_point_of_result(index)

    def _recipe(self, op: Operation) -> list[tuple[int, int]]:
        """Where the operands of ``op`` stand: in which of ``_sources``, at which place."""
        return [self._at(ref) for _, ref in self._splice.reads[op]]

    def _at(self, ref: Ref) -> tuple[int, int]:
        if isinstance(ref, Value):
            return 0, self._shared.setdefault(ref, len(self._shared))
        series, distance, number, index = ref
        which = self._read_series.setdefault((series, distance), len(self._read_series) + 1)
        if series < 0:
            families = self._read_families.setdefault(distance, {})
            return which, families.setdefault(number, len(families))
        return which, self._first_results[series][number] + index

    def _sources(self, layer: int, values: Mapping[tuple[int, int], Sequence[Value]]) -> list[Sequence[Value]]:
        """What ``layer`` reads: values of no layer, and those of each series so many layers away."""
        found: list[Sequence[Value]] = [list(self._shared)]
        for series, distance in self._read_series:
            if series < 0:
                found.append([self._argument(family, layer + distance) for family in self._read_families[distance]])
            else:
                found.append(values.get((series, layer + distance), []))
        return found

    def _written(self, op: Operation, operands: list[Value], layer: int) -> Operation:
        """What is to ``layer`` what ``op``, which has regions, is to the one below the splice point."""
        distance = self._full_number(layer) - self._splice.below
        location = self._location(op.location, distance)
        if self._is_plain(op):
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
        for mine, its in zip(_arguments_inside(op), _arguments_inside(made), strict=True):
            self._order_inside(mine, its, copies)
        return made

    def _locate_arguments(self, op: Operation, made: Operation, distance: int) -> None:
        """Says of the arguments of the regions of ``made``, a copy of ``op`` so many layers away, where they come
        from."""
        theirs = self._splice.folded.locations_of_arguments(op.location, distance)
        alike, copies = _arguments_inside(op), _arguments_inside(made)
        if theirs is not None and len(copies) == len(theirs):
            for argument, copy, its in zip(alike, copies, theirs, strict=True):
                if argument.location is not None:
                    copy.location = its

    def _is_plain(self, op: Operation) -> bool:
        """Whether what is in the regions of ``op`` reads nothing from outside, and each value once at most."""
        known = self._plain.get(op)
        if known is None:
            nested = op.operations()[1:]
            inside = [*_arguments_inside(op), *(result for inner in nested for result in inner.results)]
            known = all(not inner.regions and not self._splice.reads[inner] for inner in nested)
            known = self._plain[op] = known and all(len(value._uses) < 2 for value in inside)
        return known

    def _order_inside(self, value: Value, its: Value, copies: list[Operation]) -> None:
        """Brings the uses of ``its`` in a copy of regions into the order of those of ``value``."""
        if len(value._uses) > 1:
            uses = [(copies[self._splice.places[user].inner - 1], index) for user, index in value._uses]
            rewriting.order_uses(its, uses)

    def _join(self) -> None:
        """Lets layers beside those that were left out read of these."""
        reach, first, end = self._splice.reach, self._first, self._end
        for layer in (*range(first - reach, first), *range(end, end + reach)):
            for series, template in enumerate(self._splice.template):
                for op, alike in zip(self.rows[series, layer], template, strict=True):
                    pairs = zip(op.operations(), alike.operations(), strict=True) if op.regions else ((op, alike),)
                    for inner, its in pairs:
                        for index, ref in self._splice.reads[its]:
                            value = self._value(ref, layer) if isinstance(ref, tuple) and ref[1] else None
                            if value is not None and inner.operands[index] is not value:
                                rewriting.set_operand(inner, index, value)

    def _return(self) -> None:
        """Lets the function return what the layers make that were put in."""
        terminator, reach = self._splice.block.terminator, self._splice.reach
        places = {index: place for place, index in enumerate(self._splice.folded.returned)}
        nearby = range(self._first - reach, self._end + reach)
        returned: list[Value] = []
        for index in self._places_returned:
            family = self._splice.folded.results[index]
            layer = -1 if family is None else self._folded_number(family[1])
            if family is not None and layer in nearby:
                returned.append(self._value(self._splice.returned_refs[family[0]], layer))
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
        inputs = function_type(self._splice.function).inputs
        type = FunctionType(inputs, [value.type for value in returned])
        rewriting.set_properties(self._splice.function, self._splice.function.properties.with_("function_type", type))

    def _use_returned(self, use: Use) -> Use:
        """``use`` with the layers that are written: where the function returns something is another place."""
        op, index = use
        if op is not self._splice.block.terminator:
            return use
        return op, self._places_returned[self._splice.folded.returned[index]]

    def _order(self) -> None:
        """Brings uses into the order in which they would stand if no layer had been left out."""
        reach, first, end = self._splice.reach, self._first, self._end
        terminator = self._splice.block.terminator

        def user(use: UseRef, layer: int) -> Use:
            series, distance, number, inner, index = use
            if series < 0:
                result = self._splice.number_of_result(number, self._full_number(layer + distance))
                return terminator, self._places_returned[result]
            op = self.rows[series, layer + distance][number]
            return op.operations()[inner] if inner else op, index

        for layer in range(first - reach, end + reach):
            for (series, number, index), uses in self._splice.uses:
                value: Value = (
                    self._argument(number, layer) if series < 0 else self.rows[series, layer][number].results[index]
                )
                rewriting.order_uses(value, [user(use, layer) for use in uses])
        for shared, readers in self._splice.outside.items():
            found: list[Use] = []
            for reader in readers:
                if not isinstance(reader, Repeated):
                    found.append(self._use_returned(reader))
                    continue
                refs = [
                    (place.series, 0, place.number, place.inner, index)
                    for place, index in [(self._splice.places[op], index) for op, index in reader.uses]
                ]
                for layer in filter(self._is_written, reader.layers):
                    found += [user(ref, self._folded_number(layer)) for ref in refs]
            rewriting.order_uses(shared, found)

    def counterpart(self, value: Value, layer: int) -> Value:
        """The counterpart in ``layer`` of ``value``, which is of the layer below the splice point; ``value`` itself if
        it is in no layer."""
        if isinstance(value, OpResult):
            place = self._splice.places.get(value.owner)
            if place is None or value in self._splice.shared:
                return value
            return self._operation(place, layer).results[value.index]
        assert isinstance(value, BlockArgument)
        if value.owner is self._splice.block:
            family = self._splice.family(value.index)
            return value if family is None else self._splice.argument(family[0], layer + family[1] - self._splice.below)
        around = value.owner.parent_op
        place = None if around is None else self._splice.places.get(around)
        if around is None or place is None:
            return value
        blocks = [block for region in around.regions for block in region.blocks]
        copies = [block for region in self._operation(place, layer).regions for block in region.blocks]
        return copies[blocks.index(value.owner)].arguments[value.index]

    def counterpart_of(self, op: Operation, layer: int) -> Operation:
        """The counterpart in ``layer`` of ``op``, an operation of the layer below the splice point; ``op`` itself if it
        is in no layer."""
        place = self._splice.places.get(op)
        return op if place is None else self._operation(place, layer)

    def _operation(self, place: LayerPosition, layer: int) -> Operation:
        op = self.rows[place.series, layer + place.layer - self._splice.below][place.number]
        return op.operations()[place.inner] if place.inner else op

    def _value(self, ref: Ref, layer: int) -> Value:
        """What ``ref`` is for ``layer``."""
        if isinstance(ref, Value):
            return ref
        series, distance, number, index = ref
        if series < 0:
            return self._argument(number, layer + distance)
        return self.rows[series, layer + distance][number].results[index]


def values_inside(op: Operation) -> list[Value]:
    """The results of ``op`` and the arguments of its blocks."""
    return [*op.results, *_arguments_inside(op)]


def _arguments_inside(op: Operation) -> list[BlockArgument]:
    return [argument for region in op.regions for block in region.blocks for argument in block.arguments]
