"""Local programs that somebody else made: right ones pass, wrong ones do not, what does not fit is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy import parse, partition, run_passes
from pyshardy.checking.check import check_programs
from pyshardy.checking.local_programs import WrongLocalProgram, programs_from
from pyshardy.cli import main

_EXAMPLES = Path(__file__).parents[2] / "examples"
_PROGRAM = """
sdy.mesh @m = <["x"=4]>
func.func @main(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
_LOCAL = """
sdy.mesh @m = <["x"=4]>
func.func @main(%a: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<GROUPS> : tensor<SHAPExi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}"""
_RIGHT = _LOCAL.replace("GROUPS", "[[3, 1, 0, 2]]").replace("SHAPE", "1x4")
_WRONG = _LOCAL.replace("GROUPS", "[[0, 1], [2, 3]]").replace("SHAPE", "2x2")


def test_a_right_local_program_is_equal() -> None:
    assert check_programs(programs_from(parse(_PROGRAM), parse(_RIGHT))).agrees


def test_a_wrong_local_program_is_different() -> None:
    report = check_programs(programs_from(parse(_PROGRAM), parse(_WRONG)))
    assert report.differs
    assert report.first_wrong is None


def test_what_shardys_own_passes_make_is_judged_too() -> None:
    text = (_EXAMPLES / "mlp.mlir").read_text()
    local = run_passes(parse(text), "sdy-propagation-pipeline,sdy-partitioner")
    assert check_programs(programs_from(parse(text), local)).agrees


@pytest.mark.parametrize(
    ("local", "message"),
    [
        (_RIGHT.replace("2x3xf32", "4x3xf32"), "argument 0 of the local program is tensor<4x3xf32>"),
        (_RIGHT.replace("%a: tensor", "%b: tensor<f32>, %a: tensor"), "has 2 arguments, the global program has 1"),
        (_RIGHT + '\nsdy.mesh @n = <["y"=2]>', "have different numbers of devices: @m has 4, @n has 2"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(local: str, message: str) -> None:
    with pytest.raises(WrongLocalProgram, match=message):
        programs_from(parse(_PROGRAM), parse(local))


def test_without_any_mesh_nobody_knows_the_devices() -> None:
    text = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}"
    with pytest.raises(WrongLocalProgram, match="neither program has a mesh"):
        programs_from(parse(text), parse(text))


def test_the_command_judges_a_local_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"program": _PROGRAM, "right": _RIGHT, "wrong": _WRONG, "unfit": _RIGHT.replace("2x3xf32", "4x3xf32")}
    paths = {name: tmp_path / f"{name}.mlir" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    arguments = ["check", str(paths["program"]), "--json", "--local"]
    assert main.run([*arguments, str(paths["right"])]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["verdict"] == "equal"
    assert main.run([*arguments, str(paths["wrong"])]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["evaluation"] == "exact"
    assert found["results"][0]["verdict"] == "different"
    assert main.run(["check", str(paths["program"]), "--local", str(paths["unfit"])]) == 1
    assert "argument 0 of the local program is tensor<4x3xf32>, but tensor<8x3xf32> with" in capsys.readouterr().err


def test_our_own_partition_passes_as_a_local_program(tmp_path: Path) -> None:
    text = (_EXAMPLES / "priorities.mlir").read_text()
    plan = partition(parse(text))
    assert check_programs(programs_from(parse(text), parse(str(plan.module)))).agrees
