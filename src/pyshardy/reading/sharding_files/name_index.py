"""Finds those of many names that contain a text, without a look at each: all names are searched as one text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate

_BETWEEN = "\0"
"""What stands between names in the text."""


class NameIndex:
    """The ``names``, each with its number from 0."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._text = _BETWEEN.join(["", *names, ""])
        self._is_clear = self._text.count(_BETWEEN) == len(names) + 1
        """Whether no name contains what stands between names."""

    @cached_property
    def _begins(self) -> list[int]:
        """Where each name begins in the text."""
        return list(accumulate((len(name) + 1 for name in self._names[:-1]), initial=1))

    def equal(self, name: str) -> list[int]:
        """The numbers of those that are ``name``, in ascending order.

        >>> NameIndex(["a", "a", "ab", "a"]).equal("a")
        [0, 1, 3]
        """
        if not self._is_clear or _BETWEEN in name:
            return [number for number, one in enumerate(self._names) if one == name]
        # What stands between two names belongs to both.
        places = self._places(_BETWEEN + name + _BETWEEN, 1 + len(name))
        return [bisect_right(self._begins, place + 1) - 1 for place in places]

    def containing(self, parts: Iterable[str], most: int) -> list[int] | None:
        """The numbers of names that contain one of ``parts``, the one that occurs least often: of all that contain each
        of them, and perhaps of others. None if it occurs more often than ``most``, or there are no parts.

        >>> index = NameIndex(["params['w']", "params['b']", "m['b']"])
        >>> index.containing(["params", "w"], 2), index.containing(["b"], 2), index.containing(["m"], 2)
        ([0], [1, 2], None)
        """
        counts = [(self._text.count(part), part) for part in parts] if self._is_clear else []
        if not counts:
            return None
        count, part = min(counts, key=lambda one: one[0])
        if count > most:
            return None
        return list(dict.fromkeys(bisect_right(self._begins, place) - 1 for place in self._places(part, len(part))))

    def _places(self, text: str, step: int) -> Iterator[int]:
        """Where ``text`` stands, if it can begin again ``step`` behind where it began."""
        place = self._text.find(text)
        while place >= 0:
            yield place
            place = self._text.find(text, place + step)
