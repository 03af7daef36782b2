"""The seam of a program from which layers were left out: how they are put in, once it has become another one.

Passes change a short copy (``short_copy``), and partitioning makes the program of one device of it. Layers beside the
seam that were alike are alike still, and so would those have become that were left out: each is written like its
neighbour, operation by operation, on what is to it what the operands are to the neighbour. That they are alike is
looked at first: what they are made of, what they read, who reads them, in which order. ``few_layers``, right of this
file, knows why that is enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.partitioning.layered_boundary import LayeredBoundary
from pyshardy.partitioning.short_copy import ShortCopy

Parts = Mapping[tuple[int, int], Sequence[Operation]]
"""The operations of a function that belong to a layer, in their order, by number of the series and layer."""

Ref = tuple[int, int, int, int] | Value
"""What is read, as a layer sees it: of which series, how many layers away, which operation, which result. For series -1
an argument of the function, by the number of the one below the seam that is like it. A value that is in no layer."""

UseRef = tuple[int, int, int, int, int]
"""Who reads, as a layer sees it: of which series, how many layers away, which operation, which of those in it, with
which operand. For series -1 the function returns it, as the result below the seam that is like it."""


class Unlike(Exception):
    """Layers on the sides of the seam are not alike."""


class Place(NamedTuple):
    """Where an operation stands: in which series and layer, counted without those that are left out, the number of the
    operation there that it is, or is in, and its number in that."""

    series: int
    layer: int
    number: int
    inner: int


class ToCome(NamedTuple):
    """Where uses that the layers make that are put in belong; ``uses`` are those of the layer below the seam."""

    uses: list[Use]
    ascending: bool


def fewest_beside(reach: int) -> int:
    """How many layers must stand on each side of a seam, if layers read what is so many layers away."""
    return max(1, 2 * reach)


def depth_of(short: ShortCopy) -> int:
    """How many layers on each side of the seam are looked at: what has become of them may read what is a little farther
    away than what they read."""
    return min(fewest_beside(short.repetition.reach + 1), short.below, short.above)


class Seam:
    """The seam in ``function``, which the function of ``short`` has become, or the program of one device of it;
    ``parts`` are its layers near the seam, ``depth_of`` of them on each side, ``tails`` what is made of each result
    before it is returned, by its number in the program. Operations that are alike may differ in properties that are
    ``free``; ``boundary`` is that of the program, if it is known already.

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
        boundary: LayeredBoundary | None = None,
    ) -> None:
        self.short = short
        self.boundary = LayeredBoundary(short) if boundary is None else boundary
        self.repetition = repetition = short.repetition
        self.function = function
        self.block = function.body
        self.tails = {} if tails is None else tails
        self._free = free
        self.below = short.first - 1
        self._count = short.end - short.first
        self._arguments: dict[tuple[int, int], BlockArgument] = {}
        self.series_of_results: dict[int, int] = {}
        """What is made of results, like a series: its number, by that of the result below the seam."""
        self.parts: Parts = {**parts, **self._parts_of_tails()}
        """The operations of layers near the seam, and those that are made of their results."""
        count = len(repetition.series) + len(self.series_of_results)
        self.template = [self.parts[number, self.below] for number in range(count)]
        self.places = self._found_places()
        self.shared = self._found_shared()
        """What all layers read, though one of the first has made it."""
        self.reach = self._found_reach()
        """How many layers away what a layer reads is at most."""
        # Layers that read nothing of one another are held against the one beside them all the same.
        beside = max(1, self.reach)
        self._near = range(self.below - beside + 1, self.below + beside + 1)
        self.reads: dict[Operation, list[tuple[int, Ref]]] = {}
        """What operations below the seam read, and those in them, by number of the operand."""
        self._compare_operations()
        self._compare_uses()
        self._look_at_results()
        outside = {ref: None for read in self.reads.values() for _, ref in read if isinstance(ref, Value)}
        self.outside = {value: self._readers(value) for value in outside}

    # --- what stands where --------------------------------------------------------------------------------------------

    def _found_places(self) -> dict[Operation, Place]:
        places: dict[Operation, Place] = {}
        for (series, layer), operations in self.parts.items():
            joined = self._joined(layer)
            for number, op in enumerate(operations):
                places[op] = Place(series, joined, number, 0)
                if op.regions:
                    for inner, nested in enumerate(op.operations()):
                        places[nested] = Place(series, joined, number, inner)
        return places

    def _parts_of_tails(self) -> dict[tuple[int, int], Sequence[Operation]]:
        depth, found = depth_of(self.short), {}
        layers = {*range(self.below + 1 - depth, self.below + 1), *range(self.short.end, self.short.end + depth)}
        families = {index: self.result_family(index) for index, operations in self.tails.items() if operations}
        for _, family in sorted(families.items()):
            if family is not None:
                self.series_of_results.setdefault(family[0], len(self.repetition.series) + len(self.series_of_results))
        for first, series in self.series_of_results.items():
            for layer in layers:
                found[series, layer] = self.tails[self.number_of_result(first, layer)]
        return found

    def _found_shared(self) -> set[Value]:
        found: set[Value] = set()
        for series, template in enumerate(self.template):
            for mine, its in zip(template, self.parts[series, self.short.end], strict=False):
                read = set(_read_by(mine)).intersection(_read_by(its)) - found
                found |= {value for value in read if self._is_made_before(value)}
        return found

    def _is_made_before(self, value: Value) -> bool:
        """Whether a layer near the seam makes ``value``, but none of those beside it."""
        place = self.places.get(value.owner) if isinstance(value, OpResult) else None
        return place is not None and not self.below <= place.layer <= self.below + 1

    def _found_reach(self) -> int:
        """How many layers away what the layer below the seam reads is at most.

        Raises:
            Unlike: that is too far to be looked at.
        """
        reach = self.repetition.reach
        for op in (one for template in self.template for one in template):
            for nested in op.operations() if op.regions else (op,):
                for value in (one for one in nested.operands if one not in self.shared):
                    place = self.places.get(value.owner) if isinstance(value, OpResult) else None
                    family = None
                    if isinstance(value, BlockArgument) and value.owner is self.block:
                        family = self.family(value.index)
                    layer = place.layer if place is not None else family[1] if family is not None else self.below
                    reach = max(reach, abs(layer - self.below))
        if fewest_beside(reach) > depth_of(self.short):
            raise Unlike
        return reach

    def _joined(self, layer: int) -> int:
        return layer if layer <= self.below else layer - self._count

    def _full(self, layer: int) -> int:
        return layer if layer <= self.below else layer + self._count

    def family(self, index: int) -> tuple[int, int] | None:
        """The number of the argument below the seam that is like argument ``index``, and the layer of that, counted
        without those that are left out; None if it belongs to none."""
        found = self.boundary.arguments[index]
        if found is not None:
            return found[0], self._joined(found[1])
        if self.boundary.layers[index] is not None:
            raise Unlike
        return None

    def argument(self, family: int, layer: int) -> BlockArgument:
        """The argument that is to ``layer`` what argument ``family`` is to the layer below the seam."""
        found = self._arguments.get((family, layer))
        if found is None:
            number = self.boundary.argument_numbers.get((family, layer))
            if number is None:
                raise Unlike
            found = self._arguments[family, layer] = self.block.arguments[number]
        return found

    def result_family(self, index: int) -> tuple[int, int] | None:
        """The number of the result below the seam that is like result ``index`` of the program, and the layer of that;
        None if there is none."""
        return self.boundary.results[index]

    def number_of_result(self, family: int, layer: int) -> int:
        """The number of the result that is to ``layer`` what result ``family`` is to the layer below the seam."""
        found = self.boundary.result_numbers.get((family, layer))
        if found is None:
            raise Unlike
        return found

    def _ref(self, value: Value, layer: int) -> Ref:
        if isinstance(value, OpResult):
            place = self.places.get(value.owner)
            if place is None or value in self.shared:
                return value
            if place.inner:
                raise Unlike
            return place.series, place.layer - layer, place.number, value.index
        assert isinstance(value, BlockArgument)
        family = self.family(value.index) if value.owner is self.block else None
        return value if family is None else (-1, family[1] - layer, family[0], 0)

    def _use_ref(self, use: Use, layer: int) -> UseRef:
        user, index = use
        place = self.places.get(user)
        if place is not None:
            return place.series, place.layer - layer, place.number, place.inner, index
        family = self.result_family(self.short.returned[index]) if user is self.block.last else None
        if family is None:
            raise Unlike
        return -1, self._joined(family[1]) - layer, family[0], 0, 0

    # --- whether layers are alike -------------------------------------------------------------------------------------

    def _compare_operations(self) -> None:
        for series in range(len(self.template)):
            expected: list[Hashable] | None = None
            layers = [self.parts[series, self._full(layer)] for layer in self._near]
            is_tail = series >= len(self.repetition.series)
            for layer, operations in zip(self._near, layers, strict=True):
                found = [self._key(op, layer) for op in operations]
                if expected is not None and found != expected:
                    raise Unlike
                expected = found
            if is_tail:
                continue
            in_order = layers if self.repetition.series[series].direction > 0 else layers[::-1]
            row = [op for operations in in_order for op in operations]
            if any(op.next_op is not following for op, following in itertools.pairwise(row)):
                raise Unlike

    def _key(self, op: Operation, layer: int) -> Hashable:
        """What ``op`` is, and what it reads, as its layer sees it."""
        refs = [self._ref(value, layer) for value in op.operands]
        if layer == self.below:
            self.reads[op] = list(enumerate(refs))
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
                if layer == self.below:
                    self.reads[nested] = [(at, ref) for at, ref in enumerate(refs) if not isinstance(ref, int)]
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
        found.append((value.type, tuple([(self.places[user].inner, index) for user, index in value._uses])))

    def _compare_uses(self) -> None:
        """Compares who reads the results of layers and their arguments."""
        read = {ref[2] for read in self.reads.values() for _, ref in read if isinstance(ref, tuple) and ref[0] < 0}
        families = sorted(read)
        expected: list[list[UseRef]] | None = None
        for layer in self._near:
            full = self._full(layer)
            values: list[Value] = [self.argument(family, full) for family in families]
            for series in range(len(self.template)):
                values += [result for op in self.parts[series, full] for result in op.results]
            found = [[self._use_ref(use, layer) for use in value._uses] for value in values]
            if expected is not None and found != expected:
                raise Unlike
            expected = found
        assert expected is not None
        results = [
            (series, number, index)
            for series, operations in enumerate(self.template)
            for number, op in enumerate(operations)
            for index in range(len(op.results))
        ]
        keys: list[tuple[int, int, int]] = [*((-1, family, 0) for family in families), *results]
        self.uses = [(key, uses) for key, uses in zip(keys, expected, strict=True) if len(uses) > 1]
        """Who reads what is read several times."""

    def _look_at_results(self) -> None:
        """Looks at what is returned below the seam."""
        places = {index: place for place, index in enumerate(self.short.returned)}
        if any(index not in places and family is None for index, family in enumerate(self.boundary.results)):
            raise Unlike
        self.returned_refs: dict[int, Ref] = {}
        for (_, layer), index in self.boundary.result_numbers.items():
            if layer == self.below:
                ref = self._ref(self.block.terminator.operands[places[index]], self.below)
                if isinstance(ref, Value) or abs(ref[1]) > self.reach:
                    raise Unlike
                self.returned_refs[index] = ref

    def look_at_links(self, links: Mapping[Operation, Operation]) -> None:
        """Looks whether each layer is linked to what is to it what those are that the next one is linked to.

        Raises:
            Unlike: they are not.
        """
        expected: list[tuple[int, int, int] | None] | None = None
        for layer in self._near:
            found: list[tuple[int, int, int] | None] = []
            for series in range(len(self.repetition.series)):
                for op in self.parts[series, self._full(layer)]:
                    other = links.get(op)
                    place = self.places.get(other) if other is not None else None
                    if other is not None and place is None:
                        raise Unlike
                    found.append(None if place is None else (place.series, place.layer - layer, place.number))
            if expected is not None and found != expected:
                raise Unlike
            expected = found

    def _readers(self, value: Value) -> list[Use | ToCome]:
        """Who reads ``value``, which is in no layer, in order."""
        runs: list[tuple[int | None, list[Use], list[Hashable]]] = []
        for use in value._uses:
            place = self.places.get(use[0])
            layer = None if place is None else place.layer
            if not runs or layer is None or runs[-1][0] != layer:
                runs.append((layer, [], []))
            runs[-1][1].append(use)
            runs[-1][2].append(None if place is None else (place.series, place.number, place.inner, use[1]))
        layers, contents = [run[0] for run in runs], [run[2] for run in runs]
        below = self.below
        found: list[Use | ToCome] = []
        for number, (layer, uses, _) in enumerate(runs):
            if layer != below:
                found += uses
                continue
            ascending = layers[number - 1 : number + 2] == [below - 1, below, below + 1]
            if not ascending and layers[number - 1 : number + 2] != [below + 1, below, below - 1]:
                raise Unlike
            if not contents[number - 1] == contents[number] == contents[number + 1]:
                raise Unlike
            to_come = ToCome(uses, ascending)
            found += (*uses, to_come) if ascending else (to_come, *uses)
        return found

    # --- what belongs to the layers that are put in -------------------------------------------------------------------

    def behind(self, series: int) -> Operation:
        """Before which operation the layers of ``series`` are put in."""
        one = self.repetition.series[series]
        beside = self.parts[series, self.short.end if one.direction > 0 else self.below]
        return beside[0] if beside else self.block.terminator

    def behind_result(self, index: int) -> Operation:
        """Before which operation is put in what is made of result ``index``."""
        tails = (self.tails[other] for other in self.short.returned if other > index)
        return next((tail[0] for tail in tails if tail), self.block.terminator)

    def results_put_in(self) -> list[tuple[int, int, int]]:
        """The results of the layers that are put in of which something is made: their numbers, of which series that is,
        and the layer."""
        layers = range(self.short.first, self.short.end)
        return sorted(
            (self.number_of_result(family, layer), series, layer)
            for family, series in self.series_of_results.items()
            for layer in layers
        )

    def is_compared(self, layer: int) -> bool:
        """Whether ``layer`` is one of those that are the same, on either side."""
        return self._joined(layer) in self._near

    def is_below(self, op: Operation) -> bool:
        """Whether ``op`` stands in the layer below the seam."""
        place = self.places.get(op)
        return place is not None and place.layer == self.below

    def is_in_layer(self, value: Value) -> bool:
        """Whether a layer near the seam makes ``value``."""
        return value.parent_block is not None and (value.defining_op or value.parent_block.parent_op) in self.places

    def home(self, op: Operation) -> int | None:
        """From where ``counterpart`` is to be asked for what ``op`` sees, which was there before; None if it is in no
        layer near the seam."""
        place = self.places.get(op)
        return None if place is None else self.home_of_layer(self._full(place.layer))

    def home_of_layer(self, layer: int) -> int:
        """The same for all of ``layer``, which was there before."""
        return self.below if layer <= self.below else self.below + self._count

    def arguments_near(self) -> dict[int, list[int]]:
        """The numbers of the arguments of the layers that were there before."""
        found: dict[int, list[int]] = {}
        for index, layer in enumerate(self.boundary.layers):
            if layer is not None and not self.short.first <= layer < self.short.end:
                found.setdefault(layer, []).append(index)
        return found

    def arguments_put_in(self) -> list[tuple[int, int, int]]:
        """The arguments of the layers that are put in: the one below the seam that is like it, its own number, and
        the layer."""
        found = []
        for index, layer in enumerate(self.boundary.layers):
            if layer is not None and self.short.first <= layer < self.short.end:
                family = self.boundary.arguments[index]
                if family is None:
                    raise Unlike
                found.append((family[0], index, layer))
        return found


def _read_by(op: Operation) -> list[Value]:
    """What ``op`` reads, and what is in it."""
    return [value for one in op.operations() for value in one.operands] if op.regions else op.operands
