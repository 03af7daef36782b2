"""The edges of calls and functions go, and their shardings stay."""

from __future__ import annotations

from tests.passes.running import body_after, same_body

SINK = "func.func(sdy-sink-func-data-flow-edges)"


def test_the_sharding_of_an_edge_goes_to_its_owner() -> None:
    same_body(
        SINK,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1]>}) {
          %0 = sdy.func_data_flow_edge %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
          %1 = sdy.func_data_flow_edge %b : tensor<8xf32>
          return
        }
        """,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, """
        """%arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}]>}) {
          return
        }
        """,
    )


def test_other_results_of_the_call_become_open_on_the_mesh_of_the_edge_even_if_it_has_no_name() -> None:
    program = """
        func.func @main() {
          %0:2 = call @f() : () -> (tensor<8xf32>, tensor<f32>)
          %1 = sdy.func_data_flow_edge %0#0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} """
    program += """: tensor<8xf32>
          return
        }
        func.func private @f() -> (tensor<8xf32>, tensor<f32>)
        """
    assert '[<mesh<["x"=2]>, [{"x"}]>, <mesh<["x"=2]>, []>]' in body_after(SINK, program)
