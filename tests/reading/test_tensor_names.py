"""What a tensor inside of a program is called."""

from pyshardy import parse
from pyshardy.dialects.main_function import find_main_function
from pyshardy.reading.tensor_names import TensorNames


def names_of_results(text: str, operation: str) -> list[str]:
    """The names of the results of each ``operation``."""
    module = parse(text)
    main = find_main_function(module.op)
    assert main is not None
    names = TensorNames(module.op, main)
    return [names.name(result) for op in module.op.walk() if op.name == operation for result in op.results]


def test_another_form_of_an_argument_goes_by_its_name() -> None:
    text = """func.func @main(%a: tensor<4x2xf32> loc("params['w']"), %b: tensor<2x4xf32>) -> tensor<2x2xf32> {
      %0 = stablehlo.convert %a : (tensor<4x2xf32>) -> tensor<4x2xbf16>
      %1 = stablehlo.slice %0 [0:2, 0:2] : (tensor<4x2xbf16>) -> tensor<2x2xbf16>
      %2 = stablehlo.dot %b, %a : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
      %3 = stablehlo.dot %2, %2 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %3 : tensor<2x2xf32>
    }"""
    assert names_of_results(text, "stablehlo.convert") == ["params['w']"]
    assert names_of_results(text, "stablehlo.slice") == ["part of params['w']"]
    assert names_of_results(text, "stablehlo.dot") == ["", "→ result 0"]


def test_what_becomes_a_result_elementwise_goes_by_that() -> None:
    text = """func.func @main(%a: tensor<1x4xf32> loc("w"), %g: tensor<3x4xf32>)
        -> (tensor<4xf32> {jax.result_info = "result['w']"}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.dot_general %g, %g, contracting_dims = [0] x [0] : (tensor<3x4xf32>, tensor<3x4xf32>)
        -> tensor<4x4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
      %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.subtract %a, %2 : tensor<1x4xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %4 : tensor<4xf32>
    }"""
    # The sum over the rows is not what it sums; the one over a dimension of size one is.
    assert names_of_results(text, "stablehlo.dot_general") == [""]
    assert names_of_results(text, "stablehlo.reduce") == ["→ result['w']"] * 2


def test_an_argument_of_a_function_is_what_its_only_call_gives_it() -> None:
    text = """func.func @main(%a: tensor<4xf32> loc("a"), %b: tensor<4xf32> loc("b"))
        -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = func.call @CALLED(%b) : (tensor<4xf32>) -> tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"""
    assert names_of_results(text.replace("CALLED", "g"), "stablehlo.reshape") == ["a"]
    # Called twice it is one or the other.
    assert names_of_results(text.replace("CALLED", "f"), "stablehlo.reshape") == ["a or b"]


def test_a_loop_says_what_it_carries_on_and_what_it_only_uses() -> None:
    text = """func.func @main(%w: tensor<5x2xf32> loc("weights"), %x: tensor<2xf32> loc("x")) -> tensor<2xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:3 = stablehlo.while(%i = %zero, %v = %w, %y = %x) : tensor<i32>, tensor<5x2xf32>, tensor<2xf32>
      cond {
        %limit = stablehlo.constant dense<5> : tensor<i32>
        %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %c = stablehlo.constant dense<0> : tensor<i32>
        %row = func.call @row(%v, %i) : (tensor<5x2xf32>, tensor<i32>) -> tensor<1x2xf32>
        %flat = stablehlo.reshape %row : (tensor<1x2xf32>) -> tensor<2xf32>
        %same = stablehlo.transpose %y, dims = [0] : (tensor<2xf32>) -> tensor<2xf32>
        %sum = stablehlo.add %same, %flat : tensor<2xf32>
        stablehlo.return %next, %v, %sum : tensor<i32>, tensor<5x2xf32>, tensor<2xf32>
      }
      return %0#2 : tensor<2xf32>
    }
    func.func private @row(%v: tensor<5x2xf32>, %i: tensor<i32>) -> tensor<1x2xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %v, %i, %c, sizes = [1, 2]
        : (tensor<5x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      return %0 : tensor<1x2xf32>
    }"""
    assert names_of_results(text, "stablehlo.dynamic_slice") == ["part of weights"]
    assert names_of_results(text, "stablehlo.transpose") == ["carried from x"]
    assert names_of_results(text, "stablehlo.while")[1:] == ["weights", "carried from x"]
