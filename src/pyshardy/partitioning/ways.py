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
from functools import cached_property
from typing import NamedTuple

from pyshardy.emitting.layout import Layout
from pyshardy.ir import shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Value
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.completion import Completion
from pyshardy.partitioning.few_layers import FewLayers, few_layers
from pyshardy.partitioning.fewer_layers import FewerLayers
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.seam import Unlike
from pyshardy.partitioning.settled import settled, with_layouts
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.partitioning.way import Way
from pyshardy.partitioning.written_layers import LayeredPartitioner
from pyshardy.propagation.repeats import FEWEST_REPEATS

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
    trials = _Trials(module, wanted, few)
    wide = Strategies()
    options = RunOptions(wanted.compact_groups, main_mesh if wanted.is_manual else None, wide)
    best = trials.first(options)
    if wide.widened:
        near = trials.for_less(best, options._replace(strategies=Strategies(wide=False, known=wide)))
        best = best if near is None else _of_fewer_bytes(best, near, few)
    if wanted.keep_shardings or best.only_adds_up():
        return best
    free = trials.for_less(best, options._replace(strategies=Strategies(known=wide), free_results=True))
    if free is None or _of_fewer_bytes(best, free, few) is best:
        return best
    better = free.is_better_than(best)
    promises = free.bytes < _WORTH_SPREADING * best.bytes
    if promises and (not better or free.share_of_sums() > _MANY_SUMS):
        spread = trials.spreading(free, options._replace(strategies=Strategies(known=wide)))
        if spread is not None and spread.is_better_than(best) and (not better or spread.bytes < free.bytes):
            return spread
    return free if better else best


class _Trials:
    """The ways through one program that are tried, one after the other; the first says what is wrong with it."""

    def __init__(self, module: Module, wanted: WayOptions, few: FewLayers | None) -> None:
        self._module = module
        self._context = module.context
        self._wanted = wanted
        self._few = few
        self._program = Program(module.op)
        self._layers = InnerLayers(module.op, FEWEST_REPEATS if few is None else few.short.fewest)
        self._total = sum(1 for _ in module.op.walk()) if wanted.progress is not None else 0
        self._tried = 0

    @cached_property
    def _fewer(self) -> FewerLayers:
        return FewerLayers(self._program, self._layers)

    def first(self, options: RunOptions) -> Way:
        """The way with these ``options``.

        Raises:
            PyshardyError: the program cannot be partitioned.
        """
        return self._gone(self._program, self._layers, self._counting(options), self._few)

    def for_less(self, than: Way, options: RunOptions) -> Way | None:
        """Another way, if it may move less ``than`` one; else it need not be gone. None, too, if the program cannot be
        partitioned like that."""
        moved = None
        if self._few is None or self._few.has_the_layers_of(self._layers):
            said = len(self._context.diagnostics)
            try:
                moved = self._fewer.bytes_of_way(self._context, options, 0 if self._few is None else self._few.layers)
            except PyshardyError:
                raise
            except Exception as error:
                shortcuts.declines_after(error)
            del self._context.diagnostics[said:]
        options = self._counting(options)
        if moved is None or not _is_no_less(moved, than.bytes):
            return self._quietly(lambda: self._gone(self._program, self._layers, options, self._few))
        if options.progress is not None:
            options.progress(self._total)
        return None

    def spreading(self, free: Way, options: RunOptions) -> Way | None:
        """The way through the program with the layouts of ``free`` spread first; None if it cannot be partitioned like
        that."""
        options = self._counting(options)
        return self._quietly(lambda: self._gone_through_settled(free.left(), options))

    def _gone_through_settled(self, layouts: Mapping[Value, Layout], options: RunOptions) -> Way:
        rules, propagation = self._program.rules, self._wanted.propagation
        # Those at the ends of the few come to lie otherwise, so that hardly any are alike: all of them are spread.
        try:
            few = few_layers(with_layouts(self._module, layouts), propagation)
            if few is not None:
                given = Program(few.module.op, rules)
                return self._gone(given, InnerLayers(given.module, few.short.fewest), options, few)
        except (PyshardyError, Unlike):
            # All layers, then.
            pass
        except Exception as error:
            shortcuts.declines_after(error)
        given = Program(settled(self._module, layouts, propagation).op, rules)
        return self._gone(given, InnerLayers(given.module), options, None)

    def _gone(self, given: Program, layers: InnerLayers, options: RunOptions, few: FewLayers | None) -> Way:
        """A way through ``given``, which has these ``layers``, gone to its end."""
        watched = None if few is None else few.watched
        partitioner = LayeredPartitioner(given, layers, self._context, options, watched)
        partitioner.run()
        return Way(partitioner, None if few is None else Completion(few, partitioner))

    def _quietly(self, go: Callable[[], Way]) -> Way | None:
        """What ``go`` finds; None if it cannot, which is not said: the first way has said it all."""
        said = len(self._context.diagnostics)
        try:
            return go()
        except PyshardyError:
            return None
        finally:
            del self._context.diagnostics[said:]

    def _counting(self, options: RunOptions) -> RunOptions:
        """``options`` of one way more, which tells how many operations are done in all ways so far, and of how many."""
        progress, total, before = self._wanted.progress, self._total, self._total * self._tried
        self._tried += 1
        if progress is None:
            return options
        return options._replace(progress=lambda done: progress(before + done, before + total))


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
