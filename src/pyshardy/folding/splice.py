"""The splice point of a folded program once it has become another one: whether layers beside it are alike.

Passes change a folded program, and partitioning makes the program of one device of it. Both look at an operation, at
what it reads and who reads it, and at what is near it. So where the layers on both sides of the splice point have
become the same (what they are made of, what they read, who reads them, in which order), those between them would have
become the same, too. ``unfolding`` writes them.
"""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.parts import LayerParts, Parts, Ref, UseRef, operations_by_layer, own_functions_by_layer
from pyshardy.folding.sorted_series import SortedSeries
from pyshardy.ir.operation import BlockArgument, Operation, Use, Value


class Repeated(NamedTuple):
    """Where uses belong that ``layers`` make which are left out; ``uses`` are those of the layer below the splice
    point."""

    uses: list[Use]
    layers: Sequence[int]


def fewest_beside(reach: int) -> int:
    """How many layers must stand on each side of a splice point, if layers read what is so many layers away."""
    return max(1, 2 * reach)


class Splice:
    """The splice point in ``function``, which the function of ``folded`` has become, or the program of one device of
    it. ``epilogues`` are what is made of each result before it is returned, by its number in the program. Operations
    that are alike may differ in properties that are ``free``.

    Raises:
        NotAlike: it is not known what layers would be between.
    """

    def __init__(
        self,
        folded: Folded,
        function: Operation,
        epilogues: Mapping[int, Sequence[Operation]] | None = None,
        free: frozenset[str] = frozenset(),
    ) -> None:
        self.folded = folded
        self.function = function
        self.block = function.body
        self.below = folded.below
        self.epilogues = {} if epilogues is None else epilogues
        # What has become of layers may read what is a little farther away than what they read.
        self._depth = min(fewest_beside(folded.layers.reach + 1), folded.beside)
        self.series_of_results: dict[int, int] = {}
        """What is made of results, like a series: its number, by that of the result below the splice point."""
        self.series_of_functions: dict[int, int] = {}
        """Functions that each layer has one of, like a series: which series calls them, by its number."""
        self._sorted: dict[int, SortedSeries] = {}
        """The series whose layers are sorted, by number."""
        self.parts: Parts = {**self._layers_near(), **self._functions_near(), **self._parts_of_epilogues()}
        """The operations of layers near the splice point, the functions that they call, and what is made of their
        results."""
        count = len(folded.layers.series) + len(self.series_of_functions) + len(self.series_of_results)
        self.template = [self.parts[number, self.below] for number in range(count)]
        self._relations = LayerParts(folded, function, self.parts, (), free)
        self.places = self._relations.places
        self.shared = self._found_shared()
        """What all layers read, though one of the first has made it."""
        self._relations.shared = self.shared
        self.reach = self._found_reach()
        """How many layers away what a layer reads is at most."""
        # Layers that read nothing of one another are held against the one beside them all the same.
        beside = max(1, self.reach)
        self._near = range(self.below - beside + 1, self.below + beside + 1)
        self.reads: dict[Operation, list[tuple[int, Ref]]] = {}
        """What operations below the splice point read, and those in them, by number of the operand."""
        self._compare_operations()
        self._compare_uses()
        self._look_at_results()
        outside = {ref: None for read in self.reads.values() for _, ref in read if isinstance(ref, Value)}
        self.outside = {value: self._readers(value) for value in outside}

    # --- what stands where --------------------------------------------------------------------------------------------

    def _layers(self) -> Iterable[int]:
        """Those near the splice point, numbered as in the program."""
        folded, depth = self.folded, self._depth
        return itertools.chain(range(folded.first - depth, folded.first), range(folded.end, folded.end + depth))

    def _layers_near(self) -> Parts:
        found = operations_by_layer(self.folded, list(self.block))
        for number, one in enumerate(self.folded.layers.series):
            if one.order:
                self._sorted[number] = SortedSeries(self.folded, number, found)
        series = range(len(self.folded.layers.series))
        return {(one, layer): found.get((one, layer), []) for one in series for layer in self._layers()}

    def _functions_near(self) -> Parts:
        module, folded = self.function.parent_op, self.folded
        found = {} if module is None else own_functions_by_layer(folded, module)
        for (series, _), functions in found.items():
            home = folded.own_functions.home(functions[0].symbol_name or "")
            assert home is not None
            if folded.layers.series_of(home[1]) in self._sorted:
                raise NotAlike
            self.series_of_functions[series] = folded.layers.series_of(home[1])
        return {
            (one, layer): found.get((one, layer), []) for one in self.series_of_functions for layer in self._layers()
        }

    def _parts_of_epilogues(self) -> Parts:
        folded, found = self.folded, {}
        families = {index: folded.results[index] for index, operations in self.epilogues.items() if operations}
        for _, family in sorted(families.items()):
            if family is not None:
                others = len(folded.layers.series) + len(self.series_of_functions)
                number = others + len(self.series_of_results)
                self.series_of_results.setdefault(family[0], number)
        for first, series in self.series_of_results.items():
            for layer in self._layers():
                found[series, layer] = self.epilogues[self.number_of_result(first, layer)]
        return found

    def _found_shared(self) -> set[Value]:
        above = [self.parts[series, self.folded.end] for series in range(len(self.template))]
        return self._relations.read_by_both(self.template, above, self.below)

    def _found_reach(self) -> int:
        """How many layers away what the layer below the splice point reads is at most.

        Raises:
            NotAlike: that is too far to be looked at.
        """
        own = itertools.chain.from_iterable(self.template)
        reach = max(self.folded.layers.reach, self._relations.farthest_read(own, self.below))
        if fewest_beside(reach) > self._depth:
            raise NotAlike
        return reach

    def argument(self, family: int, layer: int) -> BlockArgument:
        """The counterpart in ``layer`` of argument ``family``, one of the layer below the splice point."""
        return self._relations.argument(family, layer)

    def number_of_result(self, family: int, layer: int) -> int:
        """The number of the counterpart in ``layer`` of result ``family``, one of the layer below the splice point."""
        found = self.folded.result_numbers.get((family, layer))
        if found is None:
            raise NotAlike
        return found

    # --- whether layers are alike -------------------------------------------------------------------------------------

    def _compare_operations(self) -> None:
        relations, folded = self._relations, self.folded
        for series in range(len(self.template)):
            expected: list[Hashable] | None = None
            layers = [self.parts[series, folded.full(layer)] for layer in self._near]
            for layer, operations in zip(self._near, layers, strict=True):
                reads = self.reads if layer == self.below else None
                found = [relations.key(op, layer, reads) for op in operations]
                if expected is not None and found != expected:
                    raise NotAlike
                expected = found
            direction = self._direction(series)
            if series in self._sorted:
                self._sorted[series].check_independence(self.template[series], self.reads)
            if not direction:
                continue
            in_order = layers if direction > 0 else layers[::-1]
            row = [op for operations in in_order for op in operations]
            if any(op.next_op is not following for op, following in itertools.pairwise(row)):
                raise NotAlike

    def _direction(self, series: int) -> int:
        """1 if the layers of ``series`` stand one behind the other from the lowest to the highest, -1 if from the
        highest to the lowest; 0 if they stand in another order, or apart."""
        if series in self._sorted:
            return 0
        of = self.series_of_functions.get(series, series)
        return self.folded.layers.series[of].direction if of < len(self.folded.layers.series) else 0

    def _compare_uses(self) -> None:
        """Compares who reads the results of layers and their arguments."""
        read = {ref[2] for read in self.reads.values() for _, ref in read if isinstance(ref, tuple) and ref[0] < 0}
        families = sorted(read)
        expected: list[list[UseRef]] | None = None
        for layer in self._near:
            full = self.folded.full(layer)
            values: list[Value] = [self.argument(family, full) for family in families]
            for series in range(len(self.template)):
                values += [result for op in self.parts[series, full] for result in op.results]
            found = [[self._relations.use_ref(use, layer) for use in value._uses] for value in values]
            if expected is not None and found != expected:
                raise NotAlike
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
        """Looks at what is returned below the splice point."""
        places = {index: place for place, index in enumerate(self.folded.returned)}
        if any(index not in places and family is None for index, family in enumerate(self.folded.results)):
            raise NotAlike
        self.returned_refs: dict[int, Ref] = {}
        for (_, layer), index in self.folded.result_numbers.items():
            if layer == self.below:
                ref = self._relations.ref(self.block.terminator.operands[places[index]], self.below)
                if isinstance(ref, Value) or abs(ref[1]) > self.reach:
                    raise NotAlike
                self.returned_refs[index] = ref

    def look_at_links(self, links: Mapping[Operation, Operation]) -> None:
        """Looks whether layers are linked to counterparts of each other, and nothing to sorted layers but themselves.
        Nothing else behind the splice point may be linked to what is before it: with all layers that would be farther
        away.

        Raises:
            NotAlike: it is not so.
        """
        for one in self._sorted.values():
            if any(one.layer(first) not in (None, one.layer(op)) for op, first in links.items()):
                raise NotAlike
        numbers = {op: number for number, op in enumerate(self.block)}
        those = range(len(self.folded.layers.series))
        points = sorted(
            {numbers[self.insertion_point(which, layer)] for which in those for layer in self.left_out(which)}
        )
        for op, first in links.items():
            begin, end = numbers.get(first), None if op in self.places else numbers.get(op)
            if begin is not None and end is not None and bisect(points, begin) != bisect(points, end):
                raise NotAlike
        expected: list[tuple[int, int, int] | None] | None = None
        for layer in self._near:
            found: list[tuple[int, int, int] | None] = []
            for series in range(len(self.folded.layers.series)):
                for op in self.parts[series, self.folded.full(layer)]:
                    other = links.get(op)
                    place = self.places.get(other) if other is not None else None
                    if other is not None and place is None:
                        raise NotAlike
                    found.append(None if place is None else (place.series, place.layer - layer, place.number))
            if expected is not None and found != expected:
                raise NotAlike
            expected = found

    def _readers(self, value: Value) -> list[Use | Repeated]:
        """Who reads ``value``, which is in no layer, in order."""
        found: list[Use | Repeated] = []
        near = [self.folded.full(layer) for layer in self._near]
        for series, each in itertools.groupby(value._uses, lambda use: self._sorted_series(use[0])):
            if series is None:
                found += self._readers_in_order(each)
                continue
            for uses, layers in series.readers(list(each), near, self.below):
                found += [Repeated(list(uses), layers)] if layers else uses
        return found

    def _sorted_series(self, op: Operation) -> SortedSeries | None:
        """The one whose layers are sorted that ``op`` stands in."""
        return next((one for one in self._sorted.values() if one.layer(op) is not None), None)

    def _readers_in_order(self, uses: Iterable[Use]) -> list[Use | Repeated]:
        """All that read by uses like ``uses``, which stand upward or downward in layers, if they do."""
        runs: list[tuple[int | None, list[Use], list[Hashable]]] = []
        for use in uses:
            place = self.places.get(use[0])
            layer = None if place is None else place.layer
            if not runs or layer is None or runs[-1][0] != layer:
                runs.append((layer, [], []))
            runs[-1][1].append(use)
            runs[-1][2].append(None if place is None else (place.series, place.number, place.inner, use[1]))
        layers, contents = [run[0] for run in runs], [run[2] for run in runs]
        below = self.below
        found: list[Use | Repeated] = []
        for number, (layer, uses, _) in enumerate(runs):
            if layer != below:
                found += uses
                continue
            ascending = layers[number - 1 : number + 2] == [below - 1, below, below + 1]
            if not ascending and layers[number - 1 : number + 2] != [below + 1, below, below - 1]:
                raise NotAlike
            if not contents[number - 1] == contents[number] == contents[number + 1]:
                raise NotAlike
            between = range(self.folded.first, self.folded.end)
            repeated = Repeated(uses, between if ascending else between[::-1])
            found += (*uses, repeated) if ascending else (repeated, *uses)
        return found

    # --- what belongs to the layers that are left out -----------------------------------------------------------------

    def left_out(self, series: int) -> Sequence[int]:
        """The layers of ``series`` that are left out, in the order of the text."""
        if series in self._sorted:
            return self._sorted[series].left_out
        between = range(self.folded.first, self.folded.end)
        return between if self._direction(series) > 0 else between[::-1]

    def insertion_point(self, series: int, layer: int) -> Operation:
        """Before which operation ``layer`` of ``series``, one that is left out, belongs."""
        if series in self._sorted:
            return self._sorted[series].insertion_point(layer) or self.block.terminator
        beside = self.parts[series, self.folded.end if self._direction(series) > 0 else self.below]
        return beside[0] if beside else self.block.terminator

    def insertion_point_of_result(self, index: int) -> Operation:
        """Before which operation belongs what is made of result ``index``."""
        found = (self.epilogues[other] for other in self.folded.returned if other > index)
        return next((one[0] for one in found if one), self.block.terminator)

    def results_left_out(self) -> list[tuple[int, int, int]]:
        """The results of the layers that are left out of which something is made: their numbers, of which series that
        is, and the layer."""
        layers = range(self.folded.first, self.folded.end)
        return sorted(
            (self.number_of_result(family, layer), series, layer)
            for family, series in self.series_of_results.items()
            for layer in layers
        )

    def layers_compared(self) -> list[int]:
        """The layers that are the same, on either side, numbered as in the program."""
        return [self.folded.full(layer) for layer in self._near]

    def home_of(self, value: Value) -> int | None:
        """The same as ``home`` for what makes ``value``."""
        around = value.defining_op or (None if value.parent_block is None else value.parent_block.parent_op)
        return None if around is None else self.home(around)

    def home(self, op: Operation) -> int | None:
        """From where ``counterpart`` is to be asked for what ``op`` sees, which was there before; None if it is in no
        layer near the splice point."""
        place = self.places.get(op)
        return None if place is None else self.home_of_layer(self.folded.full(place.layer))

    def home_of_layer(self, layer: int) -> int:
        """The same for all of ``layer``, which was there before."""
        return self.below if layer <= self.below else self.below + self.folded.count

    def family(self, index: int) -> tuple[int, int] | None:
        """The number of the argument below the splice point that is like argument ``index``, and the layer of that,
        counted without those that are left out; None if it belongs to none."""
        return self._relations.family(index)

    def arguments_near(self) -> dict[int, list[int]]:
        """The numbers of the arguments of the layers that were there before."""
        found: dict[int, list[int]] = {}
        for index, layer in enumerate(self.folded.layers_of_arguments):
            if layer is not None and not self.folded.first <= layer < self.folded.end:
                found.setdefault(layer, []).append(index)
        return found

    def arguments_left_out(self) -> list[tuple[int, int, int]]:
        """The arguments of the layers that are left out: the one below the splice point that is like it, its own
        number, and the layer."""
        found = []
        for index, layer in enumerate(self.folded.layers_of_arguments):
            if layer is not None and self.folded.first <= layer < self.folded.end:
                family = self.folded.arguments[index]
                if family is None:
                    raise NotAlike
                found.append((family[0], index, layer))
        return found
