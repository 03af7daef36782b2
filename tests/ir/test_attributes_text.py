"""Attributes and types of MLIR itself: what is printed for what is written, and what is rejected where."""

from pathlib import Path

import pytest

from pyshardy.api import programs as api
from tests.ir.tables import Case, cases, check_attribute, diagnostics_of, printed

TABLES = Path(__file__).with_name("tables")
BEFORE = "module attributes {foo.a = "


@pytest.mark.parametrize("case", cases(TABLES / "attributes.txt"), ids=lambda case: case.written)
def test_an_attribute_is_printed_or_rejected_as_in_mlir(case: Case) -> None:
    check_attribute(case)


@pytest.mark.parametrize("case", cases(TABLES / "resources.txt"), ids=lambda case: case.written)
def test_resources_are_kept_or_rejected_as_in_mlir(case: Case) -> None:
    if case.printed:
        assert printed(case.written).rstrip() == case.printed.rstrip()
    else:
        assert diagnostics_of(case.written) == case.diagnostics


@pytest.mark.parametrize(
    "deep",
    [
        "[" * 10_000,
        "{a = " * 10_000,
        "tuple<" * 10_000,
        "tensor<" * 10_000,
        "complex<" * 10_000,
        "(" * 10_000,
        "loc(fused[" * 10_000,
        "#foo<" * 10_000,
        "[" * 500 + "]" * 500,
    ],
)
def test_nesting_too_deep_is_an_error_and_no_crash(deep: str) -> None:
    assert diagnostics_of(f"{BEFORE}{deep}}} {{}}")


@pytest.mark.parametrize(
    "number",
    [
        "9" * 10_000,
        "-" + "9" * 10_000,
        "0x" + "F" * 10_000 + " : i32",
        "9" * 10_000 + " : i16777215",
        f"array<i64: {'9' * 10_000}>",
        f"dense<{'9' * 10_000}> : tensor<i64>",
        f"tensor<{'9' * 10_000}xf32>",
        f"vector<{'9' * 10_000}xf32>",
        f"tensor<2xi{'9' * 10_000}>",
        f'loc("f":{"9" * 10_000})',
    ],
)
def test_numbers_with_too_many_digits_are_errors_and_no_crash(number: str) -> None:
    (error,) = diagnostics_of(f"{BEFORE}{number}}} {{}}")
    assert error.startswith("! ")


def test_bytes_beyond_ascii_survive_in_strings() -> None:
    text = f'{BEFORE}"é\\C3\\A9\\FF"}} {{}}'
    assert printed(text) == f'{BEFORE}"\\C3\\A9\\C3\\A9\\FF"}} {{\n}}\n'
    assert printed(printed(text)) == printed(text)


def test_columns_count_bytes() -> None:
    assert diagnostics_of("module attributes {foo.é = 1} {}") == ["! 1:24: unexpected character"]
    assert diagnostics_of('module attributes {foo.a = ["é", 1 2]} {}') == ["! 1:36: expected ',' or ']'"]


def test_equal_attributes_are_identical() -> None:
    module = api.parse("module attributes {foo.a = [1, {b = 2.0 : f32}], foo.b = [1, {b = 2.0 : f32}]} {}")
    assert module.op.attributes.get("foo.a") is module.op.attributes.get("foo.b")
