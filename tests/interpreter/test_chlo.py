# mypy: allow-untyped-calls, no-warn-return-any
"""The operations of ``chlo``: functions against JAX's own, the others against their definition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from jax.scipy import special

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.interpreter.compiled import assert_program

FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[float, float]]] = {
    "acos": (jnp.arccos, (-1, 1)),
    "acosh": (jnp.arccosh, (1, 20)),
    "asin": (jnp.arcsin, (-1, 1)),
    "asinh": (jnp.arcsinh, (-20, 20)),
    "atan": (jnp.arctan, (-9, 9)),
    "atanh": (jnp.arctanh, (-0.99, 0.99)),
    "bessel_i1e": (special.i1e, (-90, 90)),
    "cosh": (jnp.cosh, (-9, 9)),
    "digamma": (special.digamma, (-4.4, 9)),
    "erf": (special.erf, (-5, 5)),
    "erf_inv": (special.erfinv, (-0.999, 0.999)),
    "erfc": (special.erfc, (-3, 9)),
    "lgamma": (special.gammaln, (-4.4, 40)),
    "sinh": (jnp.sinh, (-9, 9)),
    "tan": (jnp.tan, (-9, 9)),
}


def unary(name: str, element: str) -> str:
    return f"""func.func @main(%a: tensor<200x{element}>) -> tensor<200x{element}> {{
      %0 = chlo.{name} %a : tensor<200x{element}> -> tensor<200x{element}>
      return %0 : tensor<200x{element}>
    }}"""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one_number(name: str) -> None:
    function, (low, high) = FUNCTIONS[name]
    with jax.enable_x64(True):
        x = np.random.default_rng(0).uniform(low, high, 200)
        expected = np.asarray(function(x))
    # XLA's own functions of f64 are not exact to the last digits.
    tolerance = 1e-9 if name in ("digamma", "lgamma", "erf_inv", "bessel_i1e") else 1e-13
    np.testing.assert_allclose(run(parse(unary(name, "f64")), [x])[0], expected, rtol=tolerance, atol=tolerance)
    single = x.astype(np.float32)
    with jax.enable_x64(True):
        expected = np.asarray(function(single.astype(np.float64)))
    np.testing.assert_allclose(run(parse(unary(name, "f32")), [single])[0], expected, rtol=2e-7, atol=2e-7)


@pytest.mark.parametrize(("name", "function"), [("zeta", special.zeta), ("polygamma", special.polygamma)])
def test_functions_of_two_numbers(name: str, function: Callable[..., Any]) -> None:
    text = f"""func.func @main(%a: tensor<60xf64>, %b: tensor<60xf64>) -> tensor<60xf64> {{
      %0 = chlo.{name} %a, %b : tensor<60xf64>, tensor<60xf64> -> tensor<60xf64>
      return %0 : tensor<60xf64>
    }}"""
    rng = np.random.default_rng(0)
    first = rng.uniform(1.1, 9, 60) if name == "zeta" else rng.integers(0, 6, 60).astype(np.float64)
    second = rng.uniform(0.1, 9, 60)
    with jax.enable_x64(True):
        order = first.astype(np.int64) if name == "polygamma" else first
        expected = np.asarray(function(order, second))
    np.testing.assert_allclose(run(parse(text), [first, second])[0], expected, rtol=1e-9)


def test_functions_at_their_ends() -> None:
    edges = np.array([0, 1, -1, np.inf, -np.inf, np.nan, -3, 1.5] + [1] * 192, np.float32)
    expected = {
        "erf": [0, 0.84270078, -0.84270078, 1, -1, np.nan],
        "erf_inv": [0, np.inf, -np.inf, np.nan, np.nan, np.nan],
        "lgamma": [np.inf, 0, np.inf, np.inf, np.inf, np.nan, np.inf],
        "bessel_i1e": [0, 0.20791042, -0.20791042, 0, 0, np.nan],
    }
    for name, numbers in expected.items():
        (result,) = run(parse(unary(name, "f32")), [edges])
        np.testing.assert_allclose(result[: len(numbers)], np.array(numbers, np.float32), rtol=1e-6, err_msg=name)


def test_next_after_is_the_neighbour_in_the_type_itself() -> None:
    text = """func.func @main(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> tensor<2xbf16> {
      %0 = chlo.next_after %a, %b : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
      return %0 : tensor<2xbf16>
    }"""
    pair = [np.array([1, 1], ml_dtypes.bfloat16), np.array([2, 0], ml_dtypes.bfloat16)]
    assert run(parse(text), pair)[0].astype(float).tolist() == [1 + 2**-7, 1 - 2**-8]


def test_operands_are_broadcast_from_their_last_dimensions() -> None:
    text = """func.func @main(%a: tensor<2x1x3xf32>, %b: tensor<4x1xf32>, %c: tensor<2xf32>)
        -> (tensor<2x4x3xf32>, tensor<2x1x3xi1>) {
      %0 = chlo.broadcast_subtract %a, %b : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
      %1 = chlo.broadcast_compare %a, %c {broadcast_dimensions = array<i64: 0>,
        comparison_direction = #chlo<comparison_direction LT>}
        : (tensor<2x1x3xf32>, tensor<2xf32>) -> tensor<2x1x3xi1>
      return %0, %1 : tensor<2x4x3xf32>, tensor<2x1x3xi1>
    }"""
    rng = np.random.default_rng(0)
    a, b, c = (rng.normal(size=shape).astype(np.float32) for shape in ((2, 1, 3), (4, 1), (2,)))
    difference, less = run(parse(text), [a, b, c])
    np.testing.assert_array_equal(difference, a - b)
    np.testing.assert_array_equal(less, a < c[:, None, None])


def test_top_k_takes_the_first_of_equal_numbers() -> None:
    text = """func.func @main(%a: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
      %0:2 = chlo.top_k(%a, k = 3) : tensor<2x6xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
      return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
    }"""
    values, places = run(parse(text), [np.array([[1, 5, 5, -2, np.nan, 0], [0, 0, 0, 0, 0, 1]], np.float32)])
    assert places.tolist() == [[4, 1, 2], [5, 0, 1]]
    np.testing.assert_array_equal(values, np.array([[np.nan, 5, 5], [1, 0, 0]], np.float32))


def test_constant_like_has_the_shape_of_its_operand() -> None:
    text = """func.func @main(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
      %0 = "chlo.constant_like"(%a) {value = 7 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
      return %0 : tensor<2x3xi32>
    }"""
    assert run(parse(text), [np.zeros((2, 3), np.int32)])[0].tolist() == [[7] * 3] * 2


@pytest.mark.parametrize("sizes", [[2, 3, 1], [0, 4, 1]])
def test_ragged_dot_of_rows(sizes: list[int]) -> None:
    text = """func.func @main(%a: tensor<8x4xf32>, %b: tensor<3x4x5xf32>, %g: tensor<3xi32>) -> tensor<8x5xf32> {
      %0 = "chlo.ragged_dot"(%a, %b, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
          lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
          rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]}
          : (tensor<8x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<8x5xf32>
      return %0 : tensor<8x5xf32>
    }"""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(8, 4)).astype(np.float32), rng.normal(size=(3, 4, 5)).astype(np.float32)
    groups: Array = np.array(sizes, np.int32)
    expected = np.asarray(lax.ragged_dot(a, b, groups))
    np.testing.assert_allclose(run(parse(text), [a, b, groups])[0], expected, rtol=1e-5, atol=1e-5)


def test_scan_goes_step_by_step() -> None:
    def running(x: jax.Array, start: jax.Array) -> Any:
        return lax.scan(lambda carry, row: (carry + row, carry * 2), start, x, reverse=True)

    text = jax.jit(running).lower(np.zeros((4, 3), np.float32), np.zeros(3, np.float32)).as_text()
    assert_program(text)


def test_gamma_functions_next_to_poles_and_beyond_the_range() -> None:
    x = np.array([-1e-30, 1e-30, -3e-200, 1e306, np.inf] * 40)
    digamma, log_gamma = (run(parse(unary(name, "f64")), [x])[0][:5] for name in ("digamma", "lgamma"))
    np.testing.assert_allclose(digamma[:3], [1e30, -1e30, 1 / 3e-200], rtol=1e-14)
    assert log_gamma[3:].tolist() == [np.inf, np.inf]
