"""What a way to partition a model would move, found out on one with fewer layers.

Of ways that are tried beside the first, most are dropped again because they move more. Where layers repeat, that can
be seen without going all the way: the program is copied without most of its layers, partitioned, and what a layer moves
is added as often as there are layers left out. That is exact: layers are left out of the midst of those that are alike
(``repetition``: what they are made of, what they read, who reads them), and only if those on either side of the gap
have become the same, operation by operation: what was emitted, what moves and is still there, how results lie, in
which other forms they exist. What becomes of a layer depends on those beside it alone: the first one left out gets what
the one above the gap has got, so it becomes the same, and so does the next. Where any of this is not so there is no
answer, and ``ways``, right of this file, goes all the way; as it does for a way that turns out to move less.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Sharded
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.short_copy import short_copy


class FewerLayers:
    """A copy of ``program``, which is propagated, without its inner ``layers``; none if there is nothing to leave
    out."""

    def __init__(self, program: Program, layers: InnerLayers) -> None:
        self._copy: Program | None = None
        short = short_copy(program.module, layers.repetition, layers.first, layers.end) if len(layers) else None
        if short is not None:
            self._short = short
            self._copy = Program(short.module, program.rules)

    def bytes_of_way(self, context: Context, options: RunOptions, more: int = 0) -> float | None:
        """What each device receives in a run, with all layers and so many ``more``, on the way with these ``options``;
        None if that cannot be said."""
        if self._copy is None:
            return None
        partitioner = _Tracing(self._copy, context, options, list(self._short.copies.values()))
        try:
            partitioner.run()
        except PyshardyError:
            return None
        return self._with_all_layers(partitioner, more)

    # --- what it would move with all layers ---------------------------------------------------------------------------

    def _with_all_layers(self, partitioner: _Tracing, more: int) -> float | None:
        received = Received(partitioner.local, partitioner.emitted_collectives)
        (special,) = partitioner.entries.values()
        entry = received.functions[special.name]
        known = {local for trace in partitioner.traces.values() for local in trace.local}
        if any(received.by_operations([op]) for op in entry.body if op not in known):
            return None
        short, repetition = self._short, self._short.repetition
        a_layer = 0.0
        for one in repetition.series:
            begin = one.begin_of(short.first - 1)
            for number in range(begin, begin + one.period):
                below, above = (self._trace(partitioner, number, layers) for layers in (0, short.end - short.first + 1))
                if below != above:
                    return None
                made = partitioner.traces[short.copies[repetition.operations[number]]]
                a_layer += received.by_operations(op for op in made.local if op.parent is not None)
        return received.by_function(entry) + (short.end - short.first + more) * a_layer

    def _trace(self, partitioner: _Tracing, number: int, layers: int) -> Hashable:
        """All that the layers beside it can see of what operation ``number``, moved by so many layers, has become."""
        original = self._short.repetition.moved(number, layers)
        assert original is not None
        op = self._short.copies[original]
        trace = partitioner.traces[op]
        local = tuple(
            [(one.name, tuple([result.type for result in one.results]), one.parent is not None) for one in trace.local]
        )
        moved = tuple(
            [(one.kind, one.axes, one.group_size, one.bytes, one.op.parent is not None) for one in trace.collectives]
        )
        begun = partitioner.beginnings.get(op)
        distance = None if begun is None else partitioner.numbers[op] - partitioner.numbers[begun]
        return local, moved, tuple([_form(partitioner.env[result]) for result in op.results]), distance


def _form(sharded: Sharded) -> Hashable:
    layouts = tuple([one.layout for one in sharded.versions])
    return sharded.layout, chain_of(sharded), layouts, len(sharded.masked or ())


class _Trace:
    """What one operation has become: local operations, and the collectives among them."""

    __slots__ = ("collectives", "local")

    def __init__(self, local: list[Operation], collectives: list[Collective]) -> None:
        self.local = local
        self.collectives = collectives


class _Tracing(Partitioner):
    """Partitions, and keeps traces of the operations that are ``watched``, which follow each other in this order."""

    def __init__(self, program: Program, context: Context, options: RunOptions, watched: Sequence[Operation]) -> None:
        super().__init__(program, context, options)
        self.traces: dict[Operation, _Trace] = {}
        self.numbers = {op: number for number, op in enumerate(watched)}

    def _emit(self, op: Operation) -> None:
        if op not in self.numbers:
            super()._emit(op)
            return
        block, emitted = self.builder.block, self.collectives.emitted
        last, mark = block.last, len(emitted)
        super()._emit(op)
        self.traces[op] = _Trace(block.behind(last), emitted[mark:])
