"""``--verify-diagnostics``: compares emitted diagnostics with the expectations in comments.

An expectation is ``// expected-error@+1 {{text}}``; the kinds are error, warning, remark and note, ``-re`` makes the
``{{…}}`` inside the text regular expressions, and the place is a line relative to the comment. An expectation must be
met at least once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.source_text import Position, SourceText

_START = r"expected-(error|warning|remark|note)(-re)? *(?:@([+-]\d+|above|below|unknown))? *\{\{"
_EXPECTATION = re.compile(rf"{_START}(.*?)\}}\}}(?=\s*$|[\s/]*{_START})")
_UNKNOWN_LINE = 0
_ELSEWHERE = -1


@dataclass
class Expectation:
    """One announced diagnostic: where it must come (line 0: without a place) and what it must say."""

    kind: str
    line: int
    text: str
    pattern: re.Pattern[str] | None
    place: Position
    met: bool = False

    def fits(self, diagnostic: Diagnostic, line: int) -> bool:
        """Whether this is what was announced, kind aside; ``line`` is where the diagnostic stands."""
        if line != self.line:
            return False
        if self.pattern is not None:
            return self.pattern.search(diagnostic.message) is not None
        return self.text in diagnostic.message


class Expectations:
    """All expectations of one part of the input. ``take`` every diagnostic, then ask for the ``problems``.

    With ``only_expected``, diagnostics that nobody announced are no problem.
    """

    def __init__(self, source: SourceText, *, only_expected: bool = False) -> None:
        self.source = source
        self.only_expected = only_expected
        self._problems: list[Diagnostic] = []
        self._expected = list(self._read())

    def take(self, diagnostic: Diagnostic) -> None:
        """Compares a diagnostic and its notes with the expectations."""
        if self._take_one(diagnostic):
            for note in diagnostic.notes:
                self._take_one(note)

    def problems(self) -> list[Diagnostic]:
        """What did not come as announced, as errors: first what came unexpectedly, then what did not come."""
        missing = [
            Diagnostic("error", one.place, f'expected {one.kind} "{one.text}" was not produced')
            for one in self._expected
            if not one.met
        ]
        return self._problems + missing

    def _take_one(self, diagnostic: Diagnostic) -> bool:
        position = diagnostic.position
        here = not position.line or position.filename == self.source.filename
        line = position.line if here else _ELSEWHERE
        # One that has been met before fits again, after those that have not: equal diagnostics need one expectation.
        fitting = sorted((one for one in self._expected if one.fits(diagnostic, line)), key=lambda one: one.met)
        for one in fitting:
            if one.kind == diagnostic.severity:
                one.met = True
                return True
        if not self.only_expected:
            self._problems.append(_unexpected(diagnostic, fitting))
        return False

    def _read(self) -> Iterator[Expectation]:
        """The expectations in the order of the text; ``@below`` ones wait for the next line without expectations."""
        waiting: list[Expectation] = []
        above = self.source.first_line
        number = above - 1
        for number, line in enumerate(self.source.text.split("\n"), self.source.first_line):
            found = list(_EXPECTATION.finditer(line)) if "expected-" in line else []
            if not found:
                above = number
                for one in waiting:
                    one.line = number
                waiting = []
            for match in found:
                one = self._expectation(match, number, above)
                if match[3] == "below":
                    waiting.append(one)
                yield one

    def _expectation(self, match: re.Match[str], number: int, above: int) -> Expectation:
        kind, is_pattern, where, text = match[1], match[2], match[3], match[4]
        column = len(match.string[: match.start()].encode("utf-8", "surrogateescape")) + 1
        place = Position(self.source.filename, number, column)
        line = number
        if where == "unknown":
            line = _UNKNOWN_LINE
        elif where == "above":
            line = above
        elif where and where != "below":
            line = number + int(where)
        return Expectation(kind, line, text, self._pattern(text, place) if is_pattern else None, place)

    def _pattern(self, text: str, place: Position) -> re.Pattern[str] | None:
        """The text as a pattern: literal but for the ``{{…}}`` in it."""
        pieces = text.split("{{")
        parts = [re.escape(pieces[0])]
        for piece in pieces[1:]:
            expression, end, rest = piece.partition("}}")
            if not end:
                self._problems.append(Diagnostic("error", place, "found start of regex with no end '}}'"))
                return None
            parts.append(f"(?:{_posix(expression)})" + re.escape(rest))
        try:
            return re.compile("".join(parts))
        except re.error as problem:
            self._problems.append(Diagnostic("error", place, f"invalid regex: {problem}"))
            return None


_POSIX_CLASSES = {
    "[:alnum:]": "A-Za-z0-9",
    "[:alpha:]": "A-Za-z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9A-Fa-f",
}


def _posix(expression: str) -> str:
    for name, characters in _POSIX_CLASSES.items():
        expression = expression.replace(name, characters)
    return expression


def _unexpected(diagnostic: Diagnostic, fitting: list[Expectation]) -> Diagnostic:
    if fitting:
        message = f"'{diagnostic.severity}' diagnostic emitted when expecting a '{fitting[0].kind}'"
        return Diagnostic("error", fitting[0].place, message)
    return Diagnostic("error", diagnostic.position, f"unexpected {diagnostic.severity}: {diagnostic.message}")
