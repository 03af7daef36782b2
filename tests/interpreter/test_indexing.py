"""Gathers and scatters against XLA."""

from __future__ import annotations

import pytest

from tests.interpreter.compiled import assert_program
from tests.interpreter.program_text import quoted, reducer

GATHERS = {
    "rows": (
        "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2",
        "1, 4",
        "6x4xf32 2x3x1xi32",
        "2x3x4xf32",
    ),
    "implicit_vector": (
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1",
        "1, 3",
        "6x4xf32 5xi32",
        "5x3xf32",
    ),
    "windows": (
        "offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 0",
        "2, 3",
        "6x8xf32 2x4xi64",
        "2x4x3xf32",
    ),
    "batching": (
        "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
        "1, 1, 3",
        "4x6x5xf32 2x4x1xi32",
        "2x4x3xf32",
    ),
    "batching_with_the_vector_first": (
        "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 0",
        "1, 1, 3",
        "4x6x5xf32 1x2x4xi32",
        "2x4x3xf32",
    ),
    "scalars": (
        "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1",
        "1, 1",
        "6x4xf32 5x2xui8",
        "5xf32",
    ),
    "whole": ("offset_dims = [0, 1], index_vector_dim = 0", "6, 4", "6x4xf32 0xi32", "6x4xf32"),
}


@pytest.mark.parametrize("name", GATHERS)
def test_gather(name: str) -> None:
    numbers, sizes, arguments, result = GATHERS[name]
    properties = f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {sizes}>"
    for seed in range(3):
        assert_program(
            quoted("gather", properties, arguments, result), seed=seed, a1=(0 if "ui" in arguments else -4, 12)
        )


SCATTERS = {
    "rows": (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1",
        "6x4xf32 5x1xi32 5x4xf32",
        "6x4xf32",
    ),
    "implicit_vector": (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1",
        "6x4xf32 5xi32 5x4xf32",
        "6x4xf32",
    ),
    "elements": (
        "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0",
        "6x4xf32 2x9xi32 9xf32",
        "6x4xf32",
    ),
    "batching": (
        "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], "
        "scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
        "3x6x4xf32 5x3x1xi32 5x3x4xf32",
        "3x6x4xf32",
    ),
}
REPLACE = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  stablehlo.return %q : tensor<f32> })"""
HALVED = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %h = stablehlo.add %p, %p : tensor<f32>
  %s = stablehlo.add %h, %q : tensor<f32>
  stablehlo.return %s : tensor<f32> })"""


@pytest.mark.slow
@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize(
    "body", [reducer("add"), reducer("maximum"), REPLACE, HALVED], ids=["add", "max", "replace", "any"]
)
def test_scatter(name: str, body: str) -> None:
    numbers, arguments, result = SCATTERS[name]
    properties = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>"
    for seed in range(3):
        assert_program(quoted("scatter", properties, arguments, result, body), seed=seed, a1=(-2, 8))


def test_scatter_of_short_floats_and_of_several_inputs() -> None:
    numbers = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    properties = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>"
    body = reducer("add", "bf16")
    assert_program(quoted("scatter", properties, "6xbf16 4x1xi32 4xbf16", "6xbf16", body), a1=(0, 3))
    both = """({ ^bb0(%p: tensor<f32>, %i: tensor<i32>, %q: tensor<f32>, %j: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      %t = stablehlo.multiply %i, %j : tensor<i32>
      stablehlo.return %s, %t : tensor<f32>, tensor<i32> })"""
    arguments = "6xf32 6xi32 4x1xi32 4xf32 4xi32"
    assert_program(quoted("scatter", properties, arguments, "6xf32 6xi32", both, results=2), a2=(0, 3))
