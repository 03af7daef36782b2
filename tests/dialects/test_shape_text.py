"""The dialect ``shape``: what is printed for what is written, and what is rejected where."""

from pathlib import Path

import pytest

from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLE = Path(__file__).with_name("tables") / "shape.txt"
HEADER = (
    "func.func @f(%a: i32, %b: f32, %c: i1, %i: index, %t: tensor<4x?xf32>, %u: tensor<4xi32>, %s: !shape.shape, "
    "%sz: !shape.size, %w: !shape.witness, %e: tensor<2xindex>, %l: i64, %v: tensor<4xf32>, %h: f16) {\n"
)


def body(text: str, *, generic: bool) -> str:
    """The operations in the function, without the return."""
    lines = text.rstrip("\n").split("\n")
    return "".join(f"{line[4:]}\n" for line in lines[3 if generic else 2 : -3])


@pytest.mark.parametrize("case", cases(TABLE), ids=lambda case: case.written)
def test_an_operation_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    text = f"{HEADER}  {case.written}\n  return\n}}"
    if case.printed:
        assert body(printed(text), generic=False) == case.printed
        assert body(printed(text, generic=True), generic=True) == case.generic
        assert printed(printed(text)) == printed(text)
        assert printed(printed(text, generic=True)) == printed(text)
    else:
        assert diagnostics_of(text) == case.diagnostics
