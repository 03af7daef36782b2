"""Windows that stay on their device."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


def test_windows_that_stay_on_their_device() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x12xf32> {on(P, Q)}) -> (tensor<4x4xf32> {on(P, Q)}) {{
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 3>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }}) {of(P, Q)} : (tensor<4x12xf32>, tensor<f32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }}
        """,
    )
