"""What each line of a strategy gains: the step without it, everything else as it is."""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.solver import Tried
from pyshardy.searching.space import Space
from pyshardy.sharding.mesh import Mesh


class Gain(NamedTuple):
    """A line of the file, by its ``pattern`` and what it says, and how many ``seconds`` and ``bytes`` at the peak a
    step takes more without it; None if nothing can be partitioned then."""

    pattern: str
    value: object
    seconds: float | None
    bytes: float | None


def gains(space: Space, writer: Writer, evaluator: Evaluator, tried: Tried, tables: dict[str, object]) -> list[Gain]:
    """What each line but the first gains, in the order of the file."""
    layouts = tried.layouts
    mesh = Mesh(dict(layouts.mesh))
    lines = tables["shardings"]
    assert isinstance(lines, dict)
    found = []
    for pattern, without in writer.without_each(layouts):
        score = evaluator.score(mesh, space.boundary(without), without.inner)
        found.append(Gain(pattern, lines[pattern], *_difference(tried.score, score)))
    return found


def _difference(score: Score, without: Score | None) -> tuple[float | None, float | None]:
    if without is None:
        return None, None
    return without.expected - score.expected, without.peak - score.peak
