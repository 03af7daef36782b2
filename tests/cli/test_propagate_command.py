"""``pyshardy propagate``: the program and a summary that a person, or a script, can read."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main

PROGRAM = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_the_summary_names_mesh_tensors_boundaries_and_conflicts(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mlir"
    assert main.run(["propagate", str(program), "-o", str(out)]) == 0
    assert "stablehlo.add %arg0, %arg1 {sdy.sharding" in out.read_text()
    summary = capsys.readouterr().out
    assert "mesh @mesh: x=2, y=4 (8 devices)" in summary
    assert "tensors: 3, 3 sharded, 0 replicated" in summary
    assert "4x8" in summary and "128 B" in summary
    assert f"{program}:4:8: stablehlo.add: factor i:" in summary
    assert "\x1b" not in summary


def test_json_has_the_same_figures(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", str(program), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["tensors"] == {"total": 3, "sharded": 3, "replicated": 0}
    assert summary["arguments"][0] == {
        "name": "%arg0",
        "type": "tensor<8x8xf32>",
        "sharding": '<@mesh, [{"x"}, {}]>',
        "shape": [8, 8],
        "device_shape": [4, 8],
        "bytes": 256,
        "device_bytes": 128,
    }
    kinds = {(one["operation"], one["kind"]) for one in summary["conflicts"]}
    assert ("stablehlo.add", "disagreement") in kinds and ("stablehlo.add", "shared axis") in kinds


def test_a_program_that_fits_has_no_conflicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fits.mlir"
    path.write_text(PROGRAM.replace('[{}, {"x"}]', '[{?}, {"y"}]'))
    assert main.run(["propagate", str(path), "--json"]) == 0
    conflicts = json.loads(capsys.readouterr().out)["conflicts"]
    assert [one["factor"] for one in conflicts] == ["j"]


def test_bad_input_is_a_diagnostic_and_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dynamic.mlir"
    path.write_text(
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.tanh %a : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n"
    )
    assert main.run(["propagate", str(path)]) == 1
    assert (
        f"{path}:2:8: error: Shardy propagation only supports ranked tensors with a static shape. "
        "type: 'tensor<?xf32>'" in capsys.readouterr().err
    )


def test_a_missing_file_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", "missing.mlir"]) == 1
    assert capsys.readouterr().err == "pyshardy: cannot open input file 'missing.mlir': No such file or directory\n"
