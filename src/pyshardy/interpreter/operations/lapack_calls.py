"""What the calls of LAPACK, cuSOLVER and hipSOLVER that JAX makes have in common: their names, configuration, results,
and reflectors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypedDict

import numpy as np

from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr
from pyshardy.ir.operation import Operation


def names(routine: str, kinds: str = "sdcz") -> list[str]:
    """The targets for one routine and the element types ``kinds``."""
    return [f"lapack_{kind}{routine}_ffi" for kind in kinds]


def gpu_names(routine: str) -> list[str]:
    """The targets on GPUs for one routine, whatever the element type."""
    return [f"{library}_{routine}_ffi" for library in ("cusolver", "hipsolver")]


def option(op: Operation, name: str) -> Attribute | None:
    """An option of a call."""
    config = op.get("mhlo.backend_config") or op.get("backend_config")
    return config.get(name) if isinstance(config, DictionaryAttr) else None


def letter_option(op: Operation, name: str) -> str:
    """An option that is a letter, written as a character or as its code."""
    value = option(op, name)
    if isinstance(value, IntegerAttr):
        return chr(value.value)
    return str(getattr(value, "value", ""))


def integer_option(op: Operation, name: str, default: int = 0) -> int:
    """An option that is a number or a truth value."""
    value = option(op, name)
    return value.value if isinstance(value, IntegerAttr) else default


def reads_upper(op: Operation) -> bool:
    """Whether a call reads the upper triangle of its matrices: LAPACK has a letter for it, the others a truth value."""
    if option(op, "lower") is not None:
        return not integer_option(op, "lower")
    return letter_option(op, "uplo") == "U"


class TriangularSystem(TypedDict):
    """Which system a call of trsm solves: the keywords of ``linear_algebra.triangular_solution``."""

    left: bool
    lower: bool
    unit_diagonal: bool
    transpose: str


def triangular_system(op: Operation) -> TriangularSystem:
    """The options of a call of trsm."""
    return {
        "left": letter_option(op, "side") != "R",
        "lower": letter_option(op, "uplo") != "U",
        "unit_diagonal": letter_option(op, "diag") == "U",
        "transpose": {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[letter_option(op, "trans_x") or "N"],
    }


def status(op: Operation, operands: list[Array], place: int = -1) -> Array:
    """The status 0 for each matrix, result number ``place``."""
    type = op.results[place].type
    return np.zeros((len(operands[0]), *getattr(type, "shape", ())), numpy_type(type))


def typed(op: Operation, results: Sequence[Array]) -> list[Array]:
    """``results`` in the element types of the first results of ``op``."""
    return [
        np.asarray(value).astype(numpy_type(result.type)) for value, result in zip(results, op.results, strict=False)
    ]


def reflector(column: Array) -> tuple[Array, complex, complex]:
    """v, τ, β with v₀ = 1 and (1 - τ v vᴴ)ᴴ ``column`` = β e₀ (LAPACK's larfg)."""
    vector = column.copy()
    first, rest = vector[0], np.linalg.norm(vector[1:])
    vector[0] = 1
    if rest == 0 and np.imag(first) == 0:
        vector[1:] = 0
        return vector, 0.0, first
    beta = -np.copysign(np.hypot(abs(first), rest), np.real(first))
    vector[1:] /= first - beta
    return vector, (beta - first) / beta, beta


def reflect_left(matrix: Array, vector: Array, factor: complex) -> None:
    """(1 - τ v vᴴ) ``matrix``, in its place."""
    matrix -= factor * np.outer(vector, np.conj(vector) @ matrix)


def reflect_right(matrix: Array, vector: Array, factor: complex) -> None:
    """``matrix`` (1 - τ v vᴴ), in its place."""
    matrix -= factor * np.outer(matrix @ vector, np.conj(vector))


def flattened(values: Array, trailing: int = 2) -> Array:
    """One leading dimension for lanes and batches, and the last ``trailing`` dimensions."""
    first = values.ndim - trailing
    # Without elements the size of the first dimension does not follow from the others.
    return values.reshape(prod(values.shape[:first]), *values.shape[first:])
