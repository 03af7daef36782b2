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
from tests.differential.reference import run_reference

_FILES = sorted((Path(__file__).parent / "programs" / "sdy").glob("*.mlir"))
_SEPARATOR = re.compile(r"^// -----\n", re.MULTILINE)
_DIAGNOSTIC = re.compile(r"-:\d+:\d+: \w+: (?!Available dialects:).*")


def _programs() -> list[object]:
    found: list[object] = []
    for path in _FILES:
        before, *parts = _SEPARATOR.split(path.read_text())
        for number, part in enumerate(parts):
            found.append(pytest.param(before + part, id=f"{path.stem}-{number}"))
    return found


def _first_lines(diagnostics: list[str]) -> list[str]:
    """Of each diagnostic the line with its place."""
    matches = (_DIAGNOSTIC.match(line) for text in diagnostics for line in text.split("\n"))
    return [match[0].rstrip() for match in matches if match is not None]


@pytest.mark.parametrize("program", _programs())
def test_reading_verifying_and_printing_agree_with_the_reference(program: str) -> None:
    reference = run_reference(program, "builtin.module()")
    try:
        module = parse_in(Context(SourceText(program)), pyshardy.Module)
    except pyshardy.PyshardyError as error:
        if reference.crashed:  # an orderly error is all that can be asked for
            return
        assert not reference.ok, error
        assert _first_lines([str(error)]) == _first_lines(reference.diagnostics)
        return
    assert reference.ok, reference.diagnostics
    assert str(module).strip() == reference.pretty.strip()
    assert module.text(generic=True).strip() == reference.text.strip()
