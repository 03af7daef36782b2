"""Candidate plans for a program, and which is taken: the one that moves the fewest bytes, or costs least by a
``PlanComparison``.

Each operation alone does what is cheapest for it, which need not be cheapest for the program. So several plans are
made. The first shares work along every factor that pays; the others: one that shares work only along factors that some
tensor is sharded along; one where shardings bind only at the boundary, at constraints and around regions; and one whose
shardings are re-seeded from the layouts that this has found (``reseeded``). If bytes decide, the last two may exceed
work and memory only within limits (``is_better_than``).
"""

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
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.reseeded_layouts import reseeded
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.mesh import Mesh

_WORTH_RESEEDING = 0.95
"""The program is re-seeded only if it moves less than this fraction of the bytes without requested layouts."""
_SMALL = 100
"""In programs with fewer operations than this the routes of fewest bytes are tried, too: two permutes in a row become
one, so routes that are the quickest one by one may be slower together."""
_MANY_SUMS = 0.1
"""If more than this share of what moves without requested layouts are all-reduces, some of them may be better off
scattered."""
CERTAINLY_MORE = 1 + 1e-8
"""Two times of plans differ for certain only if their ratio exceeds this: both are rounded."""

_T = TypeVar("_T")


class PlanPrice(NamedTuple):
    """What a plan costs on hardware, what matters most first: the bytes that do not fit into memory, the seconds of a
    step, the bytes that move."""

    bytes_over_memory: float
    seconds: float
    bytes: float

    def if_less(self, than: PlanPrice | None) -> PlanPrice | None:
        """This price; None if it is not less ``than`` another."""
        return self if than is None or self < than else None


@mypyc_attr(allow_interpreted_subclasses=True)
class PlanComparison:
    """Compares candidate plans by what they cost on hardware instead of by their bytes. ``reshards`` chooses the routes
    of their reshards."""

    def __init__(self, reshards: ReshardChoice | None) -> None:
        self.reshards = reshards

    def price_if_less(self, plan: CandidatePlan, than: PlanPrice | None) -> PlanPrice | None:
        """The price of ``plan``; None if it is not less ``than`` another."""
        raise NotImplementedError

    def is_certainly_less(self, plan: CandidatePlan, other: CandidatePlan) -> bool:
        """Whether it is known without prices that that of ``plan`` is less than that of ``other``."""
        return False


class Pricing(NamedTuple):
    """How candidate plans are compared: a ``description``, and the comparison ``for_mesh`` (which raises ValueError if
    the mesh does not fit)."""

    description: str
    for_mesh: Callable[[Mesh | None], PlanComparison]


