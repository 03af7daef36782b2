"""All dimensions are closed in the end."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import first_error, same_body

CLOSE = "sdy-close-shardings"


def test_dimensions_close_and_replicated_axes_go_wherever_a_sharding_stands() -> None:
    same_body(
        CLOSE,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p3], replicated={"y"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}], unreduced={"y"}>}) {
          %0 = sdy.sharding_constraint %a <@m, [{?}]> : tensor<8xf32>
          %1 = stablehlo.negate %0 {other = #sdy.sharding<@m, [{?}]>, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", ?}]>]>} : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p3]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"y"}>}) {
          %0 = sdy.sharding_constraint %arg0 <@m, [{}]> : tensor<8xf32>
          %1 = stablehlo.negate %0 {other = #sdy.sharding<@m, [{?}]>, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>} : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
    )


def test_the_arguments_of_a_declaration_close_too() -> None:
    same_body(
        CLOSE,
        """
        sdy.mesh @m = <["x"=2]>
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}]>})
        """,
        """
        sdy.mesh @m = <["x"=2]>
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
        """,
    )


def test_a_priority_on_an_empty_dimension_is_refused_afterwards() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}p2]>}) { return }
        """
    assert first_error(CLOSE, program) == "'func.func' op arg 0 - dim 0 is empty and closed but has a priority"
