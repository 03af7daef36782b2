"""Splits the text for the fast path of the parser: names of values, locations at line ends, and the text between.

A program repeats its lines except for these *tokens*; a token is followed by a *piece*, the text up to the next one,
and the piece that ends a line continues to the first token of the next line that has one. Some hundred kilobytes are
split at once, by one regular expression, and used by ``fast_reader``; earlier ones are forgotten.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import accumulate

from pyshardy.ir.parsing.lexer import NAME

_NAME = rf"{NAME}(?:#\d++)?"
_PLACE = r'(?<= loc\(%)[^"\\\n]*+":[0-9]{1,9}:[0-9]{1,9}(?=\)\n)'
"""A place in a file, in its shortest spelling but for the first quote."""
_BLANK = re.compile(r"[ \t\r\n]*")
_AT_ONCE = 1 << 14
"""Longer lines are not cut up."""
BEFORE_LOCATION, BEHIND_LOCATION = " loc(", ")\n"
"""How the piece before the location at the end of a line ends, and that behind it."""


@cache
def _pattern(places: bool) -> re.Pattern[str]:
    return re.compile(f"(%(?:{_PLACE}|{_NAME}))" if places else f"(%{_NAME})", re.ASCII)


def split(text: str) -> list[str]:
    """``text`` as what is before its first token, the token, its piece, the next token, and so on. A token begins with
    ``%``, those of locations in the place of ``#`` or a quote, too: what begins with one character is found fast.

    Raises:
        ValueError: names stand in places of locations.
    """
    if " loc(%" in text:
        raise ValueError("a name for a location")
    places = ' loc("' in text
    if places:
        text = text.replace(' loc("', " loc(%")
    return _pattern(places).split(text.replace(" loc(#", " loc(%"))


def up_to_line_end(piece: str) -> str:
    """``piece``, which ends a line, without what stands behind the line."""
    return piece[: piece.index("\n") + 1]


class LineTokens:
    """Some of the lines of ``source``: ``tokens``, the ``pieces`` behind them and the ``places`` of the tokens; behind
    these the place of the character where the next lines begin."""

    __slots__ = ("_begin", "_lead", "_source", "pieces", "places", "tokens")

    def __init__(self, source: str) -> None:
        self._source = source
        self._begin = 0
        self._lead = ""
        """What stands before the first token."""
        self.tokens: list[str] = []
        self.pieces: list[str] = []
        self.places = [0]

    def find(self, offset: int) -> tuple[int, str] | None:
        """The number of the first token at ``offset`` or behind it, and the text before that; None if the line is not
        cut up."""
        places = self.places
        if not self._begin <= offset < places[-1]:
            self.tokens, self.pieces, self.places = [], [], [offset]
            self._begin, self._lead = offset, ""
            if not self._read_on():
                return None
            places = self.places
        number = bisect_left(places, offset)
        if places[number] == offset:
            return number, ""
        if number == 0:
            return number, self._lead[offset - self._begin :]
        start = places[number - 1] + len(self.tokens[number - 1])
        return (number, self.pieces[number - 1][offset - start :]) if offset >= start else None

    def read_on(self, keep: int) -> bool:
        """Cuts up the next lines, if a name begins them and they are not too long; then those in front of the token
        ``keep``, with which a line begins, are forgotten, and tokens get other numbers."""
        if not self._source.startswith("%", self.places[-1]) or not self._read_on():
            return False
        del self.tokens[:keep], self.pieces[:keep], self.places[:keep]
        self._begin, self._lead = self.places[0], ""
        return True

    def _read_on(self) -> bool:
        begin = self.places[-1]
        stop = self._source.rfind("\n", begin, begin + _AT_ONCE)
        if stop < 0:
            return False
        blank = _BLANK.match(self._source, stop)
        assert blank is not None
        try:
            parts = split(self._source[begin : blank.end()])
        except ValueError:
            return False
        if not self.tokens:
            self._lead = parts[0]
        self.tokens += parts[1::2]
        self.pieces += parts[2::2]
        del self.places[-1]
        self.places += list(accumulate(map(len, parts), initial=begin))[1::2]
        return True
