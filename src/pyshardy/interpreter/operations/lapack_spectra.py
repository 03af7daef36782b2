"""Eigenvalues, singular values, Schur forms and the reductions before them, as JAX calls them on CPUs (LAPACK), GPUs
(cuSOLVER, hipSOLVER) and TPUs (XLA)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
from pyshardy.interpreter.operations.elementwise import double
from pyshardy.interpreter.operations.lapack_calls import (
    flattened,
    gpu_names,
    integer_option,
    letter_option,
    names,
    reads_upper,
    reflect_left,
    reflect_right,
    reflector,
    status,
    typed,
)
from pyshardy.interpreter.operations.properties import string
from pyshardy.ir.operation import Operation


@evaluates_custom_call(*names("syevd", "sd"), *names("heevd", "cz"), *gpu_names("syevd"))
def syevd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Eigenvectors and eigenvalues, in ascending order."""
    values, vectors = np.linalg.eigh(double(operands[0]), UPLO="U" if reads_upper(op) else "L")
    results = [vectors, values]
    return [*typed(op, results), status(op, operands)]


@evaluates_custom_call("Eigh")
def eigh(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """XLA's for TPUs: like ``syevd``, but the configuration says first whether the lower triangle is read."""
    is_lower = not string(op, "backend_config").startswith("0")
    values, vectors = np.linalg.eigh(double(operands[0]), UPLO="L" if is_lower else "U")
    return typed(op, [vectors, values])


def _without_infinities(matrices: Array, decompose: Callable[[Array], Sequence[Array]]) -> list[Array]:
    """What ``decompose`` makes of ``matrices``, NaN for those with infinities or NaN: LAPACK writes a complaint about
    these to standard output."""
    is_finite = np.asarray(np.isfinite(matrices).all((-2, -1)))
    found = decompose(np.where(is_finite[..., None, None], matrices, 0))
    return [np.where(np.expand_dims(is_finite, tuple(range(is_finite.ndim, one.ndim))), one, np.nan) for one in found]


@evaluates_custom_call(*names("gesdd"))
def gesdd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The matrix, singular values, both sets of singular vectors, and the status."""
    mode = letter_option(op, "mode")
    left, values, right = _singular(op, double(operands[0]), with_vectors=mode != "N", full_matrices=mode == "A")
    return [*typed(op, [operands[0], values, left, right]), status(op, operands)]


@evaluates_custom_call(*gpu_names("gesvd"))
def gesvd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Like ``gesdd``. For wide matrices, which are *transposed*, the right singular vectors come first."""
    with_vectors, full_matrices = (bool(integer_option(op, name)) for name in ("compute_uv", "full_matrices"))
    left, values, right = _singular(op, double(operands[0]), with_vectors, full_matrices)
    vectors = (right, left) if integer_option(op, "transposed") else (left, right)
    return [*typed(op, [operands[0], values, *vectors]), status(op, operands)]


@evaluates_custom_call(*gpu_names("gesvdj"), *gpu_names("gesvdp"))
def gesvdj(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Like ``gesdd``, but the right singular vectors are columns."""
    with_vectors, full_matrices = (bool(integer_option(op, name)) for name in ("compute_uv", "full_matrices"))
    left, values, right = _singular(op, double(operands[0]), with_vectors, full_matrices)
    columns = np.conj(right.swapaxes(-1, -2)) if with_vectors else right
    return [*typed(op, [operands[0], values, left, columns]), status(op, operands)]


def _singular(op: Operation, matrices: Array, with_vectors: bool, full_matrices: bool) -> list[Array]:
    """Left singular vectors, singular values and right singular vectors of ``matrices``; zeros in the shapes of results
    2 and 3 of ``op`` in the place of vectors that nobody asks for."""
    if with_vectors:
        return _without_infinities(matrices, partial(np.linalg.svd, full_matrices=full_matrices))
    (values,) = _without_infinities(matrices, lambda matrix: (np.linalg.svd(matrix, compute_uv=False),))
    shapes = [getattr(result.type, "shape", ()) for result in op.results[2:4]]
    left, right = (np.zeros((len(matrices), *shape)) for shape in shapes)
    return [left, values, right]


@evaluates_custom_call(
    *names("geev"), *(f"{library}hybrid_eig_{kind}" for library in ("cu", "hip") for kind in ("real", "comp"))
)
def geev(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Eigenvalues (of real matrices as two results, the parts), left and right eigenvectors, and the status."""
    exact = double(operands[0])
    values, right = np.linalg.eig(exact.astype(np.complex128))
    if exact.dtype.kind == "f":
        values, right = (np.asarray(value, np.complex128) for value in np.linalg.eig(exact))
    left = np.conj(np.linalg.pinv(right).swapaxes(-1, -2))
    left = left / np.linalg.norm(left, axis=-2, keepdims=True)
    parts = [values.real, values.imag] if exact.dtype.kind == "f" else [values]
    return [*typed(op, [*parts, left, right]), status(op, operands)]


@evaluates_custom_call(*names("gees"))
def gees(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The Schur form, its basis, the eigenvalues (as for ``geev``), how many were selected (none), and the status."""
    forms = double(operands[0]).copy()
    bases = np.zeros_like(forms)
    values = np.zeros(forms.shape[:-1], np.complex128)
    for form, basis, diagonal in zip(flattened(forms), flattened(bases), flattened(values, 1), strict=True):
        basis[:] = np.eye(len(form))
        diagonal[:] = _to_schur_form(form, basis)
    parts = [values.real, values.imag] if forms.dtype.kind == "f" else [values]
    return [*typed(op, [forms, bases, *parts]), status(op, operands, -2), status(op, operands)]


def _to_schur_form(matrix: Array, basis: Array) -> Array:
    """Makes ``matrix`` triangular, real ones with blocks of two rows for pairs of eigenvalues; ``basis`` goes along.

    One eigenvector after the other becomes a vector of the basis, in the order of LAPACK's eigenvalues, and the rest is
    what is orthogonal to it.
    """
    values = np.asarray(np.linalg.eigvals(matrix), np.complex128)
    step = 0
    while step < len(matrix):
        found, vectors = np.linalg.eig(matrix[step:, step:])
        vector = vectors[:, [int(np.argmin(np.abs(found - values[step])))]]
        pair = matrix.dtype.kind == "f" and values[step].imag != 0
        directions = vector if matrix.dtype.kind == "c" else vector.real
        if pair:
            directions = np.hstack([vector.real, vector.imag])
        rotation = np.linalg.qr(directions, mode="complete")[0]
        if pair:
            rotation[:, :2] = rotation[:, :2] @ _balancing(rotation[:, :2].T @ matrix[step:, step:] @ rotation[:, :2])
        after = step + directions.shape[1]
        matrix[:, step:] = matrix[:, step:] @ rotation
        matrix[step:] = np.conj(rotation.T) @ matrix[step:]
        basis[:, step:] = basis[:, step:] @ rotation
        matrix[after:, step:after] = 0
        step = after
    return values


def _balancing(block: Array) -> Array:
    """The rotation that makes both diagonal elements of a block of two rows equal, as LAPACK wants it."""
    angle = np.arctan2(block[1, 1] - block[0, 0], block[0, 1] + block[1, 0]) / 2
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@evaluates_custom_call(*names("gehrd"))
def gehrd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The Hessenberg form with the reflectors below it, the reflectors' factors, and the status."""
    forms = double(operands[0]).copy()
    low, high = integer_option(op, "low", 1), integer_option(op, "high", forms.shape[-1])
    factors = np.zeros((*forms.shape[:-2], max(forms.shape[-1] - 1, 0)), forms.dtype)
    for form, taus in zip(flattened(forms), flattened(factors, 1), strict=True):
        for step in range(low - 1, high - 1):
            vector, factor, beta = reflector(form[step + 1 : high, step])
            taus[step] = factor
            reflect_right(form[:high, step + 1 : high], vector, factor)
            reflect_left(form[step + 1 : high, step + 1 :], vector, np.conj(factor))
            form[step + 1, step], form[step + 2 : high, step] = beta, vector[1:]
    return [*typed(op, [forms, factors]), status(op, operands)]


@evaluates_custom_call(*names("sytrd", "sd"), *names("hetrd", "cz"), *gpu_names("sytrd"))
def sytrd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Three diagonals with the reflectors beside them, the diagonal, the one next to it, the reflectors' factors."""
    forms = double(operands[0]).copy()
    size = forms.shape[-1]
    factors = np.zeros((*forms.shape[:-2], max(size - 1, 0)), forms.dtype)
    upper = reads_upper(op)
    for form, taus in zip(flattened(forms), flattened(factors, 1), strict=True):
        triangle = np.triu(form) if upper else np.tril(form)
        whole = triangle + np.conj(triangle.T) - np.diag(np.diag(triangle).real)
        for step in reversed(range(size - 1)) if upper else range(size - 1):
            # The upper triangle is reduced from its last column on, with vectors that end in 1.
            column = whole[step::-1, step + 1] if upper else whole[step + 1 :, step]
            vector, taus[step], beta = reflector(column)
            part = slice(0, step + 1) if upper else slice(step + 1, size)
            vector = vector[::-1] if upper else vector
            reflect_left(whole[part, part], vector, np.conj(taus[step]))
            reflect_right(whole[part, part], vector, taus[step])
            if upper:
                form[step, step + 1], form[:step, step + 1] = beta, vector[:-1]
            else:
                form[step + 1, step], form[step + 2 :, step] = beta, vector[1:]
        np.fill_diagonal(form, np.diag(whole).real)
    diagonal = np.diagonal(forms, axis1=-2, axis2=-1).real
    beside = np.diagonal(forms, 1 if upper else -1, -2, -1).real
    return [*typed(op, [forms, diagonal, beside, factors]), status(op, operands)]
