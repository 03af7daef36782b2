"""Functions that are called in bodies of scalars, as JAX calls them for ``jnp.where`` in a reducer."""

from __future__ import annotations

import pytest

from pyshardy import Plan, PyshardyError, parse, partition

_SHARDED = 'tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
_LARGER = """
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = call @where(%0, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @where(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}"""


def _reduction(dim: int, size: int, beside: str = "", functions: str = _LARGER) -> str:
    return f"""sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: {_SHARDED}) -> tensor<{size}xf32> {{
  %c = stablehlo.constant dense<-1.0> : tensor<f32>
  {beside}
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [{dim}] : (tensor<8x4xf32>, tensor<f32>) -> tensor<{size}xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {{
      %1 = func.call @larger(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}
  return %0 : tensor<{size}xf32>
}}{functions}"""


def _checked(text: str) -> Plan:
    plan = partition(parse(text))
    assert plan.check().agrees
    assert "call" not in str(plan.module)
    return plan


@pytest.mark.parametrize(("dim", "size"), [(1, 8), (0, 4)])
def test_calls_in_a_reducer_are_inlined(dim: int, size: int) -> None:
    plan = _checked(_reduction(dim, size))
    assert "stablehlo.select" in str(plan.module)


def test_a_function_that_is_called_outside_as_well_is_inlined_in_the_reducer() -> None:
    beside = "%d = func.call @larger(%c, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>"
    text = _reduction(1, 8, beside).replace("init: %c", "init: %d")
    assert partition(parse(text)).check().agrees


def test_equal_reductions_are_both_without_calls() -> None:
    text = _reduction(1, 8)
    first = text[text.index("  %0 = stablehlo.reduce") : text.index("  return %0 : tensor<8xf32>")]
    second = first.replace("%0 =", "%s =").replace("reduce(%x", "reduce(%n")
    negated = "  %n = stablehlo.negate %x : tensor<8x4xf32>\n"
    added = "  %t = stablehlo.add %0, %s : tensor<8xf32>\n"
    _checked(
        text.replace(first, first + negated + second + added).replace(
            "return %0 : tensor<8xf32>", "return %t : tensor<8xf32>"
        )
    )


def test_a_comparator_of_a_sort_may_call_a_function() -> None:
    _checked(f"""sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: {_SHARDED}) -> tensor<8x4xf32> {{
  %0 = "stablehlo.sort"(%x) <{{dimension = 1 : i64}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = func.call @less(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {{
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}}""")


def test_a_function_that_calls_itself_in_a_reducer_is_an_error() -> None:
    itself = """
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = call @larger(%b, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
    with pytest.raises(PyshardyError, match="function @larger calls itself"):
        partition(parse(_reduction(1, 8, functions=itself)), propagated=True)