class PlanOptions(NamedTuple):
    """Which candidate plans are made. ``propagation`` is for re-seeded layouts; ``compact_groups`` is that of
    ``RunOptions``; ``boundary_mesh`` is set if what comes from outside and goes there is sharded on that mesh alone;
    ``keep_shardings`` says that the shardings of operations are the author's and not up for discussion. ``progress`` is
    told how many operations are done, of how many. Where there is a ``comparison``, bytes do not decide."""

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

    def another(self, run: RunOptions) -> CandidatePlan | None:
        """Another plan; None if the program cannot be partitioned like that, which is not said."""
        counting = self._counting(run)
        return self._quietly(lambda: self.partitioned(counting))

    def another_reseeded(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan | None:
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
        """``run`` of one plan more, which tells how many operations are done for all plans so far, and of how many."""
        progress, total, before = self.options.progress, self._total, self._total * self._tried
        self._tried += 1
        if progress is None:
            return run
        return run._replace(progress=lambda done: progress(before + done, before + total))


def run_partitioner(program: SourceProgram, module: Module, run: RunOptions) -> Partitioner:
    """The partitioner that has run on ``program``; it says in the context of ``module`` what is wrong with that."""
    partitioner = Partitioner(program, module.context, run)
    partitioner.run()
    return partitioner


def best_plan(candidates: Candidates) -> CandidatePlan:
    """The best of the plans that ``candidates`` make.

    Raises:
        PyshardyError: the program cannot be partitioned.
    """
    options = candidates.options
    wide = Strategies(known=candidates.known)
    comparison = options.comparison
    run = RunOptions(options.compact_groups, options.boundary_mesh, wide)
    if comparison is not None and comparison.reshards is not None:
        run = run._replace(reshards=comparison.reshards.of_another_run())
    best = candidates.first(run)
    if comparison is not None:
        return _cheapest(candidates, best, run, comparison)
    if wide.widened:
        near = candidates.another(run._replace(strategies=Strategies(wide=False, known=wide)))
        if near is not None and near.moves_less_than(best):
            best = near
    if options.keep_shardings or best.only_reduces():
        return best
    free = candidates.another(run._replace(strategies=Strategies(known=wide), ignore_requested=True))
    if free is None or not free.moves_less_than(best):
        return best
    better = free.is_better_than(best)
    promises = free.bytes < _WORTH_RESEEDING * best.bytes
    if promises and (not better or free.all_reduce_share() > _MANY_SUMS):
        again = candidates.another_reseeded(free, run._replace(strategies=Strategies(known=wide)))
        if again is not None and again.is_better_than(best) and (not better or again.bytes < free.bytes):
            return again
    return free if better else best


class _Made(NamedTuple):
    """A plan, how it was made, and the plan from whose layouts it was re-seeded."""

    plan: CandidatePlan
    run: RunOptions
    reseeded_from: CandidatePlan | None = None


def _cheapest(
    candidates: Candidates, first: CandidatePlan, run: RunOptions, comparison: PlanComparison
) -> CandidatePlan:
    """The plan that costs least by ``comparison`` of ``first``, made with ``run``, and the others that there are: no
    more than where bytes decide, except one with routes of fewest bytes in small programs."""
    strategies = run.strategies
    found = [_Made(first, run)]

    def made(run: RunOptions, other: CandidatePlan | None = None) -> CandidatePlan | None:
        run = run._replace(reshards=run.reshards and run.reshards.of_another_run())
        plan = candidates.another(run) if other is None else candidates.another_reseeded(other, run)
        if plan is not None and not any(_costs_as_much(plan, one.plan) for one in found):
            found.append(_Made(plan, run, other))
        return plan

    if strategies is not None and strategies.widened:
        made(run._replace(strategies=Strategies(wide=False, known=strategies)))
    fewest = min([one.plan for one in found], key=lambda plan: plan.rounded_bytes)
    if not (candidates.options.keep_shardings or fewest.only_reduces()):
        freed = run._replace(strategies=Strategies(known=strategies))
        free = made(freed._replace(ignore_requested=True))
        if free is not None and free.bytes < _WORTH_RESEEDING * fewest.bytes and free.all_reduce_share() > _MANY_SUMS:
            made(freed, free)
    if len(found) == 1 and not (run.reshards is not None and run.reshards.avoids_permutes):
        return first
    # What moves least is looked at first, for it is likely to be the cheapest. With the same price, and so the same
    # bytes, the one that was made first stays.
    best, *rest = sorted(found, key=lambda one: one.plan.rounded_bytes)
    least: PlanPrice | None = None

    def is_less(plan: CandidatePlan) -> bool:
        """Whether ``plan`` is cheaper than the best one, whose price is worked out when it is needed."""
        nonlocal least
        if comparison.is_certainly_less(best.plan, plan):
            return False
        least = comparison.price_if_less(best.plan, None) if least is None else least
        less = comparison.price_if_less(plan, least)
        if less is not None:
            least = less
        return less is not None

    for other in rest:
        if is_less(other.plan):
            best = other
    if not (_may_join_permutes(best) and candidates.is_small()):
        return best.plan
    run = best.run._replace(reshards=None)
    fewer = (
        candidates.another(run) if best.reseeded_from is None else candidates.another_reseeded(best.reseeded_from, run)
    )
    return fewer if fewer is not None and is_less(fewer) else best.plan


def _may_join_permutes(made: _Made) -> bool:
    """Whether a permute that reshards avoid by the quickest routes might have become one with another."""
    reshards = made.run.reshards
    if reshards is None or not reshards.avoids_permutes:
        return False
    return made.plan.permutes or reshards.avoids_permutes_in_a_row


def _costs_as_much(plan: CandidatePlan, other: CandidatePlan) -> bool:
    """Whether ``plan`` is ``other``, or has the same operations in another order, which usually cost the same."""
    return plan.rounded_bytes == other.rounded_bytes and plan.has_operations_of(other)
