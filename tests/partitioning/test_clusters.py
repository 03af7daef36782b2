"""Clusters of operations are planned together: what they start from is brought where it serves all of them."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from tests.partitioning.random_layouts import MESHES
from tests.partitioning.sharding_text import sharded

_X = "tensor<16x32xf32>"


def _plan(arguments: str, results: str, body: str, *, propagated: bool = False) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> ({results}) {{\n{body}\n}}"
    plan = partition(parse(text), propagated=propagated)
    assert plan.check().agrees
    return plan


def _kinds(plan: Plan) -> list[str]:
    return [one.kind for one in plan.collectives]


def _rolled(value: str, by: int, result: str) -> str:
    return f"""
  {result}_a = stablehlo.slice {value} [{16 - by}:16, 0:32] : ({_X}) -> tensor<{by}x32xf32>
  {result}_b = stablehlo.slice {value} [0:{16 - by}, 0:32] : ({_X}) -> tensor<{16 - by}x32xf32>
  {result} = stablehlo.concatenate {result}_a, {result}_b, dim = 0
      : (tensor<{by}x32xf32>, tensor<{16 - by}x32xf32>) -> {_X}"""


def test_what_is_reversed_twice_stays_where_it_is() -> None:
    reverse = f'{{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"x"}}, {{"y"}}]>]>}} : {_X}'
    plan = _plan(
        f"%a: {sharded(_X, 'x', 'y')}",
        sharded(_X, "x", "y"),
        f"""
  %0 = stablehlo.reverse %a, dims = [0, 1] {reverse}
  %1 = stablehlo.negate %0 {reverse}
  %2 = stablehlo.reverse %1, dims = [0, 1] {reverse}
  return %2 : {_X}""",
        propagated=True,
    )
    assert plan.collectives == ()


def test_permutes_that_follow_each_other_are_one() -> None:
    plan = _plan(
        f"%a: {sharded(_X, 'x', 'y')}",
        sharded(_X, "y", "x"),
        f"%0 = stablehlo.reverse %a, dims = [0, 1] : {_X}\nreturn %0 : {_X}",
    )
    assert sorted(_kinds(plan)) == ["all_to_all", "collective_permute"]


@pytest.mark.parametrize("by", [3, 4, 13])
def test_a_roll_onto_the_other_dimension_moves_the_tensor_once(by: int) -> None:
    body = f"{_rolled('%a', by, '%r0')}\n  return %r0 : {_X}"
    plan = _plan(f"%a: {sharded(_X, 'x', '')}", sharded(_X, "", "x"), body)
    assert _kinds(plan) == ["all_to_all"]


def test_neighbours_that_meet_in_another_layout_are_brought_there_first() -> None:
    body = f"""{_rolled("%a", 1, "%r0")}{_rolled("%a", 15, "%r1")}
  %2 = stablehlo.add %r0, %r1 : {_X}
  %two = stablehlo.constant dense<2.0> : {_X}
  %3 = stablehlo.multiply %a, %two : {_X}
  %4 = stablehlo.subtract %2, %3 : {_X}
  return %4 : {_X}"""
    plan = _plan(f"%a: {sharded(_X, 'x', '')}", sharded(_X, "", "x"), body)
    assert _kinds(plan) == ["all_to_all"]
    stays = _plan(f"%a: {sharded(_X, 'x', '')}", sharded(_X, "x", ""), body)
    assert _kinds(stays) == ["collective_permute", "collective_permute"]


def test_neighbours_that_are_turned_are_brought_where_the_turned_one_is_wanted() -> None:
    turned = "tensor<32x16xf32>"
    body = f"""{_rolled("%a", 3, "%r0")}
  %1 = stablehlo.transpose %r0, dims = [1, 0] : ({_X}) -> {turned}
  return %1 : {turned}"""
    plan = _plan(f"%a: {sharded(_X, 'x', '')}", sharded(turned, "x", ""), body)
    assert _kinds(plan) == ["all_to_all"]


def test_functions_that_are_called_once_belong_to_the_stretch() -> None:
    calls = "\n".join(f"  %{i} = call @roll{i}(%a) : ({_X}) -> {_X}" for i in (1, 2))
    functions = "\n}\n".join(
        f"func.func private @roll{i}(%b: {_X}) -> {_X} {{{_rolled('%b', 3 * i, '%r0')}\n  return %r0 : {_X}"
        for i in (1, 2)
    )
    body = f"{calls}\n  %3 = stablehlo.add %1, %2 : {_X}\n  return %3 : {_X}\n}}\n{functions}"
    plan = _plan(f"%a: {sharded(_X, 'x', '')}", sharded(_X, "", "x"), body)
    assert _kinds(plan) == ["all_to_all"]


def test_what_is_reshaped_again_for_each_user_is_gathered_once() -> None:
    x, w, flat = "tensor<2x16x32xf32>", "tensor<32x64xf32>", "tensor<32x32xf32>"
    once = f"""
  %NUMBER = stablehlo.reshape %a : ({x}) -> {flat}
  %pNUMBER = stablehlo.dot_general %NUMBER, %wNUMBER, contracting_dims = [1] x [0] : ({flat}, {w}) -> tensor<32x64xf32>
