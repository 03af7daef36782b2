"""Folding: a copy of a program without some of its layers, whose operations say what they are copies of.

``fold`` leaves out layers from the midst of those that are alike. Say layers 2 to 9 of 12 are left out: then layer 10
of the copy reads the results of layer 1 where it read those of layer 9, which are their counterparts. Layers 1 and 10
meet at the *splice point*. The copy is a legal program like any other, so plain passes and the plain partitioner run
on it.

The certificates and unfolding need to know which operation of the program each operation of the result comes from.
Passes and the partitioner hand on the *location* of an operation to whatever they make of it. So the copies get
locations of our own, negative integers: location ``-1 - n`` is a copy of entry ``n`` of ``_origins``.

Layers have two numbers. The *full number* is that of the whole program, with all layers. The *folded number* counts
only the layers that were kept: layer 10 of the example has the folded number 2, one above layer 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from pyshardy.dialects.func import callee, function_type, result_attributes, with_entry_attributes
from pyshardy.folding.boundary import LayerBoundary
from pyshardy.folding.free_constants import VALUE, SplatValue
from pyshardy.folding.layers import Layers
from pyshardy.folding.own_functions import Locations
from pyshardy.folding.series import Series
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation, OpResult, Region, Use, Value
from pyshardy.ir.types import FunctionType


class NotAlike(Exception):
    """There is no certificate: layers near the splice point are not alike, or it is not known whether they are."""


_Origin = tuple[int | None, int, Operation, str | None]
"""The operation that a copy was made of, third, and where it is. First the number of the operation of the function that
it is, or is inside of, or that calls the function it is in; None if it is none of these. Then its place in the
operation, or in the function that is called: 0 for the operation or function itself. Last the name of this function,
None if there is none."""


class _Copied(NamedTuple):
    """What ``fold`` knows of a copy: the numbers of the results that it returns, the origins of its operations and the
    series and layers of these, the boundary, and the locations in functions that belong to layers. These are kept
    because the module may be changed before they are asked for."""

    returned: list[int]
    origins: list[_Origin]
    homes: list[tuple[int, int] | None]
    boundary: LayerBoundary
    locations_in_functions: dict[str, list[Locations]]


class Folded:
    """A folded program: ``module`` is a copy of a program without its layers ``first`` up to (excluding) ``end``, and
    ``function`` the copy of the function that has the ``layers``. The splice point is between layer ``below``, which is
    ``first - 1``, and layer ``end``.

    The copy has all arguments of the function, and those of its results whose numbers are in ``returned``: the layers
    that were left out return nothing.
    """

    def __init__(
        self, module: Operation, function: Operation, layers: Layers, first: int, end: int, copied: _Copied
    ) -> None:
        self.module = module
        self.function = function
        self.layers = layers
        self.first = first
        self.end = end
        self.returned = copied.returned
        self.below = first - 1
        self.count = end - first
        """The number of layers that are left out."""
        self._copied = copied
        boundary = copied.boundary
        self.arguments, self.results = boundary.arguments, boundary.results
        self.layers_of_arguments = boundary.layers_of_arguments
        self.argument_numbers, self.result_numbers = boundary.argument_numbers, boundary.result_numbers
        self._origins = list(copied.origins)
        self._homes = list(copied.homes)
        self._apart: set[int] = set()
        """The locations of operations that do not stand with the layer that they come from
        (``mark_copies_of_other_layers``), or belong to (``add_copies``)."""
        self.series = list(layers.series)
        """The series of the layers, and those that ``add_copies`` has added."""
        self._copies: dict[tuple[Operation, int, int], int] = {}
        """The location of the copies of an operation that belong to a layer of a series that was added, by the
        operation, the series and the layer."""
        self.own_functions = layers.own_functions
        self._locations_in_functions = copied.locations_in_functions

    def location_apart(self, op: Operation, *, is_fixed: bool) -> int:
        """A new location for copies of ``op``, an operation of the function, that stand apart from its layer. If it
        ``is_fixed``, the counterparts of such a copy in other layers are copies of ``op``, too, else copies of
        counterparts of ``op``."""
        self._origins.append((None if is_fixed else self.layers.numbers[op], 0, op, None))
        self._homes.append(None)
        self._apart.add(-len(self._origins))
        return -len(self._origins)

    def add_copies(self, row: Iterable[tuple[int, Operation]], direction: int, *, is_fixed: bool = True) -> None:
        """Adds a series that goes through the layers in ``direction``: the copies in ``row``, operations outside of
        layers, each with the layer that reads it. They get locations that say so. If ``is_fixed``, all are copies of
        one operation, else those of each layer of the counterparts of its own."""
        number = len(self.series)
        # Its repeats are no ranges of the program, where all copies are one operation: only the direction is told.
        self.series.append(Series(0, 0, 0, 0, direction))
        for layer, op in row:
            origin = self.source(op.location)
            assert origin is not None
            op.location = self._location_of_copy(origin, number, layer, is_fixed=is_fixed)

    def _location_of_copy(self, origin: Operation, series: int, layer: int, *, is_fixed: bool) -> int:
        """The location of the copies of ``origin`` that belong to ``layer`` of ``series``, one that was added."""
        location = self._copies.get((origin, series, layer))
        if location is None:
            location = self._copies[origin, series, layer] = self.location_apart(origin, is_fixed=is_fixed)
            self._homes[-1] = series, layer
        return location

    def mark_copies_of_other_layers(self, copies: Iterable[Operation], fixed: Collection[Operation | None]) -> None:
        """Gives those of ``copies`` that are read by another layer than they come from locations that say so. The
        copies are constants of a propagated program: passes have given each reader a copy of its own, which stands with
        the reader, but has the location of the one constant that all readers shared.

        Copies of operations in ``fixed`` come from one operation in all layers: a constant that the first layer has
        made for all. Other copies come from a constant at a fixed distance, say in the layer below that of the reader.

        Raises:
            NotAlike: with all layers such a constant would be in a layer that does not exist.
        """
        known: dict[tuple[Operation, bool], int] = {}
        for one in copies:
            origin, ((user, _),) = self.source(one.location), one.result._uses
            mine, its = self.number_of_origin(one.location), self.number_of_origin(user.location)
            if origin is None or mine is None:
                continue
            if its is not None and self._home(mine) == self._home(its):
                continue
            is_fixed = origin in fixed
            # Ends of the model that are kept may read each other; only others read across the splice point.
            is_same = is_fixed or its is None or self._reads(user, origin)
            beyond = 0 if is_same or its is None else self._left_out_between(mine, its)
            if beyond:
                moved = self.layers.counterpart(mine, beyond)
                if moved is None:
                    raise NotAlike
                origin = moved
            if (origin, is_fixed) not in known:
                known[origin, is_fixed] = self.location_apart(origin, is_fixed=is_fixed)
            one.location = known[origin, is_fixed]

    def _reads(self, user: Operation, origin: Operation) -> bool:
        """Whether the origin of ``user`` reads a result of ``origin`` in the program."""
        source = self.source(user.location)
        return source is not None and not {*source.operands}.isdisjoint(origin.results)

    def _left_out_between(self, number: int, user: int) -> int:
        """How many layers are left out between operation ``number`` and operation ``user``, which reads its result in
        the folded program; negative if ``user`` is the lower one. With all layers ``user`` would read the counterpart
        that is so many layers above."""
        layer, its = self.layers.layer(number), self.layers.layer(user)
        if layer is None or its is None:
            return 0
        return self.folded_number(layer) - self.folded_number(its) - (layer - its)

    def _home(self, number: int) -> tuple[int, int | None]:
        """The series and the layer of operation ``number``."""
        return self.layers.series_of(number), self.layers.layer(number)

    def of(self, module: Operation, function: Operation | None = None) -> Folded:
        """The same folding of ``module``, which a stage has made of this module or of a copy of it; ``function`` is
        what has become of that with the layers, if it has another name."""
        name = self.function.symbol_name
        function = function or next(op for op in module.body if op.name == "func.func" and op.symbol_name == name)
        found = Folded(module, function, self.layers, self.first, self.end, self._copied)
        found._origins, found._homes, found._apart = list(self._origins), list(self._homes), set(self._apart)
        found.series, found._copies = list(self.series), dict(self._copies)
        return found

    def series_sorted(self) -> Iterator[tuple[int, Series]]:
        """The sorted series, with their numbers."""
        return ((number, one) for number, one in enumerate(self.series) if one.order)

    @property
    def beside(self) -> int:
        """How many layers that are alike were kept on each side of the splice point, on the side with fewer."""
        return min(self.first - self.layers.first, self.layers.end - self.end)

    # --- numbers of layers --------------------------------------------------------------------------------------------

    @property
    def multiplicity(self) -> int:
        """How many layers of the program the template stands for: itself, and those that are left out."""
        return 1 + self.count

    @property
    def template(self) -> int:
        """The layer that stands for those that are left out, too: the one below the splice point, or the one above if
        the one below is not among those that are alike."""
        return self.below if self.below >= self.layers.first else self.end

    def times(self, layer: int | None) -> int:
        """How many layers of the program ``layer``, one that was kept, stands for; 1 for None, for no layer."""
        return self.multiplicity if layer == self.template else 1

    def folded_number(self, layer: int) -> int:
        """The folded number of ``layer``, which was kept."""
        return layer if layer <= self.below else layer - self.count

    def full_number(self, layer: int) -> int:
        """The full number of the layer with the folded number ``layer``."""
        return layer if layer <= self.below else layer + self.count

    # --- where operations come from -----------------------------------------------------------------------------------

    def number_of_origin(self, location: int | Location | None) -> int | None:
        """The number of the operation of the function that an operation with this ``location`` comes from: the one that
        is its origin, is around its origin, or calls the function of its origin. None if there is none, or if the
        operation stands apart from the layer it comes from."""
        if isinstance(location, int) and location < 0 and location not in self._apart:
            return self._origins[-1 - location][0]
        return None

    def homes(self, operations: Iterable[Operation]) -> list[tuple[int, int] | None]:
        """The series and layer of the origin of each of ``operations``; None for those that come from no layer, or
        stand elsewhere."""
        homes = self._homes
        locations = [op.location for op in operations]
        return [homes[-1 - one] if isinstance(one, int) and one < 0 else None for one in locations]

    def home(self, location: int | Location | None) -> tuple[int, int] | None:
        """The series and layer of an operation with this ``location``, as ``homes`` tells it."""
        return self._homes[-1 - location] if isinstance(location, int) and location < 0 else None

    def origin(self, location: int | Location | None) -> tuple[int, int] | None:
        """The number of the operation that is the origin of an operation with this ``location``, and how far it is from
        there to its counterpart in the layer above. None if the origin is no operation of a layer, is inside of one, or
        stands in a sorted series, where the distance varies."""
        if not isinstance(location, int) or location >= 0:
            return None
        number, inner, _, function = self._origins[-1 - location]
        series = -1 if number is None else self.layers.series_of(number)
        if number is None or inner or function is not None or series < 0 or self.layers.series[series].order:
            return None
        return number, self.layers.step(series)

    def source(self, location: int | Location | None, layers: int = 0) -> Operation | None:
        """The origin of an operation with this ``location``, or the counterpart of that in the layer that is ``layers``
        above; None if the operation has no origin in the program."""
        if not isinstance(location, int) or location >= 0:
            return None
        number, inner, op, function = self._origins[-1 - location]
        if not layers or number is None or self.layers.series_of(number) < 0:
            return op
        if function is not None:
            name = self.own_functions.counterpart(function, layers)
            moved = None if name is None else self.own_functions.all[name]
        else:
            moved = self.layers.counterpart(number, layers)
        if moved is None:
            return op
        if not inner:
            return moved
        # The program may have been changed since it was folded.
        nested = moved.operations()
        return nested[inner] if inner < len(nested) else op

    def free_value(self, op: Operation, layers: int = 0) -> Attribute | None:
        """The value of the counterpart of ``op`` in the layer that is ``layers`` above, if ``op`` is a copy of a free
        constant in the function; None if it is none."""
        values = self.layers.free.values
        if not values or op.operands or op.parent is not self.function.body:
            return None
        source = self.source(op.location)
        found = None if source is None else values.get(source)
        if found is None or op.properties.entries.get(VALUE) is not found:
            return None
        moved = self.source(op.location, layers)
        return None if moved is None else values.get(moved)

    def free_splats_left_out(self) -> set[SplatValue]:
        """The numbers that free constants of layers that were left out have."""
        layers = self.layers
        homes = ((number, layers.layer(layers.numbers[group[0]])) for number, group in layers.free.groups.items())
        return {number for number, layer in homes if layer is not None and self.first <= layer < self.end}

    def location(self, location: int | Location | None, layers: int = 0) -> int | Location | None:
        """The location that the origin of an operation with this ``location`` has in the program, or that of the
        counterpart in the layer that is ``layers`` above. Unfolding gives operations these locations back."""
        if not isinstance(location, int) or location >= 0:
            return location
        number, inner, op, function = self._origins[-1 - location]
        if layers and number is not None and function is not None and self.layers.series_of(number) >= 0:
            name = self.own_functions.counterpart(function, layers)
            return op.location if name is None else self._locations_in_functions[name][inner].own
        source = self.source(location, layers)
        return None if source is None else source.location

    def locations_of_arguments(
        self, location: int | Location | None, layers: int
    ) -> Sequence[int | Location | None] | None:
        """The locations that the arguments of regions have in the program, for the counterpart, ``layers`` above, of an
        operation with this ``location``; None if they are not known."""
        if not isinstance(location, int) or location >= 0:
            return None
        _, inner, op, function = self._origins[-1 - location]
        if op.name == "func.call":
            # Passes have put the function in the place of its call: the arguments are those of the function.
            function, inner = callee(op), 0
        if function is not None:
            name = self.own_functions.counterpart(function, layers)
            return None if name is None else self._locations_in_functions[name][inner].arguments
        source = self.source(location, layers)
        return None if source is None else Locations.of(source).arguments

    def locations_in(self, other: Folded) -> Callable[[int | Location | None, int], int | Location | None]:
        """A function that is to be used like ``location``, but gives the location of the copy in ``other``, another
        folding of the same program.

        Raises:
            NotAlike: ``other`` has no copy of that operation.
        """
        known = {op: -1 - index for index, (_, _, op, _) in enumerate(other._origins)}
        other.series = list(self.series)
        apart: dict[tuple[Operation, bool], int] = {}

        def location(given: int | Location | None, layers: int) -> int | Location | None:
            if not isinstance(given, int) or given >= 0:
                return given
            number, op = self._origins[-1 - given][0], self.source(given, layers)
            assert op is not None
            if given in self._apart:
                home = self._homes[-1 - given]
                if home is not None:
                    return other._location_of_copy(op, home[0], home[1] + layers, is_fixed=number is None)
                key = op, number is None
                if key not in apart:
                    apart[key] = other.location_apart(op, is_fixed=number is None)
                return apart[key]
            if op not in known:
                raise NotAlike
            return known[op]

        return location

    def locations(self, op: Operation, times: int) -> list[int | Location | None]:
        """The locations that counterparts of ``op`` have in the program: of the one in its own layer, and of those
        above, together for ``times`` layers."""
        location = op.location
        origin = self.origin(location)
        if origin is None or self.layers.counterpart(origin[0], times - 1) is None:
            return [self.location(location, layers) for layers in range(times)]
        return [op.location for op in self.layers.counterparts(origin[0], times)]


def fold(module: Operation, layers: Layers, first: int, end: int) -> Folded | None:
    """The folding of ``module`` without layers ``first`` up to (excluding) ``end``; None if operations that are kept
    read a value that is left out and has no counterpart in their place."""
    kept = _Kept(layers, first, end)
    copying = _Copying(kept)
    if not copying.copied():
        return None
    made = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    others = {op for op, _ in kept.others}
    for op in module.body:
        if op is layers.function:
            rewriting.append(made.body, copying.made)
        elif op in others:
            other = rewriting.clone(op)
            copying.locate(other)
            rewriting.append(made.body, other)
    return Folded(made, copying.made, layers, first, end, kept.copied())


def folding_of(module: Operation, function: Operation, layers: Layers, first: int, end: int) -> Folded:
    """The folding that ``fold`` makes without layers ``first`` up to (excluding) ``end``, for ``module`` with this
    ``function`` instead of a new copy. Whoever asks makes ``module`` such a copy, with the locations that ``fold``
    would give."""
    return Folded(module, function, layers, first, end, _Kept(layers, first, end).copied())


class _Kept:
    """What a folding keeps of the program of ``layers`` if layers ``first`` up to (excluding) ``end`` are left out."""

    def __init__(self, layers: Layers, first: int, end: int) -> None:
        self.layers = layers
        self.first, self.end = first, end
        self.stays = layers.stays(first, end)
        self.numbers = list(compress(range(len(self.stays)), self.stays))
        """The numbers of the operations of the function that are kept."""
        self.others = self._others()
        """The other functions and the meshes that are kept; each with the number of the operation that calls it if it
        belongs to a layer."""
        self.returned = [index for index, one in enumerate(layers.operations[-1].operands) if self.has(one)]
        """The numbers of the results that are kept."""

    def _others(self) -> list[tuple[Operation, int | None]]:
        function, found = self.layers.function, list[tuple[Operation, int | None]]()
        module = function.parent_op
        assert module is not None
        for op in module.body:
            home = None if op.symbol_name is None else self.layers.own_functions.home(op.symbol_name)
            if op is not function and not (home is not None and self.first <= home[0] < self.end):
                found.append((op, None if home is None else home[1]))
        return found

    def has(self, value: Value) -> bool:
        """Whether ``value``, a result in the function or an argument of it, belongs to no layer that is left out."""
        home = value.defining_op
        if home is None:
            use = self.layers.home_use(value)
            home = None if use is None else use[0]
        return home is None or self.stays[self.layers.numbers[home]] > 0

    def copied(self) -> _Copied:
        """What a folding knows of the copy. The origins are in the order in which ``_Copying`` gives locations."""
        layers, operations = self.layers, self.layers.operations
        origins: list[_Origin] = []
        for number in self.numbers:
            op = operations[number]
            if op.regions:
                origins += [(number, inner, one, None) for inner, one in enumerate(op.operations())]
            else:
                origins.append((number, 0, op, None))
        origins.append((None, 0, layers.function, None))
        for op, caller in self.others:
            name = None if caller is None else op.symbol_name
            origins += [(caller, inner, one, name) for inner, one in enumerate(op.operations())]
        homes = layers.homes(number for number, _, _, _ in origins)
        boundary = LayerBoundary(layers, self.first - 1)
        return _Copied(self.returned, origins, homes, boundary, layers.own_functions.locations())


class _Copying:
    """Copies the function that has ``kept`` to ``made``."""

    made: Operation

    def __init__(self, kept: _Kept) -> None:
        self._kept = kept
        self._layers = kept.layers
        self._first, self._end = kept.first, kept.end
        self._stays = kept.stays
        self.copies: dict[Operation, Operation] = {}
        self._mapping: dict[Value, Value] = {}
        self._located = 0
        """How many operations have a location."""

    def locate(self, copy: Operation) -> None:
        """Gives ``copy``, and the operations in it, the next locations, by which their origins are found."""
        for one in copy.operations() if copy.regions else (copy,):
            self._located += 1
            one.location = -self._located

    def copied(self) -> bool:
        """Makes the copy of the function. False if operations that are kept read a value that is left out and has no
        counterpart in their place."""
        layers, mapping = self._layers, self._mapping
        original = layers.function
        block = Block()
        for argument in original.body.arguments:
            new = block.add_argument(argument.type, argument.location)
            if self._kept.has(argument):
                mapping[argument] = new
        terminator = layers.operations[-1]
        copies = self.copies
        for number in self._kept.numbers[:-1]:
            op = layers.operations[number]
            try:
                operands = [mapping[value] for value in op.operands]
            except KeyError:
                operands = None
            if operands is not None and not op.regions and not op.successors:
                self._located += 1
                made = rewriting.made_alike(op, operands, -self._located)
                for result, new_result in zip(op.results, made.results, strict=True):
                    mapping[result] = new_result
            else:
                substitutes = self._substitutes(op, number)
                if substitutes is None:
                    return False
                mapping.update(substitutes)
                made = rewriting.clone(op, mapping)
                self.locate(made)
                for value in substitutes:
                    del mapping[value]
            copies[op] = made
            rewriting.append(block, made)
        returned = self._kept.returned
        end = rewriting.create(
            terminator.name,
            [mapping[terminator.operands[index]] for index in returned],
            (),
            terminator.properties,
            terminator.attributes,
        )
        self.locate(end)
        rewriting.append(block, end)
        self.copies[terminator] = end
        places = {index: place for place, index in enumerate(returned)}
        for value, other in mapping.items():
            if len(other._uses) > 1 and not self._order_uses(value, other, places):
                return False
        type = function_type(original)
        results = [type.results[index] for index in returned]
        attributes = [result_attributes(original, index) for index in returned]
        properties = original.properties.with_("function_type", FunctionType(type.inputs, results))
        properties = with_entry_attributes(properties, "res_attrs", attributes)
        self.made = rewriting.create(original.name, (), (), properties, original.attributes, (Region([block]),))
        self._located += 1
        self.made.location = -self._located
        return True

    def _substitutes(self, op: Operation, number: int) -> dict[Value, Value] | None:
        """For operands of ``op``, operation ``number``, that are left out, the copies that it reads instead: those of
        the counterparts on the other side of the splice point. None if an operand has no such counterpart."""
        mapping, layers = self._mapping, self._layers
        found: dict[Value, Value] = {}
        for value in op.operands:
            if value not in mapping:
                # Layers 2 to 9 are left out: layer 10 reads layer 1 instead of 9, and layer 1 reads 10 instead of 2.
                layer = layers.layer(number)
                beyond = (
                    self._first - self._end if layer is not None and layer >= self._end else self._end - self._first
                )
                substitute: Value | None
                if isinstance(value, OpResult) and value in layers.carried:
                    substitute = layers.carried_from(value, self._stays)
                else:
                    substitute = None if layer is None else layers.counterpart_of_value(value, beyond)
                if substitute is None or substitute not in mapping:
                    return None
                found[value] = mapping[substitute]
        if op.regions:
            own = layers.function.body
            read = (value for one in op.walk() if one is not op for value in one.operands)
            if any(value.parent_block is own and value not in mapping for value in read):
                return None
        return found

    def _order_uses(self, value: Value, copy: Value, places: dict[int, int]) -> bool:
        """Brings the uses of ``copy``, the copy of ``value``, into the order of those of ``value``; False if that is
        not possible. Propagation goes through uses in their order, so it has to be that of the whole program."""
        layers, copies = self._layers, self.copies
        if value.parent_block is not layers.function.body:
            return True
        numbers = [layers.numbers.get(user, -1) for user, _ in value._uses]
        if numbers[0] >= 0 and numbers == sorted(numbers):
            # The uses of ``value`` stand in the order of the text, and so do those of ``copy``, as they were made.
            return True
        uses: list[Use] = []
        for user, index in value._uses:
            number = layers.numbers.get(user)
            if number is None:
                return False
            if user is layers.operations[-1]:
                uses.append((copies[user], places[index]))
                continue
            if self._stays[number]:
                uses.append((copies[user], index))
                continue
            layer = layers.layer(number)
            if layer is None or self._first + layers.reach <= layer < self._end - layers.reach:
                continue
            # Its counterpart on the other side of the splice point may read ``copy`` in its place.
            for distance in (self._first - self._end, self._end - self._first):
                other = layers.counterpart(number, distance)
                made = None if other is None else copies.get(other)
                if other is None or made is None or other.operands[index] is value:
                    continue
                if made.operands[index] is copy:
                    uses.append((made, index))
        if len(uses) != len(copy._uses) or any(use not in copy._uses for use in uses):
            return False
        rewriting.order_uses(copy, uses)
        return True
