"""A local program that somebody else made is matched with our own, so that what inputs hide is seen in it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse, partition, run_passes
from pyshardy.checking.alignment import Alignment
from pyshardy.checking.check import check_programs
from pyshardy.checking.local_programs import programs_from
from pyshardy.checking.verdicts import CheckReport
from pyshardy.cli import main

_PROGRAM = """
sdy.mesh @m = <["x"=4]>
func.func @main(%g: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %i: tensor<4xi32>)
    -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %far = stablehlo.constant dense<1000000> : tensor<4xi32>
  %0 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.compare GT, %i, %far, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.select %1, %0, %zeros : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>
}"""
"""Its result is zero throughout, on all inputs that are tried."""


def _report(local: str) -> CheckReport:
    programs = programs_from(parse(_PROGRAM), parse(local), partition(parse(_PROGRAM)))
    return check_programs(programs)


def _local() -> str:
    return str(partition(parse(_PROGRAM)).local)


def test_our_own_program_as_text_is_compared_part_by_part() -> None:
    report = _report(_local())
    assert report.agrees
    assert report.parts > 0


def test_what_the_inputs_hide_is_seen_in_a_local_program() -> None:
    wrong = _local().replace(
        "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>",
        "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
    )
    assert wrong != _local()
    assert _report(wrong).differs


def test_what_nothing_is_known_of_is_not_taken_for_right() -> None:
    # What is chosen is added up, instead of what is added up chosen.
    other = """
    sdy.mesh @m = <["x"=4]>
    func.func @main(%g: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %i: tensor<4xi32>)
        -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %zeros = stablehlo.constant dense<0.0> : tensor<2x4xf32>
      %far = stablehlo.constant dense<1000000> : tensor<4xi32>
      %1 = stablehlo.compare LT, %far, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi1>) -> tensor<2x4xi1>
      %3 = stablehlo.select %2, %g, %zeros : tensor<2x4xi1>, tensor<2x4xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %6 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %5 : tensor<4xf32>
    }"""
    report = _report(other)
    assert not report.differs
    assert "since stablehlo.select at" in report.results[0].reason
    assert not _report(other.replace("[[0, 1, 2, 3]]> : tensor<1x4xi64>", "[[0, 1], [2, 3]]> : tensor<2x2xi64>")).agrees


def test_what_shardys_own_passes_make_is_compared_part_by_part() -> None:
    text = (Path(__file__).parents[2] / "examples" / "mlp.mlir").read_text()
    local = run_passes(parse(text), "sdy-propagation-pipeline,sdy-partitioner")
    report = check_programs(programs_from(parse(text), local, partition(parse(text))))
    assert report.agrees
    assert report.parts > 0


def test_operations_are_matched_across_one_that_is_too_many() -> None:
    own = partition(parse(_PROGRAM)).local
    line = next(one for one in str(own).splitlines() if "stablehlo.select" in one)
    more = parse(str(own).replace(line, f"%unread = stablehlo.tanh %arg0 : tensor<2x4xf32>\n{line}"))
    found = Alignment(own.op, more.op, "main")
    assert found.is_sure
    assert all(value in found.copies for op in own.op.walk() for value in op.results)


def test_the_command_refuses_what_the_inputs_hide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, local = tmp_path / "given.mlir", tmp_path / "local.mlir"
    given.write_text(_PROGRAM)
    local.write_text(_local())
    assert main.run(["check", str(given), "--local", str(local)]) == 0
    assert "compared alone" in capsys.readouterr().out
    local.write_text(
        _local().replace("dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>", "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>")
    )
    assert main.run(["check", str(given), "--local", str(local)]) == 1
    assert "different" in capsys.readouterr().out