"""
    body = "".join(once.replace("NUMBER", number) for number in "12")
    plan = _plan(
        f"%a: {sharded(x, '', '', 'x')}, %w1: {sharded(w, '', 'x')}, %w2: {sharded(w, '', 'x')}",
        f"{sharded('tensor<32x64xf32>', '', 'x')}, {sharded('tensor<32x64xf32>', '', 'x')}",
        f"{body}\n  return %p1, %p2 : tensor<32x64xf32>, tensor<32x64xf32>",
    )
    assert plan.bytes_moved == 2 * 16 * 32 * 4 * 3 / 4


def test_a_sum_goes_where_that_is_which_it_is_added_to() -> None:
    x, w, flat = "tensor<2x16x32xf32>", "tensor<64x32xf32>", "tensor<32x32xf32>"
    module = parse(f"""
sdy.mesh @m = {MESHES["m"]}
func.func @main(%x: {sharded(x, "", "", "x")}, %a: {sharded("tensor<32x64xf32>", "", "x")},
    %w: {sharded(w, "x", "")}) -> ({sharded(x, "", "", "x")}) {{
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, {w}) -> {flat}
  %1 = stablehlo.reshape %0 : ({flat}) -> {x}
  %2 = stablehlo.add %1, %x : {x}
  return %2 : {x}
}}""")
    partitioner = Partitioner(SourceProgram(module.op), module.context, RunOptions(ignore_requested=True))
    partitioner.run()
    assert [one.kind for one in partitioner.emitted_collectives] == ["reduce_scatter"]


def test_a_tensor_that_is_returned_in_two_layouts_is_brought_where_both_cost_least() -> None:
    x = "tensor<16x16xf32>"
    plan = _plan(
        f"%a: {sharded(x, '', 'x')}",
        f"{sharded(x, 'y', '')}, {sharded(x, 'x', 'y')}",
        f"""
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %a, %one, low = [0, 0], high = [0, 0], interior = [0, 0] : ({x}, tensor<f32>) -> {x}
  return %0, %0 : {x}, {x}""",
    )
    assert plan.bytes_moved <= 8 * 16 * 4 * 3 / 4 + 4 * 8 * 4


def test_a_slice_of_what_was_padded_comes_from_where_the_stretch_begins() -> None:
    x, turned, less = "tensor<12x16xf32>", "tensor<16x12xf32>", "tensor<11x16xf32>"
    nine, three = "tensor<9x16xf32>", "tensor<3x16xf32>"
    plan = _plan(
        f"%a: {sharded(x, 'x', 'y')}",
        f"{sharded(less, 'x,y', '')}, {sharded(turned, 'x', 'y')}",
        f"""
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %a, %one, low = [0, 0], high = [0, 0], interior = [0, 0] : ({x}, tensor<f32>) -> {x}
  %1 = stablehlo.slice %0 [3:12, 0:16] : ({x}) -> {nine}
  %2 = stablehlo.slice %0 [0:3, 0:16] : ({x}) -> {three}
  %3 = stablehlo.concatenate %1, %2, dim = 0 : ({nine}, {three}) -> {x}
  %4 = stablehlo.transpose %a, dims = [1, 0] : ({x}) -> {turned}
  %5 = stablehlo.slice %3 [1:12, 0:16] : ({x}) -> {less}
  %6 = stablehlo.slice %3 [0:11, 0:16] : ({x}) -> {less}
  %7 = stablehlo.subtract %5, %6 : {less}
  return %7, %4 : {less}, {turned}""",
    )
    # The whole tensor is gathered, once.
    assert plan.bytes_moved <= (12 - 12 / 8) * 16 * 4
