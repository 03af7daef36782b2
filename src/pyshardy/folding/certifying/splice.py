"""Certificate: layers near the splice point are alike in the result of a stage.

The result is what passes or the partitioner have made of a folded program. If layers near the splice point have become
alike (``likeness``), and follow each other in the text, then layers between them would have become the same as these.
That is what a ``Splice`` certifies when it is made. It also keeps what ``unfolding``, ``all_layers`` and ``peak`` need
to know of the layers that were left out: what they read, who reads them, and where in the text they belong.
"""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Hashable, Iterator, Mapping, Sequence

from pyshardy.folding.certifying.insertions import Insertions
from pyshardy.folding.certifying.likeness import Likeness, NeedsMoreLayers
from pyshardy.folding.certifying.parts import (
    LayerPosition,
    Ref,
    RelativeEncoder,
    UseRef,
    ValueRef,
)
from pyshardy.folding.certifying.splice_series import SpliceSeries, fewest_beside
from pyshardy.folding.certifying.use_order import UseOrder
from pyshardy.folding.detecting.carried import Carried
from pyshardy.folding.detecting.series import OperationsByLayer
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation, OpResult, Use, Value


class Splice:
    """The splice point in the function of ``folded``, as a stage has left it. The *template* is the layer below it
    (``below``), of which the layers that are left out are copies.

    ``epilogues`` are the operations that bring each result into the layout in which it is returned, by the number of
    the result; the partitioner makes them. Layers may differ in properties that are ``ignored``.

    Raises:
        NoCertificate: there is no certificate.
    """

    def __init__(
        self,
        folded: Folded,
        epilogues: Mapping[int, Sequence[Operation]] | None = None,
        ignored: frozenset[str] = frozenset(),
    ) -> None:
        self.folded = folded
        self.block = folded.function.body
        self.below = folded.below
        self.series = SpliceSeries(folded, {} if epilogues is None else epilogues)
        self.carried = self.series.carried
        """The values that are carried through sorted series."""
        kept = self.series.near
        self.template = [kept[number, self.below] for number in range(self.series.count)]
        """The operations of the template, by series."""
        self._encoder = RelativeEncoder(folded, kept, ignored, self.carried)
        self.shared = self._found_shared()
        """Values that one layer, one of the first, makes and all read."""
        self._makers: set[Operation] = set()
        """The operations of layers that make shared values."""
        without = self._without_makers(kept)
        if without is not kept:
            self._encoder = RelativeEncoder(folded, without, ignored, self.carried)
        self._encoder.shared = self.shared
        self.positions = self._encoder.positions
        """The positions of the operations of layers near the splice point, of layers unlike the others, too."""
        is_alike = {layer: folded.layers.first <= layer < folded.layers.end for _, layer in kept}
        self.parts: OperationsByLayer = {key: operations for key, operations in without.items() if is_alike[key[1]]}
        """The operations of layers near the splice point that are alike, the functions that they call, and the
        epilogues of their results."""
        self.insertions = Insertions(self.series, self.parts)
        self.reach = self._found_reach()
        """The largest distance, in layers, between a layer and one whose values it reads."""
        beside = fewest_beside(self.reach)
        self._near = range(self.below - beside, self.below + beside + 1)
        self._likeness = Likeness(self._encoder, self.below, self._near, self.template)
        self._likeness.check()
        self.reads = self._likeness.reads
        """The operands of each operation of the template, and of those in its regions unless they are defined there,
        with the numbers of the operands."""
        self.uses = self._likeness.uses()
        """The results and arguments of the template that have several readers, each with these in order."""
        self._check_order()
        self._find_returned()
        refs = itertools.chain((ref for read in self.reads.values() for _, ref in read), self.returned_refs.values())
        outside = {ref: None for ref in refs if isinstance(ref, Value)}
        order = UseOrder(self.series, self.positions, self._near, self._makes_shared)
        self.outside = {value: order.of(value) for value in outside}
        """Values that the template reads, or that are returned for it, and that no layer makes, or one makes for all.
        Each has its uses in order: those there are, and the places of those by layers that are left out."""

    def copies_of_constants(self) -> Iterator[Operation]:
        """The copies of constant computations that the template has, with the operations in them."""
        return (nested for one in self.series.copies for op in self.template[one] for nested in op.operations())

    def _found_shared(self) -> set[Value]:
        above = [self._encoder.parts[series, self.folded.end] for series in range(len(self.template))]
        return self._encoder.read_by_both(self.template, above, self.below) | self._returned_by_both()

    def _returned_by_both(self) -> set[Value]:
        """The values that a third layer makes, and that the function returns for both layers at the splice point: the
        zeros, say, that an optimizer returns for all weights whose state it has factored."""
        found: set[Value] = set()
        for (family, layer), index in self.folded.result_numbers.items():
            if layer == self.below and (family, self.folded.end) in self.folded.result_numbers:
                value = self._returned(index)
                position = self._encoder.positions.get(value.owner) if isinstance(value, OpResult) else None
                is_same = value is self._returned(self.folded.number_of_result(family, self.folded.end))
                if is_same and position is not None and not self.below <= position.layer <= self.below + 1:
                    found.add(value)
        return found

    def _returned(self, index: int) -> Value:
        """The value that the function returns as result ``index``, which was kept."""
        return self.block.terminator.operands[self.folded.places_of_results[index]]

    def _without_makers(self, kept: OperationsByLayer) -> OperationsByLayer:
        """``kept`` without the operations that make shared values: these are in no layer, for their layer has more
        operations than its counterparts.

        Raises:
            NoCertificate: they are in a layer through which a value is carried.
        """
        positions = [self._encoder.positions.get(value.owner) for value in self.shared if isinstance(value, OpResult)]
        found = {}
        for series, layer in {(one.series, self.folded.full_number(one.layer)) for one in positions if one is not None}:
            makers = self._makers_of_shared(kept[series, layer])
            self._makers |= makers
            found[series, layer] = [op for op in kept[series, layer] if op not in makers]
            if makers and series in self.carried.series:
                # The operations that hand values on are known by their numbers.
                raise NoCertificate("a value is carried through a layer that makes shared values")
        return {**kept, **found} if found else kept

    def _makers_of_shared(self, operations: Sequence[Operation]) -> set[Operation]:
        """Those of ``operations`` that make shared values, and those whose results only these read."""
        found: set[Operation] = set()
        for op in reversed(operations):
            users = [user for result in op.results if result not in self.shared for user, _ in result._uses]
            makes_shared = not self.shared.isdisjoint(op.results)
            if (makes_shared or users) and found.issuperset(users):
                found.add(op)
        return found

    def _makes_shared(self, op: Operation) -> bool:
        """Whether ``op`` is one of the makers of shared values, or in a region of one."""
        return bool(self._makers) and (op in self._makers or not self._makers.isdisjoint(op.ancestors()))

    def _found_reach(self) -> int:
        """How many layers away the values are at most that the template reads.

        Raises:
            NeedsMoreLayers: they are too far away for the layers that were kept, but not if one more were.
            NoCertificate: they are farther away.
        """
        own = itertools.chain.from_iterable(self.template)
        reach = max(self.folded.layers.reach, self._encoder.farthest_read(own, self.below))
        missing = fewest_beside(reach) - self.folded.beside
        if missing > 0:
            if missing == 1:
                raise NeedsMoreLayers(self.folded)
            raise NoCertificate("a layer reads values from farther away than layers were kept")
        return reach

    # --- whether layers are alike -------------------------------------------------------------------------------------

    def _check_order(self) -> None:
        """Tests that the layers of plain series next to the splice point follow each other directly in the text, and
        that those of sorted series do not read each other, but for values that are carried alike.

        Raises:
            NoCertificate: they are otherwise.
        """
        for series in range(len(self.template)):
            direction = self.series.direction(series)
            if series in self.series.sorted:
                self.series.sorted[series].check_independence(self.template[series], self.reads)
            if series in self.carried.series:
                self._check_carried(series)
            if not direction:
                continue
            layers = [self.parts[series, self.folded.full_number(layer)] for layer in self._near[1:]]
            row = [op for operations in layers[::direction] for op in operations]
            if any(self._next(op) is not following for op, following in itertools.pairwise(row)):
                raise NoCertificate("layers at the splice point do not follow each other in the text")

    def _check_carried(self, series: int) -> None:
        """Tests that layers which are left out get from the layer before them in the text what they would get from the
        template, and hand on what that hands on: the kept layers next to insertion points of ``series`` have the same
        operations.

        Raises:
            NoCertificate: they have others.
        """
        own = self.series.sorted[series]
        for layer in own.kept_neighbours:
            # The first layer in the text gets nothing from another one of the series.
            carried = self.carried.refs if layer != own.first_in_text else {}
            mine, its = (
                self._keys_within_layer(one, carried) for one in (own.operations(layer), self.template[series])
            )
            if mine != its:
                raise NoCertificate("kept layers next to an insertion point pass on other values than the template")

    def _keys_within_layer(self, operations: Sequence[Operation], carried: Mapping[Value, Carried]) -> list[Hashable]:
        """``operations`` of a layer with what they read of each other, and what is ``carried`` from another layer."""
        keys: dict[Value, Hashable] = dict(carried)
        found: list[Hashable] = []
        for op in operations:
            types, read = [one.type for one in op.results], [keys.get(value) for value in op.operands]
            found.append((op.name, *self._encoder.compared(op), *types, *read))
            keys.update((one, (len(found), one.index)) for one in op.results if one not in keys)
        return found

    def _next(self, op: Operation) -> Operation | None:
        """The operation behind ``op``, those that make shared values not counted."""
        following = op.next_op
        while following is not None and following in self._makers:
            following = following.next_op
        return following

    def _find_returned(self) -> None:
        """Finds the values that the function returns for the template: ``returned_refs``, by family.

        Raises:
            NoCertificate: a result that was left out has no family, or the value is not near the template.
        """
        places = self.folded.places_of_results
        if any(index not in places and family is None for index, family in enumerate(self.folded.results)):
            raise NoCertificate("a result that was left out has no family")
        self.returned_refs: dict[int, Ref] = {}
        for (family, layer), index in self.folded.result_numbers.items():
            if layer == self.below:
                ref = self._encoder.ref(self._returned(index), self.below)
                if isinstance(ref, Value):
                    self._check_returned_by_all(family, ref)
                elif not isinstance(ref, ValueRef) or abs(ref.distance) > self.reach:
                    raise NoCertificate("a returned value is not made near the template")
                self.returned_refs[index] = ref

    def _check_returned_by_all(self, family: int, value: Value) -> None:
        """Tests that the function returns ``value`` for all layers that were compared.

        Raises:
            NoCertificate: it does not.
        """
        numbers = (self.folded.number_of_result(family, layer) for layer in self.layers_compared())
        if any(self._returned(number) is not value for number in numbers):
            raise NoCertificate("a value of no layer is not returned for all layers")

    def check_links(self, links: Mapping[Operation, Operation]) -> None:
        """Tests ``links``, which lead from an operation to an earlier one on which its treatment depends: the
        partitioner links the operations of a cluster to its first. Linked operations have to be counterparts in all
        layers near the splice point. Layers of sorted series may have links within one layer only. Other links may not
        lead across an insertion point, nor any across one of copies of constants: with all layers the two operations
        would be farther apart, and a cluster that goes on through many layers, or behind copies, might end elsewhere.

        Raises:
            NoCertificate: links are otherwise.
        """
        copies = self.series.copies
        if any(one is not None and one.series in copies for one in map(self.position_if_alike, links)):
            # With all layers more copies stand between operations that are linked, so they might not be.
            raise NoCertificate("copies of constants are in a cluster")
        for one in self.series.sorted.values():
            if any(one.layer(first) not in (None, one.layer(op)) for op, first in links.items()):
                raise NoCertificate("a cluster leads from one layer of a sorted series to another")
        numbers = {op: number for number, op in enumerate(self.block)}
        those = range(len(self.folded.series))
        of_copies, points = self.insertions.places(copies, numbers), self.insertions.places(those, numbers)
        for op, first in links.items():
            begin, end = numbers.get(first), numbers.get(op)
            crossed = points if self.position_if_alike(op) is None else of_copies
            if begin is not None and end is not None and bisect(crossed, begin) != bisect(crossed, end):
                raise NoCertificate("a cluster leads across a place where layers are inserted")
        self._likeness.check_links(links, those)

    def use_ref(self, use: Use) -> UseRef:
        """The reader of ``use``, one by the template, relative to this."""
        return self._encoder.use_ref(use, self.below)

    # --- the layers that are left out ---------------------------------------------------------------------------------

    def range_of(self, series: int, numbers: Mapping[Operation, int]) -> tuple[int, int]:
        """The first and the last place at which layers of ``series`` stand that are left out or near the splice point;
        ``numbers`` are those of all operations. Layers that are left out stand before an operation."""
        own = (op for layer in self.layers_compared() for op in self.parts.get((series, layer), ()))
        places = [numbers[op] for op in itertools.chain(own, self.insertions.points(series))]
        return min(places), max(places)

    def layers_compared(self) -> list[int]:
        """The full numbers of the layers near the splice point that were compared, and are alike."""
        return [self.folded.full_number(layer) for layer in self._near]

    def reference_layer_of_value(self, value: Value) -> int | None:
        """``reference_layer`` of the operation that makes ``value``, or has it as an argument of a region."""
        around = value.defining_op or (None if value.parent_block is None else value.parent_block.parent_op)
        return None if around is None else self.reference_layer(around)

    def reference_layer(self, op: Operation) -> int | None:
        """The layer that is in the place of the template for ``op``, which was kept, once all layers are there: the
        template itself if ``op`` is below the splice point, layer ``end - 1`` if it is above. None if ``op`` is in no
        layer near the splice point.

        Say layers 2 to 9 are left out. In the folded program layer 10 reads a value of the template, layer 1, instead
        of one of layer 9. Its reference layer is 9: ``Unfolding.counterpart(value, 9)`` is what it reads with all
        layers."""
        position = self.position_if_alike(op)
        return None if position is None else self.reference_layer_at(self.folded.full_number(position.layer))

    def position_if_alike(self, op: Operation) -> LayerPosition | None:
        """The position of ``op`` in a layer near the splice point that is alike; None if it is in none."""
        found = self.positions.get(op)
        if found is None:
            return None
        layers, layer = self.folded.layers, self.folded.full_number(found.layer)
        return found if layers.first <= layer < layers.end else None

    def is_across(self, layer: int, distance: int) -> bool:
        """Whether the splice point is between ``layer`` and the one ``distance`` above it, by their folded numbers."""
        return (layer <= self.below) != (layer + distance <= self.below)

    def reference_layer_at(self, layer: int) -> int:
        """``reference_layer`` of the operations of ``layer``, one that was kept."""
        return self.below if layer <= self.below else self.below + self.folded.count

    def arguments_kept(self) -> dict[int, list[int]]:
        """The numbers of the arguments of each layer that was kept."""
        found: dict[int, list[int]] = {}
        for index, layer in enumerate(self.folded.layers_of_arguments):
            if layer is not None and not self.folded.first <= layer < self.folded.end:
                found.setdefault(layer, []).append(index)
        return found

    def arguments_left_out(self) -> list[tuple[int, int, int]]:
        """The arguments of layers that are left out, as (family, number of the argument, layer).

        Raises:
            NoCertificate: such an argument has no family.
        """
        found = []
        for index, layer in enumerate(self.folded.layers_of_arguments):
            if layer is not None and self.folded.first <= layer < self.folded.end:
                family = self.folded.arguments[index]
                if family is None:
                    raise NoCertificate("an argument that was left out has no family")
                found.append((family[0], index, layer))
        return found
