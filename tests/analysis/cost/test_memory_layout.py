"""Tensors in tiles: what is filled up at the boundary and in between, and the peak that comes of it."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from pyshardy.analysis.cost.memory_layout import least_tiled_bytes, tiled_bytes
from pyshardy.ir.types import I1, FloatType, TensorType, TupleType, Type

F32, BF16 = FloatType("f32"), FloatType("bf16")
TILE = (8, 128)


@pytest.mark.parametrize(
    ("shape", "element", "expected"),
    [
        ((), F32, 4),
        ((3,), F32, 128 * 4),
        ((129,), F32, 256 * 4),
        ((256, 512), F32, 256 * 512 * 4),
        ((1024, 3), F32, 1024 * 128 * 4),
        ((9, 128), BF16, 16 * 128 * 2),
        ((3, 128), BF16, 4 * 128 * 2),
        ((5, 1, 128), BF16, 5 * 128 * 2),
        ((16, 16), I1, 16 * 128),
        ((0, 128), F32, 0),
    ],
)
def test_tensors_of_the_boundary_are_filled_up(shape: tuple[int, ...], element: Type, expected: int) -> None:
    assert tiled_bytes(TensorType(shape, element), TILE) == expected


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((1024, 3), 1024 * 4 * 4), ((4, 3, 256, 64), 4 * 3 * 256 * 64 * 4), ((3, 3, 3, 16), 3 * 3 * 4 * 128 * 4)],
)
def test_in_between_dimensions_lie_as_they_take_least(shape: tuple[int, ...], expected: int) -> None:
    assert least_tiled_bytes(TensorType(shape, F32), TILE) == expected


def test_a_tuple_has_the_bytes_of_its_elements() -> None:
    type = TupleType((TensorType((3,), F32), TensorType((), F32)))
    assert tiled_bytes(type, TILE) == least_tiled_bytes(type, TILE) == 128 * 4 + 4


def test_the_peak_of_a_chip_with_tiles_counts_them() -> None:
    found = partition(
        parse("""
func.func @main(%x: tensor<1024x3xf32>) -> tensor<1024x3xf32> {
  %0 = stablehlo.tanh %x : tensor<1024x3xf32>
  return %0 : tensor<1024x3xf32>
}""")
    )
    on_tpu, on_gpu = found.cost("v5e"), found.cost("h100")
    assert (on_tpu.peak_bytes, on_tpu.argument_bytes) == (2 * 1024 * 128 * 4, 1024 * 128 * 4)
    assert (on_gpu.peak_bytes, on_gpu.argument_bytes) == (2 * 1024 * 3 * 4, 1024 * 3 * 4)
    assert found.memory.peak == on_gpu.peak_bytes
