"""Named computations become functions and calls."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import same_body


def test_shardings_of_edges_become_those_of_arguments_and_of_the_call() -> None:
    same_body(
        "sdy-export-named-computations",
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func private @f() { return }
        func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.named_computation<"f">(%a, %b) in_shardings=[<@m, [{"x"}]>, <@m, [{"x"}]>] (%p: tensor<8xf32>, %q: tensor<8xf32>) {
            %1 = sdy.data_flow_edge %p sharding=<@m, [{"y"}]> : tensor<8xf32>
            %2 = sdy.data_flow_edge %q : tensor<8xf32>
            %3 = stablehlo.add %1, %2 : tensor<8xf32>
            sdy.return %3 : tensor<8xf32>
          } {execution_thread = "host", xla.k = "v"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
          %1 = sdy.data_flow_edge %0 sharding=<@m, [{"x", ?}]> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func private @f() {
          return
        }
        func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f_0(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}]>]>, xla.k = "v"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f_0(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}]>}) -> tensor<8xf32> attributes {execution_thread = "host", sdy.original_func_name = "f"} {
          %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )


def test_without_shardings_on_edges_the_lists_of_the_computation_count() -> None:
    same_body(
        "sdy-export-named-computations",
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.named_computation<"f">(%a) out_shardings=[<@m, [{"x"}]>] (%p: tensor<8xf32>) {
            sdy.return %p : tensor<8xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
          return %arg0 : tensor<8xf32>
        }
        """,
    )
