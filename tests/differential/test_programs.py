"""Hand-written programs: each file of `programs` names on its first lines the pipelines it is compared on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.reference import compare

_MARK = "// pipeline: "


def _cases() -> list[tuple[Path, str]]:
    files = sorted((Path(__file__).parent / "programs").glob("*.mlir"))
    lines = ((file, line) for file in files for line in file.read_text().splitlines())
    return [(file, line.removeprefix(_MARK)) for file, line in lines if line.startswith(_MARK)]


@pytest.mark.parametrize(
    ("program", "pipeline"), _cases(), ids=lambda value: getattr(value, "stem", "") or value[15:60]
)
def test_a_program_comes_out_as_from_the_reference(program: Path, pipeline: str) -> None:
    outcome = compare(program.read_text(), pipeline)
    assert outcome.agrees, outcome
