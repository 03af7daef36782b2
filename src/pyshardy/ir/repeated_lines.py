"""Lines that repeat many lines before them but for the numbers in the names of values, as the layers of a model do.

When the last lines were twice made by the same recipes in the same order, what comes next can be said to the character:
each number in a name grows by what it grew by before. The text is compared with that at once, which leaves no line to
be taken apart; where they differ, ``fast_reader`` goes on line by line. That is exact, as equal texts have equal lines,
and lines mean what their recipes say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from operator import add, sub

from pyshardy.ir.line_recipes import Recipe

_SAMPLE = 16
_FARTHEST_LOOK = 4096
"""Lines that repeat after more than so many are read one by one."""
_DIGITS = re.compile(r"([0-9]{1,18})")
_LEADING_ZERO = re.compile(r"0[0-9]")
_NO_NAME = "\0"


def period_of(recipes: Sequence[Recipe]) -> int:
    """After how many lines the last ones repeat, twice; 0 if they do not."""
    count = len(recipes)
    sample, last = recipes[count - _SAMPLE :], recipes[-1]
    for end in range(count - 1, max(count - _FARTHEST_LOOK, count // 2 - 1), -1):
        if recipes[end - 1] is last and recipes[end - _SAMPLE : end] == sample:
            period = count - end
            if recipes[count - period :] == recipes[count - 2 * period : end]:
                return period
    return 0


class RepeatedLines:
    """What should follow two texts ``before`` and ``last``, taken apart at the names of values, that ``recipes`` have
    made, a line each. ``names`` and ``offsets`` are those of the text found last: the names, and where in the source
    each part of the text begins."""

    def __init__(self, recipes: list[Recipe], before: list[str], last: list[str]) -> None:
        self.offsets: list[int] = []
        self.names: list[str] = []
        self.lines: list[tuple[Recipe, int, int]] = []
        """For each line its recipe, and from which name up to which its own go."""
        self.is_known = False
        """Whether anything can be said."""
        self._parts = last
        if last[0] != "" or any(_NO_NAME in name for name in last[1::2]):
            return
        begin = 0
        for recipe in recipes:
            end = begin + 1 + len(recipe.operand_types)
            self.lines.append((recipe, begin, end))
            if recipe.lead is None:
                return
            begin = end
        numbers: list[int] = []
        steps: list[int] = []
        forms: list[str] = []
        for old, new in zip(before[1::2], last[1::2], strict=True):
            old_parts, parts = _DIGITS.split(old), _DIGITS.split(new)
            if old_parts[::2] != parts[::2] or any(map(_LEADING_ZERO.match, (*old_parts[1::2], *parts[1::2]))):
                return
            numbers += map(int, parts[1::2])
            steps += map(sub, map(int, parts[1::2]), map(int, old_parts[1::2]))
            forms.append("%d".join(part.replace("%", "%%") for part in parts[::2]))
        self._numbers, self._steps = numbers, steps
        self._form = _NO_NAME.join(forms)
        self.is_known = True

    def follow(self, source: str, place: int) -> bool:
        """Whether ``source`` goes on at ``place`` as should follow."""
        self._numbers = list(map(add, self._numbers, self._steps))
        self.names = self._parts[1::2] = (self._form % tuple(self._numbers)).split(_NO_NAME)
        if not source.startswith("".join(self._parts), place):
            return False
        self.offsets = list(accumulate(map(len, self._parts), initial=place))
        return True
