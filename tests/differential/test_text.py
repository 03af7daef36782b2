"""Reading and printing alone: pretty and generic text of every program equals what MLIR prints, byte for byte.

The programs are the committed examples, the canonical programs of the dialects, and JAX's. Each is read as it stands,
and again from MLIR's generic text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyshardy.ir.context import Context, SourceText
from pyshardy.ir.parser import parse_operation_text
from pyshardy.ir.printer import operation_text
from tests.differential.jax_programs import PROGRAMS
from tests.differential.reference import run_reference

_ROOT = Path(__file__).parents[2]
_FILES = [*(_ROOT / "examples").glob("*.mlir"), *(_ROOT / "tests" / "dialects" / "programs").glob("*.mlir")]
_TEXTS: dict[str, Callable[[], str]] = {path.name: path.read_text for path in sorted(_FILES)} | PROGRAMS


def _printed(text: str, *, generic: bool) -> str:
    return operation_text(parse_operation_text(Context(SourceText(text))), generic=generic)


@pytest.mark.parametrize("name", _TEXTS)
def test_a_program_prints_as_mlir_prints_it(name: str) -> None:
    text = _TEXTS[name]()
    reference = run_reference(text, "builtin.module()")
    assert reference.ok, reference.diagnostics
    for source in (text, reference.text):
        assert _printed(source, generic=False) == reference.pretty.rstrip("\n")
        assert _printed(source, generic=True) == reference.text.rstrip("\n")
