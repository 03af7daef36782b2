"""The objective of a search: one of the three times of a step, or memory; strategies that do not fit rank last."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.choices import EXPECTED, MEMORY, NO_OVERLAP, OVERLAP
from pyshardy.searching.scoring import Score

Rank = tuple[float, float, float]
"""The bytes beyond the limit, the objective, and the figure that decides between equal ones."""


@dataclass(frozen=True)
class Objective:
    """The objective ``figure``, one of ``OBJECTIVES``, under a limit of ``limit`` bytes a device."""

    figure: str
    limit: float

    def rank(self, score: Score) -> Rank:
        """The rank of a strategy; the least is the best. Figures are rounded, so that rounding errors do not decide
        between strategies."""
        over = max(0.0, score.peak - self.limit)
        seconds = {EXPECTED: score.expected, NO_OVERLAP: score.no_overlap, OVERLAP: score.full_overlap}
        if self.figure == MEMORY:
            return over, score.peak, _rounded(score.expected)
        return _rounded(over), _rounded(seconds[self.figure]), score.peak

    def fits(self, score: Score) -> bool:
        """Whether the peak is within the limit."""
        return score.peak <= self.limit


def _rounded(figure: float) -> float:
    return float(f"{figure:.5e}")
