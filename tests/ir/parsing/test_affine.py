"""Affine maps and integer sets: simplified and printed as MLIR does, rejected where MLIR rejects them."""

from pathlib import Path

import pytest

from pyshardy.ir.affine import AffineMapAttr, add, constant, dimension, modulo, multiply, symbol
from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLE = Path(__file__).parents[1] / "tables" / "affine.txt"
BEFORE = "module attributes {foo.a = "


@pytest.mark.parametrize("case", cases(TABLE), ids=lambda case: case.written)
def test_an_affine_attribute_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    text = f"{BEFORE}{case.written}}} {{}}"
    if case.printed:
        alias = "map" if case.printed.startswith("affine_map") else "set"
        assert printed(text) == f"#{alias} = {case.printed}{BEFORE}#{alias}}} {{\n}}\n"
    else:
        errors = [line for line in diagnostics_of(text) if line[0] == "!"]
        assert [_relative(line) for line in errors] == case.diagnostics


def _relative(line: str) -> str:
    mark, _, rest = line.partition(" ")
    place, _, message = rest.partition(": ")
    return f"{mark} {int(place.partition(':')[2]) - len(BEFORE)}: {message}"


def test_expressions_built_differently_are_one_map() -> None:
    left = AffineMapAttr(1, 1, [add(add(constant(2), dimension(0)), symbol(0))])
    right = AffineMapAttr(1, 1, [add(symbol(0), add(dimension(0), constant(2)))])
    assert left is right
    assert str(left) == "affine_map<(d0)[s0] -> (d0 + s0 + 2)>"


def test_what_is_a_multiple_has_no_remainder() -> None:
    assert modulo(multiply(dimension(0), constant(8)), constant(4)) == constant(0)


@pytest.mark.parametrize(
    "deep", ["(" * 10_000, "-" * 10_000, "d0" + " + d0 mod 7" * 10_000, "d0" + " mod 7 floordiv 2" * 10_000]
)
def test_expressions_too_deep_are_errors_and_no_crash(deep: str) -> None:
    assert diagnostics_of(f"{BEFORE}affine_map<(d0) -> ({deep})>}} {{}}")
