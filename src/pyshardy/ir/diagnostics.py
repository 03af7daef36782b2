"""Diagnostics of an input: errors, warnings and remarks, each with its place and its notes.

Everything that can go wrong for a user becomes a ``Diagnostic``, most of them through ``ir.context``; a failing call
raises ``PyshardyError`` with all of them.
"""

from __future__ import annotations

from pyshardy.ir.source_text import Position, SourceText


class Diagnostic:
    """An ``error``, ``warning``, ``remark`` or ``note`` with its place and the notes that belong to it."""

    __slots__ = ("message", "notes", "position", "severity")

    def __init__(self, severity: str, position: Position, message: str, notes: list[Diagnostic] | None = None) -> None:
        self.severity = severity
        self.position = position
        self.message = message
        self.notes = [] if notes is None else notes

    def __repr__(self) -> str:
        return f"Diagnostic({self.severity!r}, {self.position!r}, {self.message!r}, {self.notes!r})"

    def __str__(self) -> str:
        lines = [f"{self.position}: {self.severity}: {self.message}"]
        lines += map(str, self.notes)
        return "\n".join(lines)

    def shortened(self) -> Diagnostic:
        """A copy with at most ten lines of each note, which may quote a whole program."""
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
