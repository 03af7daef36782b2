"""The dialect ``cf``: what is printed for what is written, and what is rejected where."""

from pathlib import Path

import pytest

from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLE = Path(__file__).with_name("tables") / "cf.txt"
HEADER = "func.func @f(%c: i1, %x: i32, %y: i64) {\n"
REST = "^b:\n  return\n^e(%q: i32):\n  return\n^d(%r: i32, %s: i64):\n  return\n}\n"


def entry_block(text: str, *, generic: bool) -> str:
    """The operations of the function's first block."""
    lines = text.split("\n")
    end = next(number for number, line in enumerate(lines) if "^bb1:" in line)
    return "".join(f"{line[4:]}\n" for line in lines[3 if generic else 2 : end])


@pytest.mark.parametrize("case", cases(TABLE), ids=lambda case: case.written)
def test_an_operation_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    text = f"{HEADER}  {case.written}\n{REST}"
    if case.printed:
        assert entry_block(printed(text), generic=False) == case.printed
        assert entry_block(printed(text, generic=True), generic=True) == case.generic
        assert printed(printed(text)) == printed(text)
        assert printed(printed(text, generic=True)) == printed(text)
    else:
        assert diagnostics_of(text) == case.diagnostics
