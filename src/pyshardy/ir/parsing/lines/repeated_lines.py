"""Reads lines at once that repeat earlier lines except for the names of values, as the layers of a model do.

If the next lines have the same pieces (``line_tokens``) as the last ones, and so for long enough, they are expected
to be the same lines except for names, and to be repeated again: names that are the same value in both are the same in
all repetitions. If they are not, ``fast_reader`` continues line by line. That is exact, as lines mean what their
recipes say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter

from pyshardy.ir.locations import Location
from pyshardy.ir.parsing.lines.line_groups import LineGroup, NamePair
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe

_SAMPLE = 16
"""So many lines that were there before begin a repetition."""
_FARTHEST_LOOK = 4096
"""Lines that repeat after more than so many are read one by one."""
_ENOUGH = 128
"""So many lines are made together if they repeat earlier."""


def periods_of(recipes: Sequence[LineRecipe]) -> Iterator[int]:
    """After how many lines the last ones, a sample of them, were there before, the nearest first."""
    count = len(recipes)
    sample, last = recipes[count - _SAMPLE :], recipes[-1]
    for end in range(count - 1, max(count - _FARTHEST_LOOK, _SAMPLE - 1), -1):
        if recipes[end - 1] is last and recipes[end - _SAMPLE : end] == sample:
            yield count - end


def is_twice(recipes: Sequence[LineRecipe], period: int) -> bool:
    """Whether the last ``period`` lines were there twice and are few: of few lines at once little is gained."""
    return 2 * period <= min(_ENOUGH, len(recipes)) and recipes[-period:] == recipes[-2 * period : -period]


class RepeatedLines:
    """Lines of ``recipes`` that were there twice, with the tokens ``old`` and ``new``, which had the same pieces.

    ``group`` makes their operations. After ``fit`` has said yes, ``outside`` (the names of what the lines read from
    before them) and ``defined`` (the names of their results) are those of the tokens that it was given.
    """

    # Each ``itemgetter`` has a further number, so that one of a single number gives a tuple, too.

    def __init__(self, recipes: Sequence[LineRecipe], old: Sequence[str], new: Sequence[str]) -> None:
        self.recipes = recipes
        self.group = LineGroup(())
        self.outside: tuple[str, ...] = ()
        self.defined: tuple[str, ...] = ()
        counts = [1 + len(recipe.operand_types) + recipe.is_located for recipe in recipes]
        *self.heads, _ = accumulate(counts, initial=0)
        """The numbers of the tokens that begin the lines."""
        self.leads = [recipe.lead or 0 for recipe in recipes]
        self.location_tokens: list[int] = []
        self._located: list[int] = []
        """The lines with a location, and the numbers of the tokens for it."""
        for line, (recipe, head, count) in enumerate(zip(recipes, self.heads, counts, strict=True)):
            if recipe.is_located:
                self._located.append(line)
                self.location_tokens.append(head + count - 1)
        self._need_places = any(recipe.template is not None or not recipe.is_located for recipe in recipes)
        self.is_known = all(recipe.lead is not None for recipe in recipes) and self._understood(recipes, old, new)
        """Whether anything can be said."""

    def _understood(self, recipes: Sequence[LineRecipe], old: Sequence[str], new: Sequence[str]) -> bool:
        """Notes what each line reads and defines; False if a line reads what is defined behind it."""
        located = set(self.location_tokens)
        pairs = {number: pair for number, pair in enumerate(zip(old, new, strict=True)) if number not in located}
        self.group = group = LineGroup(
            [
                (
                    recipe,
                    pairs[head],
                    [pairs[number] for number in range(head + 1, head + 1 + len(recipe.operand_types))],
                )
                for recipe, head in zip(recipes, self.heads, strict=True)
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
        self.cut = [first[pair] for pair in cut]
        """The numbers of the tokens from which all names follow."""
        self.further = [(numbers[name], text) for name, text in further.values()]
        """Names that follow from one of these and a text behind it."""
        self.name_tokens, self.name_numbers = list(pairs), [numbers[pair] for pair in pairs.values()]
        """The numbers of all tokens that are names, and which of the names each is."""
        self._cut_out = itemgetter(*self.cut, 0)
        self._tokens = itemgetter(*self.name_tokens, 0)
        self._all_names = itemgetter(*self.name_numbers, self.name_numbers[0])
        self._outside = slice(len(group.outside))
        self._own_names = slice(len(group.outside), len(cut))
        self._defined = itemgetter(*(numbers[pair] for pair in group.results), 0)

    def with_further(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """All names, of which these were cut out."""
        if not self.further:
            return names
        return (*names, *(names[number] + text for number, text in self.further))

    def own_names(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of all names that results have."""
        return names[self._own_names]

    def take(self, names: tuple[str, ...]) -> bool:
        """Notes what is read and defined if these are all names; False if a result cannot have such a name."""
        self.outside, self.defined = names[self._outside], self._defined(names)[:-1]
        return "#" not in "".join(names[self._own_names])

    def fit(self, tokens: Sequence[str]) -> bool:
        """Whether ``tokens`` may stand in the place of those of the lines; what they name is noted then."""
        names = self.with_further(self._cut_out(tokens)[:-1])
        return self._all_names(names) == self._tokens(tokens) and self.take(names)

    def places(self, tokens: Sequence[str], places: Sequence[int], number: int, *, needed: bool) -> list[int]:
        """Where the operations stand, if ``tokens`` are those from ``number`` on, of which the ``places`` are given;
        any numbers if neither their bodies nor the caller ``needed`` them."""
        if not needed and not self._need_places:
            return self.heads
        return [
            places[number + head] + lead + len(tokens[head]) for head, lead in zip(self.heads, self.leads, strict=True)
        ]

    def locations(self, found: list[Location | None]) -> list[Location | None]:
        """The locations of all lines, of which those that have one have these."""
        if len(found) == len(self.heads):
            return found
        locations: list[Location | None] = [None] * len(self.heads)
        for line, location in zip(self._located, found, strict=True):
            locations[line] = location
        return locations

    def missing(self, found: list[Location | None]) -> dict[int, int]:
        """The lines whose location is not there, with the numbers of their tokens for it."""
        if None not in found:
            return {}
        lines = zip(self._located, self.location_tokens, found, strict=True)
        return {line: token for line, token, location in lines if location is None}
