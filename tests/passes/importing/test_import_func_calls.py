"""Calls become named computations."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pyshardy
from tests.passes.running import body_after, first_error, same_body

IMPORT = "sdy-import-func-calls"


def test_a_call_becomes_a_computation_with_edges() -> None:
    same_body(
        IMPORT,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>, xla.k = "v"} : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}]>}) -> tensor<8xf32>
            attributes {execution_thread = "host", sdy.original_func_name = "orig"} {
          return %a : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.named_computation<"orig">(%arg0) in_shardings=[<@m, [{"x", ?}]>] out_shardings=[<@m, [{"y"}]>] (%arg1: tensor<8xf32>) {
            %2 = sdy.data_flow_edge %arg1 sharding=<@m, [{"x", ?}]> : tensor<8xf32>
            sdy.return %2 : tensor<8xf32>
          } {execution_thread = "host", xla.k = "v"} : (tensor<8xf32>) -> tensor<8xf32>
          %1 = sdy.data_flow_edge %0 sharding=<@m, [{"y"}]> : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
    )


TWO_CALLS = """
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      return %a : tensor<8xf32>
    }
    """


def test_a_second_call_gets_a_copy_of_the_body_and_a_warning() -> None:
    module = pyshardy.parse(TWO_CALLS)
    pyshardy.run_passes(module, IMPORT)
    assert str(module).count('sdy.named_computation<"f">') == 2
    (warning,) = module.context.diagnostics
    assert warning.severity == "warning"
    assert warning.message == "function @f has multiple call ops, we need to clone the function body for each call"
    assert warning.position.line == 4


def test_edges_can_be_left_out() -> None:
    passes = f"{IMPORT}{{add-data-flow-edges-on-named-computations=false}}"
    assert "data_flow_edge" not in body_after(passes, TWO_CALLS)


def test_partly_sharded_arguments_are_completed_on_every_call() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) {
          call @f(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()
          call @f(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()
          return
        }
        func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %b: tensor<8xf32>) {
          return
        }
        """
    assert body_after(IMPORT, program).count('in_shardings=[<@m, [{"x"}]>, <@m, [{?}]>]') == 2


def test_a_function_that_calls_itself_has_no_body_to_put_in() -> None:
    program = """
        func.func @main() { call @f() : () -> () return }
        func.func private @f() { call @g() : () -> () return }
        func.func private @g() { call @f() : () -> () return }
        """
    assert first_error(IMPORT, program).startswith("function @f calls itself, directly or through others")


def test_the_call_of_a_declaration_is_named() -> None:
    program = """
        func.func @main() { call @f() : () -> () return }
        func.func private @f()
        """
    expected = "'func.call' op calls @f, which has no body: shardings cannot be propagated through it"
    assert first_error(IMPORT, program) == expected
