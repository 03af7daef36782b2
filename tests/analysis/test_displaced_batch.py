"""Where activations lie along an axis of a weight instead of the batch's, and where that is meant so."""

import json
from pathlib import Path

import pytest

from pyshardy import parse, partition
from pyshardy.analysis.displaced_batch import displaced_batches
from pyshardy.cli import main
from pyshardy.report.plan_summary import summarize_plan

GATHER = """"stablehlo.gather"(%embed, %tokens) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 64>}>
    : (tensor<32x64xf32>, tensor<8x16xi32>) -> tensor<8x16x64xf32>"""
"""Tokens looked up in a table."""


def step(embed: str, weight: str, between: str = "") -> str:
    """A lookup and a matrix product; ``between`` makes ``%x`` of what was looked up, ``%h``."""
    looked_up = "%h" if between else "%x"
    return f"""
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%embed: tensor<32x64xf32> {{sdy.sharding = #sdy.sharding<@mesh, {embed}>}} loc("embed"),
    %w: tensor<64x64xf32> {{sdy.sharding = #sdy.sharding<@mesh, {weight}>}} loc("w"),
    %tokens: tensor<8x16xi32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}}) -> tensor<8x16x64xf32> {{
  {looked_up} = {GATHER}
  {between}
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
      : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
  return %y : tensor<8x16x64xf32>
}}
"""


KEPT = '%x = sdy.sharding_constraint %h <@mesh, [{"data"}, {}, {}]> : tensor<8x16x64xf32>'
SHARED = '[{}, {"data"}]'


def test_a_table_that_takes_the_axis_of_the_batch_is_named() -> None:
    (found,) = displaced_batches(partition(parse(step(SHARED, '[{"data"}, {}]'))))
    assert (found.axis, found.dimension, found.batch_dimension) == ("data", 2, 0)
    assert found.tensor.defining_op is not None and found.tensor.defining_op.name == "stablehlo.gather"
    assert str(found.weight.type) == "tensor<32x64xf32>"
    assert 0 < found.bytes <= found.all_bytes


def test_what_is_recommended_helps() -> None:
    plan = partition(parse(step(SHARED, '[{"data"}, {}]', KEPT)))
    assert displaced_batches(plan) == []
    assert plan.bytes_moved < partition(parse(step(SHARED, '[{"data"}, {}]'))).bytes_moved


@pytest.mark.parametrize(
    ("embed", "weight"),
    [
        ('[{"data"}, {}]', '[{"data"}, {}]'),  # Gathered where they are needed.
        ('[{"model"}, {}]', '[{}, {"model"}]'),  # Tensor parallelism.
        ("[{}, {}]", "[{}, {}]"),  # Data parallelism.
    ],
)
def test_batches_that_keep_their_axis_are_not_spoken_of(embed: str, weight: str) -> None:
    assert displaced_batches(partition(parse(step(embed, weight)))) == []


def test_experts_along_the_axis_of_the_batch_are_meant_so() -> None:
    plan = partition(
        parse("""
sdy.mesh @mesh = <["data"=4]>
func.func @main(%ids: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %x: tensor<8x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>},
    %w: tensor<4x32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> tensor<4x8x16x8xf32> {
  %e = stablehlo.iota dim = 2 : tensor<8x16x4xi32>
  %i = stablehlo.broadcast_in_dim %ids, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x4xi32>
  %m = stablehlo.compare EQ, %e, %i : (tensor<8x16x4xi32>, tensor<8x16x4xi32>) -> tensor<8x16x4xi1>
  %f = stablehlo.convert %m : (tensor<8x16x4xi1>) -> tensor<8x16x4xf32>
  %t = stablehlo.dot_general %f, %x, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x []
      : (tensor<8x16x4xf32>, tensor<8x16x32xf32>) -> tensor<8x16x4x32xf32>
  %c = sdy.sharding_constraint %t <@mesh, [{}, {}, {"data"}, {}]> : tensor<8x16x4x32xf32>
  %y = stablehlo.dot_general %w, %c, batching_dims = [0] x [2], contracting_dims = [1] x [3]
      : (tensor<4x32x8xf32>, tensor<8x16x4x32xf32>) -> tensor<4x8x8x16xf32>
  %z = stablehlo.transpose %y, dims = [0, 2, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<4x8x16x8xf32>
  return %z : tensor<4x8x16x8xf32>
}
""")
    )
    assert plan.bytes_moved > 0
    assert displaced_batches(plan) == []


def test_batches_are_followed_into_loops_and_functions() -> None:
    before, after = step(SHARED, '[{"data"}, {}]').split("  %y = ")
    calls = """
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%it = %i, %h = %x) : tensor<i32>, tensor<8x16x64xf32>
   cond { %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %it, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> }
   do { %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %it, %one : tensor<i32>
    %l = func.call @layer(%h, %w) : (tensor<8x16x64xf32>, tensor<64x64xf32>) -> tensor<8x16x64xf32>
    stablehlo.return %next, %l : tensor<i32>, tensor<8x16x64xf32> }
  return %0#1 : tensor<8x16x64xf32>
}
func.func private @layer(%x: tensor<8x16x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x16x64xf32> {
  %y = """
    plan = partition(parse(before + calls + after))
    (found,) = displaced_batches(plan)
    assert found.tensor.defining_op is not None and found.tensor.defining_op.name == "stablehlo.gather"
    in_loop = sum(one.run_bytes for one in plan.collectives if one.turns == 9)
    assert 0 < in_loop <= found.bytes


def test_partition_says_it_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, local = tmp_path / "step.mlir", str(tmp_path / "local.mlir")
    file.write_text(step(SHARED, '[{"data"}, {}]'))
    assert main.run(["partition", str(file), "-o", local]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert 'activations lie along "data" of weights, not of the batch: first the result of gather' in said
    assert 'has "data" in dimension 2, from embed, and not in dimension 0' in said
    assert main.run(["partition", str(file), "--json", "-o", local]) == 0
    (row,) = json.loads(capsys.readouterr().out)["displaced"]
    (same,) = summarize_plan(partition(parse(file.read_text(), str(file)))).displaced
    assert row == same.as_json()
    assert row["weight"] == "embed" and row["axis"] == "data" and 0.25 <= row["share"] <= 1
