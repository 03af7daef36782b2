"""Operations on the bits of integers: logic, shifts by any amount, counts."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array, bit_width, narrow, numpy_type, wide
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.elementwise import elementwise
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation


@elementwise("stablehlo.and", "arith.andi")
def logical_and(a: Array, b: Array) -> Array:
    return np.bitwise_and(a, b)


@elementwise("stablehlo.or", "arith.ori")
def logical_or(a: Array, b: Array) -> Array:
    return np.bitwise_or(a, b)


@elementwise("stablehlo.xor", "arith.xori")
def logical_xor(a: Array, b: Array) -> Array:
    return np.bitwise_xor(a, b)


@elementwise("stablehlo.not")
def logical_not(a: Array) -> Array:
    return np.invert(a)


@evaluates("stablehlo.shift_left")
def shift_left(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Left by the amount; beyond the width comes 0, as for all amounts that are negative."""
    a, amount, beyond, dtype = _shift(op, operands)
    return [narrow(np.where(beyond, np.zeros_like(a), np.left_shift(a, amount)), dtype)]


@evaluates("stablehlo.shift_right_logical")
def shift_right_logical(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Right, zeros come in."""
    a, amount, beyond, dtype = _shift(op, operands)
    bits = a.view(f"u{a.dtype.itemsize}") & _mask(a, bit_width(dtype))
    shifted = np.right_shift(bits, amount.view(bits.dtype))
    return [narrow(np.where(beyond, np.zeros_like(bits), shifted).view(a.dtype), dtype)]


@evaluates("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Right, copies of the sign bit come in."""
    a, amount, beyond, dtype = _shift(op, operands)
    width = bit_width(dtype)
    if a.dtype.kind == "u":
        # The highest bit counts as sign.
        signed = a.view(f"i{a.dtype.itemsize}")
        unused = np.array(8 * a.dtype.itemsize - width, signed.dtype)
        a, amount = np.right_shift(np.left_shift(signed, unused), unused), amount.view(signed.dtype)
    return [narrow(np.right_shift(a, np.where(beyond, np.full_like(amount, width - 1), amount)), dtype)]


def _shift(op: Operation, operands: list[Array]) -> tuple[Array, Array, Array, np.dtype[np.generic]]:
    """Value and amount of one shape, where the amount is beyond the width (and made 0), and the type."""
    dtype = numpy_type(op.results[0].type)
    a, amount = (np.ascontiguousarray(value) for value in np.broadcast_arrays(*map(wide, operands)))
    width = bit_width(dtype)
    beyond = (amount < 0) | (amount >= width) if amount.dtype.kind == "i" else amount >= width
    return a, np.where(beyond, np.zeros_like(amount), amount), beyond, dtype


def _mask(a: Array, width: int) -> Array:
    return np.array((1 << width) - 1, f"u{a.dtype.itemsize}")


def unsigned(values: Array) -> Array:
    """The bits of integers as unsigned integers of their own width."""
    width = bit_width(values.dtype)
    whole = np.ascontiguousarray(wide(values))
    return whole.view(f"u{whole.dtype.itemsize}") & _mask(whole, width)


@evaluates("stablehlo.popcnt")
def popcnt(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The number of ones."""
    return [narrow(np.bitwise_count(unsigned(operands[0])), operands[0].dtype)]


@evaluates("stablehlo.count_leading_zeros")
def count_leading_zeros(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The number of zeros above the highest one."""
    width = bit_width(operands[0].dtype)
    bits = unsigned(operands[0])
    step = 1
    while step < width:
        # Afterwards all bits below the highest one are ones, too.
        bits = bits | (bits >> np.array(step, bits.dtype))
        step *= 2
    return [narrow(width - np.bitwise_count(bits).astype(np.int64), operands[0].dtype)]
