"""A folded program: a copy of a program with few of its layers, and how often each stands for one that is left out.

Layers are left out of the midst of those that are alike (``layers``), and those on either side are joined: instead of
what they read of the layers between them they read its counterparts in each other. The copy is a legal program like any
other; it prints, verifies, runs. Its operations say by their *locations* which operation of the program they are copies
of: passes and the partitioner hand locations on, so that of whatever they make it is known where it comes from
(``parts``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from pyshardy.dialects.func import callee, function_type, result_attributes, with_entry_attributes
from pyshardy.folding.boundary import Boundary
from pyshardy.folding.layers import Layers
from pyshardy.folding.own_functions import Locations
from pyshardy.ir import rewriting
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation, Region, Use, Value
from pyshardy.ir.types import FunctionType


class NotAlike(Exception):
    """Layers on the sides of the splice point are not alike, or it cannot be said."""


_Origin = tuple[int | None, int, Operation, str | None]
"""The number of an operation of the function, None for others; which of those in it is meant, or in a function that it
calls; that itself; and the name of the function."""


class _Copied(NamedTuple):
    """Which results are returned, what operations are copies of by what their locations say, the series and layer of
    that, and what was where in the program: kept, as somebody may take it apart."""

    returned: list[int]
    origins: list[_Origin]
    homes: list[tuple[int, int] | None]
    boundary: Boundary
    locations_in_functions: dict[str, list[Locations]]


class Folded:
    """A copy ``module`` of a program without layers ``first`` up to (excluding) ``end`` of ``layers``, those of its
    function, of which ``function`` is the copy. All arguments stay; of the results those that the program gives by the
    numbers in ``returned``.

    The splice point lies between layer ``below`` and layer ``end``.
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
        """How many layers are left out."""
        self._copied = copied
        boundary = copied.boundary
        self.arguments, self.results = boundary.arguments, boundary.results
        self.layers_of_arguments = boundary.layers_of_arguments
        self.argument_numbers, self.result_numbers = boundary.argument_numbers, boundary.result_numbers
        self._origins = list(copied.origins)
        self._homes = list(copied.homes)
        self._apart: set[int] = set()
        """The locations of what does not stand with its layer."""
        self.own_functions = layers.own_functions
        self._locations_in_functions = copied.locations_in_functions

    def _apart_location(self, op: Operation, *, is_fixed: bool) -> int:
        """A location that says of a copy of ``op``, an operation of the function, that it is one, but stands elsewhere:
        where all layers have it from that one if it ``is_fixed``, else each from its own."""
        self._origins.append((None if is_fixed else self.layers.numbers[op], 0, op, None))
        self._homes.append(None)
        self._apart.add(-len(self._origins))
        return -len(self._origins)

    def hand_out(self, copies: Iterable[Operation], fixed: Collection[Operation | None]) -> None:
        """Has ``copies``, each of which one operation reads, say that they stand there and not in the layer that they
        are from. Copies of what is ``fixed`` are from the same in all layers, others from a layer so far away as it is
        here.

        Raises:
            NotAlike: that is farther away than there are layers.
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
            beyond = 0 if is_fixed or its is None else self._left_out_between(mine, its)
            if beyond:
                moved = self.layers.moved(mine, beyond)
                if moved is None:
                    raise NotAlike
                origin = moved
            if (origin, is_fixed) not in known:
                known[origin, is_fixed] = self._apart_location(origin, is_fixed=is_fixed)
            one.location = known[origin, is_fixed]

    def _left_out_between(self, number: int, user: int) -> int:
        """How many layers nearer to operation ``user`` is what it would read instead of operation ``number`` with all
        layers: above (positive) or below."""
        layer, its = self.layers.layer(number), self.layers.layer(user)
        if layer is None or its is None:
            return 0
        return self.joined(layer) - self.joined(its) - (layer - its)

    def _home(self, number: int) -> tuple[int, int | None]:
        return self.layers.series_of(number), self.layers.layer(number)

    def of(self, module: Operation) -> Folded:
        """The same, for ``module``, which the folded program has become."""
        name = self.function.symbol_name
        function = next(op for op in module.body if op.name == "func.func" and op.symbol_name == name)
        found = Folded(module, function, self.layers, self.first, self.end, self._copied)
        found._origins, found._homes, found._apart = list(self._origins), list(self._homes), set(self._apart)
        return found

    @property
    def beside(self) -> int:
        """How many layers that are alike stand on each side of the splice point."""
        return min(self.first - self.layers.first, self.layers.end - self.end)

    # --- layers, counted with and without those that are left out -----------------------------------------------------

    @property
    def multiplicity(self) -> int:
        """How many layers of the program the template stands for."""
        return 1 + self.count

    @property
    def template(self) -> int:
        """The layer that stands for those that are left out, too: the one below the splice point, or the one above if
        none below is alike."""
        return self.below if self.below >= self.layers.first else self.end

    def times(self, layer: int | None) -> int:
        """How many layers of the program ``layer``, one that is there, stands for; 1 for what is of none."""
        return self.multiplicity if layer == self.template else 1

    def joined(self, layer: int) -> int:
        """The number of ``layer`` among those that are there."""
        return layer if layer <= self.below else layer - self.count

    def full(self, layer: int) -> int:
        """The number in the program of what is number ``layer`` among those that are there."""
        return layer if layer <= self.below else layer + self.count

    # --- where operations come from -----------------------------------------------------------------------------------

    def number_of_origin(self, location: int | Location | None) -> int | None:
        """The number, in the function of the program, of the operation that was, or is around, the origin of what has
        this ``location``; None if it comes from elsewhere, or stands elsewhere."""
        if isinstance(location, int) and location < 0 and location not in self._apart:
            return self._origins[-1 - location][0]
        return None

    def homes(self, operations: Iterable[Operation]) -> list[tuple[int, int] | None]:
        """The series and layer of the origin of each of ``operations``; None for those that come from no layer, or
        stand elsewhere."""
        homes = self._homes
        locations = [op.location for op in operations]
        return [homes[-1 - one] if isinstance(one, int) and one < 0 else None for one in locations]

    def origin(self, location: int | Location | None) -> tuple[int, int] | None:
        """The number, in the function of the program, of the operation that is the origin of what has this
        ``location``, and how far it is from there to that of the layer above; None if it is no operation of a layer
        itself, or if that is not the same for all layers."""
        if not isinstance(location, int) or location >= 0:
            return None
        number, inner, _, function = self._origins[-1 - location]
        series = -1 if number is None else self.layers.series_of(number)
        if number is None or inner or function is not None or series < 0 or self.layers.series[series].order:
            return None
        return number, self.layers.step(series)

    def source(self, location: int | Location | None, layers: int = 0) -> Operation | None:
        """The operation of the program that what has this ``location`` is a copy of, or its counterpart so many
        ``layers`` above; None if it is of none."""
        if not isinstance(location, int) or location >= 0:
            return None
        number, inner, op, function = self._origins[-1 - location]
        if not layers or number is None or self.layers.series_of(number) < 0:
            return op
        if function is not None:
            name = self.own_functions.moved(function, layers)
            moved = None if name is None else self.own_functions.all[name]
        else:
            moved = self.layers.moved(number, layers)
        if moved is None:
            return op
        if not inner:
            return moved
        # Somebody may have taken it apart.
        nested = moved.operations()
        return nested[inner] if inner < len(nested) else op

    def location(self, location: int | Location | None, layers: int = 0) -> int | Location | None:
        """The location in the program of what has this ``location`` here, or of its counterpart so many ``layers``
        above."""
        if not isinstance(location, int) or location >= 0:
            return location
        number, inner, op, function = self._origins[-1 - location]
        if layers and number is not None and function is not None and self.layers.series_of(number) >= 0:
            name = self.own_functions.moved(function, layers)
            return op.location if name is None else self._locations_in_functions[name][inner].own
        source = self.source(location, layers)
        return None if source is None else source.location

    def locations_of_arguments(
        self, location: int | Location | None, layers: int
    ) -> Sequence[int | Location | None] | None:
        """The locations of the arguments of what has this ``location``, which has regions, in its counterpart so many
        ``layers`` above; None if they are not known."""
        if not isinstance(location, int) or location >= 0:
            return None
        _, inner, op, function = self._origins[-1 - location]
        if op.name == "func.call":
            # It has become a function, or holds what that did.
            function, inner = callee(op), 0
        if function is not None:
            name = self.own_functions.moved(function, layers)
            return None if name is None else self._locations_in_functions[name][inner].arguments
        source = self.source(location, layers)
        return None if source is None else Locations.of(source).arguments

    def locations_in(self, other: Folded) -> Callable[[int | Location | None, int], int | Location | None]:
        """The same as ``location``, but the location in ``other``, the same program folded in another way.

        Raises:
            NotAlike: ``other`` does not have that.
        """
        known = {op: -1 - index for index, (_, _, op, _) in enumerate(other._origins)}
        apart: dict[tuple[Operation, bool], int] = {}

        def location(given: int | Location | None, layers: int) -> int | Location | None:
            if not isinstance(given, int) or given >= 0:
                return given
            number, op = self._origins[-1 - given][0], self.source(given, layers)
            assert op is not None
            if given in self._apart:
                key = op, number is None
                if key not in apart:
                    apart[key] = other._apart_location(op, is_fixed=number is None)
                return apart[key]
            if op not in known:
                raise NotAlike
            return known[op]

        return location

    def locations(self, location: int | Location | None, times: int) -> list[int | Location | None]:
        """The same for so many layers, from that of its own on."""
        origin = self.origin(location)
        if origin is None or self.layers.moved(origin[0], times - 1) is None:
            return [self.location(location, layers) for layers in range(times)]
        number, step = origin
        end = number + times * step
        return [op.location for op in self.layers.operations[number : end if end >= 0 else None : step]]


def fold(module: Operation, layers: Layers, first: int, end: int) -> Folded | None:
    """A copy of ``module`` without those layers; None if what is kept needs one that is left out."""
    copying = _Copying(layers, first, end)
    made = rewriting.create(
        module.name, (), (), module.properties, module.attributes, (Region([Block()]),), (), module.location
    )
    if not copying.copied():
        return None
    for op in module.body:
        if op is layers.function:
            rewriting.append(made.body, copying.made)
        else:
            home = None if op.symbol_name is None else layers.own_functions.home(op.symbol_name)
            if home is not None and first <= home[0] < end:
                continue
            other = rewriting.clone(op)
            copying.locate(other, op, None if home is None else home[1], None if home is None else op.symbol_name)
            rewriting.append(made.body, other)
    boundary = Boundary(layers, first - 1)
    homes = layers.homes(number for number, _, _, _ in copying.origins)
    copied = _Copied(copying.returned, copying.origins, homes, boundary, layers.own_functions.locations())
    return Folded(made, copying.made, layers, first, end, copied)


class _Copying:
    """The copying of the function of ``layers`` without layers ``first`` up to (excluding) ``end``."""

    made: Operation

    def __init__(self, layers: Layers, first: int, end: int) -> None:
        self._layers = layers
        self._first, self._end = first, end
        self.copies: dict[Operation, Operation] = {}
        self.returned: list[int] = []
        self.origins: list[_Origin] = []
        """By what the locations say."""
        self._mapping: dict[Value, Value] = {}
        self._left_out = bytearray(len(layers.operations))
        for one in layers.series:
            for begin in map(one.begin_of, range(first, end)):
                self._left_out[begin : begin + one.period] = b"\1" * one.period

    def locate(self, copy: Operation, op: Operation, number: int | None, function: str | None = None) -> None:
        """Has ``copy``, and what is in it, say that it is one of ``op``, which has that number in the function, or is
        the ``function`` that this calls."""
        origins = self.origins
        if not op.regions:
            origins.append((number, 0, op, function))
            copy.location = -len(origins)
            return
        for inner, (made, one) in enumerate(zip(copy.operations(), op.operations(), strict=True)):
            origins.append((number, inner, one, function))
            made.location = -len(origins)

    def copied(self) -> bool:
        """Makes the copy of the function: whether nothing that is kept needs what is left out."""
        layers, mapping, left_out = self._layers, self._mapping, self._left_out
        original = layers.function
        block = Block()
        for argument in original.body.arguments:
            new, home = block.add_argument(argument.type, argument.location), layers.home(argument)
            if home is None or not left_out[layers.numbers[home[0]]]:
                mapping[argument] = new
        terminator = layers.operations[-1]
        copies, origins = self.copies, self.origins
        kept = [number for number in range(len(left_out)) if not left_out[number]]
        for number in kept[:-1]:
            op = layers.operations[number]
            try:
                operands = [mapping[value] for value in op.operands]
            except KeyError:
                operands = None
            if operands is not None and not op.regions and not op.successors:
                origins.append((number, 0, op, None))
                made = rewriting.made_alike(op, operands, -len(origins))
                for result, new_result in zip(op.results, made.results, strict=True):
                    mapping[result] = new_result
            else:
                substitutes = self._substitutes(op, number)
                if substitutes is None:
                    return False
                mapping.update(substitutes)
                made = rewriting.clone(op, mapping)
                self.locate(made, op, number)
                for value in substitutes:
                    del mapping[value]
            copies[op] = made
            rewriting.append(block, made)
        self.returned = [index for index, value in enumerate(terminator.operands) if value in mapping]
        end = rewriting.create(
            terminator.name,
            [mapping[terminator.operands[index]] for index in self.returned],
            (),
            terminator.properties,
            terminator.attributes,
        )
        self.locate(end, terminator, len(layers.operations) - 1)
        rewriting.append(block, end)
        self.copies[terminator] = end
        places = {index: place for place, index in enumerate(self.returned)}
        for value, other in mapping.items():
            if len(other._uses) > 1 and not self._order_uses(value, other, places):
                return False
        type = function_type(original)
        results = [type.results[index] for index in self.returned]
        attributes = [result_attributes(original, index) for index in self.returned]
        properties = original.properties.with_("function_type", FunctionType(type.inputs, results))
        properties = with_entry_attributes(properties, "res_attrs", attributes)
        self.made = rewriting.create(original.name, (), (), properties, original.attributes, (Region([block]),))
        origins.append((None, 0, original, None))
        self.made.location = -len(origins)
        return True

    def _substitutes(self, op: Operation, number: int) -> dict[Value, Value] | None:
        """What takes the place of the operands of ``op``, operation ``number``, that are left out: their counterparts
        in the layer beyond the splice point. None if there are none."""
        mapping, layers = self._mapping, self._layers
        found: dict[Value, Value] = {}
        for value in op.operands:
            if value not in mapping:
                # What is left out is moved to the layers at hand.
                layer = layers.layer(number)
                beyond = (
                    self._first - self._end if layer is not None and layer >= self._end else self._end - self._first
                )
                substitute = None if layer is None else layers.moved_value(value, beyond)
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
        """Brings the uses of ``copy`` into the order of those of ``value``: whether that is possible."""
        layers, copies = self._layers, self.copies
        if value.parent_block is not layers.function.body:
            return True
        numbers = [layers.numbers.get(user, -1) for user, _ in value._uses]
        if numbers[0] >= 0 and numbers == sorted(numbers):
            # Both are read in the order of the text.
            return True
        uses: list[Use] = []
        for user, index in value._uses:
            number = layers.numbers.get(user)
            if number is None:
                return False
            if user is layers.operations[-1]:
                uses.append((copies[user], places[index]))
                continue
            if not self._left_out[number]:
                uses.append((copies[user], index))
                continue
            layer = layers.layer(number)
            if layer is None or self._first + layers.reach <= layer < self._end - layers.reach:
                continue
            # What is left out is read by the layer beyond the splice point instead.
            for distance in (self._first - self._end, self._end - self._first):
                other = layers.moved(number, distance)
                made = None if other is None else copies.get(other)
                if other is None or made is None or other.operands[index] is value:
                    continue
                if made.operands[index] is copy:
                    uses.append((made, index))
        if len(uses) != len(copy._uses) or any(use not in copy._uses for use in uses):
            return False
        rewriting.order_uses(copy, uses)
        return True
