"""Pads and slices that move nothing."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


@pytest.mark.parametrize(
    "mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>', '<["p"=2, "q"=2, "r"=32]>']
)
def test_pads_and_slices_that_move_nothing(mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<4x6xf32> {on(P, Q)}, %c: tensor<f32>) -> (tensor<8x12xf32> {on(P, Q)}, tensor<6x6xf32> {on(P, Q)}, tensor<2x2xf32> {on(P, Q)}) {{
          %0 = stablehlo.pad %x, %c, low = [2, 0], high = [2, 1], interior = [0, 1] {of(P, Q)} : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x12xf32>
          %1 = stablehlo.pad %x, %c, low = [1, 0], high = [1, 0], interior = [0, 0] {of(P, Q)} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x6xf32>
          %2 = stablehlo.slice %x [0:4:2, 0:6:3] {of(P, Q)} : (tensor<4x6xf32>) -> tensor<2x2xf32>
          return %0, %1, %2 : tensor<8x12xf32>, tensor<6x6xf32>, tensor<2x2xf32>
        }}
        """,
    )
