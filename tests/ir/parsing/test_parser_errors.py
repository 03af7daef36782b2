"""Operations, regions, blocks, values and files that are written wrongly: MLIR's messages at MLIR's places."""

from pathlib import Path

import pytest

from tests.ir.tables import Case, cases, diagnostics_of, printed

TABLES = Path(__file__).parents[1] / "tables"


@pytest.mark.parametrize("case", cases(TABLES / "structure.txt"), ids=lambda case: case.written)
def test_what_is_written_wrongly_is_reported_as_by_mlir(case: Case) -> None:
    text = f"func.func @f(%a: i32, %b: tensor<4xf32>) {{\n  {case.written}\n  return\n}}"
    assert diagnostics_of(text) == case.diagnostics


def test_a_missing_token_is_reported_behind_the_previous_one_across_lines_and_comments() -> None:
    assert diagnostics_of('"foo.a"(  // why\n\n 5) : () -> ()') == ["! 1:9: expected ')' to end operand list"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("module attributes", "! 1:17: expected '{' in attribute dictionary"),
        ("module attributes\n", "! 1:18: expected '{' in attribute dictionary"),
        ("(", "! 1:1: expected operation name in quotes"),
        ("module {", "! 1:7: expected operation name in quotes"),
        ("module {  ", "! 1:9: expected operation name in quotes"),
        ("module {\n", "! 1:9: expected operation name in quotes"),
    ],
)
def test_an_error_at_the_end_of_the_text_stands_on_its_last_character(text: str, error: str) -> None:
    assert diagnostics_of(text) == [error]


def test_unregistered_operations_need_a_flag() -> None:
    (error,) = diagnostics_of('"foo.bar"() : () -> ()', allow_unregistered=False)
    assert error.startswith("! 1:1: operation being parsed with an unregistered dialect. If this is intended")
    assert diagnostics_of('"foo.bar"() : () -> ()') == []


def test_an_unknown_dialect_is_reported_with_those_that_exist() -> None:
    error, note = diagnostics_of("foo.bar")
    assert error == "! 1:1: Dialect `foo' not found for custom op 'foo.bar' "
    assert note == "? 1:1: Available dialects: arith, builtin, cf, chlo, func, sdy, shape, stablehlo, tensor"


def test_every_undefined_value_is_reported_once() -> None:
    text = '"foo.a"(%x, %y, %x) : (i32, i32, i32) -> ()\n"foo.b"(%x) : (i32) -> ()'
    assert diagnostics_of(text) == [
        "! 1:9: use of undeclared SSA value name",
        "! 1:13: use of undeclared SSA value name",
    ]


def test_huge_result_numbers_cost_nothing() -> None:
    text = '"foo.a"(%x#4294967295) : (i32) -> ()'
    assert diagnostics_of(text) == ["! 1:9: use of undeclared SSA value name"]
    text = '"foo.a"(%x#4294967296) : (i32) -> ()'
    assert diagnostics_of(text) == ["! 1:11: invalid SSA value result number"]


def test_several_operations_are_put_into_one_module() -> None:
    assert printed('"foo.a"() : () -> ()\nmodule {}') == 'module {\n  "foo.a"() : () -> ()\n  module {\n  }\n}\n'
    assert printed("") == "module {\n}\n"
    assert printed("module @a {}") == "module @a {\n}\n"


def test_a_single_module_is_the_result_itself() -> None:
    assert printed("#x = 1 module attributes {foo.a = #x} {}") == "module attributes {foo.a = 1 : i64} {\n}\n"


def test_regions_nested_too_deep_are_an_error_and_no_crash() -> None:
    deep = '"foo.a"() ({' * 5000 + "}) : () -> ()" * 5000
    (error,) = diagnostics_of(deep)
    assert "regions nest deeper than" in error


def test_attributes_and_types_of_unknown_dialects_need_a_flag() -> None:
    for text, column, what in (("#foo.bar<1>", 31, "attribute"), ("!foo<bar>", 26, "type"), ("[!foo.bar]", 32, "type")):
        (error,) = diagnostics_of(f"module attributes {{a.b = {text}}} {{}}", allow_unregistered=False)
        assert f"{what} created with unregistered dialect. If this is intended" in error
        assert error.startswith(f"! 1:{column}: ")
        assert diagnostics_of(f"module attributes {{a.b = {text}}} {{}}") == []


def test_a_dialect_without_types_says_so() -> None:
    (error,) = diagnostics_of("module attributes {a.b = !sdy.foo} {}")
    assert error == "! 1:31: dialect 'sdy' provides no type parsing hook"


def test_names_used_in_lines_that_repeat_are_reported_where_they_stand() -> None:
    lines = [
        "func.func @f(%a: tensor<4xf32>) {",
        "  %0 = stablehlo.add %a, %a : tensor<4xf32>",
        "  %1 = stablehlo.add %0, %x : tensor<4xf32>",
        "  %2 = stablehlo.add %y, %y : tensor<4xf32>",
        "  %3 = stablehlo.add %3, %x : tensor<4xf32>",
        "  return",
        "}",
    ]
    assert diagnostics_of("\n".join(lines)) == [
        "! 3:26: use of undeclared SSA value name",
        "! 4:22: use of undeclared SSA value name",
    ]


def test_a_value_may_be_used_in_lines_that_repeat_before_it_is_defined_where_order_does_not_count() -> None:
    lines = [
        "module {",
        '  "foo.graph"() ({',
        "    %0 = stablehlo.add %1, %2 : tensor<4xf32>",
        "    %1 = stablehlo.add %2, %0 : tensor<4xf32>",
        "    %2 = stablehlo.add %0, %0 : tensor<4xf32>",
        "    %3 = stablehlo.add %4, %4 : tensor<4xf32>",
        "    %4 = stablehlo.constant dense<1> : tensor<4xi32>",
        "  }) : () -> ()",
        "}",
    ]
    assert diagnostics_of("\n".join(lines)) == [
        "! 7:5: definition of SSA value '%4#0' has type 'tensor<4xi32>'",
        "? 6:24: previously used here with type 'tensor<4xf32>'",
    ]
