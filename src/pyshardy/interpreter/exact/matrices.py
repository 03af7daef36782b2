"""Functions of matrices and vectors: decompositions, Fourier transforms, triangular systems.

Each is a function of the whole matrix (or line) of one batch element. A triangular system is solved exactly instead,
since its right-hand sides are independent of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import algebra
from pyshardy.interpreter.exact.opaque import on_doubles, whole_images
from pyshardy.interpreter.exact.registry import exactly, exactly_on_natural
from pyshardy.interpreter.frame import Evaluator, aligned
from pyshardy.interpreter.operations.comparison import case_of
from pyshardy.interpreter.operations.linear_algebra import from_the_left
from pyshardy.interpreter.operations.properties import boolean, integers
from pyshardy.ir.operation import Operation

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame


@exactly_on_natural("stablehlo.cholesky")
def cholesky(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Of the triangle that counts."""
    triangle = np.tri(operands[0].shape[-1], dtype=np.bool_)
    read = triangle if boolean(op, "lower") else triangle.T
    matrices = np.where(read, operands[0], np.zeros_like(operands[0]))
    return whole_images(op.name, [matrices], on_doubles(frame, op, operands, native), operands[0].ndim - 3)


@exactly_on_natural("stablehlo.fft")
def fft(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    name = f"{op.name} {case_of(op, 'fft_type')}"
    batch = operands[0].ndim - 1 - len(integers(op, "fft_length"))
    return whole_images(name, operands, on_doubles(frame, op, operands, native), batch)


@exactly("stablehlo.triangular_solve")
def triangular_solve(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [
        solution(
            operands[0],
            operands[1],
            left=boolean(op, "left_side"),
            lower=boolean(op, "lower"),
            unit_diagonal=boolean(op, "unit_diagonal"),
            transpose=case_of(op, "transpose_a"),
        )
    ]


def solution(a: Any, b: Any, *, left: bool, lower: bool, unit_diagonal: bool, transpose: str) -> Any:
    """x of ``op(a) x = b`` (or ``x op(a) = b``) by substitution, row by row."""
    a, b = aligned([a, b])
    matrix, target, lower = from_the_left(
        a, b, left=left, lower=lower, transpose=transpose, conjugate=algebra.conjugate
    )
    size = matrix.shape[-1]
    found = np.zeros_like(target)
    for row in range(size) if lower else reversed(range(size)):
        known = slice(0, row) if lower else slice(row + 1, size)
        rest = target[..., row, :]
        if known.start < known.stop:
            products = algebra.times(matrix[..., row, known, None], found[..., known, :])
            rest = algebra.minus(rest, algebra.total(products, products.ndim - 2))
        found[..., row, :] = rest if unit_diagonal else algebra.over(rest, matrix[..., row, row, None])
    return found if left else found.swapaxes(-1, -2)
