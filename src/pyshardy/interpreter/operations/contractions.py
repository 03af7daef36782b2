"""Sums of products: dot, dot_general, einsum. Each becomes one batched matrix product."""

from __future__ import annotations

from math import prod

import numpy as np

from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.interpreter.element_types import Array, DType, is_integer, narrow, wide, wide_type
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.properties import string
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

_LARGEST_EXACT = 2**53


@evaluates("stablehlo.dot")
def dot(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The last dimension of the first with the first of the second."""
    numbers = DotDimensionNumbers(lhs_contracting=(operands[0].ndim - 2,), rhs_contracting=(0,))
    return [contracted(operands[0], operands[1], numbers, frame.array_type(op.results[0].type))]


@evaluates("stablehlo.dot_general")
def dot_general(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("dot_dimension_numbers")
    assert isinstance(numbers, DotDimensionNumbers)
    return [contracted(operands[0], operands[1], numbers, frame.array_type(op.results[0].type))]


def contracted(lhs: Array, rhs: Array, numbers: DotDimensionNumbers, dtype: DType) -> Array:
    """The product in type ``dtype``: batching dimensions, then what is left of ``lhs``, then of ``rhs``."""
    lhs_free = _free(lhs.ndim - 1, (*numbers.lhs_batching, *numbers.lhs_contracting))
    rhs_free = _free(rhs.ndim - 1, (*numbers.rhs_batching, *numbers.rhs_contracting))
    batch = [lhs.shape[1 + dimension] for dimension in numbers.lhs_batching]
    rows = [lhs.shape[1 + dimension] for dimension in lhs_free]
    columns = [rhs.shape[1 + dimension] for dimension in rhs_free]
    inner = prod(lhs.shape[1 + dimension] for dimension in numbers.lhs_contracting)
    left = _ordered(lhs, (*numbers.lhs_batching, *lhs_free, *numbers.lhs_contracting))
    right = _ordered(rhs, (*numbers.rhs_batching, *numbers.rhs_contracting, *rhs_free))
    compute = wide_type(dtype)
    product = matrix_product(
        wide(left).reshape(len(left), prod(batch), prod(rows), inner),
        wide(right).reshape(len(right), prod(batch), inner, prod(columns)),
        compute,
    )
    return narrow(product, dtype).reshape(len(product), *batch, *rows, *columns)


def _free(rank: int, used: tuple[int, ...]) -> list[int]:
    return [dimension for dimension in range(rank) if dimension not in used]


def _ordered(values: Array, dimensions: tuple[int, ...]) -> Array:
    return values.transpose(0, *(1 + dimension for dimension in dimensions))


def matrix_product(left: Array, right: Array, compute: DType) -> Array:
    """``left @ right`` over the last two dimensions, computed in type ``compute``; integers wrap around."""
    if compute == np.bool_:
        return np.greater(_product(left, right, np.dtype(np.float32)), 0)
    if compute == np.float16:
        return _product(left, right, np.dtype(np.float32)).astype(compute)
    if is_integer(compute) and left.size and right.size and left.shape[-1] > 1:
        # Matrix products of floats are far faster; they are exact as long as no sum leaves 53 bits.
        largest = (_magnitude(left)) * (_magnitude(right)) * left.shape[-1]
        if largest < _LARGEST_EXACT:
            return _product(left, right, np.dtype(np.float64)).astype(np.int64).astype(compute)
    return _product(left, right, compute)


def _product(left: Array, right: Array, dtype: DType) -> Array:
    product: Array = np.matmul(_dense(left.astype(dtype, copy=False)), _dense(right.astype(dtype, copy=False)))
    return product


def _dense(matrices: Array) -> Array:
    """``matrices`` laid out so that numpy hands the product to BLAS: rows or columns are contiguous."""
    rows, columns = matrices.shape[-2:]
    step, size = matrices.strides[-2:], matrices.itemsize
    by_rows = step[1] == size and step[0] >= columns * size and step[0] % size == 0
    by_columns = step[0] == size and step[1] >= rows * size and step[1] % size == 0
    return matrices if by_rows or by_columns else np.ascontiguousarray(matrices)


def _magnitude(values: Array) -> int:
    return max(abs(int(values.max())), abs(int(values.min())))


@evaluates("stablehlo.einsum", "stablehlo.unary_einsum")
def einsum(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """By its equation."""
    return [narrow(summed_by_equation(op, *map(wide, operands)), frame.array_type(op.results[0].type))]


def summed_by_equation(op: Operation, *operands: Array) -> Array:
    """The sums of products that the equation of ``op`` says; the lanes are one more dimension."""
    inputs, _, output = string(op, "einsum_config").partition("->")
    lanes = next(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in inputs)
    equation = ",".join(lanes + one.strip() for one in inputs.split(",")) + "->" + lanes + output.strip()
    width = max(map(len, operands))
    spread = [np.broadcast_to(value, (width, *value.shape[1:])) for value in operands]
    result: Array = np.einsum(equation, *spread)
    return result
