"""Inputs and outputs are sharded evenly."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

from pyshardy.ir.types import F32, TensorType
from pyshardy.passes.exporting.update_non_divisible_input_output_shardings import evenly_sharded
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding
from tests.passes.running import same_body

MESH = Mesh({"x": 4, "y": 2, "z": 3, "w": 8})


@pytest.mark.parametrize(
    ("size", "axes", "kept"),
    [
        (8, ["x"], [AxisRef("x")]),
        (2, ["x"], [AxisRef("x", 1, 2)]),
        (3, ["w"], []),
        (12, ["w", "z"], [AxisRef("w", 1, 4)]),
        (12, ["x", "w"], [AxisRef("x")]),
        (6, [AxisRef("w", 2, 4)], [AxisRef("w", 2, 2)]),
        (0, ["w"], [AxisRef("w")]),
    ],
)
def test_a_dimension_keeps_the_axes_that_divide_it(size: int, axes: list[AxisRef | str], kept: list[AxisRef]) -> None:
    sharding = TensorSharding("m", [DimSharding(axes)])
    type = TensorType([size], F32)
    assert evenly_sharded(sharding, type, MESH) is TensorSharding("m", [DimSharding(kept)])


def test_a_cut_dimension_loses_its_priority_and_stays_open() -> None:
    sharding = TensorSharding("m", [DimSharding(["x"], False, 2), DimSharding(["y"], False, 1)])
    type = TensorType([2, 6], F32)
    dims = [DimSharding([AxisRef("x", 1, 2)], False), DimSharding(["y"], False, 1)]
    assert evenly_sharded(sharding, type, MESH) is TensorSharding("m", dims)


def test_boundaries_of_functions_calls_and_manual_computations_are_cut() -> None:
    same_body(
        "sdy-update-non-divisible-input-output-shardings",
        """
        sdy.mesh @m = <["x"=4, "y"=2]>
        func.func private @f(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", "x"}]>] out_shardings=[<@m, [{"y", "x"}]>] manual_axes={"y"} (%p: tensor<3xf32>) {
            sdy.return %p : tensor<3xf32>
          } : (tensor<6xf32>) -> tensor<6xf32>
          %1 = call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
          %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<6xf32>
          return %2 : tensor<6xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=4, "y"=2]>
        func.func private @f(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2}]>}) {
          %0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"y"}]>] out_shardings=[<@m, [{"y"}]>] manual_axes={"y"} (%arg1: tensor<3xf32>) {
            sdy.return %arg1 : tensor<3xf32>
          } : (tensor<6xf32>) -> tensor<6xf32>
          %1 = call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
          %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<6xf32>
          return %2 : tensor<6xf32>
        }
        """,
    )
