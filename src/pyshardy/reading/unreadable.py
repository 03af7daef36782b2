"""The error for an input that is no program, or that cannot be read.

It has no location; the message names the input, says what it is, and what to use instead.
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
