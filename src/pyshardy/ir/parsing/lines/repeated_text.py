"""Finds repeated lines (``repeated_lines``) in the text itself, without splitting it.

Names and locations are cut out at their last positions, and put between the pieces; if that gives the same text, its
lines are the same except for these. If one of them has become longer, it does not, and the text is split.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter

from pyshardy.ir.parsing.lexer import NAME
from pyshardy.ir.parsing.lines.repeated_lines import RepeatedLines
from pyshardy.ir.parsing.possessive import repeated

_SEPARATE = re.compile(r"(?![\w$.#-])", re.ASCII)
"""What stands behind a name such that any other name would end there, too."""
_NAMES = re.compile(repeated(rf"%{NAME}(?: |\Z)"), re.ASCII)
"""Names of results, with blanks between them."""
_NOTHING = slice(0, 0)


class RepeatedText:
    """The text of ``lines``, which have these ``pieces``. After ``measure`` has been told of tokens with which they
    were there, and ``follow`` has said yes, ``lines`` has the names that were found, and ``locations`` are those of its
    lines as they are written."""

    def __init__(self, lines: RepeatedLines, pieces: Sequence[str]) -> None:
        self._lines = lines
        self._parts = [part for piece in pieces for part in ("", piece)]
        self.length = 0
        self.locations: tuple[str, ...] = ()
        self.is_known = all(map(_SEPARATE.match, pieces))
        """Whether it can be looked for."""
        self._cut_tokens = [*lines.cut, *lines.location_tokens]
        self._names = slice(len(lines.cut))
        self._located = slice(len(lines.cut), len(self._cut_tokens))
        known = len(lines.cut) + len(lines.further)
        order = dict(zip(lines.name_tokens, lines.name_numbers, strict=True))
        order.update((token, known + number) for number, token in enumerate(lines.location_tokens))
        self._order = itemgetter(*(order[token] for token in range(len(pieces))), 0)

    def measure(self, tokens: Sequence[str]) -> None:
        """Notes where in the text names, locations and operations stand if they have the lengths that they have in
        ``tokens``."""
        self._parts[::2] = tokens
        offsets = list(accumulate(map(len, self._parts), initial=0))
        self.length = offsets[-1]
        places = list(map(slice, offsets[::2], offsets[1::2]))
        self._cut = itemgetter(*map(places.__getitem__, self._cut_tokens), _NOTHING)
        ends = offsets[1::2]
        self._operations = [ends[head] + lead for head, lead in zip(self._lines.heads, self._lines.leads, strict=True)]

    def follow(self, source: str, place: int) -> bool:
        """Whether ``source`` goes on so at ``place``."""
        text = source[place : place + self.length]
        found = self._cut(text)
        names, located = self._lines.with_further(found[self._names]), found[self._located]
        parts = self._parts
        parts[::2] = self._order((*names, *located))[:-1]
        if "".join(parts) != text:
            return False
        self.locations = located
        return self._lines.take(names) and _NAMES.fullmatch(" ".join(self._lines.own_names(names))) is not None

    def places(self, place: int) -> list[int]:
        """Where operations stand, if the text begins at ``place``."""
        return list(map(place.__add__, self._operations))
