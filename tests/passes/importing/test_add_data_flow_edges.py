"""Values that flow into or out of regions get an edge each."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import same_body


def test_edges_stand_behind_their_owners_in_order_and_take_their_shardings() -> None:
    same_body(
        "sdy-add-data-flow-edges",
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>, %t: !stablehlo.token, %i: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
          %0:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>, <@m, []>]>} %a, %t, %i : tensor<8xf32>, !stablehlo.token, tensor<i32>
          return %0#0, %0#2 : tensor<8xf32>, tensor<i32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
          %0:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>, <@m, []>]>} %arg0, %arg1, %arg2 : tensor<8xf32>, !stablehlo.token, tensor<i32>
          %1 = sdy.data_flow_edge %0#0 sharding=<@m, [{"x"}]> : tensor<8xf32>
          %2 = sdy.data_flow_edge %0#2 sharding=<@m, []> : tensor<i32>
          return %1, %2 : tensor<8xf32>, tensor<i32>
        }
        """,
    )


def test_the_edge_of_a_manual_argument_does_not_see_manual_axes() -> None:
    same_body(
        "sdy-add-data-flow-edges",
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x", "y", ?}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>) {
            sdy.return %p : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"x", "y", ?}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
            %2 = sdy.data_flow_edge %arg1 sharding=<@m, [{"y", ?}]> : tensor<4xf32>
            sdy.return %2 : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          %1 = sdy.data_flow_edge %0 sharding=<@m, [{"x"}]> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
    )
