"""The tables of dialects: what is printed for what is written, and what is rejected where."""

from pathlib import Path

import pytest

from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLES = Path(__file__).with_name("tables")
PROGRAMS = [case for name in ("builtin", "func") for case in cases(TABLES / f"{name}.txt")]
OPERATIONS = [case for name in ("arith", "shape", "tensor") for case in cases(TABLES / f"{name}.txt")]
HEADER = (
    "func.func @f(%a: i32, %b: f32, %c: i1, %i: index, %t: tensor<4x?xf32>, %u: tensor<4xi32>, %s: !shape.shape, "
    "%sz: !shape.size, %w: !shape.witness, %e: tensor<2xindex>, %l: i64, %v: tensor<4xf32>, %h: f16) {\n"
)
BRANCHES_HEADER = "func.func @f(%c: i1, %x: i32, %y: i64) {\n"
OTHER_BLOCKS = "^b:\n  return\n^e(%q: i32):\n  return\n^d(%r: i32, %s: i64):\n  return\n}\n"


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case.written)
def test_a_program_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    if case.printed:
        assert printed(case.written) == case.printed
        assert printed(case.written, generic=True) == case.generic
        assert printed(case.printed) == case.printed
        assert printed(case.generic) == case.printed
    else:
        assert diagnostics_of(case.written) == case.diagnostics


@pytest.mark.parametrize("case", OPERATIONS, ids=lambda case: case.written)
def test_an_operation_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    is_as_in_mlir(case, f"{HEADER}  {case.written}\n  return\n}}", "    return", '    "func.return"')


@pytest.mark.parametrize("case", cases(TABLES / "cf.txt"), ids=lambda case: case.written)
def test_a_branch_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    is_as_in_mlir(case, f"{BRANCHES_HEADER}  {case.written}\n{OTHER_BLOCKS}", "  ^bb1:", "  ^bb1:")


def is_as_in_mlir(case: Case, text: str, end: str, generic_end: str) -> None:
    """Whether ``text``, a function that begins with the operations of ``case``, is printed or rejected as it says;
    behind these comes a line that begins with ``end``, or in the generic form with ``generic_end``."""
    if not case.printed:
        assert diagnostics_of(text) == case.diagnostics
        return
    pretty, generic = printed(text), printed(text, generic=True)
    assert first_operations(pretty, 2, end) == case.printed
    assert first_operations(generic, 3, generic_end) == case.generic
    assert printed(pretty) == pretty
    assert printed(generic) == pretty


def first_operations(text: str, first: int, end: str) -> str:
    """The lines of ``text`` from number ``first`` up to the one that begins with ``end``, without indentation."""
    lines = text.split("\n")
    last = next(number for number, line in enumerate(lines) if number >= first and line.startswith(end))
    return "".join(f"{line[4:]}\n" for line in lines[first:last])
