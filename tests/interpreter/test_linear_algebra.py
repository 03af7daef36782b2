"""Fourier transforms, factors and triangular systems against XLA."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.interpreter.compiled import assert_program
from tests.interpreter.program_text import main, quoted
from tests.sampling import sampled

FOURIER = [
    ("FFT", "8", "3x8xcomplex<f32>", "3x8xcomplex<f32>"),
    ("IFFT", "4, 6", "4x6xcomplex<f64>", "4x6xcomplex<f64>"),
    ("RFFT", "2, 4, 6", "2x4x6xf32", "2x4x4xcomplex<f32>"),
    ("IRFFT", "5", "3x3xcomplex<f32>", "3x5xf32"),
]


@pytest.mark.parametrize(("kind", "lengths", "source", "result"), FOURIER)
def test_fft(kind: str, lengths: str, source: str, result: str) -> None:
    text = main(
        f"stablehlo.fft %a, type = {kind}, length = [{lengths}] : (tensor<{source}>) -> tensor<{result}>",
        source,
        result,
    )
    assert_program(text, ulps=64)


@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("element", ["f32", "complex<f64>"])
def test_cholesky_reads_one_triangle(lower: str, element: str) -> None:
    text = main(
        f"stablehlo.cholesky %a, lower = {lower} : tensor<2x4x4x{element}>", f"2x4x4x{element}", f"2x4x4x{element}"
    )
    rng = np.random.default_rng(0)
    root: Array = rng.normal(size=(2, 4, 4))
    if element != "f32":
        root = root + 1j * rng.normal(size=(2, 4, 4))
    matrix = root @ np.conj(root.swapaxes(-1, -2)) + np.eye(4)
    mask = np.tril(np.ones((4, 4))) if lower == "true" else np.triu(np.ones((4, 4)))
    ours = run(parse(text), [np.where(mask, matrix, 7).astype(np.float32 if element == "f32" else np.complex128)])[0]
    factor = np.where(mask, ours, 0)
    product = (
        factor @ np.conj(factor.swapaxes(-1, -2)) if lower == "true" else np.conj(factor.swapaxes(-1, -2)) @ factor
    )
    np.testing.assert_allclose(product, matrix, rtol=1e-5)


def test_cholesky_of_a_matrix_that_is_not_positive_definite_is_nan() -> None:
    text = main("stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>", "2x2x2xf32", "2x2x2xf32")
    (factor,) = run(parse(text), [np.array([[[4, 0], [0, 9]], [[1, 2], [2, 1]]], np.float32)])
    assert factor[0].tolist() == [[2, 0], [0, 3]]
    assert np.isnan(factor[1]).any()


@pytest.mark.slow
@pytest.mark.parametrize("left", ["true", "false"])
@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("unit", sampled(["true", "false"], 2))
def test_triangular_solve(left: str, lower: str, transpose: str, unit: str) -> None:
    properties = (
        f"left_side = {left}, lower = {lower}, transpose_a = #stablehlo<transpose {transpose}>, unit_diagonal = {unit}"
    )
    shape = "2x4x3" if left == "true" else "2x3x4"
    text = quoted("triangular_solve", properties, f"2x4x4xcomplex<f64> {shape}xcomplex<f64>", f"{shape}xcomplex<f64>")
    assert_program(text, ulps=2**14)
