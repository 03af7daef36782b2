"""Reductions over sharded dimensions go on as the collective behind them says, or are computed whole."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results

REDUCTIONS = [
    ("maximum", "f32"),
    ("minimum", "f32"),
    ("multiply", "f64"),
    ("add", "f32"),
    ("or", "i1"),
    ("and", "i1"),
    ("xor", "i32"),
]


@pytest.mark.parametrize("operation, element", REDUCTIONS)
@pytest.mark.parametrize("init", ["constant", "argument"])
def test_a_reduction_over_a_sharded_dimension_is_the_one_that_was_written(
    operation: str, element: str, init: str
) -> None:
    literal = {"i1": "true", "i32": "5"}.get(element, "3.0")
    start = "%c" if init == "argument" else "%k"
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x4x{element}> {on(P, Q)}, %c: tensor<{element}>) -> (tensor<4x{element}> {on(P)}) {{
          %k = stablehlo.constant dense<{literal}> : tensor<{element}>
          %0 = stablehlo.reduce(%x init: {start}) applies stablehlo.{operation} across dimensions = [1] {of(P)} : (tensor<4x4x{element}>, tensor<{element}>) -> tensor<4x{element}>
          %1 = sdy.all_reduce {{"q"}} %0 out_sharding=<@m, [{{"p"}}]> : tensor<4x{element}>
          return %1 : tensor<4x{element}>
        }}
        """,
    )


def test_a_reduction_that_no_collective_can_go_on_with_is_computed_whole() -> None:
    text = same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x6xf32> {on(P, Q)}, %i: tensor<4x6xi32> {on(P, Q)}) -> (tensor<6xf32> {on(Q)}, tensor<6xi32> {on(Q)}, tensor<6xf32>) {{
          %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
          %k = stablehlo.constant dense<0> : tensor<i32>
          %0:2 = stablehlo.reduce(%x init: %z), (%i init: %k) across dimensions = [0] {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"q"}}]>, <@m, [{{"q"}}]>]>}} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
            reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
              %g = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
              %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
              %w = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
              stablehlo.return %v, %w : tensor<f32>, tensor<i32>
            }}
          %1 = sdy.all_reduce {{"p"}} %0#0 out_sharding=<@m, [{{"q"}}]> : tensor<6xf32>
          %2 = sdy.all_reduce {{"p"}} %0#1 out_sharding=<@m, [{{"q"}}]> : tensor<6xi32>
          %3 = sdy.all_gather [{{"q"}}] %1 out_sharding=<@m, [{{}}]> : tensor<6xf32>
          return %1, %2, %3 : tensor<6xf32>, tensor<6xi32>, tensor<6xf32>
        }}
        """,
    )
    assert "all_reduce" not in text


def test_a_reduction_without_a_collective_behind_it_is_warned_of() -> None:
    module = pyshardy.parse(
        f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<4xf32> {on(P)}) -> tensor<f32> {{
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }}
        """
    )
    pyshardy.run_passes(module, CONVERT)
    (said,) = module.context.diagnostics
    assert said.severity == "warning"
    assert said.message == 'each device reduces its part along {"p"}, but no collective combines the results'
