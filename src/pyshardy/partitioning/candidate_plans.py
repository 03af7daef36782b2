"""Makes candidate plans for a program, one after the other; ``best_plan`` says which are made and takes the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from pyshardy.emitting.layout import Layout
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.native_classes import mypyc_attr
from pyshardy.ir.operation import Value
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.plan_price import PlanComparison
from pyshardy.partitioning.reseeded_layouts import reseeded
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.rules.registry import RuleTable

_SMALL = 100
"""In programs with fewer operations than this the routes of fewest bytes are tried, too: two permutes in a row become
one, so routes that are the quickest one by one may be slower together."""

_T = TypeVar("_T")


class PlanOptions(NamedTuple):
    """Which candidate plans are made. ``propagation`` is for re-seeded layouts; ``compact_groups`` is that of
    ``RunOptions``; ``boundary_mesh``, if set, is the only mesh on which entry functions keep sharded arguments and
    results; ``keep_shardings`` rules out plans that ignore the shardings of operations, because the author wrote them.
    ``progress`` is told how many operations are done, of how many. Where there is a ``comparison``, bytes do not
    decide."""

    propagation: Pipeline
    compact_groups: bool
    boundary_mesh: str | None
    keep_shardings: bool
    progress: Callable[[int, int], None] | None
    comparison: PlanComparison | None = None


@mypyc_attr(allow_interpreted_subclasses=True)
class Candidates:
    """Makes candidate plans for ``module``, which is propagated, one after the other. ``rules`` of operations, and what
    strategies ``known`` have chosen, may be those of other programs."""

    def __init__(
        self,
        module: Module,
        options: PlanOptions,
        rules: RuleTable | None = None,
        known: Strategies | None = None,
    ) -> None:
        self.module = module
        self.options = options
        self.program = SourceProgram(module.op, rules)
        self.known = known
        self._total = sum(1 for _ in module.op.walk()) if options.progress is not None else 0
        self._tried = 0

    def first(self, run: RunOptions) -> CandidatePlan:
        """The plan with these options. It says what is wrong with the program.

        Raises:
            PyshardyError: the program cannot be partitioned.
        """
        return self.partitioned(self._counting(run))

    def try_plan(self, run: RunOptions) -> CandidatePlan | None:
        """Another plan; None if the program cannot be partitioned with these options. Its diagnostics are discarded."""
        counting = self._counting(run)
        return self._quietly(lambda: self.partitioned(counting))

    def try_reseeded(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan | None:
        """The plan for the program re-seeded from the layouts of ``free``; None if it cannot be partitioned like
        that."""
        counting = self._counting(run)
        return self._quietly(lambda: self.reseeded_from(free, counting))

    def is_small(self) -> bool:
        """Whether the program is so small that another plan takes little time."""
        return sum(1 for _ in self.module.op.walk()) < _SMALL

    # --- how one is made ----------------------------------------------------------------------------------------------

    def partitioned(self, run: RunOptions) -> CandidatePlan:
        """The program partitioned with these options.

        Raises:
            PyshardyError: it cannot be.
        """
        return CandidatePlan(run_partitioner(self.program, self.module, run))

    def reseeded_from(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan:
        """The program re-seeded from the layouts of ``free``, and partitioned with these options.

        Raises:
            PyshardyError: it cannot be.
        """
        return self.plan_with(self.module, free.chosen_layouts(), run)

    def plan_with(self, module: Module, layouts: Mapping[Value, Layout], run: RunOptions) -> CandidatePlan:
        """The plan for ``module``, all of it, re-seeded from ``layouts``."""
        whole = reseeded(module, layouts, self.options.propagation)
        return CandidatePlan(run_partitioner(SourceProgram(whole.op, self.program.rules), self.module, run))

    # --- around it ----------------------------------------------------------------------------------------------------

    def _quietly(self, make: Callable[[], _T]) -> _T | None:
        """What ``make`` makes; None if it cannot."""
        said = len(self.module.context.diagnostics)
        try:
            return make()
        except PyshardyError:
            return None
        finally:
            del self.module.context.diagnostics[said:]

    def _counting(self, run: RunOptions) -> RunOptions:
        """``run`` for one more plan; its ``progress`` counts the operations of all plans made so far."""
        progress, total, before = self.options.progress, self._total, self._total * self._tried
        self._tried += 1
        if progress is None:
            return run
        return run._replace(progress=lambda done: progress(before + done, before + total))


def run_partitioner(program: SourceProgram, module: Module, run: RunOptions) -> Partitioner:
    """The partitioner that has run on ``program``; its diagnostics go to the context of ``module``."""
    partitioner = Partitioner(program, module.context, run)
    partitioner.run()
    return partitioner
