"""Shardings and meshes come off a program."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import first_error, same_body

DROP = "sdy-drop-sharding-and-mesh"


def test_shardings_go_from_operations_arguments_and_results() -> None:
    same_body(
        DROP,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
          %0 = stablehlo.negate %a {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.negate %arg0 {foo.bar = 1 : i32} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )


def test_a_constraint_that_is_left_has_lost_its_mesh() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.sharding_constraint %a <@m, [{"x"}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    assert first_error(DROP, program) == "'sdy.sharding_constraint' op unknown mesh: @m"
