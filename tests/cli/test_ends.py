"""How a command ends that is not left to finish: Ctrl-C at any moment, memory that runs out, rules that leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli import main, sdy_opt
from pyshardy.cli.failures import CRASHED, OUT_OF_MEMORY, failure_code

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
HEARS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""A shell switches Ctrl-C off for what runs in its background, tests too."""
INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
AT_IMPORT = """
import sys
wanted = [sys.argv.pop(1)]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in wanted:
            wanted.clear()
            {action}
sys.meta_path.insert(0, Finder())
from pyshardy.cli.start import {entry}
{entry}()
"""


def run_process(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HEARS_CTRL_C + code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(pyshardy.__file__).parents[1])},
    )


@pytest.mark.parametrize(
    ("entry", "module"),
    [
        ("pyshardy", "pyshardy.cli.process"),
        ("pyshardy", "argparse"),
        ("pyshardy", "pyshardy.cli.partition"),
        ("pyshardy", "pyshardy.partitioning.plan"),
        ("sdy_opt", "pyshardy.cli.sdy_opt"),
        ("sdy_opt", "pyshardy.ir.passes"),
    ],
)
def test_ctrl_c_while_something_is_imported_is_one_line(program: Path, entry: str, module: str) -> None:
    command = ["partition"] if entry == "pyshardy" else []
    done = run_process(AT_IMPORT.format(action=INTERRUPT, entry=entry), module, *command, str(program))
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"{entry.replace('_', '-')}: interrupted\n"


@pytest.mark.parametrize("entry", ["pyshardy", "sdy_opt"])
def test_an_error_that_a_library_makes_of_ctrl_c_is_ctrl_c(program: Path, entry: str) -> None:
    code = f"""
import pyshardy.cli.{"main" if entry == "pyshardy" else "sdy_opt"} as tool
from pyshardy.ir import pipeline_run
def fail(*given, **more):
    try:
        {INTERRUPT}
        signal.pause()
    except KeyboardInterrupt:
        raise ImportError("cannot be loaded")
pipeline_run._Run.items = fail
from pyshardy.cli.start import {entry}
{entry}()
"""
    command = ["propagate"] if entry == "pyshardy" else ["--symbol-dce"]
    done = run_process(code, *command, str(program))
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"{entry.replace('_', '-')}: interrupted\n"


def test_ctrl_c_that_the_shell_has_switched_off_stays_so(program: Path) -> None:
    begin = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    done = run_process(
        begin + AT_IMPORT.format(action=INTERRUPT, entry="pyshardy"),
        "pyshardy.cli.partition",
        "partition",
        str(program),
    )
    assert done.returncode == 0 and "stablehlo.tanh" in done.stdout


@pytest.mark.parametrize("entry", ["pyshardy", "sdy_opt"])
def test_no_memory_for_imports_is_one_line(program: Path, entry: str) -> None:
    code = AT_IMPORT.format(action="raise MemoryError", entry=entry)
    done = run_process(code, f"pyshardy.cli.{'main' if entry == 'pyshardy' else 'sdy_opt'}", str(program))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{entry.replace('_', '-')}: out of memory before it has begun\n"


@pytest.mark.parametrize(
    "problem",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("libopenblas.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        SystemError("error return without exception set"),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_memory_that_runs_out_is_no_internal_error(problem: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    around = ValueError("something went wrong")
    around.__cause__ = problem
    for one in (problem, around):
        assert failure_code("pyshardy", "here", one) == 1
        assert capsys.readouterr().err == f"pyshardy: {OUT_OF_MEMORY}\n"
    assert failure_code("pyshardy", "here", ValueError("something went wrong")) == CRASHED
    assert "internal error" in capsys.readouterr().err


def test_memory_that_runs_out_in_a_pass_is_no_internal_error(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyshardy.passes.importing.symbol_dce import SymbolDce

    def fail(*given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(SymbolDce, "apply", fail)
    assert sdy_opt.run([str(program), "--symbol-dce"]) == 1
    assert capsys.readouterr().err == f"sdy-opt: {OUT_OF_MEMORY}\n"
    assert main.run(["propagate", str(program)]) == 1
    assert capsys.readouterr().err == f"pyshardy: {OUT_OF_MEMORY}\n"


RULES = {
    "import sys; sys.exit(0)": ":1: error: SystemExit: sys.exit was called",
    "exit()": ":1: error: SystemExit: sys.exit was called",
    "\nraise ValueError('two\\nlines')": ":2: error: ValueError: two",
    "class Own(BaseException): pass\nraise Own('x')": ":2: error: Own: x",
    "import no_such_module": ":1: error: ModuleNotFoundError: No module named 'no_such_module'",
    "import runpy; runpy.run_path(__file__)": ":1: error: RecursionError: maximum recursion depth exceeded",
    "from pyshardy.plugins import run_file; run_file(__file__, 'file of rules')": "asks to be run while it is run",
}


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("tool", ["pyshardy", "sdy-opt"])
def test_a_file_of_rules_that_does_not_come_to_its_end_is_one_line(
    program: Path, tool: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = program.with_name("rules.py")
    rules.write_text(text)
    arguments = [str(program), f"--rules={rules}"]
    assert (main.run(["propagate", *arguments]) if tool == "pyshardy" else sdy_opt.run(arguments)) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1 and captured.err.startswith(f"{tool}: ") and not captured.out
    assert RULES[text] in captured.err


def test_a_rule_that_leaves_is_told_of(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = program.with_name("rules.py")
    rules.write_text(
        "from pyshardy import custom_call_rule\n@custom_call_rule('leaves')\ndef rule(op, c):\n  exit(0)\n"
    )
    program.write_text(PROGRAM.replace("stablehlo.tanh %a : tensor<8xf32>", CALL))
    assert main.run(["propagate", str(program), f"--rules={rules}"]) == 1
    assert "SystemExit: sys.exit was called" in capsys.readouterr().err


CALL = "stablehlo.custom_call @leaves(%a) : (tensor<8xf32>) -> tensor<8xf32>"
