"""The boundary of the program has full axes only, where the user left it open."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import first_error, same_body

REMOVE = "sdy-remove-sub-axes-in-input-output-shardings"


def test_open_dimensions_of_main_end_before_their_first_sub_axis() -> None:
    same_body(
        REMOVE,
        """
        sdy.mesh @m = <["x"=4, "y"=2, "z"=2]>
        func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x":(1)2, "z", ?}p1, {"x":(2)2}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, ?}, {"y", ?}]>}) {
          return %a : tensor<8x8xf32>
        }
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, ?}]>})
        """,
        """
        sdy.mesh @m = <["x"=4, "y"=2, "z"=2]>
        func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}p1, {"x":(2)2}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>}) {
          return %arg0 : tensor<8x8xf32>
        }
        func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, ?}]>})
        """,
    )


def test_a_program_without_a_main_function_is_an_error() -> None:
    program = "func.func private @f(tensor<8xf32>) func.func private @g(tensor<8xf32>)"
    assert first_error(REMOVE, program) == "Failed to lookup function: main"
