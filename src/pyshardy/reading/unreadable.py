"""The error of this room: something was handed in that is no program, or that cannot be read here.

It has no place in a text; the message names the input, says what it is, and what would be right.
"""

from __future__ import annotations

from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import UNKNOWN_POSITION


class UnreadableInput(PyshardyError):
    """``str`` of it is the message for the user."""

    def __init__(self, message: str) -> None:
        super().__init__([Diagnostic("error", UNKNOWN_POSITION, message)])
        self.message = message

    def __str__(self) -> str:
        return self.message
