"""``pyshardy partition`` and ``pyshardy check``: programs, summaries and exit codes."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main

PROGRAM = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_the_program_goes_to_the_file_and_the_summary_to_standard_output(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mlir"
    assert main.run(["partition", str(program), "-o", str(out)]) == 0
    assert "tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>" in out.read_text()
    summary = capsys.readouterr().out
    assert "local program for 8 devices, mesh @mesh" in summary
    assert "arguments 192 B, results 128 B" in summary
    assert 'all_reduce   {"y"}' in summary
    assert "padding: none" in summary
    assert "\x1b" not in summary


def test_json_has_the_same_figures(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["partition", str(program), "--json", "--emit=manual"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["form"] == "manual" and summary["devices"] == 8
    assert summary["memory"]["arguments"] == 192
    assert summary["collectives"] == [
        {"kind": "all_reduce", "axes": '{"y"}', "group_size": 4, "count": 1, "bytes": 2 * 128 * 3 / 4}
    ]


def test_a_right_partition_passes_its_check(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", str(program), "--seed", "7"]) == 0
    assert "the result is equal: the global program against 8 devices, exact evaluation, " in capsys.readouterr().out


def test_the_outcome_of_a_check_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", str(program), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agrees"] and found["results"][0]["type"] == "tensor<8x8xf32>"


def test_a_program_that_nobody_can_call_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text("module {\n}\n")
    assert main.run(["partition", str(path)]) == 1
    assert "has no function: there is nothing in it to shard" in capsys.readouterr().err


def test_a_check_says_which_argument_it_cannot_make_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dynamic.mlir"
    path.write_text("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }")
    assert main.run(["check", str(path), "--propagated"]) == 1
    assert "no input can be made up for an argument of type tensor<?xf32>" in capsys.readouterr().err
