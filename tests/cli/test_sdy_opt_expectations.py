"""``--verify-diagnostics``: announced diagnostics are compared with those that come."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy.cli import sdy_opt


def verify(tmp_path: Path, text: str, *flags: str) -> int:
    path = tmp_path / "t.mlir"
    path.write_text(text)
    return sdy_opt.run([str(path), "--verify-diagnostics", *flags])


def errors(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was printed to standard error, without source lines and carets, and without the directory."""
    lines = [line for line in capsys.readouterr().err.splitlines() if ": error: " in line]
    return [line[line.index("t.mlir") :] if "t.mlir" in line else line for line in lines]


@pytest.mark.parametrize(
    "comment",
    [
        "nope // expected-error {{custom op 'nope' is unknown}}",
        "// expected-error@+1 {{custom op 'nope' is unknown}}\nnope",
        "// expected-error @+1 {{is unknown}}\nnope",
        "// expected-error@+2{{is unknown}}\n\nnope",
        "// expected-error@below {{is unknown}}\nnope",
        "nope\n// expected-error@-1 {{is unknown}}",
        "nope\n\n// expected-error@-2 {{is unknown}}",
        "nope\n// expected-error@above {{is unknown}}",
        "nope\r\n// expected-error@above {{is unknown}}\r\n",
        "nope // expected-error-re {{custom op '{{[a-z]+}}' is unknown}}",
        "nope // expected-error-re {{custom op '{{.*}}' is {{un(known|seen)}}}}",
        "nope // expected-error-re {{custom op '{{[[:alpha:]]+}}' is unknown}}",
        "nope // expected-error-re {{{{^custom}}}}",
    ],
)
def test_an_error_may_be_announced_in_many_ways(tmp_path: Path, comment: str) -> None:
    assert verify(tmp_path, comment) == 0


def test_several_expectations_may_stand_on_one_line(tmp_path: Path) -> None:
    text = """\
func.func @f() { // expected-note {{required by region isolation constraints}} expected-note@+2 {{never}}
  return
}
"""
    assert verify(tmp_path, text) == 1
    text = 'func.func @f(%a: i32) {\n  "x"(%b, %c) : (i32, i32) -> ()\n  return\n}\n'
    line = text.splitlines()[1]
    announced = "// expected-error {{undeclared SSA value}} expected-error {{use of undeclared SSA value name}}"
    assert verify(tmp_path, text.replace(line, f"{line} {announced}"), "--allow-unregistered-dialect") == 0


def test_below_and_above_skip_lines_of_other_expectations(tmp_path: Path) -> None:
    text = """\
func.func @f() {
  // expected-error@below {{undeclared SSA value}}
  // expected-error@below {{use of undeclared}}
  "x"(%b, %c) : (i32, i32) -> ()
  return
}
"""
    assert verify(tmp_path, text, "--allow-unregistered-dialect") == 0
    text = """\
func.func @f() {
  "x"(%b, %c) : (i32, i32) -> ()
  // expected-error@above {{undeclared SSA value}}
  // expected-error@above {{use of undeclared}}
  return
}
"""
    assert verify(tmp_path, text, "--allow-unregistered-dialect") == 0


def test_notes_must_be_announced_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """\
// {note}
func.func @f() { return }
func.func @f() { return } // expected-error {{redefinition of symbol named 'f'}}
"""
    assert verify(tmp_path, text.replace("{note}", "expected-note@+1 {{see existing symbol definition here}}")) == 0
    assert verify(tmp_path, text) == 1
    assert errors(capsys) == ["t.mlir:2:1: error: unexpected note: see existing symbol definition here"]


def test_the_quoted_operation_needs_no_expectation(tmp_path: Path) -> None:
    text = """\
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected 2 operands, but found 1}}
  %0 = "stablehlo.add"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
"""
    assert verify(tmp_path, text) == 0


def test_an_error_without_a_place_is_unknown(tmp_path: Path) -> None:
    text = """\
func.func @f(%a: tensor<2xf32>) {
  // expected-error@unknown {{expected 2 operands, but found 1}}
  %0 = "stablehlo.add"(%a) : (tensor<2xf32>) -> tensor<2xf32> loc(unknown)
  return
}
"""
    assert verify(tmp_path, text) == 0


def test_what_nobody_announced_is_an_error_where_it_happens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path, "\n  nope\n") == 1
    assert errors(capsys) == [
        "t.mlir:2:3: error: unexpected error: custom op 'nope' is unknown (tried 'builtin.nope' as well)"
    ]


def test_what_does_not_come_is_an_error_at_the_comment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path, "// expected-warning@+1 {{something}}\nmodule {}\n") == 1
    assert errors(capsys) == ['t.mlir:1:4: error: expected warning "something" was not produced']


def test_another_kind_than_announced_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path, "nope // expected-warning {{is unknown}}") == 1
    assert errors(capsys)[0] == "t.mlir:1:9: error: 'error' diagnostic emitted when expecting a 'warning'"


def test_only_expected_lets_the_others_pass(tmp_path: Path) -> None:
    assert verify(tmp_path, "nope", "--verify-diagnostics=only-expected") == 1
    path = tmp_path / "t.mlir"
    assert sdy_opt.run([str(path), "--verify-diagnostics=only-expected"]) == 0
    path.write_text("module {} // expected-error {{never}}")
    assert sdy_opt.run([str(path), "--verify-diagnostics=only-expected"]) == 1


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("// expected-error-re {{a {{b}}", "found start of regex with no end '}}'"),
        ("// expected-error-re {{a {{(b}} c}}", "invalid regex"),
    ],
)
def test_a_broken_expression_is_an_error(
    tmp_path: Path, comment: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(tmp_path, f"module {{}} {comment}") == 1
    assert message in capsys.readouterr().err


def test_braces_of_a_message_end_no_expectation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path, "// expected-error {{a {b}}}") == 1
    assert errors(capsys) == ['t.mlir:1:4: error: expected error "a {b}" was not produced']


def test_each_part_of_a_split_input_has_its_own_expectations(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "module @a {}\n// -----\n// expected-error@+1 {{is unknown}}\nnope\n// -----\nmodule @c {}\n"
    assert verify(tmp_path, text, "--split-input-file") == 0
    assert capsysbinary.readouterr().out == b"module @a {\n}\n// -----\nmodule @c {\n}\n"
    assert verify(tmp_path, text.replace("@+1", "@+2"), "--split-input-file") == 1
    assert b"t.mlir:4:1: error: unexpected error" in capsysbinary.readouterr().err


def test_diagnostics_of_passes_are_compared(tmp_path: Path) -> None:
    text = """\
module {
  // expected-error@+1 {{was scheduled to run under SymbolDCE, but does not define a symbol table}}
  func.func @f() { return }
}
"""
    assert verify(tmp_path, text, "--pass-pipeline=builtin.module(func.func(symbol-dce))") == 0


def test_one_expectation_is_enough_for_equal_diagnostics_at_its_line(tmp_path: Path) -> None:
    line = '  "x"(%a, %a) : (i32, i32) -> ()'
    announced = "// expected-error {{use of undeclared SSA value name}}"
    text = f"func.func @f() {{\n{line} {announced}\n  return\n}}\n"
    assert verify(tmp_path, text.replace("(%a, %a)", "(%b, %c)"), "--allow-unregistered-dialect") == 0


def test_no_note_quotes_the_operation_of_a_warning(tmp_path: Path) -> None:
    text = """\
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-warning@below {{custom call @foo is unknown to SDY sharding rule registry}}
  %0 = stablehlo.custom_call @foo(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
    assert verify(tmp_path, text, "--sdy-basic-propagate") == 0
