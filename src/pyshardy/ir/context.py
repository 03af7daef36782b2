"""The state of one run: the source text, the flags, and the diagnostics.

Everything that can go wrong for a user becomes a ``Diagnostic`` here; a failing call raises ``PyshardyError`` with
all of them. Parser, verifier and passes stand right of this file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyshardy.ir.locations import Location
    from pyshardy.ir.operation import Operation


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text file: line and column count from 1, the column in bytes; 0 means unknown."""

    filename: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}"


_LOCATION = re.compile(r"\bloc\((?:[\"#]|callsite|fused|unknown)")

UNKNOWN_POSITION = Position("<unknown>", 0, 0)


@dataclass(slots=True)
class Diagnostic:
    """An ``error``, ``warning``, ``remark`` or ``note`` with its place and the notes that belong to it."""

    severity: str
    position: Position
    message: str
    notes: list[Diagnostic] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.position}: {self.severity}: {self.message}"]
        lines += map(str, self.notes)
        return "\n".join(lines)

    def shortened(self) -> Diagnostic:
        """The same, with at most ten lines of each note, which may quote a whole program."""
        message = _shortened(self.message) if self.severity == "note" else self.message
        return Diagnostic(self.severity, self.position, message, [note.shortened() for note in self.notes])


_MOST_LINES = 10
_LONGEST_LINE = 400


def _shortened(message: str) -> str:
    lines = message.split("\n")
    if len(lines) > _MOST_LINES:
        left_out = len(lines) - _MOST_LINES + 1
        indent = " " * (len(lines[-2]) - len(lines[-2].lstrip()))
        lines[_MOST_LINES - 2 : -1] = [f"{indent}… {left_out} more lines"]
    return "\n".join(line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + " …" for line in lines)


class PyshardyError(Exception):
    """A call failed because of its input; ``diagnostics`` say why, ``source`` is the text they point into."""

    def __init__(self, diagnostics: list[Diagnostic], source: SourceText | None = None) -> None:
        super().__init__("\n".join(str(one.shortened()) for one in diagnostics))
        self.diagnostics = diagnostics
        self.source = source


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
        return _LOCATION.search(self.text) is not None

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


class Context:
    """One run: where diagnostics go, what is allowed, and what has been said once already. ``remarks`` asks for advice
    beyond errors and warnings, ``suggests`` for notes on what an unknown name may have meant. ``resources`` are the
    payloads that the input's metadata gives to its constants, by key; ``external_resources`` is what it hands to tools:
    group → key → literal."""

    __slots__ = (
        "_said",
        "accepted",
        "allow_unregistered",
        "callbacks",
        "censuses",
        "chlo_rules",
        "diagnostics",
        "external_resources",
        "handler",
        "remarks",
        "resources",
        "source",
        "suggests",
    )

    def __init__(
        self,
        source: SourceText | None = None,
        *,
        allow_unregistered: bool = False,
        handler: Callable[[Diagnostic], None] | None = None,
        remarks: bool = False,
        suggests: bool = False,
    ) -> None:
        self.source = source if source is not None else SourceText("")
        self.allow_unregistered = allow_unregistered
        self.handler = handler
        self.remarks = remarks
        self.suggests = suggests
        self.diagnostics: list[Diagnostic] = []
        self.resources: dict[str, str] = {}
        self.external_resources: dict[str, dict[str, str]] = {}
        self.chlo_rules = False
        """Whether shardings propagate through operations of CHLO, which XLA legalizes first (see ``rules``)."""
        self.callbacks: tuple[Callable[..., Sequence[object]], ...] = ()
        """The Python functions that the program's host callbacks call, by number."""
        self.accepted: dict[Operation, object] = {}
        """What the verifier remembers of isolated operations from one verification to the next."""
        self.censuses: dict[Operation, object] = {}
        """Which operations are in a program, for passes (``ir.census``)."""
        self._said: set[str] = set()

    def position(self, location: int | Location | None) -> Position:
        """Where ``location`` is; explicit locations without a file give the unknown position."""
        if location is None:
            return UNKNOWN_POSITION
        if isinstance(location, int):
            return self.source.position(location)
        return location.position()

    def emit(
        self,
        severity: str,
        location: int | Location | Position | None,
        message: str,
        notes: list[Diagnostic] | None = None,
    ) -> Diagnostic:
        """Records a diagnostic and hands it to the handler."""
        position = location if isinstance(location, Position) else self.position(location)
        diagnostic = Diagnostic(severity, position, message, notes or [])
        self.diagnostics.append(diagnostic)
        if self.handler is not None:
            self.handler(diagnostic)
        return diagnostic

    def first_time(self, topic: str) -> bool:
        """True the first time a topic comes up in this run (for warnings that are given once)."""
        if topic in self._said:
            return False
        self._said.add(topic)
        return True

    def failure(self, since: int = 0) -> PyshardyError:
        """The exception for the diagnostics recorded from number ``since`` on."""
        return PyshardyError(self.diagnostics[since:], self.source)
