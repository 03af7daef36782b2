"""Text and verification of the dialect `sdy` against the reference: every printed form, every diagnostic and its place.

The programs stand in `programs/sdy`; what a file has before its first separator stands before each of its parts.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.context import Context
from pyshardy.ir.source_text import SourceText
from pyshardy.module import parse_in
from tests.differential.reference import ReferenceResult, run_references

_FILES = sorted((Path(__file__).parent / "programs" / "sdy").glob("*.mlir"))
_SEPARATOR = re.compile(r"^// -----\n", re.MULTILINE)
_DIAGNOSTIC = re.compile(r"-:\d+:\d+: \w+: (?!Available dialects:).*")


def _first_lines(diagnostics: list[str]) -> list[str]:
    """Of each diagnostic the line with its place."""
    matches = (_DIAGNOSTIC.match(line) for text in diagnostics for line in text.split("\n"))
    return [match[0].rstrip() for match in matches if match is not None]


def _disagreement(program: str, reference: ReferenceResult) -> str:
    """How our reading, verifying and printing of ``program`` differ from the reference's; empty if they do not."""
    try:
        module = parse_in(Context(SourceText(program)), pyshardy.Module)
    except pyshardy.PyshardyError as error:
        if reference.crashed:  # an orderly error is all that can be asked for
            return ""
        same = not reference.ok and _first_lines([str(error)]) == _first_lines(reference.diagnostics)
        return "" if same else f"{error}\ninstead of {reference.diagnostics or 'no error'}"
    if not reference.ok:
        return f"no error instead of {reference.diagnostics}"
    for ours, theirs in ((str(module), reference.pretty), (module.text(generic=True), reference.text)):
        if ours.strip() != theirs.strip():
            return f"{ours}\ninstead of\n{theirs}"
    return ""


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_reading_verifying_and_printing_agree_with_the_reference(path: Path) -> None:
    before, *parts = _SEPARATOR.split(path.read_text())
    found = run_references([(before + part, "builtin.module()") for part in parts])
    wrong = {
        number: said
        for number, (part, reference) in enumerate(zip(parts, found, strict=True))
        if (said := _disagreement(before + part, reference))
    }
    assert parts and not wrong, "\n\n".join(f"part {number}: {said}" for number, said in wrong.items())
