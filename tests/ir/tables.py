"""Tables of small texts with what must come of them, as MLIR has it.

A case is a line with what is written, followed by indented lines: ``= `` a line of what we print, ``# `` a line of the
generic form, ``! `` an error and ``? `` a note, both with their place in front (``3:14``, or a column only). Each test
says what the text stands in. An empty line or one that begins with ``//`` separates cases.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pyshardy.api import programs as api
from pyshardy.ir.diagnostics import Diagnostic, PyshardyError


class Case(NamedTuple):
    """What is written, and what comes of it: text in both forms, or diagnostics."""

    written: str
    printed: str
    generic: str
    diagnostics: list[str]


def cases(path: Path) -> list[Case]:
    """The cases of a table."""
    found: list[Case] = []
    for line in path.read_text().split("\n"):
        if line.startswith("  "):
            _add(found, line[2:])
        elif line and not line.startswith("//"):
            found.append(Case(line, "", "", []))
    return found


def _add(found: list[Case], line: str) -> None:
    mark, text = line[0], line[2:]
    case = found[-1]
    if mark == "=":
        found[-1] = case._replace(printed=f"{case.printed}{text}\n")
    elif mark == "#":
        found[-1] = case._replace(generic=f"{case.generic}{text}\n")
    else:
        case.diagnostics.append(f"{mark} {text}")


def diagnostics_of(text: str, *, allow_unregistered: bool = True) -> list[str]:
    """The errors and notes that ``text`` gives, as ``! LINE:COLUMN: MESSAGE`` and ``? LINE:COLUMN: MESSAGE``."""
    try:
        api.parse(text, allow_unregistered=allow_unregistered)
    except PyshardyError as error:
        return [line for one in error.diagnostics for line in _lines(one)]
    return []


def check_attribute(case: Case) -> None:
    """Asserts that the attribute that a case is comes out as it says; its places are columns of what is written."""
    before = "module attributes {foo.a = "
    text = f"{before}{case.written}}} {{}}"
    if case.printed:
        assert printed(text) == f"{before}{case.printed.rstrip()}}} {{\n}}\n"
    else:
        assert [_in_column(line, len(before)) for line in diagnostics_of(text)] == case.diagnostics


def _in_column(line: str, before: int) -> str:
    mark, _, rest = line.partition(" ")
    place, _, message = rest.partition(": ")
    return f"{mark} {int(place.partition(':')[2]) - before - 1}: {message}"


def _lines(diagnostic: Diagnostic) -> list[str]:
    if diagnostic.message.startswith("see current operation"):
        return []
    mark = "!" if diagnostic.severity == "error" else "?"
    place = f"{diagnostic.position.line}:{diagnostic.position.column}"
    return [f"{mark} {place}: {diagnostic.message}", *(line for note in diagnostic.notes for line in _lines(note))]


def printed(text: str, *, generic: bool = False) -> str:
    """What we print after reading and verifying ``text``."""
    return api.parse(text, allow_unregistered=True).text(generic=generic)
