"""The gain of each line of a strategy: the cost of a step without the line, with all other lines unchanged."""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.solver import Tried
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh


class Gain(NamedTuple):
    """A line of the file, its ``pattern`` and ``value``, and how many more ``seconds`` and ``bytes`` at the peak a step
    takes without it; None if the program cannot be partitioned without it."""

    pattern: str
    value: object
    seconds: float | None
    bytes: float | None


def gains(
    space: Space, writer: Writer, evaluator: Evaluator, choice: PlanChoice, tried: Tried, tables: dict[str, object]
) -> list[Gain]:
    """The gain of each line but the first, in the order of the file, by the candidate plans that ``choice`` takes."""
    layouts = tried.layouts
    mesh = Mesh(dict(layouts.mesh))

    def scored(one: Layouts) -> Score | None:
        return evaluator.score(mesh, space.boundary(one), one.inner, choice=choice)

    with_all = tried.score if tried.is_chosen else scored(layouts)
    lines = tables["shardings"]
    assert isinstance(lines, dict)
    found = []
    for pattern, without in writer.without_each(layouts):
        found.append(Gain(pattern, lines[pattern], *_difference(with_all, scored(without))))
    return found


def _difference(score: Score | None, without: Score | None) -> tuple[float | None, float | None]:
    if score is None or without is None:
        return None, None
    return without.expected - score.expected, without.peak - score.peak
