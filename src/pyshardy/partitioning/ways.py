"""The ways to partition a program, and which of them is taken: the one that moves the fewest bytes.

Each operation alone does what is cheapest for it, which need not be cheapest for the program. So besides the way that
the shardings of the program suggest, others are tried: one where operations share work along factors that no tensor is
sharded along; one where shardings bind only at the boundary, at constraints and around regions; and one where the
layouts that this has found are spread to the rest (``settled``). These two must not pay for their bytes with work or
memory. A way need not be gone if a program with fewer layers shows that it moves more (``fewer_layers``). ``plan``
stands right of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import Pipeline
from pyshardy.ir.types import FunctionType
from pyshardy.module import Module
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.completion import Completion
from pyshardy.partitioning.few_layers import FewLayers, few_layers
from pyshardy.partitioning.fewer_layers import FewerLayers
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.seam import Unlike
from pyshardy.partitioning.settled import settled, with_layouts
from pyshardy.partitioning.strategies.prices import BYTES_PER_MULTIPLICATION
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.partitioning.written_layers import LayeredPartitioner
from pyshardy.propagation.repeats import FEWEST_REPEATS

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""Another way may take so many times the work and memory, or so much more."""
_WORTH_SPREADING = 0.95
"""What the bytes must fall to without wishes before the layouts found are spread."""
_ROUNDED = 1e-9
_MANY_SUMS = 0.1
"""If more than this share of what moves without wishes are all-reduces, some of them may be better off scattered."""


class WayOptions(NamedTuple):
    """What ways are tried. ``propagation`` spreads layouts that were found; ``compact_groups`` is that of
    ``RunOptions``; ``is_manual`` says that what comes from outside and goes there is sharded on the main mesh alone;
    ``keep_shardings`` that the shardings of operations are the author's and not up for discussion. ``progress`` is told
    how many operations are done, of how many."""

    propagation: Pipeline
    compact_groups: bool
    is_manual: bool
    keep_shardings: bool
    progress: Callable[[int, int], None] | None


def best_way(module: Module, main_mesh: str | None, wanted: WayOptions, few: FewLayers | None = None) -> Way:
    """``module``, which is propagated, partitioned in the best way found. If it is what ``few`` says, of which layers
    were left out, these are put in.

    Raises:
        PyshardyError: the program cannot be partitioned.
        Unlike: what few layers became does not say what all of them would have become.
    """
    progress = wanted.progress
    total = sum(1 for _ in module.op.walk()) if progress is not None else 0
    ways = 0

    def gone(given: Program, layers: InnerLayers, options: RunOptions, few: FewLayers | None) -> Way:
        """A way through ``given``, which has these ``layers``, gone to its end."""
        watched = None if few is None else few.watched
        partitioner = LayeredPartitioner(given, layers, module.context, options, watched)
        partitioner.run()
        return Way(partitioner, None if few is None else Completion(few, partitioner))

    def gone_through_settled(options: RunOptions, spreading: Way) -> Way:
        """A way through the program with the layouts of another one spread first, by few of its layers if these are
        enough."""
        layouts = spreading.left()
        # Those at the ends of the few come to lie otherwise, so that hardly any are alike: all of them are spread.
        fewer = few_layers(with_layouts(module, layouts), wanted.propagation)
        if fewer is not None:
            short = Program(fewer.module.op, program.rules)
            try:
                return gone(short, InnerLayers(short.module, fewer.short.fewest), options, fewer)
            except (PyshardyError, Unlike):
                pass
        copy = settled(module, layouts, wanted.propagation)
        return gone(Program(copy.op, program.rules), InnerLayers(copy.op), options, None)

    def run(options: RunOptions, spreading: Way | None = None) -> Way | None:
        """One way, with the layouts of another one spread first, if that is given; None if it is not the first, and the
        program cannot be partitioned like that."""
        nonlocal ways
        before, is_first = total * ways, not ways
        ways += 1
        said = len(module.context.diagnostics)
        try:
            if progress is not None:
                options = options._replace(progress=lambda done: progress(before + done, before + total))
            return gone(program, inner, options, few) if spreading is None else gone_through_settled(options, spreading)
        except PyshardyError:
            if is_first:
                raise
            return None
        finally:
            if not is_first:
                # The first way has said it all.
                del module.context.diagnostics[said:]

    def run_for_less(than: Way, options: RunOptions) -> Way | None:
        """One way, if it may move less ``than`` another; else it need not be gone."""
        nonlocal ways
        said = len(module.context.diagnostics)
        moved = None
        if few is None or few.has_the_layers_of(inner):
            moved = layers().bytes_of_way(module.context, options, 0 if few is None else few.layers)
        del module.context.diagnostics[said:]
        if moved is None or not _is_no_less(moved, than.bytes):
            return run(options)
        ways += 1
        if progress is not None:
            progress(total * ways, total * ways)
        return None

    fewest = FEWEST_REPEATS if few is None else few.short.fewest
    program, inner = Program(module.op), InnerLayers(module.op, fewest)
    layers = cache(lambda: FewerLayers(program, inner))
    wide = Strategies()
    options = RunOptions(wanted.compact_groups, main_mesh if wanted.is_manual else None, wide)
    best = run(options)
    assert best is not None
    if wide.widened:
        near = run_for_less(best, options._replace(strategies=Strategies(wide=False, known=wide)))
        best = best if near is None else _of_fewer_bytes(best, near, few)
    if wanted.keep_shardings or best.only_adds_up():
        return best
    free = run_for_less(best, options._replace(strategies=Strategies(known=wide), free_results=True))
    if free is None or _of_fewer_bytes(best, free, few) is best:
        return best
    better = free.is_better_than(best)
    promises = free.bytes < _WORTH_SPREADING * best.bytes
    if promises and (not better or free.share_of_sums() > _MANY_SUMS):
        spread = run(options._replace(strategies=Strategies(known=wide)), spreading=free)
        if spread is not None and spread.is_better_than(best) and (not better or spread.bytes < free.bytes):
            return spread
    return free if better else best


