"""Random inputs fit what their users do with them."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.checking.inputs import random_inputs


@pytest.mark.parametrize("placed", ["stablehlo.negate", "sdy.all_slice", "call"])
def test_what_goes_under_a_root_is_positive_wherever_it_comes_from(placed: str) -> None:
    steps = {
        "stablehlo.negate": "%0 = stablehlo.negate %a : tensor<8xf32>",
        "sdy.all_slice": '%0 = sdy.all_slice [{"x"}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>',
        "call": "%0 = call @same(%a) : (tensor<8xf32>) -> tensor<8xf32>",
    }
    module = parse(f"""
      sdy.mesh @m = <["x"=4]>
      func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
        {steps[placed]}
        %1 = stablehlo.sqrt %0 : tensor<8xf32>
        return %1 : tensor<8xf32>
      }}
      func.func private @same(%a: tensor<8xf32>) -> tensor<8xf32> {{
        return %a : tensor<8xf32>
      }}""")
    main = next(op for op in module.op.body if op.symbol_name == "main")
    (value,) = random_inputs(module.op, main, 1)
    assert (value > 0).all()


def test_indices_stay_in_the_range_of_what_they_index() -> None:
    module = parse("""
      func.func @main(%t: tensor<5x4xf32>, %i: tensor<100xi32>) -> tensor<100x4xf32> {
        %0 = stablehlo.reshape %i : (tensor<100xi32>) -> tensor<100x1xi32>
        %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
            slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<100x1xi32>) -> tensor<100x4xf32>
        return %1 : tensor<100x4xf32>
      }""")
    (main,) = module.op.body
    _, indices = random_inputs(module.op, main, 0)
    assert sorted(np.unique(indices)) == [0, 1, 2, 3, 4]


def test_of_few_indices_one_is_the_first_and_one_the_last() -> None:
    module = parse("""
      func.func @main(%t: tensor<90x4xf32>, %i: tensor<4x1xi32>) -> tensor<4x4xf32> {
        %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
            slice_sizes = array<i64: 1, 4>}> : (tensor<90x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
      }""")
    main = next(op for op in module.op.body if op.symbol_name == "main")
    for seed in range(5):
        indices = random_inputs(module.op, main, seed)[1]
        assert indices.min() == 0
        assert indices.max() == 89
