"""The ``chlo`` dialect: functions that StableHLO has no operation for, and operations that broadcast their operands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.dialects import chlo
from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.dialects.stablehlo import operations as stablehlo
from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.interpreter.element_types import Array, bit_width, is_float, narrow, wide
from pyshardy.interpreter.frame import Evaluator, Frame, aligned
from pyshardy.interpreter.operations import special_functions as special
from pyshardy.interpreter.operations.contractions import contracted
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.elementwise import double, elementwise, precise
from pyshardy.interpreter.operations.properties import boolean, integer, integers
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import FloatAttr, IntegerAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation

_FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "bessel_i1e": special.bessel_i1e,
    "cosh": np.cosh,
    "digamma": special.digamma,
    "erf_inv": special.erf_inverse,
    "erfc": special.erfc,
    "lgamma": special.log_gamma,
    "sinh": np.sinh,
}
for _name, _function in _FUNCTIONS.items():
    precise(f"chlo.{_name}")(_function)

precise("chlo.zeta")(special.zeta)
precise("chlo.polygamma")(special.polygamma)


@evaluates("chlo.erf")
def erf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (values,) = operands
    single = bit_width(values.dtype) <= 32
    return [narrow(special.erf(double(wide(values)), single=single), values.dtype)]


@elementwise("chlo.conj")
def conj(a: Array) -> Array:
    return np.conj(a)


@elementwise("chlo.square")
def square(a: Array) -> Array:
    return a * a


@elementwise("chlo.is_inf")
def is_inf(a: Array) -> Array:
    return np.isinf(a)


@elementwise("chlo.is_pos_inf")
def is_pos_inf(a: Array) -> Array:
    return np.isposinf(a)


@elementwise("chlo.is_neg_inf")
def is_neg_inf(a: Array) -> Array:
    return np.isneginf(a)


@evaluates("chlo.next_after")
def next_after(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The next number of the type itself in the direction of the second operand."""
    return [np.nextafter(operands[0], operands[1])]


