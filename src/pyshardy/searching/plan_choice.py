"""Which candidate plan ``partition`` chooses for a strategy, found with few layers, and what that one costs.

The first candidate plan alone says little of strategies of which another one is taken: where results stay where
operations leave them, a step may take a fifth. So those that stand best by their first plan are held against each other
by the plan that is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions, Price, best_plan, partitioned
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.reseeded_layouts import with_layouts
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.rules.registry import RuleTable
from pyshardy.searching.scoring import Score, ScoredProgram
from pyshardy.sharding.mesh import Mesh

Scored = Callable[[Partitioner], ScoredProgram]
"""What a partitioner has made, to be scored."""
_MORE = 1 + 1e-8
"""So many times the seconds of another plan are more, however both are rounded."""


class Choice(NamedTuple):
    """Candidate plans are chosen by seconds, as where a sharding file names the hardware, or by bytes; by bytes, too,
    where that of the fewest seconds needs more than ``limit`` bytes."""

    by_seconds: bool
    limit: float


class Known(NamedTuple):
    """What was worked out for other strategies: the rules of operations, and how they share their work."""

    rules: RuleTable
    strategies: Strategies


class _ScoredPlan(CandidatePlan):
    """A candidate plan of a program with few layers, with the bytes of all of them."""

    def __init__(self, partitioner: Partitioner, scored: Scored) -> None:
        super().__init__(partitioner)
        self._scored = scored

    @cached_property
    def made(self) -> ScoredProgram:
        """What the partitioner has made."""
        return self._scored(self.partitioner)

    @property
    def score(self) -> Score:
        """What a step costs."""
        return self.made.score

    @cached_property
    def bytes(self) -> float:
        return self.made.received

    @cached_property
    def peak(self) -> int:
        return int(self.score.peak)


class _ScoredCandidates(Candidates):
    """Makes candidate plans, and keeps all that it has made."""

    def __init__(self, module: Module, options: PlanOptions, known: Known, scored: Scored) -> None:
        super().__init__(module, options, known.rules, known.strategies)
        self._scored = scored
        self.made: list[_ScoredPlan] = []

    def partitioned(self, run: RunOptions) -> CandidatePlan:
        return self._kept(partitioned(self.program, self.module, run))

    def spread(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan:
        copy = with_layouts(self.module, free.chosen_layouts())
        run_passes(copy, self.options.propagation, verify_each=False)
        return self._kept(partitioned(Program(copy.op, self.program.rules), self.module, run))

    def _kept(self, partitioner: Partitioner) -> CandidatePlan:
        self.made.append(_ScoredPlan(partitioner, self._scored))
        return self.made[-1]


def score_of_chosen(
    module: Module,
    mesh: Mesh,
    propagation: Pipeline,
    keep_shardings: bool,
    hardware: Hardware,
    choice: Choice,
    known: Known,
    scored: Scored,
) -> Score:
    """What a step costs of the candidate plan of ``module``, which is propagated for ``mesh``, that ``choice`` takes on
    ``hardware``; ``keep_shardings`` says whether operations had shardings before.

    Raises:
        PyshardyError: the program cannot be partitioned.
        CountsDiffer, HardwareProblem: the first plan has no score.
    """

    def price(plan: CandidatePlan, than: Price | None) -> Price | None:
        assert isinstance(plan, _ScoredPlan)
        if than is not None and not than.over and plan.made.least_seconds > _MORE * than.seconds:
            return None
        score = plan.score
        over = max(0.0, score.peak - hardware.chip.capacity)
        found = Price(over, float(f"{score.expected:.9e}"), score.received)
        return found if than is None or found < than else None

    options = PlanOptions(propagation, False, None, keep_shardings, None)
    if choice.by_seconds:
        reshards = ReshardChoice(mesh, action_seconds(Fabric(hardware, mesh)))
        options = options._replace(price=price, reshards=reshards)
    candidates = _ScoredCandidates(module, options, known, scored)
    try:
        found = _score_of_best(candidates)
        if found.peak > choice.limit and any(one.peak < found.peak for one in candidates.made if choice.by_seconds):
            by_bytes = options._replace(price=None, reshards=None)
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
