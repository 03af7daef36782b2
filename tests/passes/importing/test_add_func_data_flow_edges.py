"""Arguments of called functions and results of calls get edges that hold their shardings."""

from __future__ import annotations

from tests.passes.running import body_after, first_error, same_body

ADD = "sdy-add-func-data-flow-edges"

PROGRAM = """
    sdy.mesh @m = <["x"=2]>
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
      return %a : tensor<8xf32>
    }
    """


def test_arguments_of_called_functions_and_results_of_calls_get_edges() -> None:
    same_body(
        ADD,
        PROGRAM,
        """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
          %1 = sdy.func_data_flow_edge %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>} : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        func.func private @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
          %0 = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )


def test_a_declaration_has_no_body_for_edges() -> None:
    program = "func.func @main() {\n  return\n}\nfunc.func private @f(tensor<8xf32>)"
    assert body_after(ADD, program) == program


def test_a_module_without_a_main_function_is_refused() -> None:
    program = """
        func.func @f() { return }
        func.func @g() { return }
        """
    assert first_error(ADD, program) == "Failed to lookup function: main"
