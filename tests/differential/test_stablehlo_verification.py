"""Illegal StableHLO operations: pyshardy says first what the reference says first, at the same place.

`programs/stablehlo_wrong` has a file a family of operations, each part of which is a function with one wrong operation;
the parts of `programs/stablehlo_legal` are what must not be taken for wrong: dynamic sizes, bounds, tokens, tuples.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyshardy
from tests.differential.reference import run_reference

_PROGRAMS = Path(__file__).parent / "programs"
_SEPARATOR = re.compile(r"^// -----\n", re.MULTILINE)


def _parts(directory: str) -> list[object]:
    found: list[object] = []
    for path in sorted((_PROGRAMS / directory).glob("*.mlir")):
        for number, part in enumerate(_SEPARATOR.split(path.read_text())):
            found.append(pytest.param(part, id=f"{path.stem}-{number}"))
    return found


def _first_error(diagnostics: list[str]) -> str:
    """The first line of the first error, with its place."""
    return next(text for text in diagnostics if re.match(r"\S+:\d+:\d+: error: ", text)).split("\n")[0].rstrip()


@pytest.mark.parametrize("program", _parts("stablehlo_wrong"))
def test_the_first_error_is_that_of_the_reference(program: str) -> None:
    reference = run_reference(program, "builtin.module()")
    assert not reference.ok and not reference.crashed
    with pytest.raises(pyshardy.PyshardyError) as caught:
        pyshardy.parse(program)
    assert _first_error(list(map(str, caught.value.diagnostics))) == _first_error(reference.diagnostics)


@pytest.mark.parametrize("program", _parts("stablehlo_legal"))
def test_what_the_reference_accepts_is_accepted(program: str) -> None:
    reference = run_reference(program, "builtin.module()")
    assert reference.ok, reference.diagnostics
    assert str(pyshardy.parse(program)).strip() == reference.pretty.strip()
