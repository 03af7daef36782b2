"""No device makes a large value of which it only reads its own shard."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse, partition
from tests.differential.jax_programs import PROGRAMS
from tests.partitioning.made_whole import made_whole
from tests.sampling import sampled

_EXAMPLES = {path.stem: path for path in sorted(Path("examples").glob("*.mlir"))}


@pytest.mark.parametrize("name", _EXAMPLES)
def test_no_example_makes_whole_what_it_slices(name: str) -> None:
    assert made_whole(partition(parse(_EXAMPLES[name].read_text(), name)).module) == []


@pytest.mark.parametrize("name", sampled(PROGRAMS, 2))
def test_no_jax_program_makes_whole_what_it_slices(name: str) -> None:
    assert made_whole(partition(parse(PROGRAMS[name](), name)).module) == []


_SLICED = """
func.func @main(%a: tensor<16xf32>) -> tensor<4x16xf32> {{
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<16xf32>) -> tensor<16x16xf32>
  %3 = stablehlo.negate %2 : tensor<16x16xf32>
  %4 = stablehlo.dynamic_slice %3, {start}, %zero, sizes = [4, 16]
      : (tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
  return %4 : tensor<4x16xf32>
}}"""


def test_what_is_made_whole_and_sliced_by_each_device_is_found() -> None:
    assert made_whole(parse(_SLICED.format(start="%1"))) == ["tensor<16x16xf32> made by stablehlo.negate"]


def test_what_the_program_slices_itself_is_its_own_business() -> None:
    assert made_whole(parse(_SLICED.format(start="%zero"))) == []
