"""Types of what is carried, called and returned become those of one device."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


def test_carried_values_of_a_loop_calls_and_whole_dynamic_slices_are_local() -> None:
    text = same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<4x8xf32> {on(P, Q)}, %n: tensor<i32>) -> (tensor<4x8xf32> {on(P, Q)}, tensor<1x8xf32> {on("", Q)}) {{
          %z = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %three = stablehlo.constant dense<3> : tensor<i32>
          %0:2 = stablehlo.while(%a = %x, %i = %z) : tensor<4x8xf32>, tensor<i32> attributes {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{"q"}}]>, <@m, []>]>}}
          cond {{
            %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            %b = func.call @twice(%a) {of(P, Q)} : (tensor<4x8xf32>) -> tensor<4x8xf32>
            %j = stablehlo.add %i, %one : tensor<i32>
            stablehlo.return %b, %j : tensor<4x8xf32>, tensor<i32>
          }}
          %1 = func.call @twice(%0#0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
          %h = stablehlo.negate %1 {of(P, Q)} : tensor<4x8xf32>
          %g = sdy.all_gather [{{"p"}}, {{}}] %h out_sharding=<@m, [{{}}, {{"q"}}]> : tensor<4x8xf32>
          %2 = stablehlo.dynamic_slice %g, %one, %n, sizes = [1, 8] {of("", Q)} : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
          return %1, %2 : tensor<4x8xf32>, tensor<1x8xf32>
        }}
        func.func private @twice(%x: tensor<4x8xf32> {on(P, Q)}) -> (tensor<4x8xf32> {on(P, Q)}) {{
          %0 = stablehlo.add %x, %x {of(P, Q)} : tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }}
        """,
    )
    assert text.count("tensor<4x8xf32>") == 0
