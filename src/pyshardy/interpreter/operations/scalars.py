"""Operations of ``arith``, ``tensor`` and ``shape``, which programs with dynamic shapes have around StableHLO."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.interpreter.element_types import Array, is_signed, narrow, wide
from pyshardy.interpreter.exact.numbers import approximation
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.arithmetic import divide, maximum, minimum, remainder
from pyshardy.interpreter.operations.bits import unsigned
from pyshardy.interpreter.operations.comparison import compared
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.properties import integer, result_shape, uniform_integers
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

# The order of MLIR's enumerations, which the attribute holds by number.
_INTEGER_PREDICATES = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")
_FIRST_UNSIGNED = 6
_FLOAT_PREDICATES = ("", "EQ", "GT", "GE", "LT", "LE", "NE", "", "EQ", "GT", "GE", "LT", "LE", "NE", "", "")
_ORDERED, _FIRST_UNORDERED, _UNORDERED, _TRUE = 7, 8, 14, 15


@evaluates("arith.cmpi")
def cmpi(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    predicate = integer(op, "predicate")
    a, b = map(unsigned, operands) if predicate >= _FIRST_UNSIGNED else operands
    return [compared(a, b, _INTEGER_PREDICATES[predicate], "")]


@evaluates("arith.cmpf")
def cmpf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Ordered predicates are false if a number is NaN, unordered ones true."""
    a, b = map(wide, operands)
    predicate = integer(op, "predicate")
    unordered = np.isnan(approximation(a)) | np.isnan(approximation(b))
    if predicate in (0, _TRUE):
        return [np.full(unordered.shape, predicate == _TRUE)]
    if predicate == _ORDERED:
        return [~unordered]
    if predicate == _UNORDERED:
        return [unordered]
    holds = compared(a, b, _FLOAT_PREDICATES[predicate], "")
    return [holds | unordered if predicate >= _FIRST_UNORDERED else holds & ~unordered]


@evaluates("arith.select")
def select(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    where, yes, no = operands
    return [np.where(where.reshape(len(where), *(1,) * (yes.ndim - where.ndim), *where.shape[1:]), yes, no)]


def _unsigned_operation(name: str, function: Callable[[Array, Array], Array]) -> None:
    @evaluates(f"arith.{name}")
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        return [narrow(function(*map(unsigned, operands)), operands[0].dtype)]


for _name, _function in {"divui": divide, "maxui": maximum, "minui": minimum, "remui": remainder}.items():
    _unsigned_operation(_name, _function)


@evaluates("arith.extsi", "arith.trunci", "arith.sitofp", "arith.fptosi", "arith.extf", "arith.truncf")
def convert(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    values = operands[0]
    if values.dtype == np.bool_:
        # A signed integer of one bit is 0 or -1.
        values = -values.astype(np.int8)
    dtype = frame.array_type(op.results[0].type)
    return [(wide(values) & 1).astype(np.bool_) if dtype == np.bool_ else converted(values, dtype)]


@evaluates("arith.extui", "arith.uitofp")
def convert_unsigned(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [converted(unsigned(operands[0]), frame.array_type(op.results[0].type))]


@evaluates("arith.shli", "arith.shrsi", "arith.shrui")
def shift(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    a, amount = operands[0], wide(operands[1]).astype(np.int64)
    if op.name == "arith.shli":
        return [narrow(wide(a).astype(np.int64) << amount, a.dtype)]
    bits = wide(a).astype(np.int64) if op.name == "arith.shrsi" and is_signed(a.dtype) else unsigned(a)
    return [narrow(bits >> amount.astype(bits.dtype), a.dtype)]


@evaluates("tensor.splat")
def splat(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (value,) = operands
    shape = result_shape(op)
    return [np.broadcast_to(value.reshape(len(value), *(1,) * len(shape)), (len(value), *shape))]


@evaluates("tensor.empty")
def empty(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Zeros: nothing may depend on what stands there."""
    return [np.zeros((1, *result_shape(op)), frame.array_type(op.results[0].type))]


@evaluates("tensor.rank", "shape.rank")
def rank(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.array([operands[0].ndim - 1], np.int64)]


@evaluates("shape.get_extent", "shape.dim")
def get_extent(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (place,) = uniform_integers(operands[1])
    extents = operands[0] if op.name == "shape.get_extent" else np.array([operands[0].shape[1:]], np.int64)
    return [extents[:, place]]


@evaluates("shape.const_shape")
def const_shape(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    value = op.properties.get("shape")
    assert value is not None
    return [frame.machine.constant(op, value)]


@evaluates("shape.to_extent_tensor", "shape.size_to_index", "shape.index_to_size", "shape.from_extent_tensor")
def same(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return operands


@evaluates("shape.from_extents")
def from_extents(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.stack(np.broadcast_arrays(*operands), axis=-1) if operands else np.zeros((1, 0), np.int64)]


@evaluates("shape.broadcast")
def broadcast(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The shape to which all shapes broadcast."""
    return [np.array([np.broadcast_shapes(*map(uniform_integers, operands))], np.int64)]


@evaluates("shape.concat")
def concat(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.concatenate(operands, axis=1)]


def _integers(name: str, function: Callable[[Array, Array], Array]) -> None:
    @evaluates(f"shape.{name}")
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        return [function(*operands)]


for _name, _ufunc in {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}.items():
    _integers(_name, _ufunc)
