"""Certificate, for sorted series: where the layers that are left out belong, and that their order does not matter.

An optimizer that goes through parameters by name updates ``Block_10`` after ``Block_1`` and before ``Block_2``. If
layers 3 to 10 of 12 are left out, layer 10 belongs between 1 and 2, and the others behind 2. So a sorted series has
several insertion points, while a plain series has one. A layer may be inserted in any of them only if it reads no other
layer of the series, which is tested here; ``splice`` has one ``SortedSeries`` for each sorted series of its program.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.parts import Ref, ValueRef
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation, OpResult, Use

_SeenUse = tuple[int, int, int]
"""A use without its layer: which operation of the layer reads or has the reader in its regions, which operation in that
reads, and with which operand."""


class SortedSeries:
    """Series number ``which`` of ``folded``; ``parts`` are the operations of all layers that were kept.

    Raises:
        NoCertificate: the layers on the two sides of an insertion point do not follow each other directly.
    """

    def __init__(self, folded: Folded, which: int, parts: Mapping[tuple[int, int], Sequence[Operation]]) -> None:
        self._which = which
        self._folded = folded
        self._order = folded.layers.series[which].order
        self.first_in_text = self._order[0]
        left_out = range(folded.first, folded.end)
        self.left_out = [layer for layer in self._order if layer in left_out]
        """The layers that are left out, in the order of the text."""
        self._in_front = set(itertools.takewhile(lambda layer: layer not in left_out, self._order))
        self._rows = rows = {layer: parts.get((which, layer), ()) for layer in self._order if layer not in left_out}
        self._layers: dict[Operation, int] = {}
        self._numbers: dict[Operation, tuple[int, int]] = {}
        """For each operation which operation of its layer it is, or is inside of, and which operation in that."""
        for layer, row in rows.items():
            for number, op in enumerate(row):
                for inner, nested in enumerate(op.operations() if op.regions else (op,)):
                    self._layers[nested] = layer
                    self._numbers[nested] = number, inner
        self._insertion_points: dict[int, Operation | None] = {}
        self.kept_neighbours: set[int] = set()
        """The layers that were kept next to layers that are left out, in the text."""
        place = 0
        for is_left_out, each in itertools.groupby(self._order, lambda layer: layer in left_out):
            layers = list(each)
            if is_left_out:
                self._insertion_points.update(
                    dict.fromkeys(layers, self._insertion_point_between(place, place + len(layers)))
                )
            place += len(layers)

    def _insertion_point_between(self, begin: int, end: int) -> Operation | None:
        """The operation before which layers ``order[begin:end]``, all left out, are to be inserted; None if no
        operation is left of any layer of the series.

        Raises:
            NoCertificate: the layers on the two sides do not follow each other directly, or only one of them is gone.
        """
        self.kept_neighbours.update(self._order[max(begin - 1, 0) : begin], self._order[end : end + 1])
        before = self._rows[self._order[begin - 1]] if begin else ()
        behind = self._rows[self._order[end]] if end < len(self._order) else ()
        if before and behind and before[-1].next_op is not behind[0]:
            raise NoCertificate("layers of a sorted series do not follow each other in the text")
        if not (before or begin == 0) or not (behind or end == len(self._order)):
            if any(self._rows.values()):
                raise NoCertificate("only one of two layers next to an insertion point has operations left")
            return None
        return behind[0] if behind else before[-1].next_op

    def operations(self, layer: int) -> Sequence[Operation]:
        """Those of ``layer``, one that was kept."""
        return self._rows[layer]

    def layer(self, op: Operation) -> int | None:
        """The layer of this series that ``op`` stands in; None if it stands in none."""
        return self._layers.get(op)

    def insertion_point(self, layer: int) -> Operation | None:
        """The operation before which ``layer``, one that is left out, is to be inserted; None if no operation is left
        of any layer of the series."""
        return self._insertion_points[layer]

    def check_independence(
        self, template: Iterable[Operation], reads: Mapping[Operation, Sequence[tuple[int, Ref]]]
    ) -> None:
        """Tests that the operations of a layer read nothing that another layer of the series makes. A value of a layer
        that stands before the first insertion point may be read: it stands before all layers that are inserted.

        Raises:
            NoCertificate: they read such a value.
        """
        for op in template:
            for nested in op.operations() if op.regions else (op,):
                for _, ref in reads[nested]:
                    if isinstance(ref, ValueRef):
                        is_of_another = ref.series == self._which and ref.distance != 0
                    else:
                        made = self._layers.get(ref.owner) if isinstance(ref, OpResult) else None
                        is_of_another = made is not None and made not in self._in_front
                    if is_of_another:
                        raise NoCertificate("a layer of a sorted series reads another one")

    def readers(
        self, uses: Sequence[Use], near: Sequence[int], below: int
    ) -> Iterator[tuple[Sequence[Use], Sequence[int]]]:
        """The uses that a value has with all layers, in order, given its ``uses`` by the layers that were kept. Yields
        pairs: uses that stay, with no layers; or uses of layer ``below``, with the layers that are left out in which
        their counterparts belong there.

        The order of uses has to be simple: uses go through the layers in the order of the text or against it, once or
        several times (each time is a *chain*), and layers ``near`` the splice point have the same uses in a chain.
        The last layer in the text may differ: where a pass has given each reader a copy of a constant, the last reader
        has kept the original. If the last layer is left out, the last one that was kept differs instead, and with all
        layers the two change roles.

        Raises:
            NeedsMoreLayers: only the two layers at the splice point have the same uses.
            NoCertificate: the order of uses is not so simple.
        """
        above = near[near.index(below) + 1]
        runs = [(layer, list(run)) for layer, run in itertools.groupby(uses, lambda use: self._layers[use[0]])]
        last = self._order[-1]
        last_kept = next(layer for layer in reversed(self._order) if layer in self._rows)
        instead = last_kept if last in self._insertion_points else None
        for chain, order in self._chains(runs):
            usual = {layer: self._seen(chain.get(layer, ())) for layer in near if layer != instead}
            at_splice = [usual[layer] for layer in (below, above) if layer in usual]
            if any(one != at_splice[0] for one in at_splice):
                raise NoCertificate("layers of a sorted series at the splice point use a value differently")
            if any(one != at_splice[0] for one in usual.values()):
                raise NeedsMoreLayers(self._folded)
            of_all, of_last = at_splice[0], self._seen(chain.get(instead, ()) if instead is not None else ())
            if instead is not None and instead not in near and of_last != of_all:
                # ``instead`` may be unlike the template, and what it reads differently says nothing of layer ``last``.
                raise NoCertificate("the last layer that was kept of a sorted series uses a value differently")
            for layer in order:
                if layer == instead:
                    yield self._uses(of_all, layer), []
                elif layer in self._insertion_points:
                    yield self._uses(of_last if layer == last else of_all, below), [layer]
                elif layer in chain:
                    yield chain[layer], []

    def _chains(self, runs: Iterable[tuple[int, list[Use]]]) -> Iterator[tuple[dict[int, list[Use]], Sequence[int]]]:
        """Cuts ``runs``, the uses of one layer after the other, into chains that go through layers in the order of the
        text or against it. Each is yielded as the uses of each layer, with the order of all layers in its direction."""
        places = {layer: place for place, layer in enumerate(self._order)}
        chain: dict[int, list[Use]] = {}
        previous, step = -1, 0
        for layer, run in runs:
            place = places[layer]
            goes = 1 if place > previous else -1
            if chain and step not in (0, goes):
                yield chain, self._order[::step]
                chain, step = {}, 0
            elif chain:
                step = goes
            chain[layer] = run
            previous = place
        if chain:
            yield chain, self._order[:: step or 1]

    def _seen(self, uses: Iterable[Use]) -> list[_SeenUse]:
        """``uses`` without their layers."""
        return [(*self._numbers[user], index) for user, index in uses]

    def _uses(self, seen: Iterable[_SeenUse], layer: int) -> list[Use]:
        """The uses in ``layer``, one that was kept, that without their layer are ``seen``."""
        row = self._rows[layer]
        return [(row[number].operations()[inner], index) for number, inner, index in seen]
