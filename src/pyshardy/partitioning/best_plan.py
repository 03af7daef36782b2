"""Which of the candidate plans is taken: the one that moves the fewest bytes, or costs least by a ``PlanComparison``.

Each operation alone does what is cheapest for it, which need not be cheapest for the program. So several plans are
made. The first shares work along every factor that pays; the others: one that shares work only along factors that some
tensor is sharded along; one where shardings bind only at the boundary, at constraints and around regions; and one whose
shardings are re-seeded from the layouts that this has found (``reseeded``). If bytes decide, the last two may exceed
work and memory only within limits (``is_better_than``).
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.plan_price import PlanComparison, PlanPrice
from pyshardy.partitioning.strategies.strategy import Strategies

_WORTH_RESEEDING = 0.95
"""The program is re-seeded only if it moves less than this fraction of the bytes without requested layouts."""
_MANY_SUMS = 0.1
"""If more than this share of what moves without requested layouts are all-reduces, some of them may be better off
scattered."""


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
        near = candidates.try_plan(run._replace(strategies=Strategies(wide=False, known=wide)))
        if near is not None and near.moves_less_than(best):
            best = near
    if options.keep_shardings or best.only_reduces():
        return best
    free = candidates.try_plan(run._replace(strategies=Strategies(known=wide), ignore_requested=True))
    if free is None or not free.moves_less_than(best):
        return best
    better = free.is_better_than(best)
    is_promising = free.bytes < _WORTH_RESEEDING * best.bytes
    if is_promising and (not better or free.all_reduce_share() > _MANY_SUMS):
        again = candidates.try_reseeded(free, run._replace(strategies=Strategies(known=wide)))
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
        plan = candidates.try_plan(run) if other is None else candidates.try_reseeded(other, run)
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
        least = comparison.price_if_below(best.plan, None) if least is None else least
        less = comparison.price_if_below(plan, least)
        if less is not None:
            least = less
        return less is not None

    for other in rest:
        if is_less(other.plan):
            best = other
    if not (_may_join_permutes(best) and candidates.is_small()):
        return best.plan
    run = best.run._replace(reshards=None)
    fewer = candidates.try_plan(run) if best.reseeded_from is None else candidates.try_reseeded(best.reseeded_from, run)
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
