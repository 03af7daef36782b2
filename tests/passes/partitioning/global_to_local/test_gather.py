"""Gathers from sharded dimensions."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import numpy as np
import pytest

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


@pytest.mark.parametrize("element", ["i32", "i64"])
@pytest.mark.parametrize(
    "mesh", ['<["p"=2, "q"=2]>', '<["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>', '<["p"=2, "q"=2, "r"=32]>']
)
def test_a_gather_from_sharded_dimensions_finds_every_row(element: str, mesh: str) -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<8x6xf32> {on(P, Q)}, %i: tensor<5x1x{element}>, %j: tensor<7x2x{element}>) -> (tensor<5x6xf32> {on("", Q)}, tensor<7xf32>) {{
          %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}}> {of("", Q)} : (tensor<8x6xf32>, tensor<5x1x{element}>) -> tensor<5x6xf32>
          %1 = sdy.all_reduce {{"p"}} %0 out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<5x6xf32>
          %2 = "stablehlo.gather"(%x, %j) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : (tensor<8x6xf32>, tensor<7x2x{element}>) -> tensor<7xf32>
          %3 = sdy.all_reduce {{"p", "q"}} %2 out_sharding=<@m, [{{}}]> : tensor<7xf32>
          return %1, %3 : tensor<5x6xf32>, tensor<7xf32>
        }}
        """,
        inputs={
            1: np.array([[0], [7], [3], [-4], [99]], "int32" if element == "i32" else "int64"),
            2: np.array(
                [[0, 0], [5, 7], [2, 3], [3, 4], [-1, 9], [9, -1], [4, 1]], "int32" if element == "i32" else "int64"
            ),
        },
    )
