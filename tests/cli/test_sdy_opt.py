"""``sdy-opt`` behaves like any ``*-opt`` tool."""

from pathlib import Path

import pytest

from pyshardy.cli import sdy_opt

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @unused(tensor<8xf32>)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_without_passes_it_prints_the_program(program: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert sdy_opt.run([str(program)]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert out.startswith("module {\n") and "stablehlo.tanh %arg0 : tensor<8xf32>" in out and out.endswith("}\n")


def test_passes_run_in_the_order_of_the_command_line(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert (
        sdy_opt.run([str(program), "--symbol-dce", "-sdy-basic-propagate", "--sdy-close-shardings", "-o", str(out)])
        == 0
    )
    text = out.read_text()
    assert "@unused" not in text
    assert 'sdy.sharding_per_value<[<@mesh, [{"x"}]>]>' in text


def test_a_function_pass_is_nested_by_itself(program: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert sdy_opt.run([str(program), "--sdy-populate-op-sharding-rules=conservative-propagation=true"]) == 0
    assert b"op_sharding_rule<([i])->([i]) {i=8}>" in capsysbinary.readouterr().out


def test_a_pipeline_can_be_given_as_text(program: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert sdy_opt.run([str(program), "--pass-pipeline=builtin.module(symbol-dce)"]) == 0
    assert b"@unused" not in capsysbinary.readouterr().out


def test_generic_form_is_a_flag(program: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert sdy_opt.run([str(program), "--mlir-print-op-generic"]) == 0
    assert b'"stablehlo.tanh"(%arg' in capsysbinary.readouterr().out


def test_split_input_processes_every_part(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "parts.mlir"
    path.write_text("module @one {}\n// -----\nmodule @two {\n  foo\n}\n// -----\nmodule @three {}\n")
    assert sdy_opt.run([str(path), "--split-input-file"]) == 1
    captured = capsysbinary.readouterr()
    assert captured.out.decode() == "module @one {\n}\n// -----\nmodule @three {\n}\n"
    assert f"{path}:4:3: error: custom op 'foo' is unknown" in captured.err.decode()


def test_an_error_shows_the_line_and_a_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text("module {\n  func.func @f() { %0 = stablehlo.nope }\n}\n")
    assert sdy_opt.run([str(path)]) == 1
    assert capsys.readouterr().err == (
        f"{path}:2:25: error: custom op 'stablehlo.nope' is unknown\n"
        "  func.func @f() { %0 = stablehlo.nope }\n"
        "                        ^\n"
    )


def test_a_failing_run_leaves_no_output_file(tmp_path: Path) -> None:
    path, out = tmp_path / "bad.mlir", tmp_path / "out.mlir"
    path.write_text("nonsense")
    assert sdy_opt.run([str(path), "-o", str(out)]) == 1
    assert not out.exists()


def test_unregistered_operations_need_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "foo.mlir"
    path.write_text('"foo.bar"() : () -> ()\n')
    assert sdy_opt.run([str(path)]) == 1
    assert "operation being parsed with an unregistered dialect" in capsys.readouterr().err
    assert sdy_opt.run([str(path), "--allow-unregistered-dialect"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sdy-nope"], "Unknown command line argument '--sdy-nope'.  Try: 'sdy-opt --help'"),
        (["--sdy-basic-propagat"], "Did you mean '--sdy-basic-propagate'?"),
        (["missing.mlir"], "cannot open input file 'missing.mlir': No such file or directory"),
        (["."], "cannot open input file '.': Is a directory"),
        (["a\0b"], r"cannot open input file 'a\00b': embedded null byte"),
        (["a", "b"], "Too many positional arguments specified!"),
        (["a", "--", "-b"], "Can specify at most 1 positional arguments"),
        (["-o"], "for the -o option: requires a value!"),
        (["--pass-pipeline"], "for the --pass-pipeline option: requires a value!"),
        (["-o", "a", "-o=b"], "for the -o option: may only occur zero or one times!"),
        (["--verify-each", "--verify-each=0"], "for the --verify-each option: may only occur zero or one times!"),
        (["--pass-pipeline=builtin.module(nope)"], "'nope' does not refer to a registered pass or pass pipeline"),
        (["--pass-pipeline=symbol-dce"], "expected pass pipeline to be wrapped with the anchor operation type"),
        (["--pass-pipeline=builtin.module()", "--symbol-dce"], "can't be used with individual pass options"),
        (["--sdy-basic-propagate=x=1"], "<Pass-Options-Parser>: no such option x\nfailed to add `sdy-basic-propagate`"),
        (["--verify-each=maybe"], "for the --verify-each option: 'maybe' is invalid value for boolean argument!"),
        (["--verify-diagnostics=some"], "for the --verify-diagnostics option: Cannot find option named 'some'!"),
        (["--mlir-print-ir-before=sdy-import-pipeline"], "Cannot find option named 'sdy-import-pipeline'!"),
    ],
)
def test_a_wrong_command_line_is_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sdy_opt.run(arguments) == 1
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""


def test_a_wrong_pipeline_is_shown_with_a_caret(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run(["--pass-pipeline=builtin.module(symbol-dce,func.func(nope))"]) == 1
    assert capsys.readouterr().err == (
        "MLIR Textual PassPipeline Parser:1:22: error: 'nope' does not refer to a registered pass or pass pipeline\n"
        "symbol-dce,func.func(nope)\n"
        "                     ^\n"
    )


def test_wrong_nesting_in_a_pipeline_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run(["--pass-pipeline=builtin.module(sdy-drop-sharding-rules)"]) == 1
    assert "restricted to 'func.func' on a PassManager intended to run on 'builtin.module'" in capsys.readouterr().err


def test_values_may_stand_apart(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "-out.mlir"
    assert sdy_opt.run(["-pass-pipeline", "builtin.module(symbol-dce)", "--o", str(out), "--", str(program)]) == 0
    assert "@unused" not in out.read_text()


def test_switches_take_a_value_behind_an_equals_sign_only(
    program: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert sdy_opt.run(["--mlir-print-op-generic=0", "--verify-each", str(program)]) == 0
    assert b'"stablehlo.tanh"' not in capsysbinary.readouterr().out


def test_locations_are_printed_on_request(program: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert sdy_opt.run([str(program), "--mlir-print-debuginfo"]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert f'loc("{program}":3:8)' in out
    assert sdy_opt.run([str(program)]) == 0
    assert b"loc(" not in capsysbinary.readouterr().out


def test_markers_between_parts_may_be_chosen(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "parts.mlir"
    path.write_text("module @one {}\n// ====\nmodule @two {}\n// ----- no marker\n")
    assert sdy_opt.run([str(path), "--split-input-file=// ====", "--output-split-marker=// next"]) == 0
    assert capsysbinary.readouterr().out == b"module @one {\n}\n// next\nmodule @two {\n}\n"


def test_errors_may_come_without_the_operation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text('func.func @f(%a: i32) {\n  "stablehlo.add"(%a) : (i32) -> i32\n  return\n}\n')
    assert sdy_opt.run([str(path)]) == 1
    assert "note: see current operation: " in capsys.readouterr().err
    assert sdy_opt.run([str(path), "--mlir-print-op-on-diagnostic=false"]) == 1
    assert "note:" not in capsys.readouterr().err


def test_a_long_line_is_shown_around_the_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text("// " + " " * 3000 + "\n" + " " * 3000 + "nope" + " " * 3000)
    assert sdy_opt.run([str(path)]) == 1
    _, shown, caret = capsys.readouterr().err.splitlines()
    assert len(shown) < 500 and shown[caret.index("^") :].startswith("nope")


def test_help_lists_flags_and_passes_with_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run(["--help"]) == 0
    out = capsys.readouterr().out
    assert "--mlir-print-ir-after-all " in out
    assert "--sdy-user-priority-propagate" in out
    assert "propagation-strategy=aggressive" in out
    assert sdy_opt.run(["--show-passes"]) == 0
    listed = capsys.readouterr().out
    assert "--mlir-print-ir-after-all" not in listed and out.endswith(listed)


def test_dialects_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdy_opt.run(["--show-dialects"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Available Dialects: ") and "sdy,shape,stablehlo" in out
