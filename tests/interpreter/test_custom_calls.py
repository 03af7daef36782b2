"""Custom calls whose meaning is known: helpers of XLA and markers."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from pyshardy import PyshardyError, parse
from pyshardy.interpreter import run
from pyshardy.interpreter.operations.custom_calls import _targets, evaluates_custom_call
from pyshardy.interpreter.registry import _evaluators, evaluates


def test_words_are_split_and_combined() -> None:
    text = """func.func @main(%a: tensor<3xui64>) -> (tensor<3xui32>, tensor<3xui32>, tensor<3xui64>) {
      %0 = stablehlo.custom_call @X64SplitLow(%a) : (tensor<3xui64>) -> tensor<3xui32>
      %1 = stablehlo.custom_call @X64SplitHigh(%a) : (tensor<3xui64>) -> tensor<3xui32>
      %2 = stablehlo.custom_call @X64Combine(%0, %1) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui64>
      return %0, %1, %2 : tensor<3xui32>, tensor<3xui32>, tensor<3xui64>
    }"""
    words = np.array([1, 2**32 + 5, 2**64 - 1], np.uint64)
    low, high, both = run(parse(text), [words])
    assert low.tolist() == [1, 5, 2**32 - 1]
    assert high.tolist() == [0, 1, 2**32 - 1]
    assert both.tolist() == words.tolist()


def test_an_approximate_top_k_may_be_exact() -> None:
    text = """
    func.func private @smaller(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
      %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }
    func.func @main(%a: tensor<4x2xf32>) -> tensor<2x2xi32> {
      %i = stablehlo.iota dim = 0 : tensor<4x2xi32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<-1> : tensor<i32>
      %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %z, %n) {called_computations = [@smaller]}
        : (tensor<4x2xf32>, tensor<4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
      return %0#1 : tensor<2x2xi32>
    }"""
    (places,) = run(parse(text), [np.array([[3, 0], [1, 9], [2, 5], [0, 7]], np.float32)])
    assert places.tolist() == [[3, 0], [1, 2]]


def test_functions_of_mhlo_are_those_of_chlo() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    np.testing.assert_allclose(run(parse(text), [np.array([0.5, -9], np.float32)])[0], [0.5204999, -1], rtol=1e-6)


def test_a_marker_that_changes_the_shape_is_not_run() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) : (tensor<4xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    with pytest.raises(PyshardyError, match="changes shapes by a sharding"):
        run(parse(text), [np.zeros(4, np.float32)])


@pytest.mark.parametrize(
    ("evaluate", "said"),
    [
        (lambda frame, op, of: 3, "returns int, and a list with one array a result is expected"),
        (lambda frame, op, of: [of[0], of[0]], "op has 1 results, but 2 values are computed for it by its evaluator"),
        (lambda frame, op, of: [of[0][:, :1]], "returns an array of shape (1, 1) for result 0; (1, 2) is expected"),
        (lambda frame, op, of: [[of[0], [of[0]]]], "for result 0; "),
        (lambda frame, op, of: [of[0] * 1j], "returns an array of complex64 for result 0; float32 is expected"),
        (lambda frame, op, of: sys.exit(3), "raises SystemExit: sys.exit was called"),
        (lambda frame, op, of: of[0].fill(0), "raises ValueError: "),
    ],
)
@pytest.mark.parametrize("name", ["custom_call @mine", "mine.op"])
def test_an_evaluator_from_outside_that_goes_wrong_is_named(name: str, evaluate: Any, said: str) -> None:
    text = f"""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = {"stablehlo.custom_call @mine" if "@" in name else '"mine.op"'}(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}"""
    evaluates_custom_call("mine")(evaluates("mine.op")(evaluate))
    try:
        with pytest.raises(PyshardyError) as error:
            run(parse(text, allow_unregistered=True), [np.array([1, 2], np.float32)])
    finally:
        _targets.pop("mine")
        _evaluators.pop("mine.op")
    assert said in str(error.value) and "its evaluator (" in str(error.value), error.value
    assert "test_custom_calls.py:" in str(error.value)


def test_an_evaluator_from_outside_may_return_wider_floats() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @mine(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    evaluates_custom_call("mine")(lambda frame, op, of: [of[0].astype(np.float64) * 2])
    try:
        (found,) = run(parse(text), [np.array([1, 2], np.float32)])
    finally:
        _targets.pop("mine")
    assert found.dtype == np.float32 and found.tolist() == [2, 4]