def _is_no_less(moved: float, least: float) -> bool:
    """Whether ``moved`` bytes are sure to be as many as ``least``, however they were added up."""
    return moved >= least * (1 if moved.is_integer() and least.is_integer() else 1 + _ROUNDED)


def _of_fewer_bytes(one: Way, other: Way, few: FewLayers | None) -> Way:
    """That of both that moves less; ``one`` if both move the same.

    Raises:
        Unlike: with all layers it might be the other one, because of rounding.
    """
    mine, its = one.bytes, other.bytes
    if few is not None and not (mine.is_integer() and its.is_integer()) and abs(mine - its) <= _ROUNDED * mine:
        raise Unlike
    return other if its < mine else one


class Way:
    """A way that has been tried, and what it costs. If ``completion`` says how, the layers are put in that the way has
    not gone through."""

    def __init__(self, partitioner: Partitioner, completion: Completion | None = None) -> None:
        self.partitioner = partitioner
        self._completion = completion
        self.is_complete = completion is None

    def completed(self) -> Way:
        """This way, gone with all layers."""
        if self._completion is not None and not self.is_complete:
            self._completion.complete()
            self.is_complete = True
            # Where they were multiplied, they may be rounded another way.
            self.__dict__.pop("bytes", None)
        return self

    def type_of(self, entry: str) -> FunctionType:
        """That of a function that is called from outside."""
        if self._completion is not None:
            return self._completion.type
        return function_type(self.partitioner.functions[entry])

    def collectives(self) -> list[Collective]:
        """Those that were emitted."""
        return self.partitioner.emitted_collectives if self._completion is None else self._completion.collectives()

    def _emitted(self) -> list[Collective]:
        """The same, but of those of layers that were put in it is not known who needs them."""
        if self._completion is None or not self.is_complete:
            return self.partitioner.emitted_collectives
        return self._completion.emitted()

    def values(self) -> Mapping[Value, Sharded]:
        """What each value of the program has become."""
        return self.partitioner.env if self._completion is None else self._completion.forms()

    def left(self) -> Mapping[Value, Layout]:
        """With free results: where each value came to be."""
        return self.partitioner.left if self._completion is None else self._completion.left()

    @cached_property
    def bytes(self) -> float:
        """What each device receives in a run, if every loop takes a few turns."""
        received = Received(self.partitioner.local, self._emitted())
        found = received.by_function(self._entry)
        if self._completion is not None and not self.is_complete:
            found += self._completion.bytes_left_out(received)
        return found

    @cached_property
    def work(self) -> int:
        """What each device computes."""
        found = work_of(self.partitioner.local, self._entry, self.partitioner.rules)
        if self._completion is not None and not self.is_complete:
            found += self._completion.work_left_out()
        return found

    @cached_property
    def peak(self) -> int:
        """The most memory that each device needs, in bytes."""
        found = None
        if self._completion is not None and not self.is_complete:
            found = self._completion.peak()
        return memory_of(self.completed().partitioner.local, self._entry).peak if found is None else found

    @property
    def _entry(self) -> Operation:
        return functions_by_name(self.partitioner.local)[entry_of(self.partitioner)]

    def share_of_sums(self) -> float:
        """How much of what moves are sums that every device gets the whole of."""
        kept = [one for one in self.completed()._emitted() if one.op.parent is not None]
        sums = sum(one.bytes for one in kept if one.kind == "all_reduce")
        return sums / (sum(one.bytes for one in kept) or 1)

    def only_adds_up(self) -> bool:
        """Whether all that moves are terms of sums: those have to meet, wherever results stay."""
        emitted = self.partitioner.emitted_collectives
        return all(one.kind in ("all_reduce", "reduce_scatter") for one in emitted)

    def is_better_than(self, other: Way) -> bool:
        """Whether it moves fewer bytes than ``other``, worth more than what it computes in exchange, with about as
        little work and memory."""
        if not (self.bytes.is_integer() and other.bytes.is_integer()):
            # They may be rounded another way.
            for one in (self, other):
                one.completed()
        saved = other.bytes - self.bytes
        return (
            saved > 0
            and saved > (self.work - other.work) * BYTES_PER_MULTIPLICATION
            and self.work <= max(_MORE_WORK * other.work, other.work + _LITTLE_WORK)
            and self.peak <= max(_MORE_MEMORY * other.peak, other.peak + _LITTLE_MEMORY)
        )


def entry_of(partitioner: Partitioner) -> str:
    """The name of the function that a run begins with.

    Raises:
        ValueError: no function can be called from outside.
    """
    if not partitioner.entries:
        raise ValueError("the program has no function that can be called from outside")
    return "main" if "main" in partitioner.entries else next(iter(partitioner.entries))
