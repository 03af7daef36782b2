"""Operations without data operands: constants, counters, and the id of the device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, numpy_type, wide_type
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.properties import integer, result_shape
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import FloatAttr, IntegerAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ShapedType

TOKEN = np.zeros(1, np.bool_)
"""What stands for a token: a scalar without meaning, the same on every device."""


@evaluates("stablehlo.constant", "sdy.constant", "chlo.constant", "arith.constant")
def constant(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    value = op.properties.get("value")
    assert value is not None
    if not isinstance(op.results[0].type, ShapedType):
        number: float = value.value if isinstance(value, IntegerAttr) else 0
        if isinstance(value, FloatAttr):
            number = float_value(value.bits, str(value.type))
        native = np.array([number]).astype(numpy_type(op.results[0].type))
        return [frame.machine.numbers.constant(native)]
    return [frame.machine.constant(op, value)]


@evaluates("stablehlo.iota")
def iota(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [counted(frame, op, result_shape(op), integer(op, "iota_dimension"))]


def counted(frame: Frame, op: Operation, shape: Sequence[int], dimension: int) -> Array:
    """0, 1, 2, … along ``dimension`` of ``shape``, in the type of the result, with the axis of lanes."""
    dtype = frame.array_type(op.results[0].type)
    compute = wide_type(dtype)
    line = np.arange(shape[dimension]).astype(compute).astype(dtype)
    view = line.reshape(1, *(size if place == dimension else 1 for place, size in enumerate(shape)))
    return np.broadcast_to(view, (1, *shape))


@evaluates("stablehlo.create_token", "stablehlo.after_all")
def token(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [TOKEN]


@evaluates("stablehlo.partition_id")
def partition_id(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [(frame.devices % frame.machine.grid.partitions).astype(np.uint32)]


@evaluates("stablehlo.replica_id")
def replica_id(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [(frame.devices // frame.machine.grid.partitions).astype(np.uint32)]
