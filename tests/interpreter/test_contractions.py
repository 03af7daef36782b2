"""Products and convolutions against XLA."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from tests.interpreter.compiled import assert_program
from tests.interpreter.program_text import main

DOTS = {
    "dot": main(
        "stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>", "3x4xf32 4x5xf32", "3x5xf32"
    ),
    "dot_vectors": main("stablehlo.dot %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>", "4xf32 4xf32", "f32"),
    "batching": main(
        "stablehlo.dot_general %a, %b, batching_dims = [2, 0] x [0, 1], contracting_dims = [1] x [3] : "
        "(tensor<2x3x5x4xf32>, tensor<5x2x6x3xf32>) -> tensor<5x2x4x6xf32>",
        "2x3x5x4xf32 5x2x6x3xf32",
        "5x2x4x6xf32",
    ),
    "two_contracting": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [0, 2] x [1, 0] : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> "
        "tensor<3x5xf32>",
        "2x3x4xf32 4x2x5xf32",
        "3x5xf32",
    ),
    "bytes_to_words": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi8>, "
        "tensor<3x4xi8>) -> tensor<2x4xi32>",
        "2x3xi8 3x4xi8",
        "2x4xi32",
    ),
    "short_floats_to_long": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> "
        "tensor<2x4xf32>",
        "2x3xbf16 3x4xbf16",
        "2x4xf32",
    ),
    "nothing_to_add": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, "
        "tensor<0x4xf32>) -> tensor<2x4xf32>",
        "2x0xf32 0x4xf32",
        "2x4xf32",
    ),
    "complex": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xcomplex<f32>>, "
        "tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>",
        "2x3xcomplex<f32> 3x4xcomplex<f32>",
        "2x4xcomplex<f32>",
    ),
}


@pytest.mark.parametrize("name", DOTS)
def test_dot(name: str) -> None:
    assert_program(DOTS[name], a0=(-100, 100) if name == "bytes_to_words" else (-3, 3))


def test_products_of_large_integers_wrap_around() -> None:
    text = main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi32>, "
        "tensor<3x2xi32>) -> tensor<2x2xi32>",
        "2x3xi32 3x2xi32",
        "2x2xi32",
    )
    assert_program(text, a0=(2**30, 2**31 - 1), a1=(2**30, 2**31 - 1))


def test_einsum() -> None:
    text = main(
        'stablehlo.einsum %a, %b, config = "bij,bjk->bik" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) '
        "-> tensor<2x3x5xf32>",
        "2x3x4xf32 2x4x5xf32",
        "2x3x5xf32",
    )
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 4)).astype(np.float32), rng.normal(size=(2, 4, 5)).astype(np.float32)
    np.testing.assert_allclose(run(parse(text), [a, b])[0], a @ b, rtol=1e-5)


CONVOLUTIONS = {
    "plain": ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "", "2x8x7x3xf32", "3x2x3x4xf32", "2x6x6x4xf32", ""),
    "strides_and_padding": (
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "stride = [2, 1], pad = [[1, 2], [0, -1]]",
        "2x3x8x7xf32",
        "4x3x3x2xf32",
        "2x4x5x5xf32",
        "",
    ),
    "dilations": (
        "[b, 0, f]x[0, i, o]->[f, b, 0]",
        "stride = [2], pad = [[2, 1]], lhs_dilate = [3], rhs_dilate = [2]",
        "2x5x3xf32",
        "3x3x4xf32",
        "4x2x6xf32",
        "",
    ),
    "reversed": (
        "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        "reverse = [true, false]",
        "2x5x5x3xf32",
        "3x2x3x4xf32",
        "2x3x4x4xf32",
        "",
    ),
    "feature_groups": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x6xf32", "3x2x9xf32", "2x4x9xf32", "feature 3"),
    "depthwise": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x4xf32", "3x1x8xf32", "2x4x8xf32", "feature 4"),
    "batch_groups": ("[f, 0, b]x[o, 0, i]->[f, 0, b]", "", "3x6x4xf32", "6x3x3xf32", "6x4x2xf32", "batch 2"),
    "large_kernel": (
        "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        "rhs_dilate = [1, 2]",
        "2x8x9x3xf32",
        "7x4x3x4xf32",
        "2x2x3x4xf32",
        "",
    ),
    "no_space": ("[b, f]x[i, o]->[b, f]", "", "2x3xf32", "3x4xf32", "2x4xf32", ""),
    "short_floats": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x3xbf16", "3x3x4xbf16", "2x4x4xf32", ""),
    "integers": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x3xi32", "3x3x4xi32", "2x4x4xi32", ""),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str) -> None:
    numbers, window, lhs, rhs, result, groups = CONVOLUTIONS[name]
    counts = {"feature": 1, "batch": 1}
    if groups:
        kind, count = groups.split()
        counts[kind] = int(count)
    operation = (
        f"stablehlo.convolution(%a, %b) dim_numbers = {numbers}, window = {{{window}}} "
        f"{{batch_group_count = {counts['batch']} : i64, feature_group_count = {counts['feature']} : i64}} : "
        f"(tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>"
    )
    assert_program(main(operation, f"{lhs} {rhs}", result), ulps=32)
