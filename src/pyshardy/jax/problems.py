"""The errors of this package: a function that cannot be planned, a plan that cannot run here, a call that does not fit.

``mistakes`` makes them from the errors of JAX about a call.
"""

from __future__ import annotations

from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import UNKNOWN_POSITION


class JaxProblem(PyshardyError, ValueError):
    """``str`` of it is the sentence for the person who wrote the program."""

    def __init__(self, message: str) -> None:
        super().__init__([Diagnostic("error", UNKNOWN_POSITION, message)])
        self.message = message

    def __str__(self) -> str:
        return self.message


class AnotherCall(JaxProblem):
    """A call with other arguments than the plan is for: another tree, shape, type, sharding or static value."""
