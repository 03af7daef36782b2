"""Dimension 0 becomes a batching dimension where the indices along it merely count."""

from __future__ import annotations

import pytest

from tests.passes.running import body_after

BATCH = "func.func(sdy-explicit-gather-scatter-batching)"
GATHER = """
    func.func @main(%a: tensor<4x16xf32>, %j: tensor<4x1xi32>) -> tensor<4xf32> {
      %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
      %c = stablehlo.concatenate %i, %j, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %g = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
          start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}
          : (tensor<4x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
      return %g : tensor<4xf32>
    }
    """


def test_the_counting_part_of_a_concatenation_goes_and_so_does_what_made_it() -> None:
    text = body_after(BATCH, GATHER)
    assert "iota" not in text and "concatenate" not in text
    numbers = "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0]"
    assert f'"stablehlo.gather"(%arg0, %arg1) <{{dimension_numbers = #stablehlo.gather<{numbers}' in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%i = stablehlo.iota dim = 0", "%i = stablehlo.iota dim = 1"),
        ("start_index_map = [0, 1]", "start_index_map = [1, 0]"),
        ("tensor<4x16xf32>", "tensor<5x16xf32>"),
    ],
)
def test_indices_that_do_not_count_along_dimension_0_stay(old: str, new: str) -> None:
    text = body_after(BATCH, GATHER.replace(old, new))
    assert "batching" not in text and "concatenate" in text


def test_one_component_is_cut_out_of_indices_that_are_no_concatenation() -> None:
    program = """
        func.func @main(%a: tensor<4x4x4xf32>, %low: tensor<i32>, %high: tensor<i32>) -> tensor<4xf32> {
          %i = stablehlo.iota dim = 0 : tensor<4x3xi32>
          %c = stablehlo.clamp %low, %i, %high : (tensor<i32>, tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
          %g = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2],
              start_index_map = [1, 0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>}
              : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
          return %g : tensor<4xf32>
        }
        """
    text = body_after(BATCH, program)
    assert "stablehlo.slice %1 [0:4, 0:1]" in text and "stablehlo.slice %1 [0:4, 2:3]" in text
    assert "start_index_map = [1, 2]" in text


def test_the_region_of_a_scatter_moves_along() -> None:
    program = """
        func.func @main(%a: tensor<4x16xf32>, %j: tensor<4x1xi32>, %u: tensor<4xf32>) -> tensor<4x16xf32> {
          %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
          %c = stablehlo.concatenate %j, %i, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
          %s = "stablehlo.scatter"(%a, %c, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
              inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
          ^bb0(%x: tensor<f32>, %y: tensor<f32>):
            %z = stablehlo.add %x, %y : tensor<f32>
            stablehlo.return %z : tensor<f32>
          }) : (tensor<4x16xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x16xf32>
          return %s : tensor<4x16xf32>
        }
        """
    text = body_after(BATCH, program)
    assert "input_batching_dims = [0], scatter_indices_batching_dims = [0]" in text
    assert "stablehlo.add" in text
