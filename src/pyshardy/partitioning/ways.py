"""The ways to partition a program, and which of them is taken: the one that moves the fewest bytes.

Each operation alone does what is cheapest for it, which need not be cheapest for the program. So besides the way that
the shardings of the program suggest, others are tried: one where operations share work along factors that no tensor is
sharded along; one where shardings bind only at the boundary, at constraints and around regions; and one where the
layouts that this has found are spread to the rest (``settled``). These two must not pay for their bytes with work or
memory. A way need not be gone if a program with fewer layers shows that it moves more (``fewer_layers``). ``plan``
stands right of this file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from operator import attrgetter

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.received import Received
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.fewer_layers import FewerLayers
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.settled import settled
from pyshardy.partitioning.strategies.prices import BYTES_PER_MULTIPLICATION
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.partitioning.written_layers import LayeredPartitioner

_MORE_WORK, _LITTLE_WORK = 1.05, 1 << 20
_MORE_MEMORY, _LITTLE_MEMORY = 1.15, 1 << 20
"""Another way may take so many times the work and memory, or so much more."""
_WORTH_SPREADING = 0.95
"""What the bytes must fall to without wishes before the layouts found are spread."""
_ROUNDED = 1e-9
_MANY_SUMS = 0.1
"""If more than this share of what moves without wishes are all-reduces, some of them may be better off scattered."""


def best_way(
    module: Module,
    progress: Callable[[int, int], None] | None,
    *,
    propagation: Pipeline,
    compact_groups: bool,
    only_mesh: str | None,
    keep_shardings: bool,
) -> Partitioner:
    """``module``, which is propagated, partitioned in the best way found.

    ``compact_groups`` and ``only_mesh`` are those of ``RunOptions``; ``keep_shardings`` says that the shardings of
    operations are the author's and not up for discussion. ``progress`` is told how many operations are done, of how
    many.

    Raises:
        PyshardyError: the program cannot be partitioned.
    """
    total = sum(1 for _ in module.op.walk()) if progress is not None else 0
    ways = 0

    def run(options: RunOptions, spreading: _Way | None = None) -> _Way | None:
        """One way, with the layouts of another one spread first, if that is given; None if it is not the first, and the
        program cannot be partitioned like that."""
        nonlocal ways
        before, is_first = total * ways, not ways
        ways += 1
        said = len(module.context.diagnostics)
        try:
            given, its_layers = program, inner
            if spreading is not None:
                given = Program(settled(module, spreading.partitioner.left, propagation).op, program.rules)
                its_layers = InnerLayers(given.module)
            if progress is not None:
                options = options._replace(progress=lambda done: progress(before + done, before + total))
            partitioner = LayeredPartitioner(given, its_layers, module.context, options)
            partitioner.run()
        except PyshardyError:
            if is_first:
                raise
            return None
        finally:
            if not is_first:
                # The first way has said it all.
                del module.context.diagnostics[said:]
        return _Way(partitioner)

    def run_for_less(than: _Way, options: RunOptions) -> _Way | None:
        """One way, if it may move less ``than`` another; else it need not be gone."""
        nonlocal ways
        said = len(module.context.diagnostics)
        moved = layers().bytes_of_way(module.context, options)
        del module.context.diagnostics[said:]
        if moved is None or not _is_no_less(moved, than.bytes):
            return run(options)
        ways += 1
        if progress is not None:
            progress(total * ways, total * ways)
        return None

    program, inner = Program(module.op), InnerLayers(module.op)
    layers = cache(lambda: FewerLayers(program, inner))
    wide = Strategies()
    options = RunOptions(compact_groups, only_mesh, wide)
    best = run(options)
    assert best is not None
    if wide.widened:
        near = run_for_less(best, options._replace(strategies=Strategies(wide=False, known=wide)))
        best = best if near is None else min(best, near, key=attrgetter("bytes"))
    if keep_shardings or best.only_adds_up():
        return best.partitioner
    free = run_for_less(best, options._replace(strategies=Strategies(known=wide), free_results=True))
    if free is None or free.bytes >= best.bytes:
        return best.partitioner
    better = free.is_better_than(best)
    promises = free.bytes < _WORTH_SPREADING * best.bytes
    if promises and (not better or free.share_of_sums() > _MANY_SUMS):
        spread = run(options._replace(strategies=Strategies(known=wide)), spreading=free)
        if spread is not None and spread.is_better_than(best) and (not better or spread.bytes < free.bytes):
            return spread.partitioner
    return (free if better else best).partitioner


def _is_no_less(moved: float, least: float) -> bool:
    """Whether ``moved`` bytes are sure to be as many as ``least``, however they were added up."""
    return moved >= least * (1 if moved.is_integer() and least.is_integer() else 1 + _ROUNDED)


class _Way:
    """A way that has been tried, and what it costs."""

    def __init__(self, partitioner: Partitioner) -> None:
        self.partitioner = partitioner

    @cached_property
    def bytes(self) -> float:
        """What each device receives in a run, if every loop takes a few turns."""
        return Received(self.partitioner.local, self.partitioner.emitted_collectives).by_function(self._entry)

    @cached_property
    def work(self) -> int:
        """What each device computes."""
        return work_of(self.partitioner.local, self._entry, self.partitioner.rules)

    @cached_property
    def peak(self) -> int:
        """The most memory that each device needs, in bytes."""
        return memory_of(self.partitioner.local, self._entry).peak

    @property
    def _entry(self) -> Operation:
        return functions_by_name(self.partitioner.local)[entry_of(self.partitioner)]

    def share_of_sums(self) -> float:
        """How much of what moves are sums that every device gets the whole of."""
        kept = [one for one in self.partitioner.emitted_collectives if one.op.parent is not None]
        sums = sum(one.bytes for one in kept if one.kind == "all_reduce")
        return sums / (sum(one.bytes for one in kept) or 1)

    def only_adds_up(self) -> bool:
        """Whether all that moves are terms of sums: those have to meet, wherever results stay."""
        emitted = self.partitioner.emitted_collectives
        return all(one.kind in ("all_reduce", "reduce_scatter") for one in emitted)

    def is_better_than(self, other: _Way) -> bool:
        """Whether it moves fewer bytes than ``other``, worth more than what it computes in exchange, with about as
        little work and memory."""
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
