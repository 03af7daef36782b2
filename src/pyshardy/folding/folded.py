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

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.folding.boundary import LayerBoundary
from pyshardy.folding.detecting.free_constants import SplatValue
from pyshardy.folding.detecting.free_slices import SLICE
from pyshardy.folding.detecting.layer_functions import Locations
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.detecting.series import Home, Series
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, Use


class NoCertificate(Exception):
    """There is no certificate: layers near the splice point are not alike, or it is not known whether they are. The
    message is a clause that says why, without a full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


class Origin(NamedTuple):
    """The operation that a copy was made of, and where it stands."""

    number: int | None
    """The number of the operation of the function that it is, or is nested in, or that calls the function that it is
    in; None if it is none of these."""
    nested: int
    """Its number in that operation, or in the function that is called: 0 for the operation or function itself."""
    op: Operation
    function: str | None
    """The name of the function that is called, if it is in one."""
    home: Home | None
    """The series and layer that the copy belongs to; None if there are none, or it does not stand with its layer."""
    is_apart: bool = False
    """Whether the copy does not stand with the layer that its origin belongs to (``location_apart``)."""


class Provenance(NamedTuple):
    """Where a folded program comes from: the numbers of the results that it returns, the origins of its operations, the
    boundary, and the locations in functions that belong to layers. They are kept because the module may be changed
    before they are asked for."""

    returned: list[int]
    origins: list[Origin]
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
        self, module: Operation, function: Operation, layers: Layers, first: int, end: int, provenance: Provenance
    ) -> None:
        self.module = module
        self.function = function
        self.layers = layers
        self.first = first
        self.end = end
        self.returned = provenance.returned
        self.places_of_results = {index: place for place, index in enumerate(self.returned)}
        """For each result of the program that was kept, by its number, the number that it has here."""
        self.below = first - 1
        self.count = end - first
        """The number of layers that are left out."""
        self._provenance = provenance
        boundary = provenance.boundary
        self.arguments, self.results = boundary.arguments, boundary.results
        self.layers_of_arguments = boundary.layers_of_arguments
        self.argument_numbers, self.result_numbers = boundary.argument_numbers, boundary.result_numbers
        self._origins = list(provenance.origins)
        self.series = list(layers.series)
        """The series of the layers, and those that ``add_copies`` has added."""
        self.sorted_series = [number for number, one in enumerate(self.series) if one.order]
        self._locations_apart: dict[Origin, int] = {}
        """The locations that ``location_apart`` has given."""
        self.layer_functions = layers.layer_functions
        self.names_left_out = self.layer_functions.of_layers(first, end)
        """The names of functions that are left out, or were when the program was folded first: functions of layers, and
        those that passes would have made of such layers. Here these names are free; with all layers they are not."""
        self._locations_in_functions = provenance.locations_in_functions

    def location_apart(self, op: Operation, *, is_fixed: bool, home: Home | None = None) -> int:
        """The location of copies of ``op``, an operation of the function, that stand apart from its layer: with a
        ``home`` in a series that was added, if there is one. If it ``is_fixed``, the counterparts of such a copy in
        other layers are copies of ``op``, too, else copies of counterparts of ``op``."""
        origin = Origin(None if is_fixed else self.layers.numbers[op], 0, op, None, home, is_apart=True)
        location = self._locations_apart.get(origin)
        if location is None:
            self._origins.append(origin)
            location = self._locations_apart[origin] = -len(self._origins)
        return location

    def add_copies(self, row: Iterable[tuple[int, Operation]], direction: int, *, is_fixed: bool = True) -> None:
        """Adds a series that goes through the layers in ``direction``: the copies in ``row``, operations outside of
        layers, each with the layer that reads it. They get locations that say so. If ``is_fixed``, all are copies of
        one operation, else those of each layer of the counterparts of its own."""
        number = len(self.series)
        # Its repeats are no ranges of the program, where all copies are one operation: only the direction is known.
        self.series.append(Series(0, 0, 0, 0, direction))
        for layer, op in row:
            origin = self.source(op.location)
            assert origin is not None
            op.location = self.location_apart(origin, is_fixed=is_fixed, home=Home(number, layer))

    def of(self, module: Operation, function: Operation | None = None) -> Folded:
        """This folding for ``module``, which a stage has made of the folded module or of a copy of it; ``function`` is
        what the function with the layers has become, if it has another name."""
        name = self.function.symbol_name
        function = function or next(op for op in module.body if op.name == "func.func" and op.symbol_name == name)
        found = Folded(module, function, self.layers, self.first, self.end, self._provenance)
        found._origins, found.series = list(self._origins), list(self.series)
        found._locations_apart = dict(self._locations_apart)
        found.names_left_out = self.names_left_out
        return found

    def place_of_result(self, index: int) -> int:
        """The number that result ``index`` has here, or that of its counterpart in the template if it is left out."""
        family = self.results[index]
        return self.places_of_results[index if index in self.places_of_results or family is None else family[0]]

    def family(self, index: int) -> tuple[int, int] | None:
        """The family of argument ``index`` and the folded number of its layer; None if it belongs to no layer.

        Raises:
            NoCertificate: it belongs to a layer, but has no counterpart in the template.
        """
        found = self.arguments[index]
        if found is not None:
            return found[0], self.folded_number(found[1])
        if self.layers_of_arguments[index] is not None:
            raise NoCertificate("an argument of a layer has no counterpart in the template")
        return None

    def family_returned(self, use: Use) -> tuple[int, int] | None:
        """The family of the result of the function that is returned by ``use``, and the folded number of its layer;
        None if ``use`` is another one, or the result belongs to no layer."""
        found = self.results[self.returned[use[1]]] if use[0] is self.function.body.last else None
        return None if found is None else (found[0], self.folded_number(found[1]))

    def argument(self, family: int, layer: int) -> BlockArgument:
        """The argument of ``family`` that belongs to ``layer``.

        Raises:
            NoCertificate: there is none.
        """
        number = self.argument_numbers.get((family, layer))
        if number is None:
            raise NoCertificate("a layer has no argument of a family")
        return self.function.body.arguments[number]

    def number_of_result(self, family: int, layer: int) -> int:
        """The number of the result of ``family`` that belongs to ``layer``.

        Raises:
            NoCertificate: there is none.
        """
        number = self.result_numbers.get((family, layer))
        if number is None:
            raise NoCertificate("a family has no result in a layer")
        return number

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
    def representative(self) -> int:
        """The layer that stands for those that are left out, too: the one below the splice point, or the one above if
        the one below is not among those that are alike."""
        return self.below if self.below >= self.layers.first else self.end

    def times(self, layer: int | None) -> int:
        """How many layers of the program ``layer``, one that was kept, stands for; 1 for None, for no layer."""
        return self.multiplicity if layer == self.representative else 1

    def folded_number(self, layer: int) -> int:
        """The folded number of ``layer``, which was kept."""
        return layer if layer <= self.below else layer - self.count

    def full_number(self, layer: int) -> int:
        """The full number of the layer with the folded number ``layer``."""
        return layer if layer <= self.below else layer + self.count

    # --- where operations come from -----------------------------------------------------------------------------------

    def _origin(self, location: int | Location | None) -> Origin | None:
        """The origin of an operation with this ``location``; None if it was made of no operation of the program."""
        return self._origins[-1 - location] if isinstance(location, int) and location < 0 else None

    def number_of_origin(self, location: int | Location | None) -> int | None:
        """The number of the operation of the function that an operation with this ``location`` comes from: the one that
        is its origin, is around its origin, or calls the function of its origin. None if there is none, or if the
        operation stands apart from the layer it comes from."""
        origin = self._origin(location)
        return None if origin is None or origin.is_apart else origin.number

    def home(self, location: int | Location | None) -> Home | None:
        """The home of the origin of an operation with this ``location``; None if that comes from no layer,
        or stands elsewhere."""
        origin = self._origin(location)
        return None if origin is None else origin.home

    def source(self, location: int | Location | None, layers: int = 0) -> Operation | None:
        """The origin of an operation with this ``location``, or the counterpart of that in the layer that is ``layers``
        above; None if the operation has no origin in the program."""
        origin = self._origin(location)
        return None if origin is None else self._counterpart(origin, layers)

    def _counterpart(self, origin: Origin, layers: int) -> Operation:
        """The counterpart of ``origin`` in the layer that is ``layers`` above; itself if there is none."""
        number, nested, op, function = origin[:4]
        if not layers or number is None or self.layers.series_at[number] < 0:
            return op
        if function is not None:
            name = self.layer_functions.counterpart(function, layers)
            around = None if name is None else self.layer_functions.all[name]
        else:
            around = self.layers.counterpart(number, layers)
        if around is None or not nested:
            return around or op
        # The program may have been changed since it was folded.
        inside = around.operations()
        return inside[nested] if nested < len(inside) else op

    def free_source(self, op: Operation) -> Operation | None:
        """The origin of ``op`` if layers may differ in properties of it, and ``op`` is a copy of it in the function;
        None if not."""
        free = self.layers.free
        if not free or (op.operands and op.name != SLICE) or op.parent is not self.function.body:
            return None
        source = self.source(op.location)
        return source if source is not None and free.is_copy(op, source) else None

    def free_properties(self, op: Operation, layers: int) -> DictionaryAttr | None:
        """The properties of the counterpart of ``op``, which has a ``free_source``, in the layer that is ``layers``
        above; None if that is not free."""
        moved = self.source(op.location, layers)
        return None if moved is None else self.layers.free.properties(op, moved)

    def free_splats_left_out(self) -> set[SplatValue]:
        """The numbers that free constants of layers that were left out have."""
        layers = self.layers
        groups = layers.free.constants.groups.items()
        first_layers = ((number, layers.layer(layers.numbers[group[0]])) for number, group in groups)
        return {number for number, layer in first_layers if layer is not None and self.first <= layer < self.end}

    def location(self, location: int | Location | None, layers: int = 0) -> int | Location | None:
        """The location that the origin of an operation with this ``location`` has in the program, or that of the
        counterpart in the layer that is ``layers`` above. Unfolding gives operations these locations back."""
        origin = self._origin(location)
        if origin is None:
            return location
        if origin.function is not None:
            found = self._locations_in(origin.function, origin.nested, layers)
            return origin.op.location if found is None else found.own
        return self._counterpart(origin, layers).location

    def locations_of_arguments(
        self, location: int | Location | None, layers: int
    ) -> Sequence[int | Location | None] | None:
        """The locations that the arguments of regions have in the program, for the counterpart, ``layers`` above, of an
        operation with this ``location``; None if they are not known."""
        origin = self._origin(location)
        if origin is None:
            return None
        # Passes have put functions in the place of their calls: the arguments are those of the function.
        function, nested = (callee(origin.op), 0) if origin.op.name == "func.call" else (origin.function, origin.nested)
        if function is None:
            return Locations.of(self._counterpart(origin, layers)).arguments
        found = self._locations_in(function, nested, layers)
        return None if found is None else found.arguments

    def _locations_in(self, function: str, nested: int, layers: int) -> Locations | None:
        """The locations of operation number ``nested`` in the counterpart, ``layers`` above, of ``function``; None if
        there is none."""
        name = self.layer_functions.counterpart(function, layers)
        return None if name is None else self._locations_in_functions[name][nested]

    def locations_in(self, other: Folded) -> Callable[[int | Location | None, int], int | Location | None]:
        """A function that is to be used like ``location``, but gives the location of the copy in ``other``, another
        folding of the same program.

        Raises:
            NoCertificate: ``other`` has no copy of that operation.
        """
        known = {origin.op: -1 - index for index, origin in enumerate(other._origins)}

        def location(given: int | Location | None, layers: int) -> int | Location | None:
            origin = self._origin(given)
            if origin is None:
                return given
            op = self._counterpart(origin, layers)
            if origin.is_apart:
                home = None if origin.home is None else Home(origin.home.series, origin.home.layer + layers)
                return other.location_apart(op, is_fixed=origin.number is None, home=home)
            if op not in known:
                raise NoCertificate("an operation has no copy in the program with more layers")
            return known[op]

        return location

    def locations(self, op: Operation, times: int) -> Sequence[int | Location | None]:
        """The locations that counterparts of ``op`` have in the program: of the one in its own layer, and of those
        above, together for ``times`` layers."""
        origin, layers = self._origin(op.location), self.layers
        if origin is not None and not origin.nested and origin.function is None:
            number = origin.number
            if number is not None and layers.series_at[number] >= 0 and layers.counterpart(number, times - 1):
                return [one.location for one in layers.counterparts(number, times)]
        return [self.location(op.location, above) for above in range(times)]
