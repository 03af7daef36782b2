"""Programs of global tensors that test themselves: ``sdy-opt`` makes them local, ``pyshardy interpret`` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy.cli import sdy_opt
from tests.cli.conftest import Interpret

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @product(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>}
    : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func @main() {
  %a = stablehlo.constant dense<1.0> : tensor<2x4xf32>
  %b = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %c = stablehlo.constant dense<3.0> : tensor<4x4xf32>
  %0:4 = "interpreter.run_parallel"(%a, %b, %a, %c, %a, %b, %a, %c) {
    programs = [[@product, @product, @product, @product]]
  } : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>,
       tensor<2x4xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %0#0, dense<EXPECTED> : tensor<2x4xf32>
  check.expect_almost_eq %0#1, %0#2 {tolerance = 0.01 : f64} : tensor<2x4xf32>
  return
}
"""


@pytest.mark.parametrize(("expected", "code"), [("20.0", 0), ("16.0", 1)])
def test_a_partitioned_program_runs_on_its_devices(
    expected: str, code: int, tmp_path: Path, interpret: Interpret
) -> None:
    source, local = tmp_path / "global.mlir", tmp_path / "local.mlir"
    source.write_text(PROGRAM.replace("EXPECTED", expected))
    passes = ["--sdy-convert-global-to-local", "--sdy-drop-sharding-and-mesh"]
    assert sdy_opt.run([str(source), *passes, "-o", str(local)]) == 0
    assert "sdy." not in local.read_text()
    assert interpret(local.read_text())[0] == code
