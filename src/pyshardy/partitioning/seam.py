"""The seam of a program from which layers were left out: how they are put in, once it has become another one.

Passes change a short copy (``short_copy``), and partitioning makes the program of one device of it. Layers beside the
seam that were alike are alike still, and so would those have become that were left out: each is written like its
neighbour, operation by operation, on what is to it what the operands are to the neighbour. That they are alike is
looked at first: what they are made of, what they read, who reads them, in which order. ``few_layers``, right of this
file, knows why that is enough.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.ir import rewriting
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.types import FunctionType
from pyshardy.partitioning.short_copy import ShortCopy

Parts = Mapping[tuple[int, int], Sequence[Operation]]
"""The operations of a function that belong to a layer, in their order, by number of the series and layer."""

Ref = tuple[int, int, int, int] | Value
"""What is read, as a layer sees it: of which series, how many layers away, which operation, which result. For series -1
an argument of the function, by the number of the one below the seam that is like it. A value that is in no layer."""

UseRef = tuple[int, int, int, int, int]
"""Who reads, as a layer sees it: of which series, how many layers away, which operation, which of those in it, with
which operand. For series -1 the function returns it, as the result below the seam that is like it."""

Where = int | Location | None
Locations = Callable[[int], Mapping[Where, Where]]
"""For a layer, where in it stands what stands somewhere in the one below the seam."""


class Unlike(Exception):
    """Layers on the sides of the seam are not alike."""


class _Place(NamedTuple):
    """Where an operation stands: in which series and layer, counted without those that are left out, the number of the
    operation there that it is, or is in, and its number in that."""

    series: int
    layer: int
    number: int
    inner: int


class _ToCome(NamedTuple):
    """Where uses that the layers make that are put in belong; ``uses`` are those of the layer below the seam."""

    uses: list[Use]
    ascending: bool


class Seam:
    """The seam in ``function``, which the function of ``short`` has become, or the program of one device of it;
    ``parts`` are its layers near the seam, ``depth`` of them on each side, ``tails`` what is made of each result before
    it is returned, by its number in the program. Operations that are alike may differ in properties that are ``free``.

    Raises:
        Unlike: nothing can be put in.
    """

    def __init__(
        self,
        short: ShortCopy,
        function: Operation,
        parts: Parts,
        tails: Mapping[int, Sequence[Operation]] | None = None,
        free: frozenset[str] = frozenset(),
    ) -> None:
        self._short = short
        self._repetition = repetition = short.repetition
        self._function = function
        self._block = function.body
        self._tails = {} if tails is None else tails
        self._free = free
        self._below = short.first - 1
        self._count = short.end - short.first
        self._families: dict[int, tuple[int, int] | None] = {}
        self._arguments: dict[tuple[int, int], BlockArgument] = {}
        self._returned_as = self._numbers_of_results()
        self.series_of_results: dict[int, int] = {}
        """What is made of results, like a series: its number, by that of the result below the seam."""
        self.parts: Parts = {**parts, **self._parts_of_tails()}
        """The operations of layers near the seam, and those that are made of their results."""
        count = len(repetition.series) + len(self.series_of_results)
        self._template = [self.parts[number, self._below] for number in range(count)]
        self._places = self._found_places()
        self.reach = self._found_reach()
        """How many layers away what a layer reads is at most."""
        self._near = range(self._below - self.reach + 1, self._below + self.reach + 1)
        self._reads: dict[Operation, list[tuple[int, Ref]]] = {}
        """What operations below the seam read, and those in them, by number of the operand."""
        self._compare_operations()
        self._compare_uses()
        self._look_at_results()
        outside = {ref: None for read in self._reads.values() for _, ref in read if isinstance(ref, Value)}
        self._outside = {value: self._readers(value) for value in outside}

    @staticmethod
    def depth(reach: int) -> int:
        """How many layers on each side are looked at, if layers of the program read what is so many layers away; what
        has become of them may read what is a little farther away."""
        return 2 * reach + 3

    # --- what stands where --------------------------------------------------------------------------------------------

    def _found_places(self) -> dict[Operation, _Place]:
        places: dict[Operation, _Place] = {}
        for (series, layer), operations in self.parts.items():
            joined = self._joined(layer)
            for number, op in enumerate(operations):
                places[op] = _Place(series, joined, number, 0)
                if op.regions:
                    for inner, nested in enumerate(op.operations()):
                        places[nested] = _Place(series, joined, number, inner)
        return places

    def _parts_of_tails(self) -> dict[tuple[int, int], Sequence[Operation]]:
        depth, found = self.depth(self._repetition.reach), {}
        layers = {*range(self._below + 1 - depth, self._below + 1), *range(self._short.end, self._short.end + depth)}
        families = {index: self.result_family(index) for index, operations in self._tails.items() if operations}
        for _, family in sorted(families.items()):
            if family is not None:
                self.series_of_results.setdefault(family[0], len(self._repetition.series) + len(self.series_of_results))
        for first, series in self.series_of_results.items():
            for layer in layers:
                found[series, layer] = self._tails[self._number_of_result(first, layer)]
        return found

    def _found_reach(self) -> int:
        """How many layers away what the layer below the seam reads is at most.

        Raises:
            Unlike: that is too far to be looked at.
        """
        reach = self._repetition.reach
        for op in (one for template in self._template for one in template):
            for nested in op.operations() if op.regions else (op,):
                for value in nested.operands:
                    place = self._places.get(value.owner) if isinstance(value, OpResult) else None
                    family = None
                    if isinstance(value, BlockArgument) and value.owner is self._block:
                        family = self._family(value.index)
                    layer = place.layer if place is not None else family[1] if family is not None else self._below
                    reach = max(reach, abs(layer - self._below))
        if 2 * reach + 1 > self.depth(self._repetition.reach):
            raise Unlike
        return reach

    def _joined(self, layer: int) -> int:
        return layer if layer <= self._below else layer - self._count

    def _full(self, layer: int) -> int:
        return layer if layer <= self._below else layer + self._count

    def _family(self, index: int) -> tuple[int, int] | None:
        """The number of the argument below the seam that is like argument ``index``, and the layer of that, counted
        without those that are left out; None if it belongs to none."""
        if index not in self._families:
            argument, found = self._repetition.function.body.arguments[index], None
            layer = self._repetition.layer_of(argument)
            if layer is not None:
                alike = self._repetition.moved_value(argument, self._below - layer)
                if not isinstance(alike, BlockArgument):
                    raise Unlike
                found = alike.index, self._joined(layer)
            self._families[index] = found
        return self._families[index]

    def _family_of_argument(self, index: int) -> int:
        """The number of the argument below the seam that is like argument ``index``, which belongs to a layer."""
        found = self._family(index)
        assert found is not None
        return found[0]

    def _number_of_argument(self, family: int, layer: int) -> int:
        """The number of the argument that is to ``layer`` what argument ``family`` is to the layer below the seam."""
        argument = self._repetition.function.body.arguments[family]
        found = self._repetition.moved_value(argument, layer - self._below)
        if not isinstance(found, BlockArgument):
            raise Unlike
        return found.index

    def _argument(self, family: int, layer: int) -> BlockArgument:
        found = self._arguments.get((family, layer))
        if found is None:
            found = self._block.arguments[self._number_of_argument(family, layer)]
            self._arguments[family, layer] = found
        return found

    def _numbers_of_results(self) -> dict[Value, int]:
        """As which result the program returns a value that belongs to a layer, if it does so once."""
        values = self._repetition.operations[-1].operands
        times = Counter(values)
        layer_of = self._repetition.layer_of
        return {value: index for index, value in enumerate(values) if times[value] == 1 and layer_of(value) is not None}

    def result_family(self, index: int) -> tuple[int, int] | None:
        """The number of the result below the seam that is like result ``index`` of the program, and the layer of that;
        None if there is none."""
        value = self._repetition.operations[-1].operands[index]
        layer = self._repetition.layer_of(value)
        if layer is None:
            return None
        alike = self._repetition.moved_value(value, self._below - layer)
        return (self._returned_as[alike], layer) if alike is not None and alike in self._returned_as else None

    def _number_of_result(self, family: int, layer: int) -> int:
        value = self._repetition.operations[-1].operands[family]
        found = self._repetition.moved_value(value, layer - self._below)
        if found is None or found not in self._returned_as:
            raise Unlike
        return self._returned_as[found]

    def _ref(self, value: Value, layer: int) -> Ref:
        if isinstance(value, OpResult):
            place = self._places.get(value.owner)
            if place is None:
                return value
            if place.inner:
                raise Unlike
            return place.series, place.layer - layer, place.number, value.index
        assert isinstance(value, BlockArgument)
        family = self._family(value.index) if value.owner is self._block else None
        return value if family is None else (-1, family[1] - layer, family[0], 0)

    def _use_ref(self, use: Use, layer: int) -> UseRef:
        user, index = use
        place = self._places.get(user)
        if place is not None:
            return place.series, place.layer - layer, place.number, place.inner, index
        family = self.result_family(self._short.returned[index]) if user is self._block.last else None
        if family is None:
            raise Unlike
        return -1, self._joined(family[1]) - layer, family[0], 0, 0

    # --- whether layers are alike -------------------------------------------------------------------------------------

    def _compare_operations(self) -> None:
        for series in range(len(self._template)):
            expected: list[Hashable] | None = None
            layers = [self.parts[series, self._full(layer)] for layer in self._near]
            is_tail = series >= len(self._repetition.series)
            for layer, operations in zip(self._near, layers, strict=True):
                found = [self._key(op, layer) for op in operations]
                if expected is not None and found != expected:
                    raise Unlike
                expected = found
            if is_tail:
                continue
            in_order = layers if self._repetition.series[series].direction > 0 else layers[::-1]
            row = [op for operations in in_order for op in operations]
            if any(op.next_op is not following for op, following in itertools.pairwise(row)):
                raise Unlike

    def _key(self, op: Operation, layer: int) -> Hashable:
        """What ``op`` is, and what it reads, as its layer sees it."""
        refs = [self._ref(value, layer) for value in op.operands]
        if layer == self._below:
            self._reads[op] = list(enumerate(refs))
        types = tuple([result.type for result in op.results])
        inside = self._inside(op, layer) if op.regions else ()
        return op.name, self._compared(op), op.attributes, types, tuple(refs), inside

    def _compared(self, op: Operation) -> Hashable:
        if self._free and not self._free.isdisjoint(op.properties.entries):
            return op.properties.without(*self._free)
        return op.properties

    def _inside(self, op: Operation, layer: int) -> Hashable:
        """What is in the regions of ``op``."""
        numbers: dict[Value, int] = {}
        found: list[Hashable] = []
        for nested in op.operations():
            if nested is not op:
                refs = [numbers[one] if one in numbers else self._ref(one, layer) for one in nested.operands]
                if layer == self._below:
                    self._reads[nested] = [(at, ref) for at, ref in enumerate(refs) if not isinstance(ref, int)]
                types = tuple([result.type for result in nested.results])
                found.append((nested.name, self._compared(nested), nested.attributes, types, tuple(refs)))
                for result in nested.results:
                    self._enter_inner(result, numbers, found)
            for region in nested.regions:
                for block in region.blocks:
                    found.append(len(block.arguments))
                    for argument in block.arguments:
                        self._enter_inner(argument, numbers, found)
        return tuple(found)

    def _enter_inner(self, value: Value, numbers: dict[Value, int], found: list[Hashable]) -> None:
        numbers[value] = len(numbers)
        found.append((value.type, tuple([(self._places[user].inner, index) for user, index in value._uses])))

    def _compare_uses(self) -> None:
        """Compares who reads the results of layers and their arguments."""
        read = {ref[2] for read in self._reads.values() for _, ref in read if isinstance(ref, tuple) and ref[0] < 0}
        families = sorted(read)
        expected: list[list[UseRef]] | None = None
        for layer in self._near:
            full = self._full(layer)
            values: list[Value] = [self._argument(family, full) for family in families]
            for series in range(len(self._template)):
                values += [result for op in self.parts[series, full] for result in op.results]
            found = [[self._use_ref(use, layer) for use in value._uses] for value in values]
            if expected is not None and found != expected:
                raise Unlike
            expected = found
        assert expected is not None
        results = [
            (series, number, index)
            for series, operations in enumerate(self._template)
            for number, op in enumerate(operations)
            for index in range(len(op.results))
        ]
        keys: list[tuple[int, int, int]] = [*((-1, family, 0) for family in families), *results]
        self._uses = [(key, uses) for key, uses in zip(keys, expected, strict=True) if len(uses) > 1]
        """Who reads what is read several times."""

    def _look_at_results(self) -> None:
        """Looks at what is returned below the seam."""
        places = {index: place for place, index in enumerate(self._short.returned)}
        left_out = range(len(self._repetition.operations[-1].operands))
        if any(index not in places and self.result_family(index) is None for index in left_out):
            raise Unlike
        self._returned_refs: dict[int, Ref] = {}
        for value, index in self._returned_as.items():
            if self._repetition.layer_of(value) == self._below:
                ref = self._ref(self._block.terminator.operands[places[index]], self._below)
                if isinstance(ref, Value) or abs(ref[1]) > self.reach:
                    raise Unlike
                self._returned_refs[index] = ref

    def look_at_links(self, links: Mapping[Operation, Operation]) -> None:
        """Looks whether each layer is linked to what is to it what those are that the next one is linked to.

        Raises:
            Unlike: they are not.
        """
        expected: list[tuple[int, int, int] | None] | None = None
        for layer in self._near:
            found: list[tuple[int, int, int] | None] = []
            for series in range(len(self._repetition.series)):
                for op in self.parts[series, self._full(layer)]:
                    other = links.get(op)
                    place = self._places.get(other) if other is not None else None
                    if other is not None and place is None:
                        raise Unlike
                    found.append(None if place is None else (place.series, place.layer - layer, place.number))
            if expected is not None and found != expected:
                raise Unlike
            expected = found

    def _readers(self, value: Value) -> list[Use | _ToCome]:
        """Who reads ``value``, which is in no layer, in order."""
        runs: list[tuple[int | None, list[Use], list[Hashable]]] = []
        for use in value._uses:
            place = self._places.get(use[0])
            layer = None if place is None else place.layer
            if not runs or layer is None or runs[-1][0] != layer:
                runs.append((layer, [], []))
            runs[-1][1].append(use)
            runs[-1][2].append(None if place is None else (place.series, place.number, place.inner, use[1]))
        layers, contents = [run[0] for run in runs], [run[2] for run in runs]
        below = self._below
        found: list[Use | _ToCome] = []
        for number, (layer, uses, _) in enumerate(runs):
            if layer != below:
                found += uses
                continue
            ascending = layers[number - 1 : number + 2] == [below - 1, below, below + 1]
            if not ascending and layers[number - 1 : number + 2] != [below + 1, below, below - 1]:
                raise Unlike
            if not contents[number - 1] == contents[number] == contents[number + 1]:
                raise Unlike
            to_come = _ToCome(uses, ascending)
            found += (*uses, to_come) if ascending else (to_come, *uses)
        return found

    # --- the layers that are put in -----------------------------------------------------------------------------------

    def put_in(self, locations: Locations) -> Parts:
        """Puts the layers in, and returns their operations with those of the layers near the seam."""
        rows: dict[tuple[int, int], Sequence[Operation]] = dict(self.parts)
        values: dict[tuple[int, int], list[Value]] = {}
        """The results of a series and layer, one behind the other; for series -1 arguments."""
        for key, operations in self.parts.items():
            values[key] = [result for op in operations for result in op.results]
        self._shared: dict[Value, int] = {}
        self._read_series: dict[tuple[int, int], int] = {}
        self._read_families: dict[int, dict[int, int]] = {}
        self._first_results = [[*accumulate((len(op.results) for op in one), initial=0)] for one in self._template]
        recipes = [[self._recipe(op) for op in template] for template in self._template]
        for series, layer, anchor in self._order_of_layers():
            made: list[Operation] = []
            own: list[Value] = []
            rows[series, layer], values[series, layer] = made, own
            sources, where = self._sources(layer, values), locations(layer)
            for op, recipe in zip(self._template[series], recipes[series], strict=True):
                location = op.location
                operands = [sources[which][number] for which, number in recipe]
                if op.regions:
                    copy = self._written(op, operands, layer, rows, where)
                else:
                    copy = rewriting.made_alike(op, operands, where.get(location, location))
                made.append(copy)
                own += copy.results
            rewriting.insert_all_before(anchor, made)
        self._join(rows, locations)
        self._return(rows)
        self._order(rows)
        return rows

    def _order_of_layers(self) -> Iterator[tuple[int, int, Operation]]:
        """The layers of each series that are put in, in the order of the program, and before what they belong."""
        layers = range(self._short.first, self._short.end)
        for series, one in enumerate(self._repetition.series):
            beside = self.parts[series, self._short.end if one.direction > 0 else self._below]
            if beside:
                yield from ((series, layer, beside[0]) for layer in (layers if one.direction > 0 else reversed(layers)))
            else:
                yield from ((series, layer, self._block.terminator) for layer in layers)
        for index, series, layer in self.results_put_in():
            yield (
                series,
                layer,
                next(
                    (self._tails[other][0] for other in self._short.returned if other > index and self._tails[other]),
                    self._block.terminator,
                ),
            )

    def results_put_in(self) -> list[tuple[int, int, int]]:
        """The results of the layers that are put in of which something is made: their numbers, of which series that is,
        and the layer."""
        layers = range(self._short.first, self._short.end)
        return sorted(
            (self._number_of_result(family, layer), series, layer)
            for family, series in self.series_of_results.items()
            for layer in layers
        )

    def _recipe(self, op: Operation) -> list[tuple[int, int]]:
        """Where the operands of ``op`` stand: in which of ``_sources``, at which place."""
        return [self._at(ref) for _, ref in self._reads[op]]

    def _at(self, ref: Ref) -> tuple[int, int]:
        if isinstance(ref, Value):
            return 0, self._shared.setdefault(ref, len(self._shared))
        series, distance, number, index = ref
        which = self._read_series.setdefault((series, distance), len(self._read_series) + 1)
        if series < 0:
            families = self._read_families.setdefault(distance, {})
            return which, families.setdefault(number, len(families))
        return which, self._first_results[series][number] + index

    def _sources(self, layer: int, values: dict[tuple[int, int], list[Value]]) -> list[list[Value]]:
        """What ``layer`` reads: values of no layer, and those of each series so many layers away."""
        found = [list(self._shared)]
        for series, distance in self._read_series:
            if series < 0:
                found.append([self._argument(family, layer + distance) for family in self._read_families[distance]])
            else:
                found.append(values.get((series, layer + distance), []))
        return found

    def counterpart(self, value: Value, layer: int, rows: Parts) -> Value:
        """What is to ``layer`` what ``value`` is to the layer below the seam; itself if it is in no layer."""
        if isinstance(value, OpResult):
            place = self._places.get(value.owner)
            return value if place is None else self._operation(place, layer, rows).results[value.index]
        assert isinstance(value, BlockArgument)
        if value.owner is self._block:
            family = self._family(value.index)
            return value if family is None else self._argument(family[0], layer + family[1] - self._below)
        around = value.owner.parent_op
        place = None if around is None else self._places.get(around)
        if around is None or place is None:
            return value
        blocks = [block for region in around.regions for block in region.blocks]
        copies = [block for region in self._operation(place, layer, rows).regions for block in region.blocks]
        return copies[blocks.index(value.owner)].arguments[value.index]

    def counterpart_of(self, op: Operation, layer: int, rows: Parts) -> Operation:
        """The operation that is to ``layer`` what ``op`` is to the layer below the seam; itself if it is in no
        layer."""
        place = self._places.get(op)
        return op if place is None else self._operation(place, layer, rows)

    def is_below(self, op: Operation) -> bool:
        """Whether ``op`` stands in the layer below the seam."""
        place = self._places.get(op)
        return place is not None and place.layer == self._below

    def is_in_layer(self, value: Value) -> bool:
        """Whether a layer near the seam makes ``value``."""
        return value.parent_block is not None and (value.defining_op or value.parent_block.parent_op) in self._places

    def home(self, op: Operation) -> int | None:
        """From where ``counterpart`` is to be asked for what ``op`` sees, which was there before; None if it is in no
        layer near the seam."""
        place = self._places.get(op)
        return None if place is None else self.home_of_layer(self._full(place.layer))

    def home_of_layer(self, layer: int) -> int:
        """The same for all of ``layer``, which was there before."""
        return self._below if layer <= self._below else self._below + self._count

    def arguments_near(self) -> dict[int, list[int]]:
        """The numbers of the arguments of the layers that were there before."""
        found: dict[int, list[int]] = {}
        for index, argument in enumerate(self._repetition.function.body.arguments):
            layer = self._repetition.layer_of(argument)
            if layer is not None and not self._short.first <= layer < self._short.end:
                found.setdefault(layer, []).append(index)
        return found

    def arguments_put_in(self) -> list[tuple[int, int, int]]:
        """The arguments of the layers that are put in: the one below the seam that is like it, its own number, and
        the layer."""
        short, found = self._short, []
        for index, argument in enumerate(self._repetition.function.body.arguments):
            layer = self._repetition.layer_of(argument)
            if layer is not None and short.first <= layer < short.end:
                found.append((self._family_of_argument(index), index, layer))
        return found

    def _operation(self, place: _Place, layer: int, rows: Parts) -> Operation:
        op = rows[place.series, layer + place.layer - self._below][place.number]
        return op.operations()[place.inner] if place.inner else op

    def _value(self, ref: Ref, layer: int, rows: Parts) -> Value:
        """What ``ref`` is for ``layer``."""
        if isinstance(ref, Value):
            return ref
        series, distance, number, index = ref
        if series < 0:
            return self._argument(number, layer + distance)
        return rows[series, layer + distance][number].results[index]

    def _written(
        self, op: Operation, operands: list[Value], layer: int, rows: Parts, where: Mapping[Where, Where]
    ) -> Operation:
        """What is to ``layer`` what ``op``, which has regions, is to the one below the seam."""
        nested = op.operations()[1:]
        mapping = {
            inner.operands[index]: self._value(ref, layer, rows)
            for inner in nested
            for index, ref in self._reads[inner]
        }
        regions = tuple([rewriting.copied_region(region, mapping) for region in op.regions])
        made = rewriting.made_alike(op, operands, where.get(op.location, op.location), regions)
        copies = made.operations()[1:]
        for inner, copy in zip(nested, copies, strict=True):
            copy.location = where.get(inner.location, inner.location)
            for value, its in zip(values_inside(inner), values_inside(copy), strict=True):
                self._order_inside(value, its, copies)
        for mine, its in zip(_arguments_inside(op), _arguments_inside(made), strict=True):
            self._order_inside(mine, its, copies)
        return made

    def _order_inside(self, value: Value, its: Value, copies: list[Operation]) -> None:
        """Brings the uses of ``its`` in a copy of regions into the order of those of ``value``."""
        if len(value._uses) > 1:
            uses = [(copies[self._places[user].inner - 1], index) for user, index in value._uses]
            rewriting.order_uses(its, uses)

    def _join(self, rows: Parts, locations: Locations) -> None:
        """Lets layers beside those that were put in read of these, and stand where they would stand."""
        reach, first, end = self.reach, self._short.first, self._short.end
        for layer in (*range(first - reach, first), *range(end, end + reach)):
            where = locations(layer)
            for series, template in enumerate(self._template):
                for op, alike in zip(rows[series, layer], template, strict=True):
                    pairs = zip(op.operations(), alike.operations(), strict=True) if op.regions else ((op, alike),)
                    for inner, its in pairs:
                        inner.location = where.get(its.location, inner.location)
                        for index, ref in self._reads[its]:
                            value = self._value(ref, layer, rows) if isinstance(ref, tuple) and ref[1] else None
                            if value is not None and inner.operands[index] is not value:
                                rewriting.set_operand(inner, index, value)

    def _return(self, rows: Parts) -> None:
        """Lets the function return what the layers make that were put in."""
        terminator, reach = self._block.terminator, self.reach
        places = {index: place for place, index in enumerate(self._short.returned)}
        nearby = range(self._short.first - reach, self._short.end + reach)
        returned: list[Value] = []
        for index in range(len(self._repetition.operations[-1].operands)):
            family = self.result_family(index)
            if family is not None and family[1] in nearby:
                returned.append(self._value(self._returned_refs[family[0]], family[1], rows))
            else:
                returned.append(terminator.operands[places[index]])
        numbers = self._short.returned
        orders = [
            (value, [(op, numbers[index] if op is terminator else index) for op, index in value._uses])
            for value in terminator.operands
            if len(value._uses) > 1
        ]
        rewriting.set_operands(terminator, returned)
        for value, uses in orders:
            now = value._uses
            rewriting.order_uses(value, dict.fromkeys([*(use for use in uses if use in now), *now]))
        inputs = function_type(self._function).inputs
        type = FunctionType(inputs, [value.type for value in returned])
        rewriting.set_properties(self._function, self._function.properties.with_("function_type", type))

    def _order(self, rows: Parts) -> None:
        """Brings uses into the order in which they would stand if no layer had been left out."""
        reach, first, end = self.reach, self._short.first, self._short.end
        terminator = self._block.terminator

        def user(use: UseRef, layer: int) -> Use:
            series, distance, number, inner, index = use
            if series < 0:
                return terminator, self._number_of_result(number, layer + distance)
            op = rows[series, layer + distance][number]
            return op.operations()[inner] if inner else op, index

        for layer in range(first - reach, end + reach):
            for (series, number, index), uses in self._uses:
                value: Value = (
                    self._argument(number, layer) if series < 0 else rows[series, layer][number].results[index]
                )
                rewriting.order_uses(value, [user(use, layer) for use in uses])
        for shared, readers in self._outside.items():
            found: list[Use] = []
            for reader in readers:
                if not isinstance(reader, _ToCome):
                    op, index = reader
                    found.append((op, self._short.returned[index]) if op is terminator else reader)
                    continue
                refs = [
                    (place.series, 0, place.number, place.inner, index)
                    for place, index in [(self._places[op], index) for op, index in reader.uses]
                ]
                for layer in range(first, end) if reader.ascending else reversed(range(first, end)):
                    found += [user(ref, layer) for ref in refs]
            rewriting.order_uses(shared, found)


def values_inside(op: Operation) -> list[Value]:
    """The results of ``op`` and the arguments of its blocks."""
    return [*op.results, *_arguments_inside(op)]


def _arguments_inside(op: Operation) -> list[BlockArgument]:
    return [argument for region in op.regions for block in region.blocks for argument in block.arguments]
