"""Reductions, windows, maps and normalizations against XLA."""

from __future__ import annotations

import pytest

from tests.interpreter.compiled import assert_program
from tests.interpreter.program_text import quoted, reducer

REDUCTIONS = [
    (operation, element)
    for operation, elements in {
        "add": ("f32", "bf16", "i8", "i1", "complex<f32>"),
        "multiply": ("f32", "i32", "i1"),
        "maximum": ("f32", "bf16", "i32", "ui8"),
        "minimum": ("f32", "i8"),
        "and": ("i32", "i1"),
        "or": ("ui8", "i1"),
        "xor": ("i32", "i1"),
    }.items()
    for element in elements
]


@pytest.mark.parametrize(("operation", "element"), REDUCTIONS)
def test_reduce(operation: str, element: str) -> None:
    body = reducer(operation, element)
    text = quoted("reduce", "dimensions = array<i64: 0, 2>", f"4x3x5x{element} {element}", f"3x{element}", body)
    assert_program(text, ulps=32)


def test_reduce_of_nothing_is_the_initial_value() -> None:
    assert_program(quoted("reduce", "dimensions = array<i64: 0>", "0x3xf32 f32", "3xf32", reducer("add")))


ARGMAX = """({ ^bb0(%p: tensor<f32>, %i: tensor<i32>, %q: tensor<f32>, %j: tensor<i32>):
  %gt = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %eq = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %lt = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %and = stablehlo.and %eq, %lt : tensor<i1>
  %first = stablehlo.or %gt, %and : tensor<i1>
  %v = stablehlo.select %gt, %p, %q : tensor<i1>, tensor<f32>
  %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
  stablehlo.return %v, %k : tensor<f32>, tensor<i32> })"""


@pytest.mark.parametrize("size", [1, 2, 7, 16])
def test_reduce_several_operands_by_any_body(size: int) -> None:
    text = quoted(
        "reduce",
        "dimensions = array<i64: 1>",
        f"3x{size}x2xf32 3x{size}x2xi32 f32 i32",
        "3x2xf32 3x2xi32",
        ARGMAX,
        results=2,
    )
    assert_program(text, a2=(-9, -8))


WINDOWS = {
    "pooling": (
        "window_dimensions = array<i64: 1, 2, 3>, window_strides = array<i64: 1, 2, 1>",
        "2x6x5xf32",
        "2x3x3xf32",
    ),
    "everything": (
        "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, "
        "window_dilations = array<i64: 1, 2>, padding = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>",
        "4x6xf32",
        "5x5xf32",
    ),
    "sums_so_far": (
        "window_dimensions = array<i64: 40>, padding = dense<[[39, 0]]> : tensor<1x2xi64>",
        "40xf32",
        "40xf32",
    ),
    "one_large_window": ("window_dimensions = array<i64: 10, 10>", "10x11xf32", "1x2xf32"),
    "negative_padding": (
        "window_dimensions = array<i64: 2>, padding = dense<[[-1, -2]]> : tensor<1x2xi64>",
        "8xf32",
        "4xf32",
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("operation", ["add", "maximum"])
def test_reduce_window(name: str, operation: str) -> None:
    properties, source, result = WINDOWS[name]
    # XLA takes no initial value for what is beyond the edges, which tells the two apart only if it is not neutral.
    start = (0, 0) if operation == "add" else (-9, 9)
    assert_program(quoted("reduce_window", properties, f"{source} f32", result, reducer(operation)), ulps=64, a1=start)


def test_reduce_window_of_several_operands() -> None:
    text = quoted(
        "reduce_window",
        "window_dimensions = array<i64: 3>, window_strides = array<i64: 2>",
        "9xf32 9xi32 f32 i32",
        "4xf32 4xi32",
        ARGMAX,
        results=2,
    )
    assert_program(text, a2=(-9, -8))


@pytest.mark.parametrize(
    ("window", "padding", "source"),
    [("2, 2", "", "3x4"), ("3, 3", ", padding = dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>", "3x4")],
)
def test_select_and_scatter(window: str, padding: str, source: str) -> None:
    select = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1> }, """
    properties = f"window_dimensions = array<i64: {window}>, window_strides = array<i64: 2, 2>{padding}"
    text = quoted("select_and_scatter", properties, f"6x8xf32 {source}xf32 f32", "6x8xf32", select + reducer("add")[1:])
    assert_program(text)


def test_map_applies_its_body_to_each_element() -> None:
    body = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = stablehlo.multiply %p, %q : tensor<f32>
      %s = stablehlo.subtract %m, %q : tensor<f32>
      stablehlo.return %s : tensor<f32> })"""
    assert_program(quoted("map", "dimensions = array<i64: 0, 1>", "2x3xf32 2x3xf32", "2x3xf32", body))


BATCH_NORMS = {
    "batch_norm_inference": ("3x4x5xf32 4xf32 4xf32 4xf32 4xf32", "3x4x5xf32", 1),
    "batch_norm_training": ("3x4x5xf32 4xf32 4xf32", "3x4x5xf32 4xf32 4xf32", 3),
    "batch_norm_grad": ("3x4x5xf32 4xf32 4xf32 4xf32 3x4x5xf32", "3x4x5xf32 4xf32 4xf32", 3),
}


@pytest.mark.parametrize("name", BATCH_NORMS)
def test_batch_norm(name: str) -> None:
    arguments, result, count = BATCH_NORMS[name]
    text = quoted(name, "epsilon = 1.0e-3 : f32, feature_index = 1 : i64", arguments, result, results=count)
    assert_program(text, ulps=64, a3=(0.5, 2), a4=(0.5, 2))
