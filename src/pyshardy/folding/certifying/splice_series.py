"""Certificate: the series of a folded program as a stage has left it, with their operations near the splice point.

Besides series of layers, and those of copies of constant computations, there are two groups of operations that are
treated like series, with numbers behind these: functions that layers call, and the epilogues of the results of layers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from pyshardy.folding.certifying.parts import layer_functions_by_layer, operations_by_layer
from pyshardy.folding.certifying.sorted_series import SortedSeries
from pyshardy.folding.detecting.carried import CarriedValues
from pyshardy.folding.detecting.series import OperationsByLayer
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.operation import Operation


def fewest_beside(reach: int) -> int:
    """How many layers that are alike have to be kept on each side of the template at least, if layers are related to
    layers at most ``reach`` away (``likeness``)."""
    return max(1, reach)


class SpliceSeries:
    """The series of ``folded``. ``epilogues`` are the operations that bring each result into the layout in which it is
    returned, by the number of the result; the partitioner makes them.

    Raises:
        NoCertificate: functions of layers are called by a sorted series, or the layers at an insertion point of a
            sorted series do not follow each other directly.
    """

    def __init__(self, folded: Folded, epilogues: Mapping[int, Sequence[Operation]]) -> None:
        self.folded = folded
        self.block = folded.function.body
        self.epilogues = epilogues
        found = operations_by_layer(folded, self.block.operations())
        self.sorted = {number: SortedSeries(folded, number, found) for number in folded.sorted_series}
        """The sorted series, by number."""
        self.carried = CarriedValues(folded.layers.series, found)
        """The values that are carried through sorted series."""
        self.copies = range(len(folded.layers.series), len(folded.series))
        """The numbers of the series of copies of constant computations (``constant_copies``)."""
        self.caller_series: dict[int, int] = {}
        """For each series that functions of layers make the number of the series that calls them."""
        self.epilogue_series: dict[int, int] = {}
        """For each family of results that has epilogues the number of the series that these make."""
        own = {(one, layer): found.get((one, layer), []) for one in range(self.copies.stop) for layer in self._layers()}
        self.near: OperationsByLayer = {**own, **self._functions_near(), **self._epilogues_near()}
        """The operations of each series and layer near the splice point."""
        self.count = len(folded.series) + len(self.caller_series) + len(self.epilogue_series)
        """The number of series."""

    def _layers(self) -> Iterable[int]:
        """The full numbers of the layers near the splice point that were kept, as far away as what is compared may
        read. Some may not exist, or be unlike the others."""
        folded = self.folded
        # A stage may have let layers read one layer farther away than before.
        depth = 2 * fewest_beside(folded.layers.reach + 1)
        return itertools.chain(range(folded.first - depth - 1, folded.first), range(folded.end, folded.end + depth))

    def _functions_near(self) -> OperationsByLayer:
        module, folded = self.folded.function.parent_op, self.folded
        found = {} if module is None else layer_functions_by_layer(folded, module)
        for (series, _), functions in found.items():
            site = folded.layer_functions.call_site(functions[0].symbol_name or "")
            assert site is not None
            if folded.layers.series_at[site.caller] in self.sorted:
                # These functions are not in the order of the layers either, and have no ``SortedSeries``.
                raise NoCertificate("functions of layers are called by a sorted series")
            self.caller_series[series] = folded.layers.series_at[site.caller]
        return {(one, layer): found.get((one, layer), []) for one in self.caller_series for layer in self._layers()}

    def _epilogues_near(self) -> OperationsByLayer:
        folded, found = self.folded, {}
        others = len(folded.series) + len(self.caller_series)
        for index, operations in sorted(self.epilogues.items()):
            family = folded.results[index]
            if operations and family is not None:
                self.epilogue_series.setdefault(family[0], others + len(self.epilogue_series))
        for first, series in self.epilogue_series.items():
            for layer in self._layers():
                number = folded.result_numbers.get((first, layer))
                found[series, layer] = () if number is None else self.epilogues[number]
        return found

    def direction(self, series: int) -> int:
        """1 if the layers of ``series`` follow each other upward in the text, -1 if downward; 0 if they are sorted, or
        stand apart, as epilogues do."""
        if series in self.sorted:
            return 0
        of = self.caller_series.get(series, series)
        return self.folded.series[of].direction if of < len(self.folded.series) else 0

    def sorted_series_of(self, op: Operation) -> SortedSeries | None:
        """The sorted series that ``op`` belongs to; None if there is none."""
        return next((one for one in self.sorted.values() if one.layer(op) is not None), None)
