"""Communication around a dot is left to XLA."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import same_body

REMOVE = "func.func(sdy-remove-all-gather-reduce-scatter-for-cmv1)"


def test_a_gather_that_feeds_only_a_dot_goes() -> None:
    same_body(
        REMOVE,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
          %0 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
          %1 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
          %2 = stablehlo.dot %0, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          %3 = stablehlo.dot %1, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
          %0 = sdy.all_gather [{}, {"x"}] %arg0 out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
          %1 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          %2 = stablehlo.dot %0, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
        }
        """,
    )


def test_a_dot_takes_the_sharding_of_the_scatter_behind_it_even_if_it_had_none() -> None:
    same_body(
        REMOVE,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
          %0 = stablehlo.dot %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
          return %1 : tensor<8x8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
          %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
          return %0 : tensor<8x8xf32>
        }
        """,
    )
