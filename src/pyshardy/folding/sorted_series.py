"""Series of layers that are sorted by their names, so that ``Block_10`` follows ``Block_1``, in what a folded program
has become.

Layers that are left out belong there at several places. Their operations read what stands before all of those, so that
it does not matter to a layer where it stands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.parts import Ref
from pyshardy.ir.operation import Operation, OpResult, Use

_SeenUse = tuple[int, int, int]
"""Which operation of a layer reads, or holds what reads; which in that; and with which operand."""


class SortedSeries:
    """The layers of series number ``which`` of ``folded``; ``parts`` are the operations of all layers that are there.

    Raises:
        NotAlike: where layers are left out, others do not stand one behind the other.
    """

    def __init__(self, folded: Folded, which: int, parts: Mapping[tuple[int, int], Sequence[Operation]]) -> None:
        self._which = which
        self._order = folded.layers.series[which].order
        left_out = range(folded.first, folded.end)
        self.left_out = [layer for layer in self._order if layer in left_out]
        """Those that are left out, in the order of the text."""
        self._in_front = set(itertools.takewhile(lambda layer: layer not in left_out, self._order))
        self._rows = rows = {layer: parts.get((which, layer), ()) for layer in self._order if layer not in left_out}
        self._layers: dict[Operation, int] = {}
        self._numbers: dict[Operation, tuple[int, int]] = {}
        """Which operation of its layer each is, or is in, and which in that."""
        for layer, row in rows.items():
            for number, op in enumerate(row):
                for inner, nested in enumerate(op.operations() if op.regions else (op,)):
                    self._layers[nested] = layer
                    self._numbers[nested] = number, inner
        self._behind: dict[int, Operation | None] = {}
        place = 0
        for is_gap, each in itertools.groupby(self._order, lambda layer: layer in left_out):
            layers = list(each)
            if is_gap:
                self._behind.update(dict.fromkeys(layers, self._behind_gap(place, place + len(layers))))
            place += len(layers)

    def _behind_gap(self, begin: int, end: int) -> Operation | None:
        """Before which operation the layers from number ``begin`` up to ``end`` of the order belong; None if layers
        have become nothing.

        Raises:
            NotAlike: those on either side do not stand one behind the other.
        """
        before = self._rows[self._order[begin - 1]] if begin else ()
        behind = self._rows[self._order[end]] if end < len(self._order) else ()
        if before and behind and before[-1].next_op is not behind[0]:
            raise NotAlike
        if not (before or begin == 0) or not (behind or end == len(self._order)):
            if any(self._rows.values()):
                raise NotAlike
            return None
        return behind[0] if behind else before[-1].next_op

    def layer(self, op: Operation) -> int | None:
        """In which of these layers ``op`` stands; None if in none."""
        return self._layers.get(op)

    def behind(self, layer: int) -> Operation | None:
        """Before which operation ``layer``, one that is left out, belongs; None if the layers have become nothing."""
        return self._behind[layer]

    def look_at_what_is_read(
        self, template: Iterable[Operation], reads: Mapping[Operation, Sequence[tuple[int, Ref]]]
    ) -> None:
        """Looks whether the operations of a layer read nothing that other layers of the series make, but for those in
        front of all that are left out.

        Raises:
            NotAlike: they do.
        """
        for op in template:
            for nested in op.operations() if op.regions else (op,):
                for _, ref in reads[nested]:
                    if isinstance(ref, tuple):
                        is_of_another = ref[0] == self._which and ref[1] != 0
                    else:
                        made = self._layers.get(ref.owner) if isinstance(ref, OpResult) else None
                        is_of_another = made is not None and made not in self._in_front
                    if is_of_another:
                        raise NotAlike

    def readers(
        self, uses: Sequence[Use], near: Sequence[int], below: int
    ) -> Iterator[tuple[Sequence[Use], Sequence[int]]]:
        """What reads a value in all layers, in order, if ``uses`` are what does in those that are there: uses, and the
        layers that are left out which make the like of them; for the others there are no layers. Those ``near`` the
        splice point are alike, layer ``below`` among them. Uses stand in the order of the text, or against it, once or
        several times; in the last layer others may come first.

        Raises:
            NotAlike: it is not so.
        """
        runs = [(layer, list(run)) for layer, run in itertools.groupby(uses, lambda use: self._layers[use[0]])]
        last = self._order[-1]
        instead = (
            next(layer for layer in reversed(self._order) if layer in self._rows) if last in self._behind else None
        )
        for chain, order in self._chains(runs):
            usual = [self._seen(chain.get(layer, ())) for layer in near if layer != instead]
            if any(one != usual[0] for one in usual):
                raise NotAlike
            of_all, of_last = usual[0], self._seen(chain.get(instead, ()) if instead is not None else ())
            if instead is not None and instead not in near and of_last != of_all:
                # It may be made of others.
                raise NotAlike
            for layer in order:
                if layer == instead:
                    yield self._uses(of_all, layer), []
                elif layer in self._behind:
                    yield self._uses(of_last if layer == last else of_all, below), [layer]
                elif layer in chain:
                    yield chain[layer], []

    def _chains(self, runs: Iterable[tuple[int, list[Use]]]) -> Iterator[tuple[dict[int, list[Use]], Sequence[int]]]:
        """``runs`` as long as they go through layers in the order of the text, or against it, and that order."""
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
        """What those are, without their layer."""
        return [(*self._numbers[user], index) for user, index in uses]

    def _uses(self, seen: Iterable[_SeenUse], layer: int) -> list[Use]:
        """The uses in ``layer``, one that is there, that are ``seen``."""
        row = self._rows[layer]
        return [(row[number].operations()[inner], index) for number, inner, index in seen]
