"""Constraints shard what they constrain, where they say all there is to say."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

from tests.passes.running import body_after, same_body

APPLY = "sdy-apply-sharding-constraints"
HEAD = """
    sdy.mesh @m = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.negate %a : tensor<8xf32>
    """
NEGATE_SHARDED = 'stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}'


def program(*lines: str) -> str:
    return HEAD + "\n".join(lines) + "\nreturn %1 : tensor<8xf32>\n}"


def test_a_closed_constraint_shards_its_input_and_carries_its_rule() -> None:
    after = body_after(APPLY, program('%1 = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<8xf32>'))
    assert NEGATE_SHARDED in after
    assert (
        'sharding_constraint %0 <@m, [{"x"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>}' in after
    )


@pytest.mark.parametrize(
    "lines",
    [
        ('%1 = sdy.sharding_constraint %0 <@m, [{"x", ?}]> : tensor<8xf32>',),
        (
            '%1 = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<8xf32>',
            '%2 = sdy.sharding_constraint %0 <@m, [{"y"}]> : tensor<8xf32>',
        ),
        (
            '%1 = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<8xf32>',
            '%2 = sdy.sharding_constraint %0 <@m, [{"x"}], replicated={"y"}> : tensor<8xf32>',
        ),
    ],
)
def test_an_open_constraint_or_two_that_differ_change_nothing(lines: tuple[str, ...]) -> None:
    text = program(*lines)
    assert body_after(APPLY, text) == body_after("symbol-dce", text)


def test_users_behind_a_chain_read_its_end() -> None:
    same_body(
        APPLY,
        program(
            '%2 = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<8xf32>',
            "%3 = stablehlo.sine %0 : tensor<8xf32>",
            '%4 = sdy.sharding_constraint %2 <@m, [{"y", ?}]> : tensor<8xf32>',
            "%1 = stablehlo.add %0, %3 : tensor<8xf32>",
        ),
        f"""
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {{
          %0 = {NEGATE_SHARDED} : tensor<8xf32>
          %1 = sdy.sharding_constraint %0 <@m, [{{"x"}}]> {{sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {{i=8}}>}} : tensor<8xf32>
          %2 = stablehlo.sine %0 : tensor<8xf32>
          %3 = sdy.sharding_constraint %1 <@m, [{{"y", ?}}]> : tensor<8xf32>
          %4 = stablehlo.add %3, %2 : tensor<8xf32>
          return %4 : tensor<8xf32>
        }}
        """,
    )


def test_all_uses_of_an_edge_read_the_constraint_instead() -> None:
    same_body(
        APPLY,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
          %1 = sdy.data_flow_edge %0 : tensor<8xf32>
          %2 = stablehlo.negate %1 : tensor<8xf32>
          %3 = sdy.sharding_constraint %1 <@m, [{"x"}], unreduced={"y"}> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
          %1 = sdy.data_flow_edge %0 sharding=<@m, [{?}], unreduced={"y"}> : tensor<8xf32>
          %2 = sdy.sharding_constraint %1 <@m, [{"x"}], unreduced={"y"}> : tensor<8xf32>
          %3 = stablehlo.negate %2 : tensor<8xf32>
          return %2 : tensor<8xf32>
        }
        """,
    )


def test_a_manual_computation_constrains_its_operands() -> None:
    after = body_after(
        APPLY,
        program(
            '%1 = sdy.manual_computation(%0) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>]'
            ' manual_axes={"x"} (%p: tensor<4xf32>) {',
            "sdy.return %p : tensor<4xf32>",
            "} : (tensor<8xf32>) -> tensor<8xf32>",
        ),
    )
    assert NEGATE_SHARDED in after
