"""``pyshardy`` as a command: version, help, failures as text and as JSON, completion, Ctrl-C, progress."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pyshardy import PyshardyError, __version__, parse
from pyshardy.cli import main
from pyshardy.cli.progress import Progress, reader
from pyshardy.versions import JAXLIB, STABLEHLO, is_compiled

Captured = pytest.CaptureFixture[str]

WRONG_AXIS = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"modle"}, {}]>}) -> tensor<8x16xf32> {
BODY
  return %a : tensor<8x16xf32>
}
""".replace("BODY", "\n".join(f"  %{number} = stablehlo.abs %a : tensor<8x16xf32>" for number in range(50)))

ENDLESS = """
func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%b = %a) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      stablehlo.return %b : tensor<i32>
    }
  return %0 : tensor<i32>
}
"""


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG_AXIS)
    return str(path)


def test_the_version_says_what_it_understands(capsys: Captured) -> None:
    assert main.run(["--version"]) == 0
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first == f"pyshardy {__version__}, {'compiled' if is_compiled() else 'pure Python'}"
    assert second == f"StableHLO {STABLEHLO}, CHLO and Shardy (sdy) as in jaxlib {JAXLIB}"


def test_the_versions_are_those_of_the_reference_that_the_tests_run() -> None:
    import jaxlib
    from jaxlib.mlir.dialects import stablehlo

    assert jaxlib.__version__ == JAXLIB
    assert stablehlo.get_current_version() == STABLEHLO


def test_the_bare_command_shows_help(capsys: Captured) -> None:
    assert main.run([]) == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in main.COMMANDS)


def test_help_leads_by_task(capsys: Captured) -> None:
    assert main.run([]) == 0
    lines = capsys.readouterr().out.splitlines()
    places = [lines.index(f"{task}:") for task in main.TASKS]
    assert places == sorted(places)
    assert lines[places[0] + 1].split()[0] == "propagate"
    assert "  -h, --help  show this help message and exit" in lines


