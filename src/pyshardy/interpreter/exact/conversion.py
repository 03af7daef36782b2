"""Converts native numbers to exact ones and back: constants, counters, conversions, bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, DType, is_complex, is_float, numpy_type, wide
from pyshardy.interpreter.exact import numbers
from pyshardy.interpreter.exact.elementwise import whole
from pyshardy.interpreter.exact.numbers import COMPLEX, approximation, is_exact
from pyshardy.interpreter.exact.registry import exactly, exactly_on_natural
from pyshardy.interpreter.exact.residues import without_repeats
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.native_conversion import naturally_converted
from pyshardy.interpreter.number_systems import AS_WRITTEN, DOUBLES
from pyshardy.interpreter.operations.bits import unsigned
from pyshardy.ir.operation import Operation


def converted(values: Any, dtype: DType) -> Any:
    """``values`` in array type ``dtype``, where one of the two is of exact numbers."""
    if not is_exact(values.dtype):
        if is_float(values.dtype) or is_complex(values.dtype):
            return numbers.as_kind(numbers.from_doubles(values), dtype)
        return numbers.as_kind(numbers.from_integers(wide(values)), dtype)
    if is_exact(dtype):
        return numbers.as_kind(values, dtype)
    if dtype == np.bool_:
        return ~numbers.equal(values, numbers.as_kind(numbers.scalar(0.0), values.dtype)[0])
    parts = numbers.real_part(values) if values.dtype == COMPLEX else values
    return naturally_converted(whole(np.trunc, parts), dtype)


@exactly("stablehlo.convert", "arith.extf", "arith.truncf", "arith.sitofp", "arith.fptosi")
def convert(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    values = operands[0]
    if op.name == "arith.sitofp" and values.dtype == np.bool_:
        values = -values.astype(np.int8)
    return [converted(values, frame.array_type(op.results[0].type))]


@exactly("arith.uitofp")
def convert_unsigned(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [converted(unsigned(operands[0]), frame.array_type(op.results[0].type))]


@exactly("stablehlo.reduce_precision")
def reduce_precision(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """What is not rounded stays."""
    return operands


def constants(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """What the native evaluator makes, of operands that are no exact numbers, in the numbers of the run."""
    found = native(frame.counting_in(AS_WRITTEN), op, operands)
    return [frame.machine.numbers.constant(value) for value in found]


@exactly_on_natural("stablehlo.iota", "stablehlo.dynamic_iota")
def iota(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (counted,) = native(frame.counting_in(DOUBLES), op, operands)
    # One line is counted, and spread as the native one is.
    line = converted(without_repeats(counted), frame.array_type(op.results[0].type))
    return [np.broadcast_to(line, counted.shape)]


@exactly_on_natural("chlo.constant_like")
def constant_like(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return constants(native, frame, op, [approximation(value) for value in operands])


@exactly_on_natural("stablehlo.bitcast_convert")
def bitcast_convert(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The bits of the float next to a number; floats of any bits."""
    values = operands[0]
    source, target = numpy_type(op.operands[0].type if op.operands else op.results[0].type), op.results[0].type
    if is_exact(values.dtype):
        if frame.array_type(target) == values.dtype and getattr(target, "shape", ()) == values.shape[1:]:
            return [values]
        # Of double precision the last bits are those that rounding may have touched.
        doubles = approximation(values)
        values = (numbers.rounded(doubles) if source == np.float64 else doubles).astype(source)
    return constants(native, frame, op, [values])
