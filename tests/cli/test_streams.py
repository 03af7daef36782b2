"""Standard streams that are closed, full or broken: one line and a non-zero exit code, and nothing is said to be done
that is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pyshardy

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
SOURCES = str(Path(pyshardy.__file__).parents[1])
COMMANDS = ("pyshardy propagate", "pyshardy check", "pyshardy partition --json", "pyshardy --help", "sdy-opt")
FULL = Path("/dev/full")


def shell(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of the shell, in which `pyshardy` and `sdy-opt` are the commands."""
    functions = "".join(
        f"{tool}() {{ '{sys.executable}' -c 'from pyshardy.cli.start import {entry}; {entry}()' \"$@\"; }}\n"
        for tool, entry in (("pyshardy", "pyshardy"), ("sdy-opt", "sdy_opt"))
    )
    return subprocess.run(
        ["bash", "-c", functions + script, "bash", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )


def said_by(command: str) -> str:
    return command.split()[0]


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_standard_output_that_is_full_is_one_line(program: Path, command: str) -> None:
    done = shell(f'{command} "$1" >/dev/full', str(program))
    assert done.returncode == 1
    assert done.stderr == f"{said_by(command)}: cannot write standard output: No space left on device\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_output_that_is_closed_is_one_line(program: Path, command: str) -> None:
    done = shell(f'{command} "$1" >&-', str(program))
    assert done.returncode == 1
    assert done.stderr == f"{said_by(command)}: cannot write standard output: Bad file descriptor\n"


@pytest.mark.parametrize("command", ["pyshardy propagate -", "sdy-opt"])
def test_standard_input_that_is_closed_is_one_line(program: Path, command: str) -> None:
    done = shell(f"{command} <&-")
    assert done.returncode == 1 and not done.stdout
    assert done.stderr == f"{said_by(command)}: cannot read standard input: Bad file descriptor\n"


@pytest.mark.parametrize(
    "where", ["2>&-", pytest.param("2>/dev/full", marks=pytest.mark.skipif(not FULL.exists(), reason=""))]
)
def test_what_cannot_be_written_to_standard_error_is_in_the_exit_code(program: Path, where: str) -> None:
    # The program goes to standard output whole, the summary is lost.
    lost = shell(f'pyshardy propagate "$1" {where}', str(program))
    assert lost.returncode == 1 and lost.stdout.endswith("}\n") and "stablehlo.tanh" in lost.stdout
    nothing_to_say = shell(f'pyshardy check "$1" {where}', str(program))
    assert nothing_to_say.returncode == 0 and "equal" in nothing_to_say.stdout
    program.write_text("wrong")
    for command in ("pyshardy check", "sdy-opt"):
        done = shell(f'{command} "$1" {where}', str(program))
        assert done.returncode == 1 and not done.stdout


def test_a_file_is_not_taken_for_a_stream_that_is_closed(program: Path) -> None:
    out = program.with_name("out.mlir")
    done = shell('sdy-opt "$1" -o "$2" <&- >&- 2>&-', str(program), str(out))
    assert done.returncode == 0 and out.read_text().endswith("}\n") and "tanh" in out.read_text()


@pytest.mark.parametrize("arguments", [["check", "FILE"], ["partition", "--json", "FILE"], ["--help"]], ids=" ".join)
def test_a_reader_that_has_gone_is_no_reason_to_say_anything(program: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "pyshardy", *(str(program) if one == "FILE" else one for one in arguments)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["pyshardy partition", "sdy-opt"])
def test_a_device_is_written_directly_and_its_error_told(program: Path, command: str) -> None:
    done = shell(f'{command} "$1" -o /dev/full', str(program))
    assert done.returncode == 1 and FULL.exists() and not FULL.is_file()
    assert done.stderr == f"{said_by(command)}: cannot write output file '/dev/full': No space left on device\n"
