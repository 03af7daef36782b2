"""Lines that repeat many lines before them but for the names of values, as the layers of a model do.

When the last lines were twice made by the same recipes in the same order, what comes next is taken for a third time. If
it has the same pieces (``ir.line_tokens``), and names that were the same value twice are the same again, its lines are
the same but for names; where not, ``fast_reader`` goes on line by line. That is exact, as lines mean what their recipes
say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter

from pyshardy.ir.line_groups import LineGroup, NamePair
from pyshardy.ir.line_recipes import Recipe
from pyshardy.ir.locations import Location

_NOTHING = 0
"""Has an ``itemgetter`` of one number give a tuple, too."""
_SAMPLE = 16
_FARTHEST_LOOK = 4096
"""Lines that repeat after more than so many are read one by one."""


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
    """Lines of ``recipes`` that were there twice, with the tokens ``old`` and ``new``, which had the same pieces.

    ``group`` makes their operations. After ``fit`` has said yes, ``outside`` (the names of what the lines read from
    before them) and ``defined`` (the names of their results) are those of the tokens that it was given.
    """

    def __init__(self, recipes: Sequence[Recipe], old: Sequence[str], new: Sequence[str]) -> None:
        self.recipes = recipes
        self.group = LineGroup(())
        self.outside: tuple[str, ...] = ()
        self.defined: tuple[str, ...] = ()
        self._leads = [recipe.lead or 0 for recipe in recipes]
        self._need_places = any(recipe.template is not None or not recipe.is_located for recipe in recipes)
        self.is_known = all(recipe.lead is not None for recipe in recipes) and self._understood(recipes, old, new)
        """Whether anything can be said."""

    def _understood(self, recipes: Sequence[Recipe], old: Sequence[str], new: Sequence[str]) -> bool:
        """Notes what each line reads and defines; False if a line reads what is defined behind it."""
        counts = [1 + len(recipe.operand_types) + recipe.is_located for recipe in recipes]
        *heads, _ = accumulate(counts, initial=0)
        self._heads = heads
        self._ends = {
            line: head + count - 1
            for line, (recipe, head, count) in enumerate(zip(recipes, heads, counts, strict=True))
            if recipe.is_located
        }
        """Of lines with a location the number of its token."""
        located = set(self._ends.values())
        self._location_tokens = itemgetter(*self._ends.values(), _NOTHING)
        pairs = {number: pair for number, pair in enumerate(zip(old, new, strict=True)) if number not in located}
        self.group = group = LineGroup(
            [
                (
                    recipe,
                    pairs[head],
                    [pairs[number] for number in range(head + 1, head + 1 + len(recipe.operand_types))],
                )
                for recipe, head in zip(recipes, heads, strict=True)
            ]
        )
        if not group.outside.keys().isdisjoint(group.results):
            return False
        self._number(pairs)
        return True

    def _number(self, pairs: dict[int, NamePair]) -> None:
        """Notes of which tokens all names follow, and which name each token has to be."""
        group = self.group
        further = group.further_names
        cut = [pair for pair in dict.fromkeys([*group.outside, *group.results]) if pair not in further]
        numbers = {pair: number for number, pair in enumerate([*cut, *further])}
        first = {pair: place for place, pair in reversed(pairs.items())}
        self._cut = itemgetter(*(first[pair] for pair in cut), _NOTHING)
        self._further = [(numbers[name], text) for name, text in further.values()]
        self._tokens = itemgetter(*pairs, _NOTHING)
        self._all_names = itemgetter(*(numbers[pair] for pair in pairs.values()), numbers[pairs[0]])
        self._outside = slice(len(group.outside))
        self._own_names = slice(len(group.outside), len(cut))
        self._defined = itemgetter(*(numbers[pair] for pair in group.results), _NOTHING)

    def fit(self, tokens: list[str]) -> bool:
        """Whether ``tokens`` may stand in the place of those of the lines."""
        names = self._cut(tokens)[:-1]
        if self._further:
            names = (*names, *(names[number] + text for number, text in self._further))
        if self._all_names(names) != self._tokens(tokens):
            return False
        self.outside, self.defined = names[self._outside], self._defined(names)[:-1]
        return "#" not in "".join(names[self._own_names])

    def places(self, tokens: list[str], places: list[int], number: int, *, needed: bool) -> list[int]:
        """Where the operations stand, if ``tokens`` are those from ``number`` on, of which the ``places`` are given;
        any numbers if neither their bodies nor the caller ``needed`` them."""
        if not needed and not self._need_places:
            return self._heads
        return [
            places[number + head] + lead + len(tokens[head])
            for head, lead in zip(self._heads, self._leads, strict=True)
        ]

    def locations(
        self, tokens: list[str], known: Mapping[str, Location], find: Callable[[str], Location | None]
    ) -> list[Location | None]:
        """The locations of the lines with these tokens, which are ``known``, or can be found."""
        if not self._ends:
            return [None] * len(self._heads)
        named = self._location_tokens(tokens)[:-1]
        found: list[Location | None] = list(map(known.get, named))
        if None in found:
            found = [known.get(token) or find(token) for token in named]
        if len(found) == len(self._heads):
            return found
        locations: list[Location | None] = [None] * len(self._heads)
        for line, location in zip(self._ends, found, strict=True):
            locations[line] = location
        return locations

    def missing(self, locations: list[Location | None]) -> dict[int, int]:
        """The lines whose location is not there, with the numbers of their tokens for it."""
        if locations.count(None) == len(self._heads) - len(self._ends):
            return {}
        return {line: end for line, end in self._ends.items() if locations[line] is None}
