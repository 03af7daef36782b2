"""Lines that repeat many lines before them but for the names of values, as the layers of a model do.

When the last lines were twice made by the same recipes in the same order, what comes next is taken for a third time:
names are cut out of the text where they should stand, and put between the other parts of the last lines. If the same
text comes of it, its lines are the same but for names; where it does not, ``fast_reader`` goes on line by line. That is
exact, as equal texts have equal lines, and lines mean what their recipes say. A name that stood for the same value as
another twice stands for the same a third time, or the texts differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter

from pyshardy.ir.line_groups import DeferredPlace, LineGroup, NamePair, ReadLine
from pyshardy.ir.line_recipes import Recipe
from pyshardy.ir.locations import Location
from pyshardy.ir.possessive import repeated

NAMES = re.compile(r"(%(?:\d++|[A-Za-z$._-][\w$.-]*+)(?:#\d++)?)", re.ASCII)
"""The names of values; a text is split at them."""
_SEPARATE = re.compile(r"(?![\w$.#-])", re.ASCII)
"""What stands behind a name such that any other name would end there, too."""
_ALIAS = re.compile(r"(?<= loc\(#)([0-9A-Za-z]++)(?=\)\n)")
"""The alias of a location at the end of a line."""
_BEFORE_ALIAS = " loc(#"
_RESULTS = re.compile(repeated(r"%(?:\d++|[A-Za-z$._-][\w$.-]*+)(?: |\Z)"), re.ASCII)
"""Names of results, with blanks between them."""
_NOTHING = slice(0, 0)
"""Has an ``itemgetter`` of one name give a tuple, too."""
_SAMPLE = 16
_FARTHEST_LOOK = 4096
"""Lines that repeat after more than so many are read one by one."""

_Mark = tuple[int, int]
"""A place in a text: in which of its parts, and how far."""


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
    """What should follow ``lines``, which end at ``place``, if they repeat as many ``before`` them.

    ``group`` makes their operations. After ``follow``, ``outside`` (the names of what the lines read from before them),
    ``defined`` (the names of their results), ``offsets`` and ``locations`` (see ``LineGroup.append``) are those of the
    text that was found, and ``end`` is where it ends.
    """

    def __init__(self, source: str, before: Sequence[ReadLine], lines: Sequence[ReadLine], place: int) -> None:
        self.group = LineGroup(())
        self.outside: tuple[str, ...] = ()
        self.defined: tuple[str, ...] = ()
        self.offsets: list[int] = []
        self.locations: list[DeferredPlace] = []
        self.end = place
        start = lines[0][1]
        self._located: list[str | Location] = []
        """For each line with a location: the alias, or what it is."""
        self._has_aliases = any(isinstance(line[2], str) for line in lines)
        self._operation_marks: list[_Mark] = []
        self._location_marks: list[_Mark] = []
        self._aliases: list[NamePair] = []
        old = self._split(source[before[0][1] : start])
        self._parts = parts = self._split(source[start:place])
        self.is_known = False
        """Whether anything can be said."""
        if old[::2] != parts[::2] or parts[0] != "" or not all(map(_SEPARATE.match, parts[2::2])):
            return
        pairs = list(zip(old[1::2], parts[1::2], strict=True))
        if self._understood(lines, pairs):
            self._number(pairs)
            self._measure()
            self.is_known = True

    def _split(self, text: str) -> list[str]:
        """What stands before, between and behind names (and aliases of locations), with these in turns."""
        parts = NAMES.split(text)
        if not self._has_aliases:
            return parts
        return [
            piece
            for part in parts
            for piece in (_ALIAS.split(part) if _BEFORE_ALIAS in part and part[0] != "%" else (part,))
        ]

    def _understood(self, lines: Sequence[ReadLine], pairs: list[NamePair]) -> bool:
        """Notes what each line reads and defines, and where its operation and location stand; False if a line has other
        names than its recipe says."""
        offsets = list(accumulate(map(len, self._parts), initial=lines[0][1]))
        made: list[tuple[Recipe, NamePair, list[NamePair], bool]] = []
        begin = 0
        for recipe, _, location, stop in lines:
            end = begin + 1 + len(recipe.operand_types)
            if recipe.lead is None or end > len(pairs):
                return False
            made.append((recipe, pairs[begin], pairs[begin + 1 : end], location is not None))
            self._operation_marks.append((2 * begin + 2, recipe.lead))
            begin = end
            if location is not None:
                self._location_marks.append((2 * end, stop - offsets[2 * end]))
                self._located.append(location)
                if isinstance(location, str):
                    if begin == len(pairs) or pairs[begin][1] != location:
                        return False
                    self._aliases.append(pairs[begin])
                    begin += 1
        if begin != len(pairs):
            return False
        self.group = LineGroup(made)
        return self.group.outside.keys().isdisjoint(self.group.results)

    def _number(self, pairs: list[NamePair]) -> None:
        """Notes which names are cut out of a text, which follow from others, and where in it each stands."""
        group = self.group
        further = group.further_names
        cut = [pair for pair in dict.fromkeys([*group.outside, *group.results, *self._aliases]) if pair not in further]
        numbers = {pair: number for number, pair in enumerate([*cut, *further])}
        first = {pair: place for place, pair in reversed(list(enumerate(pairs)))}
        self._cut = [2 * first[pair] + 1 for pair in cut]
        self._further = [(numbers[name], text) for name, text in further.values()]
        self._all_names = itemgetter(*(numbers[pair] for pair in pairs), 0)
        self._outside = slice(len(group.outside))
        self._own_names = slice(len(group.outside), len(group.outside) + len(group.results) - len(further))
        self._defined = itemgetter(*(numbers[pair] for pair in group.results), 0)
        self._alias_numbers = [numbers[pair] for pair in self._aliases]

    def _measure(self) -> None:
        """Notes where in a text that has the lengths of these parts names, operations and locations stand."""
        offsets = list(accumulate(map(len, self._parts), initial=0))
        self._length = offsets[-1]
        self._names = itemgetter(*(slice(offsets[part], offsets[part + 1]) for part in self._cut), _NOTHING)
        self._operations = [offsets[part] + further for part, further in self._operation_marks]
        self._stops = [offsets[part] + further for part, further in self._location_marks]

    def follow(self, source: str, place: int) -> bool:
        """Whether ``source`` goes on at ``place`` as should follow."""
        text = source[place : place + self._length]
        names = self._with_further(self._names(text))
        parts = self._parts
        parts[1::2] = self._all_names(names)[:-1]
        if "".join(parts) != text:
            # Names may have become longer.
            found = self._split(source[place : place + self._length + len(parts)])[: len(parts)]
            if found[:-1:2] != parts[:-1:2] or len(found) != len(parts) or not found[-1].startswith(parts[-1]):
                return False
            names = self._with_further((*itemgetter(*self._cut, 0)(found),))
            parts[1::2] = self._all_names(names)[:-1]
            if parts[1::2] != found[1::2]:
                return False
            self._measure()
        self.outside, self.defined = names[self._outside], self._defined(names)[:-1]
        if not _RESULTS.fullmatch(" ".join(names[self._own_names])):
            return False
        self.offsets = list(map(place.__add__, self._operations))
        if self._located:
            aliases = [names[number] for number in self._alias_numbers]
            if not all(alias.isalnum() and alias.isascii() for alias in aliases):
                return False
            given = iter(aliases)
            self.locations = [
                (next(given) if isinstance(located, str) else located, place + stop)
                for located, stop in zip(self._located, self._stops, strict=True)
            ]
        self.end = place + self._length
        return True

    def _with_further(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """All ``names`` that were cut out (but for the last one, which is none), and those that follow from them."""
        return (*names[:-1], *(names[number] + text for number, text in self._further))
