"""Reports the failure of a command: diagnostics as text on standard error or JSON on standard output; exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.explaining_pages import address, page_for
from pyshardy.cli.files import InputProblem, NobodyReads, OutputLost, give_up_standard_output
from pyshardy.cli.interrupts import was_interrupted
from pyshardy.cli.json_output import json_text
from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
from pyshardy.ir.source_text import UNKNOWN_POSITION, SourceText
from pyshardy.plugins import PluginProblem
from pyshardy.report.control_characters import shown

CRASHED = 2
"""The exit code of an error of pyshardy itself; that of the program or the command line is 1."""

OUT_OF_MEMORY = "out of memory: this takes more than the process may have"
_NO_MEMORY = (os.strerror(errno.ENOMEM), "failed to map segment from shared object", "can't start new thread")
"""What is said where there is no memory, by the system, of a library that is loaded, and of a thread."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as of a process that the signal ends."""


def report_failure(error: PyshardyError | InputProblem, *, as_json: bool = False) -> None:
    """Says why a command fails, and where that is explained; with ``as_json`` as one object ``{"diagnostics": […]}`` on
    standard output."""
    if as_json:
        print(json_text("diagnostics", {"diagnostics": diagnostics_json(_diagnostics(error))}))
        return
    if isinstance(error, PyshardyError):
        show_diagnostics(error.diagnostics, error.source)
    else:
        print_problem("pyshardy", error)
    page = page_for(one.message for one in _diagnostics(error))
    if page is not None:
        print(f"pyshardy: see {address(page)}", file=sys.stderr)


def failure_code(tool: str, where: str, problem: Exception, *, as_json: bool = False) -> int:
    """Says why a command fails, as ``report_failure`` where it was not pyshardy's fault; the exit code."""
    if isinstance(problem, PluginProblem):
        problem = InputProblem(str(problem))
    if isinstance(problem, NobodyReads):
        pass
    elif isinstance(problem, OutputLost):
        print_problem(tool, problem)
    elif isinstance(problem, PyshardyError | InputProblem):
        report_failure(problem, as_json=as_json)
    elif isinstance(problem, BrokenPipeError):
        give_up_standard_output()
    elif was_interrupted():
        print(f"{tool}: interrupted", file=sys.stderr)
        return INTERRUPTED
    elif is_out_of_memory(problem):
        print(f"{tool}: {OUT_OF_MEMORY}", file=sys.stderr)
    else:
        print(crash_text(tool, where, problem), file=sys.stderr)
        return CRASHED
    return 1


def is_out_of_memory(problem: BaseException) -> bool:
    """Whether it came to ``problem`` because there was no memory left. If so, what the run has made is let go."""
    chain: list[BaseException] = []
    one: BaseException | None = problem
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or one.__context__
    # CPython may raise SystemError when it cannot allocate the MemoryError.
    if not any(isinstance(one, MemoryError | SystemError) or _says_so(str(one)) for one in chain):
        return False
    for one in chain:
        one.__traceback__ = one.__cause__ = one.__context__ = None
    return True


def _says_so(text: str) -> bool:
    return any(words in text for words in _NO_MEMORY)


def print_problem(tool: str, problem: InputProblem) -> None:
    """Says on standard error what is wrong, ``tool`` in front of each line."""
    for line in str(problem).split("\n"):
        print(f"{tool}: {shown(line)}", file=sys.stderr)


def _diagnostics(error: PyshardyError | InputProblem) -> list[Diagnostic]:
    if isinstance(error, PyshardyError):
        return error.diagnostics
    return [Diagnostic("error", UNKNOWN_POSITION, str(error))]


def show_diagnostics(diagnostics: Iterable[Diagnostic], source: SourceText | None) -> None:
    """Prints each on standard error, once; of a quoted operation ten lines."""
    texts = [diagnostic_text(one.shortened(), source, repeat_place=False) for one in diagnostics]
    for text in dict.fromkeys(texts):
        print(shown(text), file=sys.stderr)


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
