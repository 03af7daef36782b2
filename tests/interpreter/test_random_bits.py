"""Random numbers: bits against XLA, others in their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from tests.interpreter.compiled import assert_like_compiled
from tests.interpreter.program_text import main


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX", "DEFAULT"])
@pytest.mark.parametrize("result", ["ui32", "4xui32", "3x5xui32", "3x4xui64", "7xui8", "2x3xui16"])
def test_random_bits_are_those_of_xla(algorithm: str, result: str) -> None:
    text = main(
        f"stablehlo.rng_bit_generator %a, algorithm = {algorithm} : (tensor<2xui64>) -> "
        f"(tensor<2xui64>, tensor<{result}>)",
        "2xui64",
        f"2xui64 {result}",
        results=2,
    )
    assert_like_compiled(text, [np.array([0x1234567890ABCDEF, 2**64 - 2], np.uint64)])
    assert_like_compiled(text, [np.array([7, 3], np.uint64)])


def test_philox_with_a_counter_of_128_bits() -> None:
    text = main(
        "stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<11xui32>)",
        "3xui64",
        "3xui64 11xui32",
        results=2,
    )
    assert_like_compiled(text, [np.array([1, 2**64 - 1, 5], np.uint64)])


def test_rng_draws_inside_its_bounds() -> None:
    text = """func.func @main() -> (tensor<1000xf32>, tensor<1000xi32>, tensor<1000xf32>) {
      %shape = stablehlo.constant dense<1000> : tensor<1xi64>
      %a = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.constant dense<5.0> : tensor<f32>
      %i = stablehlo.constant dense<-1> : tensor<i32>
      %j = stablehlo.constant dense<2> : tensor<i32>
      %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      %1 = stablehlo.rng %i, %j, %shape, distribution = UNIFORM
          : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<1000xi32>
      %2 = stablehlo.rng %a, %b, %shape, distribution = NORMAL
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      return %0, %1, %2 : tensor<1000xf32>, tensor<1000xi32>, tensor<1000xf32>
    }"""
    uniform, whole, normal = run(parse(text))
    assert uniform.min() >= 2 and uniform.max() < 5 and uniform.std() > 0.5
    assert set(whole.tolist()) == {-1, 0, 1}
    assert abs(normal.mean() - 2) < 1 and abs(normal.std() - 5) < 1