@pytest.mark.parametrize("command", [one for one in main.COMMANDS if one not in ("docs", "completion")])
def test_every_command_that_reads_a_program_takes_limits(command: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main.run([command, "--help"])
    assert "--limit NAME=N" in capsys.readouterr().out


@pytest.mark.parametrize("command", main.COMMANDS)
def test_each_command_has_help(command: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        main.run([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: pyshardy {command}" in capsys.readouterr().out


def test_the_package_is_a_command() -> None:
    done = subprocess.run([sys.executable, "-m", "pyshardy", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("pyshardy ")


def test_a_wrong_command_line_is_two_lines(capsys: Captured) -> None:
    assert main.run(["partition", "x.mlir", "--emit=nothing"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("pyshardy: argument --emit: invalid choice: 'nothing'")
    assert second == "pyshardy: pyshardy partition --help says what there is"


@pytest.mark.parametrize(
    ("arguments", "unknown", "advice", "command"),
    [
        (["partition", "x.mlir", "--frobnicate"], "--frobnicate", "", "pyshardy partition"),
        (
            ["cost", "x.mlir", "--shardigs=s.toml"],
            "--shardigs=s.toml",
            "; did you mean '--shardings'?",
            "pyshardy cost",
        ),
        (["check", "x.mlir", "y.mlir"], "y.mlir", "", "pyshardy check"),
        (["check", "x.mlir", ""], "", "", "pyshardy check"),
        (["--vershun"], "--vershun", "; did you mean '--version'?", "pyshardy"),
    ],
)
def test_an_unknown_argument_is_the_commands_and_the_nearest_option_is_named(
    arguments: list[str], unknown: str, advice: str, command: str, capsys: Captured
) -> None:
    assert main.run(arguments) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"pyshardy: unrecognized arguments: {unknown}{advice}",
        f"pyshardy: {command} --help says what there is",
    ]


def test_an_unknown_axis_names_the_nearest_and_quotes_ten_lines(wrong: str, capsys: Captured) -> None:
    assert main.run(["propagate", wrong]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"{wrong}:3:1: error: 'func.func' op arg 0 - unknown axis name: \"modle\""
    quoted = said[3:-1]
    assert len(quoted) == 10 and quoted[-2].strip() == "… 46 more lines" and quoted[-1] == "  }) : () -> ()"
    assert said[-1] == f'{wrong}:3:1: note: is "model" meant? the mesh has the axes "data", "model"'


def test_an_unknown_mesh_names_the_nearest() -> None:
    with pytest.raises(PyshardyError) as raised:
        parse(WRONG_AXIS.replace("<@mesh", "<@mseh"))
    assert "is @mesh meant? the program has the meshes @mesh" in str(raised.value)
    assert len(str(raised.value).splitlines()) < 15


@pytest.mark.parametrize("command", ["propagate", "partition", "check"])
def test_with_json_what_is_wrong_with_a_program_is_json(command: str, wrong: str, capsys: Captured) -> None:
    assert main.run([command, wrong, "--json"]) == 1
    out, err = capsys.readouterr()
    assert not err
    (error,) = json.loads(out)["diagnostics"]
    assert (error["severity"], error["file"], error["line"], error["column"]) == ("error", wrong, 3, 1)
    assert [note["severity"] for note in error["notes"]] == ["note", "note"]


def test_with_json_what_is_wrong_with_the_command_line_is_json(capsys: Captured) -> None:
    for arguments in (["propagate", "/no/such/file", "--json"], ["partition", "--json"]):
        assert main.run(arguments) == 1
        (error,) = json.loads(capsys.readouterr().out)["diagnostics"]
        assert error["file"] is None and error["message"]


def test_a_dump_directory_is_made(tmp_path: Path, capsys: Captured) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(WRONG_AXIS.replace("modle", "model"))
    assert main.run(["propagate", str(program), "--dump-dir", str(tmp_path / "a" / "b")]) == 0
    assert (tmp_path / "a" / "b" / "01.before_propagation.mlir").exists()


@pytest.mark.parametrize("arguments", [["propagate", "{}", "--dump-dir"], ["interpret", "{}", "--probe-output-dir"]])
def test_a_directory_that_cannot_be_written_is_an_error(arguments: list[str], wrong: str, capsys: Captured) -> None:
    assert main.run([one.format(wrong) for one in arguments] + [wrong]) == 1
    assert f"{arguments[2]}: cannot write to directory '{wrong}': File exists" in capsys.readouterr().err


def test_an_error_of_our_own_is_no_traceback(wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def broken(*given: object, **options: object) -> None:
        raise AssertionError("out of luck")

    monkeypatch.setattr("pyshardy.api.programs.parse", broken)
    assert main.run(["propagate", wrong]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"pyshardy: internal error in pyshardy propagate {wrong}: AssertionError: out of luck\n")
    assert "Traceback" not in said


def test_callbacks_of_a_file_cannot_be_called_which_is_said(tmp_path: Path, capsys: Captured) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "  stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) {has_side_effect = true, "
        "mhlo.backend_config = {index = 0 : ui64}} : (tensor<f32>) -> ()\n"
        "  return %a : tensor<f32>\n}\n"
    )
    assert main.run(["check", str(program)]) == 0
    assert "remark: host callbacks do nothing here" in capsys.readouterr().err
    for more in ([], ["--local", str(program)]):
        assert main.run(["check", str(program), "--callbacks", *more]) == 1
        assert "pyshardy.use_callbacks(module, lowered)" in capsys.readouterr().err


_HEARS_CTRL_C = """
import signal, sys
from pyshardy.cli.main import main
# What runs in the background of a shell is deaf to it, and so are its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""


@pytest.mark.slow
def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    program = tmp_path / "endless.mlir"
    program.write_text(ENDLESS)
    command = [sys.executable, "-c", _HEARS_CTRL_C, "interpret", str(program), "--args=[dense<1> : tensor<i32>]"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "pyshardy: interrupted\n")


def test_completion_without_its_package_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main.run(["completion", "bash"]) == 1
    assert "pip install 'pyshardy[completion]'" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_options_and_passes(shell: str, capsys: Captured) -> None:
    pytest.importorskip("shtab")
    assert main.run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "replica-groups" in script and "sdy-basic-propagate" in script


@pytest.mark.slow
def test_progress_is_shown_in_a_terminal_after_a_second() -> None:
    script = (
        # rich is there already: on a busy machine its import takes longer than the steps.
        "import time, rich.console, rich.progress; from pyshardy.cli.progress import Progress\n"
        "with Progress('reading') as progress:\n"
        "    time.sleep(2.5); progress.step('partitioning'); progress.count(32, 64); time.sleep(1.0)\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script], stderr=theirs) as process:
        assert process.wait(timeout=30) == 0
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while piece := os.read(ours, 1 << 16):
            shown += piece
    os.close(ours)
    assert b"reading" in shown and b"partitioning" in shown


def test_readers_are_heard_only_where_progress_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress("reading"):
        assert reader() is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Progress("reading") as progress:
        told = reader()
        assert told is not None
        told("reading", 1, 2)
        progress.clear()
        assert reader() is None
    assert reader() is None


@pytest.mark.slow
def test_progress_is_not_shown_in_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress("reading"):
        time.sleep(1.2)
    assert capfd.readouterr().err == ""
