"""``inline`` where jaxlib cannot judge it: functions that call each other in a circle, and what stays where it is."""

from __future__ import annotations

from pyshardy import parse, run_passes


def inlined(text: str) -> str:
    return str(run_passes(parse(text), "builtin.module(inline)"))


def function(name: str, callee: str, visibility: str = "private ") -> str:
    return f"""func.func {visibility}@{name}(%a: tensor<f32>) -> tensor<f32> {{
      %0 = call @{callee}(%a) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }}\n"""


def test_functions_that_call_each_other_in_a_circle_come_to_an_end() -> None:
    for order in ("abc", "acb", "bca"):
        circle = {"a": "b", "b": "c", "c": "a"}
        text = "".join(function(name, circle[name]) for name in order) + function("main", "a", "")
        assert "call @" in inlined(text)


def test_a_function_with_several_blocks_stays() -> None:
    text = """func.func private @f(%a: tensor<f32>) -> tensor<f32> {
      cf.br ^bb1
    ^bb1:
      return %a : tensor<f32>
    }\n"""
    assert "call @f" in inlined(text + function("main", "f", ""))


def test_a_declaration_stays() -> None:
    result = inlined("func.func private @f(tensor<f32>) -> tensor<f32>\n" + function("main", "f", ""))
    assert "call @f" in result and "func.func private @f" in result


def test_a_public_function_is_inlined_and_stays() -> None:
    text = """func.func @f(%a: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.tanh %a : tensor<f32>
      return %0 : tensor<f32>
    }\n"""
    result = inlined(text + function("main", "f", ""))
    assert result.count("stablehlo.tanh") == 2 and "call" not in result


def test_a_function_that_something_else_names_stays() -> None:
    text = """func.func private @f(%a: tensor<f32>) -> tensor<f32> {
      return %a : tensor<f32>
    }
    func.func @main(%a: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.composite "my.f" %a {decomposition = @f} : (tensor<f32>) -> tensor<f32>
      %1 = call @f(%0) : (tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }"""
    result = inlined(text)
    assert "func.func private @f" in result and "call @f" not in result
