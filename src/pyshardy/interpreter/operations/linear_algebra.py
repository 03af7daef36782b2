"""Matrix factorisations and triangular systems, over any number of batch dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, wide
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.comparison import case_of
from pyshardy.interpreter.operations.elementwise import double
from pyshardy.interpreter.operations.properties import boolean
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation


@evaluates("stablehlo.cholesky")
def cholesky(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [cholesky_factor(operands[0], lower=boolean(op, "lower"))]


def cholesky_factor(matrices: Array, *, lower: bool) -> Array:
    """The factor of each matrix, read from one triangle; NaN for a matrix that is not positive definite."""
    exact = double(wide(matrices))
    if not lower:
        exact = np.conj(exact.swapaxes(-1, -2))
    try:
        factors = np.linalg.cholesky(exact)
    except np.linalg.LinAlgError:
        factors = np.full_like(exact, np.nan)
        for place in np.ndindex(exact.shape[:-2]):
            try:
                factors[place] = np.linalg.cholesky(exact[place])
            except np.linalg.LinAlgError:
                continue
    factors = np.where(np.isnan(factors).any(axis=(-1, -2), keepdims=True), np.nan, factors)
    if not lower:
        factors = np.conj(factors.swapaxes(-1, -2))
    return factors.astype(matrices.dtype)


@evaluates("stablehlo.triangular_solve")
def triangular_solve(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    a, b = aligned(operands)
    return [
        triangular_solution(
            a,
            b,
            left=boolean(op, "left_side"),
            lower=boolean(op, "lower"),
            unit_diagonal=boolean(op, "unit_diagonal"),
            transpose=case_of(op, "transpose_a"),
        )
    ]


def triangular_solution(a: Array, b: Array, *, left: bool, lower: bool, unit_diagonal: bool, transpose: str) -> Array:
    """x of ``op(a) x = b`` (or ``x op(a) = b``), where only one triangle of ``a`` counts; ``transpose`` names op."""
    matrix, target, lower = from_the_left(
        double(wide(a)), double(wide(b)), left=left, lower=lower, transpose=transpose, conjugate=np.conj
    )
    size = matrix.shape[-1]
    solution = np.zeros_like(target)
    for row in range(size) if lower else reversed(range(size)):
        known = slice(0, row) if lower else slice(row + 1, size)
        rest = target[..., row, :] - np.matmul(matrix[..., row : row + 1, known], solution[..., known, :])[..., 0, :]
        solution[..., row, :] = rest if unit_diagonal else rest / matrix[..., row, row, None]
    result: Array = solution if left else solution.swapaxes(-1, -2)
    return result.astype(b.dtype)


def from_the_left(
    a: Any, b: Any, *, left: bool, lower: bool, transpose: str, conjugate: Callable[[Any], Any]
) -> tuple[Any, Any, bool]:
    """The matrix m and right-hand side of the system ``m x = b`` that the one of ``triangular_solution`` is (that of
    xᵀ if the matrix stands on the right), and whether the triangle of m is the lower one."""
    if transpose in ("TRANSPOSE", "ADJOINT"):
        a, lower = a.swapaxes(-1, -2), not lower
        if transpose == "ADJOINT":
            a = conjugate(a)
    return (a, b, lower) if left else (a.swapaxes(-1, -2), b.swapaxes(-1, -2), not lower)
