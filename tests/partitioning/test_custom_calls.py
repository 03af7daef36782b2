"""Custom calls: what is known of a target decides how it is shared."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition

_HEAD = """
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<10x3x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}, {}]>})
    -> (tensor<10x3x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}, {}]>}) {
"""


def _plan(call: str) -> Plan:
    body = f"  %0 = {call} : (tensor<10x3x3xf32>) -> tensor<10x3x3xf32>\n  return %0 : tensor<10x3x3xf32>\n}}"
    return partition(parse(_HEAD + body), propagated=True)


@pytest.mark.parametrize("target", ["annotate_device_placement", "MoveToHost", "LayoutConstraint"])
def test_moves_between_memories_take_each_shard_as_it_is(target: str) -> None:
    plan = _plan(f'stablehlo.custom_call @{target}(%a) {{backend_config = ""}}')
    assert plan.collectives == ()
    assert f"@{target}(%arg0)" in str(plan.module)
    assert "tensor<3x2x3xf32>" in str(plan.module)
    assert plan.check().agrees


def test_a_marker_for_another_partitioner_is_dropped() -> None:
    plan = _plan('stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"}')
    assert "custom_call" not in str(plan.module)
    assert plan.collectives == ()


def test_a_decomposition_gathers_the_matrices_of_its_own_batch() -> None:
    plan = _plan("stablehlo.custom_call @Cholesky(%a)")
    assert [(one.kind, one.group_size) for one in plan.collectives] == [("all_gather", 2)]


def test_an_unknown_call_is_shared_along_the_batch_that_its_rule_names() -> None:
    rule = "#sdy.op_sharding_rule<([i, j, k])->([i, l, m]) {i=10, j=3, k=3, l=3, m=3}, custom>"
    plan = _plan(f"stablehlo.custom_call @mine(%a) {{sdy.sharding_rule = {rule}}}")
    assert [(one.kind, one.group_size) for one in plan.collectives] == [("all_gather", 2)]
    assert "@mine(%" in str(plan.module)
    assert "(tensor<3x3x3xf32>) -> tensor<3x3x3xf32>" in str(plan.module)


def test_an_unknown_call_runs_whole_with_a_remark() -> None:
    body = "  %0 = stablehlo.custom_call @mine(%a) : (tensor<10x3x3xf32>) -> tensor<10x3x3xf32>\n"
    module = parse(_HEAD + body + "  return %0 : tensor<10x3x3xf32>\n}")
    plan = partition(module, propagated=True)
    heard = plan.local.context.diagnostics
    assert [one.severity for one in heard] == ["remark"]
    assert "every device runs custom call @mine whole" in heard[0].message
    assert "(tensor<10x3x3xf32>) -> tensor<10x3x3xf32>" in str(plan.module)


def test_a_public_comparator_stays_local_in_the_manual_form() -> None:
    """JAX's comparators of approximate top-k are public, and XLA takes no manual computation in one."""
    text = """
        sdy.mesh @m = <["x"=4, "y"=2]>
        func.func @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
          %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          return %0 : tensor<i1>
        }
        func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x3xf32> {
          %i = stablehlo.iota dim = 1 : tensor<8x16xi32>
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %n = stablehlo.constant dense<-1> : tensor<i32>
          %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %z, %n) {called_computations = [@larger],
              mhlo.backend_config = {top_k = 3 : i64, reduction_dim = 1 : i64}}
              : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
          return %0#0 : tensor<8x3xf32>
        }
    """
    plan = partition(parse(text), emit="manual")
    printed = str(plan.module)
    assert printed.count("sdy.manual_computation") == 1
    assert "return %0 : tensor<i1>" in printed[printed.index("@larger(") :]
    assert plan.check().agrees
