"""How a command fails: diagnostics as text on standard error or as JSON on standard output, and exit codes.

``cli.diagnostics`` says what one looks like as text; the commands stand right of this file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem
from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import UNKNOWN_POSITION, SourceText

CRASHED = 2
"""The exit code of an error of pyshardy itself; that of the program or the command line is 1."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as of a process that the signal ends."""


def report_failure(error: PyshardyError | InputProblem, *, as_json: bool = False) -> None:
    """Says why a command fails; with ``as_json`` as one object ``{"diagnostics": […]}`` on standard output."""
    if as_json:
        print(json.dumps({"diagnostics": diagnostics_json(_diagnostics(error))}, indent=2))
    elif isinstance(error, PyshardyError):
        show_diagnostics(error.diagnostics, error.source)
    else:
        print_problem("pyshardy", error)


def print_problem(tool: str, problem: InputProblem) -> None:
    """Says on standard error what is wrong, ``tool`` in front of each line."""
    for line in str(problem).split("\n"):
        print(f"{tool}: {line}", file=sys.stderr)


def _diagnostics(error: PyshardyError | InputProblem) -> list[Diagnostic]:
    if isinstance(error, PyshardyError):
        return error.diagnostics
    return [Diagnostic("error", UNKNOWN_POSITION, str(error))]


def show_diagnostics(diagnostics: Iterable[Diagnostic], source: SourceText | None) -> None:
    """Prints each on standard error, once; of a quoted operation ten lines."""
    shown = [diagnostic_text(one.shortened(), source, repeat_place=False) for one in diagnostics]
    for text in dict.fromkeys(shown):
        print(text, file=sys.stderr)


def diagnostics_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """Each as an object: severity, message, place (null where there is none), notes."""
    found: list[dict[str, object]] = []
    for one in diagnostics:
        known = bool(one.position.line)
        found.append(
            {
                "severity": one.severity,
                "message": one.message,
                "file": one.position.filename if known else None,
                "line": one.position.line if known else None,
                "column": one.position.column if known else None,
                "notes": diagnostics_json(one.notes),
            }
        )
    return found


def crash_text(tool: str, where: str, problem: BaseException, more: str = ".\n") -> str:
    """What a tool says of an error of its own, ``more`` behind the request to report it; prints the traceback if the
    environment asks for it."""
    if os.environ.get("PYSHARDY_TRACEBACK"):
        import traceback

        traceback.print_exception(problem, file=sys.stderr)
    advice = "This is an error of pyshardy, not of the program. Please report it with the input and the command line"
    return (
        f"{tool}: internal error in {where}: {type(problem).__name__}: {problem}\n"
        f"{advice}{more}PYSHARDY_TRACEBACK=1 in the environment shows where it happened."
    )
