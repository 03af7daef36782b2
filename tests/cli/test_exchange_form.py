"""Every command reads programs in the form that JAX and XLA exchange, and ``propagate`` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy
from pyshardy.cli import main

PROGRAM = r"""
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=4]>}"}} {
  func.func private @xla.sdy.manual_computation_body(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.abs %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func @main(%x: tensor<16x8xf32> {mhlo.frontend_attributes = {
      xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"x\"}, {}]>"}, mhlo.sharding = "{replicated}"}) -> tensor<16x8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {has_side_effect = true, mhlo.frontend_attributes = {
        xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>",
        xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<16x8xf32>) -> tensor<4x8xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {has_side_effect = true, mhlo.frontend_attributes = {
        xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>",
        xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<4x8xf32>) -> tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
}
"""
NOTE = "shardings in the form of XLA (xla.sdy.*) were read: 1 mesh, 1 argument, 1 manual computation"


@pytest.mark.parametrize("command", ["propagate", "partition", "check", "conflicts"])
def test_commands_that_shard_read_it_and_say_so(
    command: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run([command, str(program)]) == 0
    out, err = capsys.readouterr()
    assert NOTE in out + err or command == "conflicts"
    assert "no mesh" not in out + err


def test_what_partition_makes_works_on_a_quarter(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["partition", str(program), "-o", str(tmp_path / "local.mlir")]) == 0
    assert "stablehlo.abs %arg0 : tensor<4x8xf32>" in (tmp_path / "local.mlir").read_text()


def test_propagate_writes_it_and_reads_it_again(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mlir"
    assert main.run(["propagate", str(program), "--export", "xla", "-o", str(out)]) == 0
    assert "sdy.manual_computation(" not in out.read_text()
    again = pyshardy.load(out)
    assert "sdy.manual_computation(" in str(again)
    assert '#sdy.sharding<@mesh, [{"x"}, {}]>' in str(again)


def test_collectives_have_no_place_in_it(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", str(program), "--export", "xla", "--collectives"]) == 1
    assert "--export xla and --collectives exclude each other" in capsys.readouterr().err


def test_half_of_it_is_an_error_of_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text(PROGRAM.replace("xla.sdy.out_shardings", "xla.sdy.exit_shardings"))
    assert main.run(["partition", str(path)]) == 1
    message = capsys.readouterr().err
    assert "the manual computation cannot be read: it has no xla.sdy.out_shardings" in message
