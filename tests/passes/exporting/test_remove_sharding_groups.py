"""Groups are gone after propagation."""

from __future__ import annotations

from tests.passes.running import same_body


def test_groups_go_wherever_they_stand() -> None:
    same_body(
        "sdy-remove-sharding-groups",
        """
        func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
          sdy.sharding_group %a group_id=0 : tensor<8xf32>
          %0 = "stablehlo.case"(%i) ({
            sdy.sharding_group %a group_id=1 : tensor<8xf32>
            stablehlo.return %a : tensor<8xf32>
          }) : (tensor<i32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
          %0 = "stablehlo.case"(%arg1) ({
            stablehlo.return %arg0 : tensor<8xf32>
          }) : (tensor<i32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )
