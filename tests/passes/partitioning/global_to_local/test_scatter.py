"""Scatters of sharded updates, into sharded operands."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import numpy as np
import pytest

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


@pytest.mark.parametrize("body", ["add", "maximum", "minimum", "multiply"])
@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2, "r"=32]>'])
def test_a_scatter_of_sharded_updates_into_a_sharded_operand(body: str, element: str, mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<8x6x{element}> {on(P, "")}, %i: tensor<4x1xi32> {on(Q, "")}, %u: tensor<4x6x{element}> {on(Q, "")}) -> (tensor<8x6x{element}> {on(P, "")}) {{
          %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
            %r = stablehlo.{body} %a, %b : tensor<{element}>
            stablehlo.return %r : tensor<{element}>
          }}) {of(P, "")} : (tensor<8x6x{element}>, tensor<4x1xi32>, tensor<4x6x{element}>) -> tensor<8x6x{element}>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x6x{element}>
          return %1 : tensor<8x6x{element}>
        }}
        """,
        inputs={1: np.array([[1], [7], [1], [8]], "int32")},
    )


def test_windows_of_a_scatter_along_a_sharded_dimension() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8x6xf32> {on(P, "")}, %i: tensor<3x2xi32>, %u: tensor<3x8x1xf32> {on("", P, "")}, %v: tensor<3x3x1xf32>) -> (tensor<8x6xf32> {on(P, "")}, tensor<8x6xf32> {on(P, "")}) {{
          %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<3x2xi32>, tensor<3x8x1xf32>) -> tensor<8x6xf32>
          %1 = "stablehlo.scatter"(%x, %i, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, "")} : (tensor<8x6xf32>, tensor<3x2xi32>, tensor<3x3x1xf32>) -> tensor<8x6xf32>
          return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
        }}
        """,
        inputs={1: np.array([[0, 1], [0, 5], [3, 2]], "int32")},
    )


def test_a_scatter_of_two_element_types_and_into_a_scalar() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<8xf32>, %y: tensor<8xi32>, %i: tensor<4x1xi32> {on(P, "")}, %u: tensor<4xf32> {on(P)}, %v: tensor<4xi32> {on(P)}, %s: tensor<f32>, %j: tensor<4x0xi32> {on(P, "")}) -> (tensor<8xf32>, tensor<8xi32>, tensor<f32>) {{
          %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %c: tensor<i32>, %b: tensor<f32>, %d: tensor<i32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            %t = stablehlo.add %c, %d : tensor<i32>
            stablehlo.return %r, %t : tensor<f32>, tensor<i32>
          }}) : (tensor<8xf32>, tensor<8xi32>, tensor<4x1xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<8xf32>, tensor<8xi32>)
          %1 = sdy.all_reduce {{"p"}} %0#0 out_sharding=<@m, [{{}}]> : tensor<8xf32>
          %2 = sdy.all_reduce {{"p"}} %0#1 out_sharding=<@m, [{{}}]> : tensor<8xi32>
          %3 = "stablehlo.scatter"(%s, %j, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) : (tensor<f32>, tensor<4x0xi32>, tensor<4xf32>) -> tensor<f32>
          %4 = sdy.all_reduce {{"p"}} %3 out_sharding=<@m, []> : tensor<f32>
          return %1, %2, %4 : tensor<8xf32>, tensor<8xi32>, tensor<f32>
        }}
        """,
        inputs={2: np.array([[0], [7], [0], [9]], "int32"), 6: np.zeros((4, 0), "int32")},
    )
