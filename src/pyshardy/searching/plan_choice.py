"""The candidate plan that ``partition`` would choose for a strategy, on the short program, and its cost.

The cost of the first candidate plan is misleading if ``partition`` would choose another one: a plan without requested
layouts may take a fifth of the time. So the strategies that are best by their first plan are compared by the plan that
would be chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.analysis.cost.timed_plan import KnownTimes
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.best_plan import best_plan
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions, run_partitioner
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.plan_price import CERTAINLY_MORE, PlanComparison, PlanPrice
from pyshardy.partitioning.reseeded_layouts import with_layouts
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.rules.registry import RuleTable
from pyshardy.searching.scoring import Score, ScoredProgram
from pyshardy.sharding.mesh import Mesh

Scored = Callable[[Partitioner], ScoredProgram]
"""Wraps the result of a partitioner for scoring."""


class PlanChoice(NamedTuple):
    """Whether candidate plans are chosen by seconds, as for a sharding file that names the hardware, or by bytes. If
    the plan of the fewest seconds needs more than ``limit`` bytes of memory, that of the fewest bytes is taken."""

    by_seconds: bool
    limit: float


class EvaluationCaches(NamedTuple):
    """Caches of earlier evaluations: the rules of operations, and how they are partitioned."""

    rules: RuleTable
    strategies: Strategies


class _ScoredPlan(CandidatePlan):
    """A candidate plan of the short program, with the bytes of all layers."""

    def __init__(self, partitioner: Partitioner, scored: Scored) -> None:
        super().__init__(partitioner)
        self._scored = scored

    @cached_property
    def made(self) -> ScoredProgram:
        """The partitioned program with its score."""
        return self._scored(self.partitioner)

    @property
    def score(self) -> Score:
        """The cost of a step."""
        return self.made.score

    @cached_property
    def bytes(self) -> float:
        return self.made.received

    @cached_property
    def peak(self) -> int:
        return int(self.score.peak)


class _ScoredCandidates(Candidates):
    """Makes candidate plans, and keeps all of them."""

    def __init__(self, module: Module, options: PlanOptions, known: EvaluationCaches, scored: Scored) -> None:
        super().__init__(module, options, known.rules, known.strategies)
        self._scored = scored
        self.made: list[_ScoredPlan] = []

    def partitioned(self, run: RunOptions) -> CandidatePlan:
        return self._kept(run_partitioner(self.program, self.module, run))

    def reseeded_from(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan:
        copy = with_layouts(self.module, free.chosen_layouts())
        run_passes(copy, self.options.propagation, verify_each=False)
        return self._kept(run_partitioner(SourceProgram(copy.op, self.program.rules), self.module, run))

    def _kept(self, partitioner: Partitioner) -> CandidatePlan:
        self.made.append(_ScoredPlan(partitioner, self._scored))
        return self.made[-1]


class _ScoredSeconds(PlanComparison):
    """Compares scored plans on ``mesh`` by the seconds of their scores."""

    def __init__(self, times: KnownTimes, mesh: Mesh) -> None:
        super().__init__(ReshardChoice(mesh, action_seconds(times.collectives(mesh))))
        self._capacity = times.hardware.chip.capacity

    def price_if_below(self, plan: CandidatePlan, than: PlanPrice | None) -> PlanPrice | None:
        assert isinstance(plan, _ScoredPlan)
        if than is not None and not than.bytes_over_memory and plan.made.least_seconds > CERTAINLY_MORE * than.seconds:
            return None
        score = plan.score
        found = PlanPrice(max(0.0, score.peak - self._capacity), float(f"{score.expected:.9e}"), score.received)
        return found.if_below(than)


def score_of_chosen(
    module: Module,
    mesh: Mesh,
    propagation: Pipeline,
    keep_shardings: bool,
    times: KnownTimes,
    choice: PlanChoice,
    known: EvaluationCaches,
    scored: Scored,
) -> Score:
    """The cost of a step by the candidate plan that ``choice`` takes on the hardware of ``times``. ``module`` is
    propagated for ``mesh``; ``keep_shardings`` says whether its operations had shardings before propagation.

    Raises:
        PyshardyError: the program cannot be partitioned.
        CountsDiffer, HardwareProblem: the first plan has no score.
    """

    options = PlanOptions(propagation, False, None, keep_shardings, None)
    if choice.by_seconds:
        options = options._replace(comparison=_ScoredSeconds(times, mesh))
    candidates = _ScoredCandidates(module, options, known, scored)
    try:
        found = _score_of_best(candidates)
        if found.peak > choice.limit and any(one.peak < found.peak for one in candidates.made if choice.by_seconds):
            by_bytes = options._replace(comparison=None)
            other = _score_of_best(_ScoredCandidates(module, by_bytes, known, scored))
            if other.peak < found.peak:
                return other
    except CountsDiffer:
        return candidates.made[0].score
    return found


def _score_of_best(candidates: Candidates) -> Score:
    best = best_plan(candidates)
    assert isinstance(best, _ScoredPlan)
    return best.score
