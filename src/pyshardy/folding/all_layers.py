"""What a folded program runs with all its layers, in order: those that were left out are read off the one below them.

For what depends on the order of a whole step and cannot be multiplied, like the time at which a collective is needed.
No operation is written: a run names the one that it is like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby

from pyshardy.folding.parts import Ref
from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.account.fusion import has_tensors_inside
from pyshardy.partitioning.account.runs import OUTSIDE, Made, Run, captured


def runs_of_all_layers(splice: Splice) -> Sequence[Run]:
    """What the function of ``splice`` runs, with the layers that were left out."""
    return _AllLayers(splice).runs


class _AllLayers:
    def __init__(self, splice: Splice) -> None:
        self._splice = splice
        self._folded = folded = splice.folded
        self._made: dict[Value, Made] = {one: one.index for one in splice.block.arguments}
        self._count = len(self._made)
        """How many values there are so far."""
        self._rows: dict[tuple[int, int], dict[int, Made] | list[Made]] = {}
        """The first results of operations by series and layer, and by their numbers there."""
        first, end, reach = folded.first, folded.end, splice.reach
        self._joined = {*range(first - reach, first), *range(end, end + reach)}
        """The layers that read of those that were left out, or might."""
        self.runs: list[Run] = []
        left_out = self._left_out()
        for op in splice.block:
            for series, layers in left_out.get(op, ()):
                self._run_left_out(series, layers)
            self._run(op)

    def _left_out(self) -> dict[Operation, list[tuple[int, list[int]]]]:
        """The layers that were left out, by series, in order, and before which operation they belong."""
        splice, found = self._splice, dict[Operation, list[tuple[int, list[int]]]]()
        for series in range(len(self._folded.layers.series)):
            for anchor, layers in groupby(splice.left_out(series), partial(splice.behind, series)):
                found.setdefault(anchor, []).append((series, list(layers)))
        for index, series, layer in splice.results_left_out():
            found.setdefault(splice.behind_result(index), []).append((series, [layer]))
        return found

    def _run_left_out(self, series: int, layers: Sequence[int]) -> None:
        """Adds the runs of ``layers`` of ``series``: of the counterparts of what the layer below the splice point
        runs."""
        template, runs, rows, of = self._splice.template[series], self.runs, self._rows, self._of
        read: dict[tuple[int, int], int] = {}
        refs = [self._refs(op, read) for op in template]
        counts = [len(op.results) for op in template]
        for layer in layers:
            rows[series, layer] = list(accumulate(counts, initial=self._count))
            self._count += sum(counts)
            near = [rows[other, layer + distance] for other, distance in read]
            for op, own in zip(template, refs, strict=True):
                if own is not None:
                    runs.append(Run(op, tuple([near[place][number] + index for place, number, index in own])))
                    continue
                operands = tuple([of(ref, layer) for _, ref in self._splice.reads[op]])
                inside = tuple(self._inside(op, layer)) if has_tensors_inside(op) else ()
                runs.append(Run(op, operands, inside))

    def _refs(self, op: Operation, read: dict[tuple[int, int], int]) -> list[tuple[int, int, int]] | None:
        """Of what ``op`` reads: which series and distance (their place in ``read``, where they are entered), which
        operation there, and which result. None if something is read that layers do not make."""
        found = []
        for _, ref in self._splice.reads[op]:
            if isinstance(ref, Value) or ref[0] < 0:
                return None
            found.append((read.setdefault(ref[:2], len(read)), ref[2], ref[3]))
        return None if has_tensors_inside(op) else found

    def _inside(self, op: Operation, layer: int) -> Iterator[Made]:
        for nested in op.operations()[1:]:
            for _, ref in self._splice.reads[nested]:
                made = self._of(ref, layer)
                if made != OUTSIDE:
                    yield made

    def _of(self, ref: Ref, layer: int) -> Made:
        """What ``ref`` is for ``layer``."""
        if isinstance(ref, Value):
            return self._made.get(ref, OUTSIDE)
        series, distance, number, index = ref
        if series < 0:
            return self._splice.argument(number, layer + distance).index
        return self._rows[series, layer + distance][number] + index

    def _run(self, op: Operation) -> None:
        """The run of ``op``, which was not left out."""
        operands = [self._made.get(value, OUTSIDE) for value in op.operands]
        inside = [self._made[value] for value in captured(op) if value in self._made]
        place = self._splice.places.get(op)
        if place is not None:
            layer = self._folded.full(place.layer)
            row = self._rows.setdefault((place.series, layer), {})
            assert isinstance(row, dict)
            row[place.number] = self._count
            if layer in self._joined:
                alike = self._splice.template[place.series][place.number]
                for index, ref in self._splice.reads[alike]:
                    if isinstance(ref, tuple) and ref[1]:
                        operands[index] = self._of(ref, layer)
                if inside:
                    inside = list(self._inside(alike, layer))
        self.runs.append(Run(op, tuple(operands), tuple(inside)))
        for result in op.results:
            self._made[result] = self._count + result.index
        self._count += len(op.results)
