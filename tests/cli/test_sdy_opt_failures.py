"""Reproducers, internal errors, and output that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyshardy.cli import sdy_opt
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.pass_registry import register_pass_class
from pyshardy.ir.passes import Pass, register_pass

PROGRAM = "func.func @f() {\n  return\n}\n"
FAILING = "builtin.module(symbol-dce,func.func(symbol-dce))"


@register_pass("test-breakdown", on="func.func")
class Breakdown(Pass):
    """Stands for any error of ours."""

    def apply(self, op: Operation, context: Context) -> None:
        raise ValueError("the wheel came off")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "t.mlir"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def breakdown() -> str:
    register_pass_class(Breakdown)
    return "--test-breakdown"


def run_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    source = str(Path(sdy_opt.__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-m", "pyshardy.cli.sdy_opt", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": source, **environment},
    )


def test_a_failing_pass_leaves_a_reproducer(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reproducer = program.parent / "r.mlir"
    flag = f"--mlir-pass-pipeline-crash-reproducer={reproducer}"
    assert sdy_opt.run([str(program), f"--pass-pipeline={FAILING}", flag]) == 1
    assert (
        reproducer.read_text()
        == f"""\
module {{
  func.func @f() {{
    return
  }}
}}

{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "{FAILING}",
      disable_threading: false,
      verify_each: true
    }}
  }}
#-}}
"""
    )
    err = capsys.readouterr().err
    assert "error: Failures have been detected while processing an MLIR pass pipeline\n" in err
    assert (
        "note: Pipeline failed while executing [`SymbolDCEPass` on 'func.func' operation: @f]: "
        f"reproducer generated at `{reproducer}`\n"
    ) in err


def test_a_reproducer_runs_again(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reproducer = program.parent / "r.mlir"
    assert sdy_opt.run(
        [str(program), f"--pass-pipeline={FAILING}", f"--mlir-pass-pipeline-crash-reproducer={reproducer}"]
    )
    assert sdy_opt.run([str(reproducer)]) == 0
    capsys.readouterr()
    assert sdy_opt.run([str(reproducer), "--run-reproducer"]) == 1
    assert "'func.func' op  was scheduled to run under SymbolDCE" in capsys.readouterr().err


def test_a_run_that_succeeds_leaves_none(program: Path) -> None:
    reproducer = program.parent / "r.mlir"
    assert sdy_opt.run([str(program), "--symbol-dce", f"--mlir-pass-pipeline-crash-reproducer={reproducer}"]) == 0
    assert not reproducer.exists()


def test_the_options_of_a_stored_pipeline_survive(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = program.parent / "s.mlir"
    pipeline = "builtin.module(sdy-basic-propagate{keep-sharding-rules=true})"
    stored.write_text(
        PROGRAM
        + '{-# external_resources: { mlir_reproducer: { pipeline: "'
        + pipeline
        + '", verify_each: false } } #-}'
    )
    assert sdy_opt.run([str(stored), "--run-reproducer", "--symbol-dce", "--dump-pass-pipeline"]) == 0
    shown = capsys.readouterr().err
    assert "keep-sharding-rules=true" in shown and shown.endswith("},symbol-dce)\n")


@pytest.mark.parametrize(("pipeline", "message"), [('"nope"', "expected pass pipeline"), ("true", "expected a string")])
def test_a_wrong_stored_pipeline_is_explained(
    program: Path, pipeline: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(PROGRAM + "{-# external_resources: { mlir_reproducer: { pipeline: " + pipeline + " } } #-}")
    assert sdy_opt.run([str(program), "--run-reproducer"]) == 1
    assert message in capsys.readouterr().err


def test_an_internal_error_names_the_pass_and_the_operation(
    program: Path, breakdown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PYSHARDY_TRACEBACK", raising=False)
    assert sdy_opt.run([str(program), breakdown]) == 2
    err = capsys.readouterr().err
    assert err.startswith(
        "sdy-opt: internal error in pass 'test-breakdown' on 'func.func' operation: @f: "
        "ValueError: the wheel came off\n"
    )
    assert "--mlir-pass-pipeline-crash-reproducer=FILE" in err and "Traceback" not in err
    monkeypatch.setenv("PYSHARDY_TRACEBACK", "1")
    assert sdy_opt.run([str(program), breakdown]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_internal_error_leaves_a_reproducer(
    program: Path, breakdown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reproducer = program.parent / "r.mlir"
    assert sdy_opt.run([str(program), breakdown, f"--mlir-pass-pipeline-crash-reproducer={reproducer}"]) == 2
    assert 'pipeline: "builtin.module(func.func(test-breakdown))"' in reproducer.read_text()
    assert "[`BreakdownPass` on 'func.func' operation: @f]" in capsys.readouterr().err


def test_without_verification_an_illegal_program_is_printed_in_generic_form(
    program: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    @register_pass("test-damage", on="func.func")
    class Damage(Pass):
        """Takes the terminator away."""

        def apply(self, op: Operation, context: Context) -> None:
            from pyshardy.ir import rewriting

            rewriting.erase(op.regions[0].blocks[0].terminator)

    register_pass_class(Damage)
    assert sdy_opt.run([str(program), "--test-damage"]) == 1
    assert b"empty block: expect at least a terminator" in capsysbinary.readouterr().err
    assert sdy_opt.run([str(program), "--test-damage", "--verify-each=false"]) == 0
    assert b'"func.func"()' in capsysbinary.readouterr().out


def test_modules_run_as_commands(program: Path) -> None:
    done = run_process(str(program))
    assert (done.returncode, done.stdout, done.stderr) == (0, "module {\n  func.func @f() {\n    return\n  }\n}\n", "")


def test_a_full_disk_is_one_message(program: Path) -> None:
    done = run_process(str(program), "-o", "/dev/full")
    assert done.returncode == 1
    assert done.stderr == "sdy-opt: cannot write output file '/dev/full': No space left on device\n"


def test_output_into_a_missing_directory_is_one_message(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = program.parent / "nowhere" / "out.mlir"
    assert sdy_opt.run([str(program), "-o", str(out)]) == 1
    assert capsys.readouterr().err == f"sdy-opt: cannot open output file '{out}': No such file or directory\n"


def test_an_existing_output_keeps_its_permissions(program: Path) -> None:
    out = program.parent / "out.mlir"
    out.write_text("old")
    out.chmod(0o600)
    assert sdy_opt.run([str(program), "-o", str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o600 and out.read_text().startswith("module {")
