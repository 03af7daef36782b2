"""Count: the sequence of operations that a folded program would run with all layers, without unfolding it.

Some costs depend on the order of a whole step and cannot be multiplied: a schedule needs to know when each collective
begins and when its result is read. So this file lists an ``Execution`` for each operation of each layer, and which
earlier ones its operands come from. Those of layers that were left out name the operation of the template that they
repeat. Values have numbers (``ValueNumber``), in execution order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from pyshardy.folding.certifying.parts import BOUNDARY, Ref, ValueRef
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.detecting.carried import Carried
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside
from pyshardy.partitioning.account.executions import OUTSIDE, Execution, Segment, ValueNumber, captured

_FEW = 8
"""A layer of a series with at most this many operations gets no segment of its own: listing its executions is
as quick."""


def segments_of_all_layers(splice: Splice) -> Sequence[Segment]:
    """The segments of the function of ``splice``, with the layers that were left out."""
    return _AllLayers(splice).segments


class _LayerLeftOut(Segment):
    """The segment of ``layer`` of ``series``, which was left out. Its executions are listed when somebody asks for
    them: segments of one series are alike, so a schedule asks for those of one of them."""

    def __init__(self, layers: _AllLayers, series: int, layer: int, read: Sequence[ValueNumber]) -> None:
        super().__init__((), series, read)
        self._layers = layers
        self._series, self._layer = series, layer

    def executions(self) -> Sequence[Execution]:
        return self._layers.executions_left_out(self._series, self._layer)


class _AllLayers:
    """Lists the ``segments`` of all layers at ``splice``: goes through the operations that were kept, and where layers
    are to be inserted, through these."""

    def __init__(self, splice: Splice) -> None:
        self._splice = splice
        self._folded = folded = splice.folded
        self._made: dict[Value, ValueNumber] = {one: one.index for one in splice.block.arguments}
        self._count = len(self._made)
        """The number of values so far, which is the number of the next one."""
        self._rows: dict[tuple[int, int], dict[int, ValueNumber] | ValueNumber] = {}
        """For each series and layer that was kept the first result of each operation, by the number of this; for a
        layer that was left out its first result alone: its values have consecutive numbers."""
        self._offsets = [list(accumulate([len(op.results) for op in one], initial=0)) for one in splice.template]
        """For each series how many results the operations of a layer have before each operation."""
        first, end, reach = folded.first, folded.end, splice.reach
        self._near = {*range(first - reach, first), *range(end, end + reach)}
        """The layers that were kept and may read values of layers that were left out."""
        self._carrying = {op for op, _ in splice.carried.uses}
        """The operations that read values which are carried."""
        self.segments: list[Segment] = []
        self._executions: list[Execution] = []
        """Executions behind these segments, which have no segment yet."""
        left_out = self._left_out()
        for op in splice.block:
            for series, layers in left_out.get(op, ()):
                self._add_left_out(series, layers)
            self._add(op)
        self._end_segment()

    def _end_segment(self) -> None:
        if self._executions:
            self.segments.append(Segment(self._executions))
            self._executions = []

    def _left_out(self) -> dict[Operation, list[tuple[int, list[int]]]]:
        """For each insertion point the layers that belong there, as (series, layers in the order of the text)."""
        found: dict[Operation, list[tuple[int, list[int]]]] = {}
        for (series, point), group in groupby(self._splice.insertions.all(), lambda one: (one.series, one.point)):
            found.setdefault(point, []).append((series, [one.layer for one in group]))
        return found

    def _add_left_out(self, series: int, layers: Iterable[int]) -> None:
        """Adds the executions of ``layers`` of ``series``, which were left out: counterparts of those of the
        template."""
        offsets, rows = self._offsets[series], self._rows
        if len(offsets) <= _FEW:
            for layer in layers:
                rows[series, layer] = self._count
                self._count += offsets[-1]
                self._executions += self.executions_left_out(series, layer)
            return
        self._end_segment()
        others = self._read_of_others(series)
        for layer in layers:
            rows[series, layer] = self._count
            self._count += offsets[-1]
            read = [self._of(ref, layer) for ref in others]
            self.segments.append(_LayerLeftOut(self, series, layer, read))

    def _read_of_others(self, series: int) -> Iterable[Ref]:
        """The values that a layer of ``series`` reads and does not make, each once."""
        reads, found = self._splice.reads, dict[Ref, None]()
        for op in self._splice.template[series]:
            for one in op.operations() if has_tensors_inside(op) else (op,):
                for _, ref in reads.get(one, ()):
                    if not isinstance(ref, ValueRef) or (ref.series, ref.distance) != (series, 0):
                        found[ref] = None
        return found

    def executions_left_out(self, series: int, layer: int) -> list[Execution]:
        """The executions of ``layer`` of ``series``, which was left out."""
        of, reads, found = self._of, self._splice.reads, []
        for op in self._splice.template[series]:
            operands = tuple([of(ref, layer) for _, ref in reads[op]])
            found.append(Execution(op, operands, tuple(self._inside(op, layer)) if has_tensors_inside(op) else ()))
        return found

    def _inside(self, op: Operation, layer: int) -> Iterator[ValueNumber]:
        """The values that operations in the regions of ``op``, one of the template, read for ``layer``."""
        for nested in op.operations()[1:]:
            for _, ref in self._splice.reads[nested]:
                made = self._of(ref, layer)
                if made != OUTSIDE:
                    yield made

    def _inside_kept(self, op: Operation, alike: Operation, layer: int, number: int) -> Iterator[ValueNumber]:
        """The values that operations in the regions of ``op`` read, an operation of a ``layer`` that was kept and has
        the folded ``number``; ``alike`` is its counterpart in the template."""
        for nested, its in zip(op.operations()[1:], alike.operations()[1:], strict=True):
            for index, ref in self._splice.reads[its]:
                is_across = isinstance(ref, ValueRef) and self._splice.is_across(number, ref.distance)
                made = self._of(ref, layer) if is_across else self._made.get(nested.operands[index], OUTSIDE)
                if made != OUTSIDE:
                    yield made

    def _of(self, ref: Ref, layer: int) -> ValueNumber:
        """The value that ``ref`` is relative to ``layer``."""
        if isinstance(ref, Value):
            return self._made.get(ref, OUTSIDE)
        if isinstance(ref, Carried):
            return self._of_carried(ref, layer)
        series, distance, number, index = ref
        if series == BOUNDARY:
            return self._folded.argument(number, layer + distance).index
        row = self._rows[series, layer + distance]
        return (row + self._offsets[series][number] if isinstance(row, int) else row[number]) + index

    def _of_carried(self, ref: Carried, layer: int | None) -> ValueNumber:
        """The value that ``layer``, or what comes behind all layers, gets from the one before it in the text."""
        before = self._splice.carried.before(ref.series, layer, lambda _: True)
        if self._folded.first <= before < self._folded.end:
            row = self._rows[ref.series, before]
            assert isinstance(row, int)
            return row + self._offsets[ref.series][ref.operation] + ref.result
        return self._made[self._splice.carried.made(ref, before)]

    def _add(self, op: Operation) -> None:
        """Adds the execution of ``op``, which was kept. Where it reads, in the folded program, across the splice point,
        its operands are those that it would read with all layers."""
        operands = [self._made.get(value, OUTSIDE) for value in op.operands]
        inside = [self._made[value] for value in captured(op) if value in self._made]
        for index in range(len(operands)) if op in self._carrying else ():
            carried = self._splice.carried.uses.get((op, index))
            if carried is not None:
                operands[index] = self._of_carried(carried.value, carried.layer)
        position = self._splice.position_if_alike(op)
        if position is not None:
            layer = self._folded.full_number(position.layer)
            row = self._rows.setdefault((position.series, layer), {})
            assert not isinstance(row, int)
            row[position.operation] = self._count
            if layer in self._near:
                alike = self._splice.template[position.series][position.operation]
                for index, ref in self._splice.reads[alike]:
                    if isinstance(ref, ValueRef) and self._splice.is_across(position.layer, ref.distance):
                        operands[index] = self._of(ref, layer)
                if inside:
                    inside = list(self._inside_kept(op, alike, layer, position.layer))
        self._executions.append(Execution(op, tuple(operands), tuple(inside)))
        for result in op.results:
            self._made[result] = self._count + result.index
        self._count += len(op.results)
