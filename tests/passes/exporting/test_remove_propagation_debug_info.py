"""What propagation wrote down for people goes."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import same_body


def test_debug_attributes_go_but_names_of_origins_stay() -> None:
    same_body(
        "sdy-remove-propagation-debug-info",
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {jax.x = 1 : i32, sdy.sharding_origins = {x = "self"}}) -> tensor<8xf32> attributes {sdy.sharding_origins = {x = "a"}} {
          %0 = sdy.sharding_constraint %a <@m, [{"x"}]> {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {x = "self"}} : tensor<8xf32>
          %1 = stablehlo.optimization_barrier {sdy.block_arg_propagation_edges = [], sdy.result_sharding_origins = []} %0 : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%arg0: tensor<8xf32> {jax.x = 1 : i32}) -> tensor<8xf32> attributes {sdy.sharding_origins = {x = "a"}} {
          %0 = sdy.sharding_constraint %arg0 <@m, [{"x"}]> {sdy.sharding_origin_name = "constraint_0"} : tensor<8xf32>
          %1 = stablehlo.optimization_barrier %0 : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
    )
