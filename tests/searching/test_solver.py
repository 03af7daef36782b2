"""The solver, on figures that are made up: it goes to the best by several moves, within its budget."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pyshardy.searching.layouts import Spec
from pyshardy.searching.objective import Objective
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.short_program import short_program
from pyshardy.searching.solver import Solver
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh
from tests.searching.programs import training

MESH = Mesh({"data": 2, "model": 2})
SPACE = Space(short_program(training(2)))

TARGET: dict[str, Spec] = {
    "x": (("model",), ()),
    "params/layers/*/up": (("data",), ()),
    "params/layers/*/down": ((), ("model",)),
    "momentum/layers/*/up": (("data",), ()),
    "momentum/layers/*/down": ((), ("data",)),
}


def wrong(layouts: Layouts) -> int:
    """How many families lie elsewhere than in the target."""
    return sum(spec != TARGET[family.name] for family, spec in zip(SPACE.listed, layouts.specs, strict=True))


Batch = tuple[int, bool]
"""How many strategies are evaluated at once, and whether by the plan that is chosen for each."""


def solved(budget: int, *, seconds: float = 600, batches: list[Batch] | None = None) -> Solver:
    def evaluate(listed: Sequence[Layouts], choice: PlanChoice | None) -> list[Score | None]:
        if batches is not None:
            batches.append((len(listed), choice is not None))
        # First plans of what is wrong are worse still.
        return [Score(1.0 + wrong(one) * (1 if choice else 2), 9.0, 1.0, 1e6, 0.0) for one in listed]

    goal = Objective("expected", 1e9)
    found = Solver(SPACE, Writer(SPACE), evaluate, goal, budget, time.monotonic() + seconds)
    found.run([MESH])
    return found


def test_descent_goes_as_many_moves_as_gain() -> None:
    found = solved(2000)
    best = found.ranked()[0]
    assert wrong(best.layouts) == 0
    assert len(best.strategy.exceptions) >= 2
    # No single move from what is known by name leads there.
    assert min(wrong(one.layouts) for one in found.tried.values() if one.name) >= 2


def test_a_budget_is_kept_to_the_last_evaluation() -> None:
    batches: list[Batch] = []
    found = solved(37, batches=batches)
    assert found.evaluations == sum(count for count, is_chosen in batches if not is_chosen)
    # What is evaluated by the plan that is chosen counts as three.
    assert sum(count * (3 if is_chosen else 1) for count, is_chosen in batches) in range(35, 38)


def test_what_was_evaluated_is_not_evaluated_again() -> None:
    batches: list[Batch] = []
    found = solved(2000, batches=batches)
    first, chosen = (sum(count for count, is_chosen in batches if is_chosen is which) for which in (False, True))
    assert first == len(found.tried) == found.evaluations
    assert chosen == sum(one.is_chosen for one in found.tried.values())


def test_the_best_are_compared_by_the_plans_that_are_chosen_for_them() -> None:
    found = solved(2000)
    assert found.ranked()[0].is_chosen
    for one in found.tried.values():
        assert one.score.expected == 1.0 + wrong(one.layouts) * (1 if one.is_chosen else 2)
        assert one.first.expected == 1.0 + wrong(one.layouts) * 2


def test_a_clock_that_runs_out_is_said() -> None:
    assert solved(2000, seconds=-1).out_of_time
    assert not solved(2000).out_of_time
