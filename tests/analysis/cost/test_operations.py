"""What single operations compute and move, against counts by hand."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.analysis.cost.operations import Work, kind, repeated, work_of_operation
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.fusion import fused_values


def works(body: str, arguments: str, result: str) -> dict[str, Work]:
    """The work of each operation of a function, by its name."""
    module = parse(f"func.func @main({arguments}) -> {result} {{\n{body}\n}}")
    (function,) = module.op.body
    operations: list[Operation] = list(function.body)
    fused = fused_values(operations)
    return {op.name.removeprefix("stablehlo."): work_of_operation(op, fused) for op in operations}


def work(line: str, arguments: str, result: str) -> Work:
    """The work of the one operation ``%0``."""
    found = works(f"%0 = {line}\nreturn %0 : {result}", arguments, result)
    return next(iter(found.values()))


@pytest.mark.parametrize(
    ("line", "arguments", "result", "flops", "moved"),
    [
        (
            "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
            "(tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>",
            "%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>",
            "tensor<2x4x16xf32>",
            2 * 2 * 4 * 16 * 8,
            4 * (64 + 256 + 128),
        ),
        (
            "stablehlo.dot %a, %b : (tensor<4x8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<4xcomplex<f32>>",
            "%a: tensor<4x8xcomplex<f32>>, %b: tensor<8xcomplex<f32>>",
            "tensor<4xcomplex<f32>>",
            4 * 2 * 4 * 8,
            8 * (32 + 8 + 4),
        ),
        (
            '"stablehlo.einsum"(%a, %b) <{einsum_config = "ij,jk->ik"}> : '
            "(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>",
            "%a: tensor<4x8xf32>, %b: tensor<8x2xf32>",
            "tensor<4x2xf32>",
            2 * 4 * 8 * 2,
            4 * (32 + 16 + 8),
        ),
        ("stablehlo.add %a, %a : tensor<8xbf16>", "%a: tensor<8xbf16>", "tensor<8xbf16>", 8, 2 * 16),
        ("stablehlo.tanh %a : tensor<8xf32>", "%a: tensor<8xf32>", "tensor<8xf32>", 8, 64),
        (
            "stablehlo.transpose %a, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>",
            "%a: tensor<2x4xf32>",
            "tensor<4x2xf32>",
            0,
            64,
        ),
        (
            "stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8xf32>",
            "%a: tensor<2x4xf32>",
            "tensor<8xf32>",
            0,
            0,
        ),
        (
            "stablehlo.slice %a [0:2] : (tensor<100xf32>) -> tensor<2xf32>",
            "%a: tensor<100xf32>",
            "tensor<2xf32>",
            0,
            16,
        ),
        (
            "stablehlo.dynamic_update_slice %a, %b, %i : (tensor<100xf32>, tensor<2xf32>, tensor<i32>) -> "
            "tensor<100xf32>",
            "%a: tensor<100xf32>, %b: tensor<2xf32>, %i: tensor<i32>",
            "tensor<100xf32>",
            0,
            8 + 4 + 8,
        ),
        (
            "stablehlo.cholesky %a : tensor<3x4x4xf32>",
            "%a: tensor<3x4x4xf32>",
            "tensor<3x4x4xf32>",
            3 * 64 / 3,
            2 * 192,
        ),
        (
            '"stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = '
            "#stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : "
            "(tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>",
            "%a: tensor<4x4xf32>, %b: tensor<4x2xf32>",
            "tensor<4x2xf32>",
            2 * 16,
            4 * (16 + 8 + 8),
        ),
        (
            "stablehlo.fft %a, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>",
            "%a: tensor<2x8xcomplex<f32>>",
            "tensor<2x8xcomplex<f32>>",
            5 * 16 * 3,
            2 * 128,
        ),
        (
            "stablehlo.fft %a, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>",
            "%a: tensor<2x8xf32>",
            "tensor<2x5xcomplex<f32>>",
            2.5 * 16 * 3,
            64 + 80,
        ),
        ("stablehlo.iota dim = 0 : tensor<8xf32>", "", "tensor<8xf32>", 0, 32),
        (
            "stablehlo.custom_call @mystery(%a) : (tensor<8xf32>) -> tensor<8xf32>",
            "%a: tensor<8xf32>",
            "tensor<8xf32>",
            0,
            64,
        ),
    ],
)
def test_an_operation_counts_as_by_hand(line: str, arguments: str, result: str, flops: float, moved: float) -> None:
    found = work(line, arguments, result)
    assert (found.flops, found.bytes) == (flops, moved)
    assert found.known == ("mystery" not in line)


def _convolution(window: str, sizes: str, result: str, counts: str = "1, 1") -> float:
    features, batches = counts.split(", ")
    return work(
        f"stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{window}}} "
        f"{{batch_group_count = {batches} : i64, feature_group_count = {features} : i64}} : ({sizes}) -> {result}",
        ", ".join(f"%{name}: {type}" for name, type in zip("ab", sizes.split(", "), strict=True)),
        result,
    ).flops


def test_a_convolution_counts_what_meets_the_input() -> None:
    plain = _convolution("", "tensor<2x8x3xf32>, tensor<3x3x5xf32>", "tensor<2x6x5xf32>")
    assert plain == 2 * (2 * 6 * 5) * 3 * 3
    # At both ends one element of the window falls on padding.
    padded = _convolution("pad = [[1, 1]]", "tensor<2x8x3xf32>, tensor<3x3x5xf32>", "tensor<2x8x5xf32>")
    assert padded == 2 * (2 * 5 * 3) * (8 * 3 - 2)
    # Every other element of what the window sees is a hole.
    dilated = _convolution("lhs_dilate = [2]", "tensor<2x8x3xf32>, tensor<2x3x5xf32>", "tensor<2x14x5xf32>")
    assert dilated == 2 * (2 * 5 * 3) * 14
    grouped = _convolution("", "tensor<2x8x4xf32>, tensor<3x2x6xf32>", "tensor<2x6x6xf32>", "2, 1")
    assert grouped == 2 * (2 * 6 * 6) * 3 * 2
    by_batch = _convolution("", "tensor<4x8x3xf32>, tensor<3x3x6xf32>", "tensor<2x6x6xf32>", "1, 2")
    assert by_batch == 2 * (2 * 6 * 6) * 3 * 3


def test_reductions_and_sorts_count_the_operations_of_their_regions() -> None:
    found = works(
        """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %less = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %sum = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4xf32>""",
        "%a: tensor<4x8xf32>",
        "tensor<4xf32>",
    )
    assert found["reduce"].flops == 28 and found["sort"].flops == 32 * 3 and found["reduce_window"].flops == 24 * 2
    assert found["constant"] == Work(0.0, None, 0.0)


def test_what_is_made_where_it_is_read_costs_no_bytes() -> None:
    found = works(
        """
  %0 = stablehlo.multiply %a, %b : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.exponential %1 : tensor<8xf32>
  return %2 : tensor<8xf32>""",
        "%a: tensor<8xf32>, %b: tensor<8xf32>",
        "tensor<8xf32>",
    )
    assert [found[name].bytes for name in ("multiply", "negate", "exponential")] == [64, 0, 32]
    assert [found[name].flops for name in ("multiply", "negate", "exponential")] == [8, 8, 8]


def test_another_name_of_what_is_in_memory_is_read_from_there() -> None:
    found = works(
        """
  %0 = stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>""",
        "%a: tensor<2x4xf32>",
        "tensor<8xf32>",
    )
    assert found["tanh"].bytes == 64


def test_what_reads_one_tensor_twice_is_not_like_what_reads_two() -> None:
    module = parse(
        """func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<8xf32>
  %1 = stablehlo.multiply %a, %b : tensor<8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}"""
    )
    (function,) = module.op.body
    twice, two, other = list(function.body)[:3]
    assert work_of_operation(twice, set()) != work_of_operation(two, set())
    assert kind(twice) == kind(two) == kind(other)
    assert repeated(twice) != repeated(two) == repeated(other)


@pytest.mark.parametrize("stride", [1, 2, 3, 4])
@pytest.mark.parametrize("holes", [1, 2, 3, 6])
@pytest.mark.parametrize("low", [-2, 0, 3])
def test_a_convolution_counts_each_pair_of_a_window_and_what_it_meets(stride: int, holes: int, low: int) -> None:
    size, window, dilation = 5, 3, 2
    reach = (size - 1) * holes + 1
    windows = (reach + low - (window - 1) * dilation - 1) // stride + 1
    found = _convolution(
        f"stride = [{stride}], pad = [[{low}, 0]], lhs_dilate = [{holes}], rhs_dilate = [{dilation}]",
        f"tensor<1x{size}x1xf32>, tensor<{window}x1x1xf32>",
        f"tensor<1x{max(windows, 0)}x1xf32>",
    )
    at = [one * stride + place * dilation - low for one in range(windows) for place in range(window)]
    assert found == 2 * sum(0 <= one < reach and one % holes == 0 for one in at)
