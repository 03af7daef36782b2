"""What few layers say of the bytes, the memory and the work of all of them, before they are unfolded."""

from __future__ import annotations

from typing import Any

import pytest

from pyshardy import parse
from pyshardy.folding.candidates import FoldedCandidates, program_for_plans
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions, best_plan
from pyshardy.planning import _propagation
from tests.folding.fuzz import small_programs_too
from tests.folding.programs import SQUARE, gathered, random_program
from tests.folding.test_plans import ALL

DONATED = "{jax.buffer_donor = true, "


def candidates(text: str) -> Candidates:
    propagation = _propagation(collectives=False)
    with small_programs_too():
        program = program_for_plans(parse(text), propagation)
    assert program is not None
    return FoldedCandidates(program, PlanOptions(propagation, False, None, False, None))


def costs(plan: CandidatePlan) -> tuple[float, int, int]:
    return plan.bytes, plan.work, plan.peak


def donating(text: str) -> str:
    """The same program, that may have the memory of its weights."""
    return text.replace(": " + SQUARE + " {sdy", ": " + SQUARE + " " + DONATED + "sdy")


def seen(text: str) -> tuple[CandidatePlan, tuple[float, int, int]]:
    """The best plan, unfolded, and what it cost before."""
    plan = best_plan(candidates(text))
    few = len(plan.partitioner.local.operations())
    found = costs(plan)
    assert len(plan.partitioner.local.operations()) == few
    assert len(plan.local().operations()) > few
    for name in ("bytes", "work", "peak"):
        plan.__dict__.pop(name)
    assert costs(plan) == found
    return plan, found


@pytest.mark.parametrize("model", ALL)
def test_models(model: str) -> None:
    seen(ALL[model])


@pytest.mark.parametrize("change", [str, donating])
def test_what_is_kept_from_one_series_to_another_grows_with_the_layers(change: Any) -> None:
    text, shorter = change(gathered(60)), change(gathered(30))
    assert (DONATED in text) == (change is donating)
    # An activation of each layer at least, of which a device has a half.
    assert seen(text)[1][2] - seen(shorter)[1][2] > 25 * 32 * 32 * 4 / 2


@pytest.mark.parametrize("seed", [2, 7, 18, 20, 45, 50, 6055])
def test_random_programs(seed: int) -> None:
    seen(random_program(seed))
