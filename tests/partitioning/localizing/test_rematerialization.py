"""Broadcasts, masks and the like in another layout: made anew there, of what they are made of."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from pyshardy.ir.types import TensorType
from tests.partitioning.random_layouts import MESHES
from tests.partitioning.sharding_text import sharded, sharding


def _plan(arguments: str, results: str, body: str) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> ({results}) {{\n{body}\n}}"
    plan = partition(parse(text), propagated=True)
    assert plan.check().agrees
    return plan


def _largest(plan: Plan) -> int:
    """The elements of the largest result in the program of one device."""
    types = [result.type for op in plan.module.op.operations() for result in op.results]
    return max(one.num_elements for one in types if isinstance(one, TensorType))


def _placed(axes: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[{axes}]>}}"


def test_of_a_broadcast_that_is_needed_elsewhere_only_the_operand_moves() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<8xf32>', 'x')}, %b: {sharded('tensor<8x16xf32>', '', 'x')}",
        sharded("tensor<8x16xf32>", "", "x"),
        f"""
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] {_placed(sharding("x", ""))} : (tensor<8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.multiply %0, %b {_placed(sharding("", "x"))} : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>""",
    )
    assert [str(one.op.results[0].type) for one in plan.collectives] == ["tensor<8xf32>"]
    assert _largest(plan) == 8 * 4


@pytest.mark.parametrize("heads", [8, 3])
def test_a_mask_is_made_on_the_shard_though_there_are_fewer_heads_than_devices(heads: int) -> None:
    scores, mask = f"tensor<{heads}x16x16xf32>", f"tensor<{heads}x16x16xi1>"
    plan = _plan(
        f"%s: {sharded(scores, 'x', '', '')}, %i: tensor<16xi32>",
        sharded(scores, "x", "", ""),
        f"""
  %0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<16xi32>) -> tensor<16x16xi32>
  %1 = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %2 = stablehlo.compare LE, %1, %0 : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] {_placed(sharding("", "", ""))} : (tensor<16x16xi1>) -> {mask}
  %z = stablehlo.constant dense<0.0> : {scores}
  %4 = stablehlo.select %3, %s, %z {_placed(sharding("x", "", ""))} : {mask}, {scores}
  return %4 : {scores}""",
    )
    assert plan.collectives == ()
    assert _largest(plan) == 16 * 16 * -(-heads // 4)


def test_what_is_made_of_counts_alone_is_made_anew_in_any_layout() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<16x16xf32>', '', 'x')}",
        sharded("tensor<16x16xf32>", "", "x"),
        f"""
  %0 = stablehlo.iota dim = 0 {_placed(sharding("x", ""))} : tensor<16x16xf32>
  %1 = stablehlo.iota dim = 1 {_placed(sharding("x", ""))} : tensor<16x16xf32>
  %2 = stablehlo.subtract %0, %1 {_placed(sharding("x", ""))} : tensor<16x16xf32>
  %3 = stablehlo.abs %2 {_placed(sharding("x", ""))} : tensor<16x16xf32>
  %4 = stablehlo.add %3, %a {_placed(sharding("", "x"))} : tensor<16x16xf32>
  return %4 : tensor<16x16xf32>""",
    )
    assert plan.collectives == ()
    assert _largest(plan) == 16 * 4


def test_what_is_worked_out_of_whole_arguments_is_made_on_the_shard() -> None:
    plan = _plan(
        f"%w: tensor<16x16xf32>, %x: {sharded('tensor<16x16xbf16>', 'x', '')}",
        sharded("tensor<16x16xbf16>", "x", ""),
        f"""
  %0 = stablehlo.convert %w {_placed(sharding("", ""))} : (tensor<16x16xf32>) -> tensor<16x16xbf16>
  %1 = stablehlo.add %0, %x {_placed(sharding("x", ""))} : tensor<16x16xbf16>
  return %1 : tensor<16x16xbf16>""",
    )
    assert plan.collectives == ()
    assert _largest(plan) == 16 * 4