@evaluates("chlo.mulhi")
def mulhi(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The high half of the product."""
    dtype = operands[0].dtype
    product = np.multiply(wide(operands[0]).astype(object), wide(operands[1]).astype(object))
    return [narrow((product >> bit_width(dtype)).astype(np.int64 if dtype.kind == "i" else np.uint64), dtype)]


@evaluates("chlo._asin_acos_kernel")
def asin_acos_kernel(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    frame.fail(op, "cannot be interpreted: it only stands inside of expansions")


@evaluates("chlo.constant_like")
def constant_like(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    value = op.properties.get("value")
    number: float = 0
    if isinstance(value, FloatAttr):
        number = float_value(value.bits, str(value.type))
    elif isinstance(value, IntegerAttr):
        number = value.value
    dtype = frame.array_type(op.results[0].type)
    scalar = np.array(number, np.float64 if is_float(dtype) or dtype.kind == "c" else np.int64)
    return [np.broadcast_to(converted(scalar, dtype), (1, *operands[0].shape[1:]))]


# --- broadcasting -----------------------------------------------------------------------------------------------------


def _broadcasting(name: str) -> Evaluator:
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        rank = max(value.ndim for value in operands)
        dimensions = integers(op, "broadcast_dimensions")
        spread = []
        for value in operands:
            if value.ndim < rank and dimensions:
                shape = [1] * (rank - 1)
                for place, size in zip(dimensions, value.shape[1:], strict=True):
                    shape[place] = size
            else:
                shape = [1] * (rank - value.ndim) + list(value.shape[1:])
            spread.append(value.reshape(len(value), *shape))
        target = np.broadcast_shapes(*(value.shape[1:] for value in spread))
        plain = frame.machine.evaluator(name)
        return list(plain(frame, op, [np.broadcast_to(value, (len(value), *target)) for value in spread]))

    return evaluate


for _name in chlo.DIALECT.definitions:
    _, _is_one, _plain = _name.partition(".broadcast_")
    if _is_one:
        _home = "stablehlo" if f"stablehlo.{_plain}" in stablehlo.DIALECT.definitions else "chlo"
        evaluates(_name)(_broadcasting(f"{_home}.{_plain}"))


# --- structured -------------------------------------------------------------------------------------------------------


@evaluates("chlo.ragged_dot")
def ragged_dot(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Products group by group along the ragged dimension; what is beyond the groups gives zeros.

    The ragged dimension of the left side is free (each group has its own right side), contracting (each group gives
    its own result) or batching (groups only say which entries count).
    """
    numbers = op.properties.get("ragged_dot_dimension_numbers")
    assert isinstance(numbers, RaggedDotDimensionNumbers)
    lhs, rhs, group_sizes = aligned(operands)
    (ragged,) = numbers.lhs_ragged
    dtype = frame.array_type(op.results[0].type)
    plain = DotDimensionNumbers(
        numbers.lhs_batching, numbers.rhs_batching, numbers.lhs_contracting, numbers.rhs_contracting
    )
    sizes = wide(group_sizes).astype(np.int64)
    if sizes.ndim != 2:
        frame.fail(op, "cannot be interpreted: its group sizes have batch dimensions")
    ends = np.cumsum(sizes, axis=1)
    place = np.arange(lhs.shape[1 + ragged])
    masks = [
        (place >= ends[:, g, None] - sizes[:, g, None]) & (place < ends[:, g, None]) for g in range(sizes.shape[1])
    ]
    shape = [1] * (lhs.ndim - 1)
    shape[ragged] = -1
    parts = [np.where(mask.reshape(len(lhs), *shape), lhs, np.zeros_like(lhs)) for mask in masks]
    if ragged in numbers.lhs_contracting:
        return [np.stack([contracted(part, rhs, plain, dtype) for part in parts], axis=1)]
    if ragged in numbers.lhs_batching:
        return [contracted(sum_of(parts), rhs, plain, dtype)]
    (group_dimension,) = numbers.rhs_group
    inner = DotDimensionNumbers(
        numbers.lhs_batching,
        tuple(one - (one > group_dimension) for one in numbers.rhs_batching),
        numbers.lhs_contracting,
        tuple(one - (one > group_dimension) for one in numbers.rhs_contracting),
    )
    products = [
        contracted(part, np.take(rhs, group, axis=1 + group_dimension), inner, dtype)
        for group, part in enumerate(parts)
    ]
    return [sum_of(products)]


def sum_of(parts: list[Array]) -> Array:
    """The sum of arrays of one type, in that type."""
    total = wide(parts[0])
    for part in parts[1:]:
        total = total + wide(part)
    return narrow(total, parts[0].dtype)


@evaluates("chlo.scan")
def scan(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The body step by step along the dimension: inputs and carries to outputs and new carries."""
    counts = integers(op, "operandSegmentSizes")
    inputs, carries = operands[: counts[0]], operands[counts[0] :]
    outputs_count = integers(op, "resultSegmentSizes")[0]
    axis = 1 + integer(op, "dimension")
    steps = inputs[0].shape[axis] if inputs else 0
    order = range(steps - 1, -1, -1) if boolean(op, "is_reverse") else range(steps)
    collected: list[list[Array]] = [[] for _ in range(outputs_count)]
    for step in order:
        rows = [np.take(value, step, axis=axis) for value in inputs]
        found = frame.nested().run(op.body, [*rows, *carries])
        carries = found[outputs_count:]
        for rows_so_far, row in zip(collected, found[:outputs_count], strict=True):
            rows_so_far.append(row)
    stacked = []
    for rows_so_far, result in zip(collected, op.results, strict=False):
        if not rows_so_far:
            stacked.append(frame.machine.numbers.zeros(result.type, (1, *getattr(result.type, "shape", ()))))
            continue
        rows_so_far = rows_so_far[::-1] if boolean(op, "is_reverse") else rows_so_far
        stacked.append(np.stack(aligned(rows_so_far), axis=axis))
    return [*stacked, *carries]
