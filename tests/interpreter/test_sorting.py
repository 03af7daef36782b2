"""Sorting against XLA."""

from __future__ import annotations

import numpy as np
import pytest

from tests.interpreter.compiled import assert_like_compiled, assert_program
from tests.interpreter.program_text import quoted


def less(element: str, direction: str = "LT", kind: str = "", pairs: str = "") -> str:
    kind = f", {kind}" if kind else ""
    return f"""({{ ^bb0(%p: tensor<{element}>, %q: tensor<{element}>{pairs}):
      %c = stablehlo.compare {direction}, %p, %q{kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
      stablehlo.return %c : tensor<i1> }})"""


@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "ui32"])
@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_sort_by_one_comparison_is_stable(element: str, direction: str) -> None:
    body = less(element, direction, pairs=", %i: tensor<i32>, %j: tensor<i32>")
    properties = "dimension = 1 : i64, is_stable = true"
    text = quoted("sort", properties, f"3x9x2x{element} 3x9x2xi32", f"3x9x2x{element} 3x9x2xi32", body, results=2)
    assert_program(text)


def test_sort_in_total_order_puts_nan_and_zeros_in_their_places() -> None:
    text = quoted("sort", "dimension = 0 : i64, is_stable = true", "8xf32", "8xf32", less("f32", "LT", "TOTALORDER"))
    values = np.array([np.nan, 1, -0.0, 0.0, -np.nan, np.inf, -np.inf, -0.0], np.float32)
    assert_like_compiled(text, [values])


@pytest.mark.parametrize("size", [1, 2, 3, 8, 13])
def test_sort_by_any_comparator(size: int) -> None:
    body = """({ ^bb0(%p: tensor<i32>, %q: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>):
      %three = stablehlo.constant dense<3> : tensor<i32>
      %m = stablehlo.remainder %p, %three : tensor<i32>
      %n = stablehlo.remainder %q, %three : tensor<i32>
      %lt = stablehlo.compare LT, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %eq = stablehlo.compare EQ, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %gt = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %and = stablehlo.and %eq, %gt : tensor<i1>
      %or = stablehlo.or %lt, %and : tensor<i1>
      stablehlo.return %or : tensor<i1> })"""
    types = f"4x{size}xi32 4x{size}xf32"
    assert_program(quoted("sort", "dimension = -1 : i64, is_stable = true", types, types, body, results=2))
