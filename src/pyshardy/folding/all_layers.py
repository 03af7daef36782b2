"""What a folded program runs with all its layers, in order: those that were left out are read off the one below them.

For what depends on the order of a whole step and cannot be multiplied, like the time at which a collective is needed.
No operation is written: a run names the one that it is like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyshardy.folding.parts import Ref
from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.account.fusion import WITH_TENSORS_INSIDE
from pyshardy.partitioning.account.runs import Made, Run, captured


def runs_of_all_layers(splice: Splice) -> Sequence[Run]:
    """What the function of ``splice`` runs, with the layers that were left out."""
    return _AllLayers(splice).runs


class _AllLayers:
    def __init__(self, splice: Splice) -> None:
        self._splice = splice
        self._folded = folded = splice.folded
        self._made: dict[Value, Made] = {one: (-1, one.index) for one in splice.block.arguments}
        self._rows: dict[tuple[int, int, int], int] = {}
        """The run of an operation by its series, layer and number there."""
        first, end, reach = folded.first, folded.end, splice.reach
        self._joined = {*range(first - reach, first), *range(end, end + reach)}
        """The layers that read of those that were left out, or might."""
        self.runs: list[Run] = []
        left_out = self._left_out()
        for op in splice.block:
            for series, layer in left_out.get(op, ()):
                for number, alike in enumerate(splice.template[series]):
                    self._rows[series, layer, number] = len(self.runs)
                    self.runs.append(self._run_left_out(alike, layer))
            self._run(op)

    def _left_out(self) -> dict[Operation, list[tuple[int, int]]]:
        """The layers that were left out, by series, in order, and before which operation they belong."""
        splice, found = self._splice, dict[Operation, list[tuple[int, int]]]()
        layers = range(self._folded.first, self._folded.end)
        for series in range(len(self._folded.layers.series)):
            order = layers if splice.direction(series) > 0 else reversed(layers)
            found.setdefault(splice.behind(series), []).extend((series, layer) for layer in order)
        for index, series, layer in splice.results_left_out():
            found.setdefault(splice.behind_result(index), []).append((series, layer))
        return found

    def _run_left_out(self, op: Operation, layer: int) -> Run:
        """The run of what is to ``layer`` what ``op`` is to the one below the splice point."""
        operands = tuple([self._of(ref, layer) for _, ref in self._splice.reads[op]])
        inside = tuple(self._inside(op, layer)) if op.name in WITH_TENSORS_INSIDE else ()
        return Run(op, operands, inside)

    def _inside(self, op: Operation, layer: int) -> Iterator[Made]:
        for nested in op.operations()[1:]:
            for _, ref in self._splice.reads[nested]:
                made = self._of(ref, layer)
                if made is not None:
                    yield made

    def _of(self, ref: Ref, layer: int) -> Made | None:
        """What ``ref`` is for ``layer``."""
        if isinstance(ref, Value):
            return self._made.get(ref)
        series, distance, number, index = ref
        if series < 0:
            return -1, self._splice.argument(number, layer + distance).index
        return self._rows[series, layer + distance, number], index

    def _run(self, op: Operation) -> None:
        """The run of ``op``, which was not left out."""
        number = len(self.runs)
        operands = [self._made.get(value) for value in op.operands]
        inside = [self._made[value] for value in captured(op) if value in self._made]
        place = self._splice.places.get(op)
        if place is not None:
            layer = self._folded.full(place.layer)
            self._rows[place.series, layer, place.number] = number
            if layer in self._joined:
                alike = self._splice.template[place.series][place.number]
                for index, ref in self._splice.reads[alike]:
                    if isinstance(ref, tuple) and ref[1]:
                        operands[index] = self._of(ref, layer)
                if inside:
                    inside = list(self._inside(alike, layer))
        self.runs.append(Run(op, tuple(operands), tuple(inside)))
        for result in op.results:
            self._made[result] = number, result.index
