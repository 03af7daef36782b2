"""Certificate: where in the text the layers belong that were left out.

The layers of a plain series belong between the two at the splice point, those of a sorted series where their names put
them, and the epilogues of results in the order of the results.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pyshardy.folding.certifying.splice_series import SpliceSeries
from pyshardy.folding.detecting.series import OperationsByLayer
from pyshardy.ir.operation import Operation


class Insertion(NamedTuple):
    """``layer`` of ``series``, one that is left out, is to be inserted before the operation ``point``: as the epilogue
    of result number ``result``, if there is one."""

    series: int
    layer: int
    point: Operation
    result: int | None = None


class Insertions:
    """The insertion points of ``series``, whose ``parts`` are the operations of each series and layer near the splice
    point that is like the others."""

    def __init__(self, series: SpliceSeries, parts: OperationsByLayer) -> None:
        self._series = series
        self._folded = series.folded
        self._parts = parts

    def left_out(self, series: int) -> Sequence[int]:
        """The layers that are left out, in the order in which ``series`` has them in the text."""
        if series in self._series.sorted:
            return self._series.sorted[series].left_out
        between = range(self._folded.first, self._folded.end)
        return between if self._series.direction(series) > 0 else between[::-1]

    def point(self, series: int, layer: int) -> Operation:
        """The operation before which ``layer`` of ``series``, one that is left out, is to be inserted."""
        end = self._series.block.terminator
        if series in self._series.sorted:
            return self._series.sorted[series].insertion_point(layer) or end
        beside = self._parts[series, self._folded.end if self._series.direction(series) > 0 else self._folded.below]
        return beside[0] if beside else end

    def _point_of_result(self, index: int) -> Operation:
        """The operation before which the epilogue of result ``index``, one that is left out, is to be inserted: the
        first of the epilogues of later results."""
        found = (self._series.epilogues[other] for other in self._folded.returned if other > index)
        return next((one[0] for one in found if one), self._series.block.terminator)

    def points(self, series: int) -> list[Operation]:
        """The operations before which the layers of ``series`` that are left out are to be inserted; those of epilogues
        included."""
        if series in self._series.epilogue_series.values():
            own = [index for index, which, _ in self.results_left_out() if which == series]
            return [self._point_of_result(index) for index in own]
        return [self.point(series, layer) for layer in self.left_out(series)]

    def places(self, series: Iterable[int], numbers: Mapping[Operation, int]) -> list[int]:
        """The numbers of the operations before which layers of any of ``series`` are to be inserted, in their order;
        ``numbers`` are those of all operations."""
        return sorted({numbers[self.point(which, layer)] for which in series for layer in self.left_out(which)})

    def results_left_out(self) -> list[tuple[int, int, int]]:
        """The results of layers that are left out which have epilogues: (number of the result, series that the
        epilogues make, layer), in the order of the results."""
        layers = range(self._folded.first, self._folded.end)
        return sorted(
            (self._folded.number_of_result(family, layer), series, layer)
            for family, series in self._series.epilogue_series.items()
            for layer in layers
        )

    def all(self) -> Iterator[Insertion]:
        """The layers that are left out, series by series, in the order in which they are to be inserted, and then the
        epilogues of their results. Each series comes behind those whose values it reads: first the copies of constant
        computations, which layers read, then the layers, then the functions that they call."""
        copies = self._series.copies
        functions = range(copies.stop, copies.stop + len(self._series.caller_series))
        for series in itertools.chain(copies, range(copies.start), functions):
            for layer in self.left_out(series):
                yield Insertion(series, layer, self.point(series, layer))
        for index, series, layer in self.results_left_out():
            yield Insertion(series, layer, self._point_of_result(index), index)
