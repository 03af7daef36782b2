"""Which operations propagation treats as elementwise."""

from __future__ import annotations

import pytest

from pyshardy.rules.elementwise import is_elementwise
from tests.rules.programs import operations

ARGUMENTS = "%a: tensor<4xf32>, %p: tensor<4xi1>, %s: tensor<f32>"


@pytest.mark.parametrize(
    "line",
    [
        "stablehlo.add %a, %a : tensor<4xf32>",
        "stablehlo.select %p, %a, %a : tensor<4xi1>, tensor<4xf32>",
        "stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
        "stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>",
        "sdy.propagation_barrier %a allowed_direction=NONE : tensor<4xf32>",
    ],
)
def test_these_are_elementwise(line: str) -> None:
    (op,) = operations(ARGUMENTS, "%0 = " + line)
    assert is_elementwise(op)


@pytest.mark.parametrize(
    "line",
    [
        "stablehlo.reverse %a, dims = [0] : tensor<4xf32>",
        "stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x2xi16>",
        "stablehlo.custom_call @MoveToHost(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        '"stablehlo.collective_permute"(%a) <{source_target_pairs = dense<0> : tensor<1x2xi64>}>'
        " : (tensor<4xf32>) -> tensor<4xf32>",
    ],
)
def test_these_are_not_elementwise_whatever_their_rule(line: str) -> None:
    (op,) = operations(ARGUMENTS, "%0 = " + line)
    assert not is_elementwise(op)
