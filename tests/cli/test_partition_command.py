"""``pyshardy partition`` and ``pyshardy check``: programs, summaries and exit codes."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.cli.conftest import JsonOf, SummaryOf

PROGRAM = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


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
    once = {"count": 1, "bytes": 192.0, "runs": 1, "run_bytes": 192.0, "in_loops_of_unknown_length": 0}
    assert summary["collectives"] == [{"kind": "all_reduce", "axes": '{"y"}', "group_size": 4, **once}]
    assert summary["causes"] == [
        {
            "kind": "all_reduce",
            "axes": '{"y"}',
            "operation": "stablehlo.dot_general",
            "file": str(program),
            "line": 4,
            "column": 8,
            "function": "",
            "scope": "",
            "tensor": "→ result 0",
            "numbers": [0],
            **once,
        }
    ]
    assert [one["name"] for one in summary["arguments"]] == ["%arg0", "%arg1"]
    assert summary["arguments"][0] == {
        "name": "%arg0",
        "symbol": "%arg0",
        "type": "tensor<8x16xf32>",
        "sharding": '[{"x"}, {"y"}]',
        "shape": [8, 16],
        "device_shape": [4, 4],
        "bytes": 512,
        "device_bytes": 64,
    }
    assert sum(one["bytes"] for one in summary["memory"]["largest"]) == summary["memory"]["peak"]


NAMED = """\
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>} loc("batch"),
                %b: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}
                    loc("params['layers'][0]['w']"),
                %c: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}
                    loc("params['layers'][1]['w']"))
    -> (tensor<256x16xf32> {jax.result_info = "result['h']"}) {
  %0 = stablehlo.dot %a, %b : (tensor<256x16xf32>, tensor<16x16xf32>) -> tensor<256x16xf32> loc(#dot)
  %1 = stablehlo.dot %0, %c : (tensor<256x16xf32>, tensor<16x16xf32>) -> tensor<256x16xf32> loc(#dot)
  return %1 : tensor<256x16xf32> loc(#line)
}
#line = loc("/code/model.py":14:3)
#dot = loc("jit(step)/jvp(mlp)/dot_general"(#line))
"""


def test_tables_use_the_names_places_and_scopes_of_the_program(summary_of: SummaryOf) -> None:
    shown = summary_of("partition", NAMED)
    (row,) = [line.split("  ") for line in shown.splitlines() if 'all_gather {"x"}' in line]
    assert [cell.strip() for cell in row if cell.strip()] == [
        'all_gather {"x"}',
        "0-1",
        "dot",
        "/code/model.py:14",
        "jvp(mlp)",
        "params['layers'][*]['w']",
        "×2",
        "1.0 KiB",
    ]
    shown = summary_of("partition", NAMED, "--all")
    assert "params['layers'][0]['w']" in shown and "params['layers'][1]['w']" in shown and "[*]" not in shown


@pytest.mark.parametrize("command", ["partition", "propagate"])
def test_locations_that_were_given_are_in_the_program_that_is_written(
    command: str, tmp_path: Path, summary_of: SummaryOf
) -> None:
    out = tmp_path / "out.mlir"
    summary_of(command, NAMED)
    assert "loc(\"params['layers'][0]['w']\")" in out.read_text()
    assert '"/code/model.py":14:3' in out.read_text()
    summary_of(command, PROGRAM)
    assert "loc(" not in out.read_text()


def test_what_loops_repeat_is_shown_once_and_with_all_turns(summary_of: SummaryOf, json_of: JsonOf) -> None:
    loops = Path("examples/scan_layers.mlir").read_text()
    summary = json_of("partition", loops)
    assert summary["bytes_moved_in_a_run"] > summary["bytes_moved"]
    in_loops = [one for one in summary["collectives"] if one["runs"] != one["count"]]
    assert in_loops and all(one["run_bytes"] > one["bytes"] for one in in_loops)
    shown = summary_of("partition", loops)
    assert "with all iterations" in shown and "with one iteration of every loop" in shown


def test_a_right_partition_passes_its_check(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", str(program), "--seed", "7"]) == 0
    shown = capsys.readouterr().out
    assert "the result is equal: the global program against 8 devices, exact evaluation, " in shown
    assert " from seed 7, " in shown


@pytest.mark.parametrize("seed", ["-1", "1.5", "9" * 30, "x"])
def test_a_seed_is_a_whole_number(program: Path, seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", str(program), f"--seed={seed}"]) == 1
    assert f"'{seed}' is no seed: a whole number from 0 on" in capsys.readouterr().err


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
    assert "no input can be made up for argument %arg0 of type tensor<?xf32>" in capsys.readouterr().err
