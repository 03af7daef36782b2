# mypy: allow-untyped-calls, no-warn-return-any
"""JAX's linear algebra on CPUs, which is calls of LAPACK, against JAX's own results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest
from jax import lax

from pyshardy import parse, partition
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.interpreter.compiled import assert_alike_on_devices, assert_program, random_inputs


def adjoint(a: jax.Array) -> jax.Array:
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def hermitian(a: jax.Array) -> jax.Array:
    return a @ adjoint(a) + 3 * jnp.eye(a.shape[-1], dtype=a.dtype)


def joined_qr(a: jax.Array) -> Any:
    q, r = jnp.linalg.qr(a)
    return q @ r, adjoint(q) @ q, jnp.abs(r)


def joined_eigh(a: jax.Array) -> Any:
    values, vectors = jnp.linalg.eigh(hermitian(a))
    return values, (vectors * values[..., None, :]) @ adjoint(vectors)


def joined_svd(a: jax.Array) -> Any:
    left, values, right = jnp.linalg.svd(a, full_matrices=False)
    return values, (left * values[..., None, :]) @ right, jnp.linalg.svd(a, compute_uv=False)


def solved(a: jax.Array) -> Any:
    return jnp.linalg.solve(hermitian(a), a), lax.linalg.lu(a)


def with_factor(a: jax.Array) -> Any:
    factor = jnp.linalg.cholesky(hermitian(a))
    return factor, lax.linalg.triangular_solve(factor, a, left_side=True, lower=True)


def whole_svd(a: jax.Array) -> Any:
    left, values, right = jnp.linalg.svd(a)
    return values, adjoint(left) @ left, adjoint(right) @ right, jnp.linalg.svd(a, compute_uv=False)


def svd_by_qr(a: jax.Array) -> Any:
    left, values, right = lax.linalg.svd(a, full_matrices=False, algorithm=lax.linalg.SvdAlgorithm.QR)
    return values, (left * values[..., None, :]) @ right


def tridiagonal(a: jax.Array) -> Any:
    _, middle, beside, _ = lax.linalg.tridiagonal(hermitian(a))
    bands = jnp.abs(a) + 3
    return middle, beside, lax.linalg.tridiagonal_solve(a[..., 0, :], bands[..., 1, :], a[..., 2, :], bands)


def other_qr(a: jax.Array) -> Any:
    reflectors, factors = jnp.linalg.qr(a, mode="raw")
    product = lax.linalg.ormqr(jnp.swapaxes(reflectors, -1, -2), factors, a)
    return product, jnp.abs(jsl.qr(a, pivoting=True, mode="economic")[1])


def eigenvectors(a: jax.Array) -> Any:
    values, vectors = jnp.linalg.eig(a)
    return jnp.sort(jnp.abs(values)), residual(a @ vectors, vectors * values[..., None, :])


FOR_TPUS = (joined_qr, joined_eigh, solved)
FOR_GPUS = (*FOR_TPUS, joined_svd, whole_svd, svd_by_qr, tridiagonal, other_qr, eigenvectors)


@pytest.mark.parametrize(
    "platform, function, dtype",
    [
        *(("tpu", function, np.float32) for function in FOR_TPUS),
        *((platform, function, np.float32) for platform in ("cuda", "rocm") for function in FOR_GPUS),
        *(("cuda", function, np.complex64) for function in (joined_svd, svd_by_qr, eigenvectors)),
    ],
)
def test_linear_algebra_as_jax_writes_it_for_other_platforms(
    platform: str, function: Callable[..., Any], dtype: type
) -> None:
    """The same results as on CPUs, and a batch that is sharded stays so."""
    draw = np.random.default_rng(0).uniform
    parts = draw(-1, 1, (2, 4, 3, 3))
    given = (parts[0] + 1j * parts[1] if dtype is np.complex64 else parts[0]).astype(dtype)
    traced = jax.jit(function).trace(jax.ShapeDtypeStruct(given.shape, given.dtype))
    module = parse(traced.lower(lowering_platforms=(platform,)).as_text())
    assert "@lapack" not in str(module) and "stablehlo.custom_call" in str(module)
    for mine, its in zip(run(module, [given]), jax.tree.leaves(jax.jit(function)(given)), strict=True):
        np.testing.assert_allclose(mine, its, rtol=2e-4, atol=2e-5)
    module.apply_shardings({"mesh": {"data": 4}, "shardings": {"**": ["data"]}})
    plan = partition(module)
    assert not plan.collectives and plan.check().agrees


def test_a_matrix_with_infinities_has_no_singular_values_and_lapack_says_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    matrices = np.stack([np.eye(3, dtype=np.float32)] * 3)
    matrices[0, 1, 2], matrices[2, 0, 0] = np.inf, np.nan
    shape = jax.ShapeDtypeStruct(matrices.shape, np.float32)
    text = jax.jit(lambda a: jnp.linalg.svd(a, compute_uv=False)).lower(shape).as_text()
    (found,) = run(parse(text), [matrices])
    assert np.isnan(found[0]).all() and np.isnan(found[2]).all()
    assert found[1].tolist() == [1.0, 1.0, 1.0]
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    "function, shape",
    [
        (jnp.linalg.inv, (3, 0, 0)),
        *((function, (0, 4, 4)) for function in (jnp.linalg.cholesky, jnp.linalg.eigvals, joined_qr)),
    ],
)
def test_matrices_without_elements(function: Callable[..., Any], shape: tuple[int, ...]) -> None:
    module = parse(jax.jit(function).lower(jax.ShapeDtypeStruct(shape, np.float32)).as_text())
    report = partition(module).check()
    assert report.agrees and "exact" in repr(report)


@pytest.mark.slow
@pytest.mark.parametrize("function", [joined_qr, joined_eigh, joined_svd, solved, with_factor])
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("shape", [(5, 5), (2, 3, 4, 4)])
def test_linear_algebra_of_jax(function: Callable[..., Any], dtype: type, shape: tuple[int, ...]) -> None:
    text = jax.jit(function).lower(jax.ShapeDtypeStruct(shape, dtype)).as_text()
    assert_program(text, ulps=2**9)


@pytest.mark.parametrize("shape", [(6, 4), (2, 3, 5)])
def test_matrices_that_are_not_square(shape: tuple[int, ...]) -> None:
    text = jax.jit(joined_qr).lower(jax.ShapeDtypeStruct(shape, np.float32)).as_text()
    assert_program(text, ulps=2**9)
    assert_program(jax.jit(joined_svd).lower(jax.ShapeDtypeStruct(shape, np.float32)).as_text(), ulps=2**9)


def residual(a: jax.Array, product: jax.Array) -> jax.Array:
    """The difference, which is almost zero: rounded to zero."""
    return jnp.abs(a - product) > 1e-4


def spectrum(a: jax.Array) -> Any:
    values, left, right = lax.linalg.eig(a)
    lengths = [jnp.linalg.norm(vectors, axis=-2) for vectors in (left, right)]
    forward = residual(a @ right, right * values[..., None, :])
    return values, lengths, forward, residual(adjoint(left) @ a, values[..., :, None] * adjoint(left))


def schur(a: jax.Array) -> Any:
    form, basis = lax.linalg.schur(a)
    unit = jnp.eye(a.shape[-1])
    return residual(a, basis @ form @ adjoint(basis)), residual(unit, basis @ adjoint(basis)), jnp.tril(form, -2)


def complex_schur(a: jax.Array) -> Any:
    return jnp.abs(lax.linalg.schur(a.astype(np.complex64))[0])


def hessenberg(a: jax.Array) -> Any:
    return lax.linalg.hessenberg(a), [jsl.hessenberg(one, calc_q=True) for one in a]


def three_diagonals(a: jax.Array) -> Any:
    return [lax.linalg.tridiagonal(hermitian(a), lower=lower) for lower in (True, False)]


def three_diagonals_solved(a: jax.Array) -> Any:
    return lax.linalg.tridiagonal_solve(a[..., 0], a[..., 1] + 9, a[..., 2], a)


def columns_in_order(a: jax.Array) -> Any:
    return lax.linalg.qr(a, pivoting=True), lax.linalg.qr(a[..., :3, :], pivoting=True, full_matrices=False)


def products_of_reflectors(a: jax.Array) -> Any:
    form, factors = lax.linalg.hessenberg(a)
    reflectors, target = form[..., 1:, :-1], a[..., 1:, 1:]
    both = (False, True)
    return [
        lax.linalg.ormqr(reflectors, factors, target, left=left, transpose=transpose)
        for left in both
        for transpose in both
    ]


def roots_of_matrices(a: jax.Array) -> Any:
    return [jsl.sqrtm(one @ one) for one in a]


@pytest.mark.slow
@pytest.mark.parametrize(
    "function",
    [spectrum, schur, complex_schur, hessenberg, three_diagonals, three_diagonals_solved, columns_in_order]
    + [products_of_reflectors, roots_of_matrices],
)
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_spectra_and_reductions_of_jax(function: Callable[..., Any], dtype: type) -> None:
    rng = np.random.default_rng(5)
    real, imaginary = rng.normal(size=(2, 2, 4, 4))
    a: Array = (real + 1j * imaginary).astype(dtype) if dtype == np.complex64 else real.astype(dtype)
    program = jax.jit(function)
    expected = jax.tree.leaves(program(a))
    for ours, theirs in zip(run(parse(program.lower(a).as_text()), [a]), expected, strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-3, atol=2e-4)
        assert ours.dtype == theirs.dtype


def solved_from_the_left(a: jax.Array, b: jax.Array) -> Any:
    return lax.linalg.triangular_solve(a, b, left_side=True, lower=True)


def solved_from_the_right(a: jax.Array, b: jax.Array) -> Any:
    return lax.linalg.triangular_solve(a, b, left_side=False, transpose_a=True)


def reflected(a: jax.Array, b: jax.Array) -> Any:
    return lax.linalg.ormqr(a, a[0], b), lax.linalg.householder_product(a, b[0])


def with_three_diagonals(a: jax.Array, b: jax.Array) -> Any:
    return lax.linalg.tridiagonal_solve(a[0], a[1] + 9, a[2], b)


@pytest.mark.parametrize(
    "function", [solved_from_the_left, solved_from_the_right, reflected, with_three_diagonals], ids=lambda f: f.__name__
)
def test_devices_may_share_some_of_the_operands(function: Callable[..., Any]) -> None:
    shape = jax.ShapeDtypeStruct((4, 4), np.float32)
    text = jax.jit(function).lower(shape, shape).as_text()
    assert_alike_on_devices(text, random_inputs(text, 0), random_inputs(text, 1), 2**9)
