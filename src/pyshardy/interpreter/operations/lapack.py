"""Factorisations and solvers as JAX calls them: LU, Cholesky, QR, triangular, tridiagonal. On CPUs they are LAPACK's,
on GPUs those of cuSOLVER, hipSOLVER and cuSPARSE, on TPUs XLA's."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
from pyshardy.interpreter.operations.elementwise import double
from pyshardy.interpreter.operations.lapack_calls import (
    flattened,
    gpu_names,
    integer_option,
    names,
    reads_upper,
    reflect_left,
    reflector,
    status,
    triangular_system,
    typed,
)
from pyshardy.interpreter.operations.linear_algebra import cholesky_factor, triangular_solution
from pyshardy.ir.operation import Operation


@evaluates_custom_call(*names("potrf"), *gpu_names("potrf"))
def potrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    factor = cholesky_factor(operands[0], lower=not reads_upper(op))
    failed = np.isnan(factor).any(axis=(-1, -2))
    return [factor, np.where(failed, 1, status(op, operands)).astype(np.int32)]


@evaluates_custom_call(*names("getrf"), *gpu_names("getrf"))
def getrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """L and U in one matrix by Gaussian elimination, the row that came to each place (from 1), and the status."""
    matrices = double(operands[0]).copy()
    rows, columns = matrices.shape[-2:]
    flat = flattened(matrices)
    each = np.arange(len(flat))
    pivots = np.zeros((len(flat), min(rows, columns)), np.int32)
    for step in range(min(rows, columns)):
        chosen = step + np.argmax(_magnitude(flat[:, step:, step]), axis=1)
        pivots[:, step] = chosen + 1
        flat[each, step], flat[each, chosen] = flat[each, chosen], flat[each, step].copy()
        pivot = flat[:, step, step, None]
        flat[:, step + 1 :, step] /= np.where(pivot == 0, 1, pivot)
        flat[:, step + 1 :, step + 1 :] -= flat[:, step + 1 :, step, None] * flat[:, step, None, step + 1 :]
    factors = flat.reshape(matrices.shape).astype(operands[0].dtype)
    return [factors, pivots.reshape(*matrices.shape[:-2], min(rows, columns)), status(op, operands)]


def _magnitude(values: Array) -> Array:
    """LAPACK compares complex numbers by the sum of the magnitudes of their parts."""
    size: Array = np.abs(values.real) + np.abs(values.imag)
    return size


@evaluates_custom_call("LuDecomposition")
def lu_decomposition(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """XLA's for TPUs: like ``getrf`` with rows from 0, and the order in which the rows of the operand stand then."""
    factors, pivots, _ = getrf(frame, op, operands)
    order = np.broadcast_to(np.arange(factors.shape[-2]), factors.shape[:-1]).copy()
    for rows, row_at in zip(flattened(order, 1), flattened(pivots, 1), strict=True):
        for step, chosen in enumerate(row_at - 1):
            rows[[step, chosen]] = rows[[chosen, step]]
    return typed(op, [factors, pivots - 1, order])


@evaluates_custom_call(*names("geqrf"), *gpu_names("geqrf"), "Qr")
def geqrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """R and the reflectors below it in one matrix, and the reflectors' factors."""
    exact = double(operands[0])
    reflectors, factors = np.linalg.qr(exact, mode="raw")
    dtype = operands[0].dtype
    results = [reflectors.swapaxes(-1, -2).astype(dtype), factors.astype(dtype)]
    return [*results, status(op, operands)] if len(op.results) > 2 else results


