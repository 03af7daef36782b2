"""Every use of a constant gets a copy of its own."""

from __future__ import annotations

import pyshardy
from tests.passes.running import body_after, first_error, same_body

SPLIT = "sdy-constant-or-scalar-splitter"


def test_each_use_gets_the_whole_constant_computation_with_its_groups() -> None:
    same_body(
        SPLIT,
        """
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %c = stablehlo.constant {k = 1 : i32} dense<1.0> : tensor<8xf32>
          sdy.sharding_group %c group_id=4 : tensor<8xf32>
          %n = stablehlo.negate %c : tensor<8xf32>
          %0 = stablehlo.add %a, %n : tensor<8xf32>
          %1 = stablehlo.add %0, %n : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.constant {k = 1 : i32} dense<1.000000e+00> : tensor<8xf32>
          sdy.sharding_group %0 group_id=4 : tensor<8xf32>
          %1 = sdy.constant {k = 1 : i32} dense<1.000000e+00> : tensor<8xf32>
          sdy.sharding_group %1 group_id=4 : tensor<8xf32>
          %2 = stablehlo.negate %0 : tensor<8xf32>
          %3 = stablehlo.negate %1 : tensor<8xf32>
          %4 = stablehlo.add %arg0, %2 : tensor<8xf32>
          %5 = stablehlo.add %4, %3 : tensor<8xf32>
          return %5 : tensor<8xf32>
        }
        """,
    )


def test_a_scalar_is_shared_by_the_copies_of_its_broadcast() -> None:
    same_body(
        SPLIT,
        """
        func.func @main(%s: tensor<f32>) -> tensor<8xf32> {
          %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %1 = stablehlo.add %0, %0 : tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        """,
        """
        func.func @main(%arg0: tensor<f32>) -> tensor<8xf32> {
          %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %2 = stablehlo.add %0, %1 : tensor<8xf32>
          return %2 : tensor<8xf32>
        }
        """,
    )


def test_a_constant_that_only_groups_use_goes_with_them() -> None:
    program = """
        func.func @main() {
          %0 = stablehlo.iota dim = 0 : tensor<8xf32>
          %1 = stablehlo.negate %0 : tensor<8xf32>
          sdy.sharding_group %1 group_id=1 : tensor<8xf32>
          return
        }
        """
    assert body_after(SPLIT, program) == "func.func @main() {\n  return\n}"


CONSTANT_FUNCTION = """
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f() : () -> tensor<8xf32>
      %1 = stablehlo.add %0, %a : tensor<8xf32>
      %2 = stablehlo.add %0, %1 : tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    func.func private @f() -> tensor<8xf32> {
      %0 = BODY
      return %0 : tensor<8xf32>
    }
    """


def test_a_call_of_a_constant_function_is_a_constant() -> None:
    after = body_after(SPLIT, CONSTANT_FUNCTION.replace("BODY", "stablehlo.iota dim = 0 : tensor<8xf32>"))
    assert "call @f_0()" in after and "call @f_1()" in after and "call @f()" not in after


def test_a_call_of_a_function_that_calls_outside_is_none() -> None:
    after = body_after(SPLIT, CONSTANT_FUNCTION.replace("BODY", "stablehlo.custom_call @foo() : () -> tensor<8xf32>"))
    assert after.count("call @f()") == 1


def test_a_constant_function_that_calls_itself_cannot_be_copied() -> None:
    text = CONSTANT_FUNCTION.replace("BODY", "call @f() : () -> tensor<8xf32>")
    assert first_error(SPLIT, text).startswith("function @f calls itself, directly or through others")


def test_a_long_constant_computation_is_copied() -> None:
    lines = ["%0 = stablehlo.iota dim = 0 : tensor<8xf32>"]
    lines += [f"%{n} = stablehlo.negate %{n - 1} : tensor<8xf32>" for n in range(1, 3001)]
    text = f"func.func @main() -> tensor<8xf32> {{ {' '.join(lines)} return %3000 : tensor<8xf32> }}"
    module = pyshardy.parse(text)
    before = str(module)
    pyshardy.run_passes(module, SPLIT)
    assert str(module) == before


def test_uses_are_made_anew_in_the_order_of_the_text() -> None:
    module = pyshardy.parse(
        """
        func.func @main(%i: tensor<i32>) -> tensor<i32> {
          %0 = "stablehlo.case"(%i) ({
            %1 = stablehlo.negate %i : tensor<i32>
            stablehlo.return %1 : tensor<i32>
          }) : (tensor<i32>) -> tensor<i32>
          return %0 : tensor<i32>
        }
        """
    )
    func = module.op.body.first
    assert func is not None
    argument = func.body.arguments[0]
    assert [user.name for user in argument.users] == ["stablehlo.case", "stablehlo.negate"]
    pyshardy.run_passes(module, SPLIT)
    assert [user.name for user in argument.users] == ["stablehlo.negate", "stablehlo.case"]
