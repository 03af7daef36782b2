"""Illegal StableHLO operations: pyshardy says first what the reference says first, at the same place.

`programs/stablehlo_wrong` has a file a family of operations, each part of which is a function with one wrong operation;
the parts of `programs/stablehlo_legal` are what must not be taken for wrong: dynamic sizes, bounds, tokens, tuples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pyshardy
from tests.differential.reference import ReferenceResult, run_references

_PROGRAMS = Path(__file__).parent / "programs"
_SEPARATOR = re.compile(r"^// -----\n", re.MULTILINE)


_WRONG, _LEGAL = (sorted((_PROGRAMS / name).glob("*.mlir")) for name in ("stablehlo_wrong", "stablehlo_legal"))


def _parts(path: Path) -> Iterator[tuple[str, str, ReferenceResult]]:
    """The number of each part of a file, the part, and what the reference says."""
    parts = _SEPARATOR.split(path.read_text())
    found = run_references([(part, "builtin.module()") for part in parts])
    for number, (part, reference) in enumerate(zip(parts, found, strict=True)):
        yield f"part {number}:\n{part}", part, reference


def _first_error(diagnostics: list[str]) -> str:
    """The first line of the first error, with its place."""
    return next(text for text in diagnostics if re.match(r"\S+:\d+:\d+: error: ", text)).split("\n")[0].rstrip()


@pytest.mark.parametrize("path", _WRONG, ids=lambda path: path.stem)
def test_the_first_errors_are_those_of_the_reference(path: Path) -> None:
    for name, program, reference in _parts(path):
        assert not reference.ok and not reference.crashed, name
        with pytest.raises(pyshardy.PyshardyError) as caught:
            pyshardy.parse(program)
        ours = _first_error(list(map(str, caught.value.diagnostics)))
        assert ours == _first_error(reference.diagnostics), name


@pytest.mark.parametrize("path", _LEGAL, ids=lambda path: path.stem)
def test_what_the_reference_accepts_is_accepted(path: Path) -> None:
    for name, program, reference in _parts(path):
        assert reference.ok, (name, reference.diagnostics)
        assert str(pyshardy.parse(program)).strip() == reference.pretty.strip(), name