@evaluates_custom_call(
    *names("orgqr", "sd"), *names("ungqr", "cz"), *gpu_names("orgqr"), "ProductOfElementaryHouseholderReflectors"
)
def orgqr(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The product of reflectors as a matrix."""
    reflectors, factors = (double(value) for value in operands)
    rows, columns = reflectors.shape[-2:]
    product = np.broadcast_to(np.eye(rows, columns, dtype=reflectors.dtype), reflectors.shape).copy()
    for step in reversed(range(factors.shape[-1])):
        vector = reflectors[..., :, step].copy()
        vector[..., :step] = 0
        vector[..., step] = 1
        projection = np.matmul(np.conj(vector)[..., None, :], product)
        product -= factors[..., step, None, None] * vector[..., :, None] * projection
    results = [product.astype(operands[0].dtype)]
    return [*results, status(op, operands)] if len(op.results) > 1 else results


@evaluates_custom_call(*names("trsm"))
def trsm(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [triangular_solution(operands[0], operands[1], **triangular_system(op))]


@evaluates_custom_call(*names("geqp3"), "cuhybrid_geqp3", "hiphybrid_geqp3")
def geqp3(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Like ``geqrf``, for the columns in an order (from 1) in which the largest of what is left comes next."""
    matrices, columns = double(operands[0]).copy(), operands[1].astype(np.int32)
    count = min(matrices.shape[-2:])
    factors = np.zeros((*matrices.shape[:-2], count), matrices.dtype)
    flat = zip(flattened(matrices), flattened(columns, 1), flattened(factors, 1), strict=True)
    for matrix, order, taus in flat:
        order[:] = 1 + np.argsort(order == 0, kind="stable")
        matrix[:] = matrix[:, order - 1]
        for step in range(count):
            chosen = step + int(np.argmax(np.linalg.norm(matrix[step:, step:], axis=0)))
            matrix[:, [step, chosen]] = matrix[:, [chosen, step]]
            order[[step, chosen]] = order[[chosen, step]]
            vector, taus[step], beta = reflector(matrix[step:, step])
            reflect_left(matrix[step:, step + 1 :], vector, np.conj(taus[step]))
            matrix[step, step], matrix[step + 1 :, step] = beta, vector[1:]
    return typed(op, [matrices, columns, factors])


@evaluates_custom_call(*names("ormqr", "sd"), *names("unmqr", "cz"), *gpu_names("ormqr"))
def ormqr(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The product of reflectors (or its adjoint) times a matrix, from the left or the right."""
    left, transposed = (bool(integer_option(op, name)) for name in ("left", "transpose"))
    reflectors, factors, product = (double(value) for value in aligned(operands))
    product = (product if left else np.conj(product.swapaxes(-1, -2))).copy()
    # From the right it is the adjoint of the other product from the left.
    adjoint = transposed == left
    steps = range(factors.shape[-1])
    for step in steps if adjoint else reversed(steps):
        vector = reflectors[..., :, step].copy()
        vector[..., :step] = 0
        vector[..., step] = 1
        factor = np.conj(factors[..., step]) if adjoint else factors[..., step]
        projection = np.matmul(np.conj(vector)[..., None, :], product)
        product -= factor[..., None, None] * vector[..., :, None] * projection
    return typed(op, [product if left else np.conj(product.swapaxes(-1, -2))])


@evaluates_custom_call(*names("gtsv"))
def gtsv(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Solutions of systems with three diagonals; the diagonals come back as they are."""
    return [*typed(op, [*operands[:3], _tridiagonal_solution(operands)]), status(op, operands)]


@evaluates_custom_call("cusparse_gtsv2_ffi", "hipsparse_gtsv2_ffi")
def gtsv2(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The solutions of ``gtsv``."""
    return typed(op, [_tridiagonal_solution(operands)])


def _tridiagonal_solution(operands: list[Array]) -> Array:
    lower, middle, upper, target = (double(value) for value in aligned(operands))
    size = middle.shape[-1]
    matrices = np.zeros((*middle.shape, size), middle.dtype)
    each = np.arange(size)
    matrices[..., each, each] = middle
    matrices[..., each[1:], each[:-1]] = lower[..., -size + 1 :] if size > 1 else 0
    matrices[..., each[:-1], each[1:]] = upper[..., : size - 1]
    return np.linalg.solve(matrices, target)


@evaluates_custom_call(
    "LuPivotsToPermutation",
    "lu_pivots_to_permutation",
    "cu_lu_pivots_to_permutation",
    "hip_lu_pivots_to_permutation",
)
def lu_pivots_to_permutation(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The order of the rows after the swaps of ``pivots`` (from 0)."""
    (pivots,) = operands
    size = getattr(op.results[0].type, "shape", (0,))[-1]
    order = np.broadcast_to(np.arange(size, dtype=np.int32), (*pivots.shape[:-1], size)).copy()
    flat, swaps = flattened(order, 1), flattened(pivots, 1)
    each = np.arange(len(flat))
    for step in range(swaps.shape[1]):
        other = swaps[:, step]
        flat[each, step], flat[each, other] = flat[each, other], flat[each, step].copy()
    return [order]
