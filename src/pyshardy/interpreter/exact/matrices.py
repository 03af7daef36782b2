"""Functions of matrices and vectors: decompositions, Fourier transforms, LAPACK's routines.

Each is a function of the whole matrix (or line) of one batch element. A triangular system is solved exactly instead,
since its right-hand sides are independent of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.exact import algebra
from pyshardy.interpreter.exact.numbers import approximation, is_exact
from pyshardy.interpreter.exact.opaque import on_doubles, whole_images
from pyshardy.interpreter.exact.registry import exactly
from pyshardy.interpreter.frame import aligned
from pyshardy.interpreter.operations.callbacks import CALLBACKS
from pyshardy.interpreter.operations.comparison import case_of
from pyshardy.interpreter.operations.custom_calls import ELEMENTWISE_TARGETS, MOVING_TARGETS
from pyshardy.interpreter.operations.lapack_calls import integer_option, letter_option
from pyshardy.interpreter.operations.properties import boolean, integers, string
from pyshardy.interpreter.registry import evaluator
from pyshardy.ir.operation import Operation

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame


@exactly("stablehlo.cholesky")
def cholesky(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Of the triangle that counts."""
    natural = evaluator(op.name)
    assert natural is not None
    triangle = np.tri(operands[0].shape[-1], dtype=np.bool_)
    read = triangle if boolean(op, "lower") else triangle.T
    matrices = np.where(read, operands[0], np.zeros_like(operands[0]))
    return whole_images(op.name, [matrices], on_doubles(frame, op, operands, natural), operands[0].ndim - 3)


@exactly("stablehlo.fft")
def fft(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    natural = evaluator(op.name)
    assert natural is not None
    name = f"{op.name} {case_of(op, 'fft_type')}"
    batch = operands[0].ndim - 1 - len(integers(op, "fft_length"))
    return whole_images(name, operands, on_doubles(frame, op, operands, natural), batch)


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
    matrix, target = aligned([a, b])
    if transpose in ("TRANSPOSE", "ADJOINT"):
        matrix, lower = matrix.swapaxes(-1, -2), not lower
        if transpose == "ADJOINT":
            matrix = algebra.conjugate(matrix)
    if not left:
        matrix, lower, target = matrix.swapaxes(-1, -2), not lower, target.swapaxes(-1, -2)
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


@exactly("stablehlo.custom_call")
def custom_call(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """LAPACK's routines, functions of the matrices of one batch element; markers; helpers of XLA."""
    from pyshardy.interpreter.number_systems import AS_WRITTEN

    natural = evaluator(op.name)
    assert natural is not None
    target = string(op, "call_target_name")
    if target in MOVING_TARGETS:
        return list(natural(frame, op, operands))
    if target in ELEMENTWISE_TARGETS:
        function = frame.machine.numbers.evaluator(f"chlo.{target.removeprefix('mhlo.')}")
        assert function is not None
        return list(function(frame, op, operands))
    if target.startswith("lapack_") and target.endswith("trsm_ffi"):
        return [_trsm(op, operands)]
    if not any(is_exact(value.dtype) for value in operands):
        found = natural(frame.counting_in(AS_WRITTEN), op, operands)
        return [frame.machine.numbers.constant(value) for value in found]
    if target in CALLBACKS:
        # A function of the user's gets numbers of the types that the program says.
        given = [
            approximation(value).astype(numpy_type(one.type)) for value, one in zip(operands, op.operands, strict=True)
        ]
        return whole_images(target, operands, list(natural(frame.counting_in(AS_WRITTEN), op, given)), batch=0)
    name = " ".join((target, *(f"{key}={value}" for key, value in _options(op))))
    return whole_images(name, operands, on_doubles(frame, op, operands, natural), _batch(op, operands))


def _trsm(op: Operation, operands: list[Array]) -> Any:
    transpose = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[letter_option(op, "trans_x") or "N"]
    return solution(
        operands[0],
        operands[1],
        left=letter_option(op, "side") != "R",
        lower=letter_option(op, "uplo") != "U",
        unit_diagonal=letter_option(op, "diag") == "U",
        transpose=transpose,
    )


def _options(op: Operation) -> list[tuple[str, str]]:
    found = op.get("mhlo.backend_config")
    return [("config", str(found))] if found is not None else []


def _batch(op: Operation, operands: list[Array]) -> int:
    """How many first dimensions of the operands count batch elements."""
    said = integer_option(op, "num_batch_dims", -1)
    if said >= 0:
        return said
    is_lapack = string(op, "call_target_name").startswith("lapack_")
    return max(0, operands[0].ndim - 3) if is_lapack and operands else 0
