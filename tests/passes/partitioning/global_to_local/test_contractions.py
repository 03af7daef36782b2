"""Products and convolutions whose sums are combined behind them."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


def test_dots_and_grouped_convolutions() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<6x8xf32> {on(Q, "")}, %i: tensor<4x5x4xf32> {on("", "", Q)}, %k: tensor<3x2x8xf32> {on("", "", Q)}, %j: tensor<4x5x4xf32> {on(P, "", Q)}, %l: tensor<3x4x8xf32> {on("", Q, "")}) -> (tensor<8x8xf32> {on(P, "")}, tensor<4x3x8xf32> {on("", "", Q)}, tensor<4x3x8xf32> {on(P, "", "")}) {{
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {of(P, "")} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}, {{}}]> : tensor<8x8xf32>
          %2 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{}}, {{"q"}}]>]>}} : (tensor<4x5x4xf32>, tensor<3x2x8xf32>) -> tensor<4x3x8xf32>
          %3 = stablehlo.convolution(%j, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{}}, {{}}]>]>}} : (tensor<4x5x4xf32>, tensor<3x4x8xf32>) -> tensor<4x3x8xf32>
          %4 = sdy.all_reduce {{"q"}} %3 out_sharding=<@m, [{{"p"}}, {{}}, {{}}]> : tensor<4x3x8xf32>
          return %1, %2, %4 : tensor<8x8xf32>, tensor<4x3x8xf32>, tensor<4x3x8xf32>
        }}
        """,
    )


@pytest.mark.parametrize("follower", ['all_reduce {"p", "q"} %0', 'reduce_scatter [{"q", "p"}, {}] %0'])
def test_a_dot_is_summed_over_its_axes_in_any_order_and_may_be_scattered(follower: str) -> None:
    out = ('"q", "p"', "") if "scatter" in follower else ("", "")
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8x12xf32> {on("", '"q", "p"')}, %y: tensor<12x4xf32> {on('"q", "p"', "")}) -> (tensor<8x4xf32> {on(*out)}) {{
          %0 = stablehlo.dot %x, %y {of("", "")} : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
          %1 = sdy.{follower} out_sharding=<@m, [{{{out[0]}}}, {{}}]> : tensor<8x4xf32>
          return %1 : tensor<8x4xf32>
        }}
        """,
    )
