"""Each pass on small programs for every branch of it: pyshardy and the real Shardy must agree.

`programs/passes/<pass>.mlir` holds programs separated by `// -----`. A line `// pipeline: …` runs that pipeline
instead of the pass alone, and `// allow-unregistered` admits operations that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyshardy.ir.pipeline_text import nested_pass
from tests.differential.reference import compare

_PROGRAMS = Path(__file__).with_name("programs") / "passes"
_PIPELINE = re.compile(r"^// pipeline: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class _Program:
    pass_name: str
    number: int
    text: str

    @property
    def pipeline(self) -> str:
        written = _PIPELINE.search(self.text)
        if written is not None:
            return written.group(1)
        items = nested_pass(self.pass_name, "")
        return f"builtin.module({','.join(item.text() for item in items)})"

    def __str__(self) -> str:
        return f"{self.pass_name}-{self.number}"


def _programs() -> Iterator[_Program]:
    for path in sorted(_PROGRAMS.glob("*.mlir")):
        for number, text in enumerate(path.read_text().split("// -----\n")):
            yield _Program(path.stem, number, text)


@pytest.mark.parametrize("program", _programs(), ids=str)
def test_a_pass_does_what_the_real_one_does(program: _Program) -> None:
    pipeline = program.pipeline
    outcome = compare(program.text, pipeline, allow_unregistered="// allow-unregistered" in program.text)
    assert outcome.agrees, f"{pipeline}\n{program.text}\n{outcome}"
