"""What nobody has told how to share is computed whole by every device."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.partitioning.program_text import CONVERT, P, Q, X, of, on, one_operation
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after, first_error


def test_parts_chosen_at_run_time_and_operations_without_rule_are_computed_whole() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main({X}, %u: tensor<8x2xf32> {on(P, "")}, %i: tensor<i32>) -> (tensor<8x3xf32> {on(P, "")}, tensor<8x6xf32> {on(P, Q)}, tensor<8x2xf32> {on(P, "")}, tensor<8x6xf32> {on(P, Q)}, tensor<8x6xf32>, tensor<0x4xf32>) {{
          %k = stablehlo.constant dense<2> : tensor<i32>
          %0 = stablehlo.dynamic_slice %x, %k, %k, sizes = [8, 3] {of(P, "")} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
          %1 = stablehlo.dynamic_update_slice %x, %u, %k, %k {of(P, Q)} : (tensor<8x6xf32>, tensor<8x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
          %v, %j = chlo.top_k(%x, k = 2) {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{}}]>, <@m, [{{"p"}}, {{}}]>]>}} : tensor<8x6xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
          %2 = chlo.square %x {of(P, Q)} : tensor<8x6xf32> -> tensor<8x6xf32>
          %3 = chlo.square %x : tensor<8x6xf32> -> tensor<8x6xf32>
          %e = sdy.constant {of("", Q)} dense<> : tensor<0x4xf32>
          %f = sdy.all_gather [{{}}, {{"q"}}] %e out_sharding=<@m, [{{}}, {{}}]> : tensor<0x4xf32>
          return %0, %1, %v, %2, %3, %f : tensor<8x3xf32>, tensor<8x6xf32>, tensor<8x2xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<0x4xf32>
        }}
        """,
    )


def test_random_numbers_are_those_of_the_whole_tensor() -> None:
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main() -> (tensor<2xui64>, tensor<4x6xui32> {on(P, Q)}) {{
          %c = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
          %0, %1 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}]>, <@m, [{{"p"}}, {{"q"}}]>]>}} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
          return %0, %1 : tensor<2xui64>, tensor<4x6xui32>
        }}
        """,
    )


def test_a_custom_call_whose_results_share_memory_with_operands_keeps_their_types() -> None:
    program = f"""
        sdy.mesh @m = <["p"=2]>
        func.func @main(%x: tensor<4x4xf32> {on(P, "")}) -> tensor<4x4xf32> {{
          %0 = stablehlo.custom_call @f(%x) {{output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }}
        """
    text = body_after(CONVERT, program)
    assert "stablehlo.all_gather" in text
    assert "stablehlo.custom_call @f(%0)" in text


def test_what_is_computed_whole_cannot_be_unreduced() -> None:
    sharding = '#sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"q"}>]>'
    cut = f"%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [8, 3] {{sdy.sharding = {sharding}}} : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>"
    text = one_operation(f"%x: tensor<8x6xf32> {on('', P)}, %i: tensor<i32>", cut, "tensor<8x3xf32>", "")
    assert first_error(CONVERT, text) == (
        "results are unreduced, but every device computes the whole operation; reshard them afterwards"
    )
