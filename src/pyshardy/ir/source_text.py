"""The text of one input, and the line and column of an offset in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LOCATION = r"\bloc\((?:[\"#]|callsite|fused|unknown)"


class Position(NamedTuple):
    """A place in a text file: line and column count from 1, the column in bytes; 0 means unknown."""

    filename: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}"


UNKNOWN_POSITION = Position("<unknown>", 0, 0)


class SourceText:
    """The text of one input. ``first_line`` is the number of its first line (a part of a split file starts later)."""

    __slots__ = ("_starts", "filename", "first_line", "text")

    def __init__(self, text: str, filename: str = "-", first_line: int = 1) -> None:
        self.text = text
        self.filename = filename
        self.first_line = first_line
        self._starts: list[int] | None = None

    @property
    def has_locations(self) -> bool:
        """Whether the text gives its operations locations of their own."""
        return re.search(_LOCATION, self.text) is not None

    def position(self, offset: int) -> Position:
        """Line and column of a character of the text."""
        starts = self._line_starts()
        index = bisect_right(starts, offset) - 1
        before = self.text[starts[index] : offset]
        column = len(before) if before.isascii() else len(before.encode("utf-8", "surrogateescape"))
        return Position(self.filename, index + self.first_line, column + 1)

    def line(self, number: int) -> str | None:
        """The text of line ``number`` without its end, or None if there is no such line."""
        starts = self._line_starts()
        index = number - self.first_line
        if not 0 <= index < len(starts):
            return None
        stop = self.text.find("\n", starts[index])
        return self.text[starts[index] : stop if stop >= 0 else len(self.text)].rstrip("\r")

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0]
            start = self.text.find("\n") + 1
            while start:
                self._starts.append(start)
                start = self.text.find("\n", start) + 1
        return self._starts
