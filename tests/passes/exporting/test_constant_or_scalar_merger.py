"""Equal constants, and equal broadcasts of one scalar, become one."""

from __future__ import annotations

from tests.passes.running import same_body

MERGE = "builtin.module(func.func(sdy-constant-or-scalar-merger))"


def test_constants_merge_into_the_first_whatever_their_operation() -> None:
    same_body(
        MERGE,
        """
        func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
          %0 = sdy.constant dense<1.0> : tensor<2xf32>
          %1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
          %2 = sdy.constant {k = 1 : i32} dense<1.0> : tensor<2xf32>
          return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
        }
        """,
        """
        func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
          %0 = sdy.constant dense<1.000000e+00> : tensor<2xf32>
          %1 = sdy.constant {k = 1 : i32} dense<1.000000e+00> : tensor<2xf32>
          return %0, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
        }
        """,
    )


def test_zero_and_minus_zero_are_two_constants() -> None:
    same_body(
        MERGE,
        """
        func.func @main() -> (tensor<f32>, tensor<f32>) {
          %0 = sdy.constant dense<0.0> : tensor<f32>
          %1 = sdy.constant dense<-0.0> : tensor<f32>
          return %0, %1 : tensor<f32>, tensor<f32>
        }
        """,
        """
        func.func @main() -> (tensor<f32>, tensor<f32>) {
          %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
          %1 = sdy.constant dense<-0.000000e+00> : tensor<f32>
          return %0, %1 : tensor<f32>, tensor<f32>
        }
        """,
    )


def test_broadcasts_merge_if_scalar_type_and_sharding_agree() -> None:
    same_body(
        MERGE,
        """
        func.func @main(%s: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>) {
          %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
          %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
          %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
          return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>) {
          %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2xf32>
          %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4xf32>
          return %0, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>
        }
        """,
    )
