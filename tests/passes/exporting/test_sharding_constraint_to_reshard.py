"""Constraints become reshards, with all that they carry."""

from __future__ import annotations

from tests.passes.running import same_body


def test_a_constraint_becomes_a_reshard_with_the_same_sharding_and_attributes() -> None:
    same_body(
        "func.func(sdy-sharding-constraint-to-reshard)",
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.sharding_constraint %a <@m, [{"x", ?}p1], replicated={"y"}> {foo.bar = 2 : i32} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.reshard %arg0 <@m, [{"x", ?}p1], replicated={"y"}> {foo.bar = 2 : i32} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )
