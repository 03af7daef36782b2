"""Slices, pads, reversals and concatenations along sharded dimensions, with strides, gaps and negative amounts."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from tests.partitioning.sharding_text import sharded
from tests.partitioning.test_small_programs import agrees
from tests.sampling import sampled


@pytest.mark.slow
@pytest.mark.parametrize("size", [16, 13, 5])
@pytest.mark.parametrize("cut", ["0:S", "1:S", "0:S-1", "2:S-2", "0:S:2", "1:S:3", "S-1:S", "3:4"])
@pytest.mark.parametrize("dims", [("x", ""), ("x", "y"), ("y,x", "")])
def test_a_slice_of_a_sharded_dimension(size: int, cut: str, dims: tuple[str, str]) -> None:
    parts = [eval(part, {"S": size}) for part in cut.split(":")]
    start, limit, stride = (*parts, 1)[:3]
    length = -(-(limit - start) // stride)
    source, result = f"tensor<{size}x6xi32>", f"tensor<{length}x5xi32>"
    body = f"""
      %0 = stablehlo.slice %a [{start}:{limit}:{stride}, 1:6] : ({source}) -> {result}
      return %0 : {result}"""
    assert agrees(f"%a: {sharded(source, *dims)}", sharded(result, *dims), body)


@pytest.mark.parametrize("size", [16, 13, 3])
@pytest.mark.parametrize(
    ("low", "high", "interior"),
    [(1, 0, 0), (0, 2, 0), (3, 3, 0), (-1, 0, 0), (-1, 4, 0), (2, -2, 0), (0, 0, 1), (1, 0, 1), (-2, 3, 2), (1, -1, 0)],
)
@pytest.mark.parametrize("axes", ["x", "y"])
def test_a_pad_of_a_sharded_dimension(size: int, low: int, high: int, interior: int, axes: str) -> None:
    length = low + size + (size - 1) * interior + high
    source, result = f"tensor<{size}x6xi32>", f"tensor<{length}x8xi32>"
    body = f"""
      %0 = stablehlo.pad %a, %b, low = [{low}, 1], high = [{high}, 1], interior = [{interior}, 0]
          : ({source}, tensor<i32>) -> {result}
      return %0 : {result}"""
    assert agrees(f"%a: {sharded(source, axes, '')}, %b: tensor<i32>", sharded(result, axes, ""), body)


@pytest.mark.parametrize("size", [16, 13, 9, 3])
@pytest.mark.parametrize("dims", [("x", ""), ("x", "y"), ("x,y", ""), ("", "x")])
def test_a_reversal_of_sharded_dimensions(size: int, dims: tuple[str, str]) -> None:
    type = f"tensor<{size}x6xi32>"
    body = f"%0 = stablehlo.reverse %a, dims = [0, 1] : {type}\nreturn %0 : {type}"
    assert agrees(f"%a: {sharded(type, *dims)}", sharded(type, *dims), body)


@pytest.mark.parametrize("sizes", [(8, 8), (5, 3), (1, 16), (7, 2)])
@pytest.mark.parametrize("axes", [("x", "x"), ("x", ""), ("", ""), ("y", "x")])
def test_tensors_joined_along_a_sharded_dimension(sizes: tuple[int, int], axes: tuple[str, str]) -> None:
    first, second = (f"tensor<{size}x6xi32>" for size in sizes)
    result = f"tensor<{2 * sizes[0] + sizes[1]}x6xi32>"
    body = f"""
      %0 = stablehlo.concatenate %a, %b, %a, dim = 0 : ({first}, {second}, {first}) -> {result}
      return %0 : {result}"""
    arguments = f"%a: {sharded(first, axes[0], '')}, %b: {sharded(second, axes[1], 'y' if axes[1] != 'y' else '')}"
    assert agrees(arguments, sharded(result, "x", ""), body)


def test_a_shift_by_one_moves_one_row_and_not_the_tensor() -> None:
    text = """
      sdy.mesh @m = <["x"=4]>
      func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %z: tensor<f32>)
          -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
        %0 = stablehlo.pad %a, %z, low = [1, 0], high = [-1, 0], interior = [0, 0]
            : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
        return %0 : tensor<64x8xf32>
      }"""
    plan = partition(parse(text))
    assert [(one.kind, one.bytes) for one in plan.collectives] == [("collective_permute", 8 * 4)]


@pytest.mark.parametrize("size", [16, 13, 4])
@pytest.mark.parametrize(("start", "limit"), [(0, 1), (1, 0), (2, 1), (0, 0), (3, 0)])
@pytest.mark.parametrize(
    ("low", "high"), sampled([(0, 1), (1, 0), (3, 0), (0, 3), (-1, 2), (2, 2), (12, 0), (0, 12)], 2)
)
@pytest.mark.parametrize("axes", ["x", "y"])
def test_a_padded_slice_of_a_sharded_dimension(
    size: int, start: int, limit: int, low: int, high: int, axes: str
) -> None:
    end = size - limit
    length = end - start + low + high
    if min(end - start, length, end - start + min(low, 0)) <= 0:
        end, low, length = start + 1, abs(low), 1 + abs(low) + high
    source, cut, result = (f"tensor<{one}x6xi32>" for one in (size, end - start, length))
    body = f"""
      %0 = stablehlo.slice %a [{start}:{end}, 0:6] : ({source}) -> {cut}
      %1 = stablehlo.pad %0, %b, low = [{low}, 0], high = [{high}, 0], interior = [0, 0]
          : ({cut}, tensor<i32>) -> {result}
      return %1 : {result}"""
    assert agrees(f"%a: {sharded(source, axes, '')}, %b: tensor<i32>", sharded(result, axes, ""), body)


def test_the_gradient_of_a_roll_moves_each_row_once() -> None:
    text = """
      sdy.mesh @m = <["x"=4]>
      func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %z: tensor<f32>)
          -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
        %0 = stablehlo.slice %a [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
        %1 = stablehlo.slice %a [1:4, 0:8] : (tensor<4x8xf32>) -> tensor<3x8xf32>
        %2 = stablehlo.pad %1, %z, low = [0, 0], high = [1, 0], interior = [0, 0]
            : (tensor<3x8xf32>, tensor<f32>) -> tensor<4x8xf32>
        %3 = stablehlo.pad %0, %z, low = [3, 0], high = [0, 0], interior = [0, 0]
            : (tensor<1x8xf32>, tensor<f32>) -> tensor<4x8xf32>
        %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
        return %4 : tensor<4x8xf32>
      }"""
    plan = partition(parse(text))
    assert [(one.kind, one.bytes) for one in plan.collectives] == [("collective_permute", 8 * 4)] * 2
