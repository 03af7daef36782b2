"""Operations that change the shape of a tensor and compute nothing: broadcasts, reshapes, transposes; dynamic ones,
too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, narrow, wide
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.properties import integer, integers, result_shape, uniform_integers
from pyshardy.interpreter.operations.sources import counted
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType


@evaluates("stablehlo.broadcast_in_dim")
def broadcast_in_dim(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [broadcast(operands[0], result_shape(op), integers(op, "broadcast_dimensions"))]


def broadcast(values: Array, shape: Sequence[int], dimensions: Sequence[int]) -> Array:
    """A view of ``values`` (with lanes) in ``shape``, its dimension i standing at ``dimensions[i]``."""
    order = sorted(range(len(dimensions)), key=dimensions.__getitem__)
    if order != list(range(len(order))):
        values = values.transpose(0, *(1 + place for place in order))
    spread = [1] * len(shape)
    for place, size in zip(sorted(dimensions), values.shape[1:], strict=True):
        spread[place] = size
    return np.broadcast_to(values.reshape(len(values), *spread), (len(values), *shape))


@evaluates("stablehlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [broadcast(operands[0], uniform_integers(operands[1]), integers(op, "broadcast_dimensions"))]


@evaluates("stablehlo.broadcast")
def leading_broadcast(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (values,) = operands
    sizes = integers(op, "broadcast_sizes")
    spread = values.reshape(len(values), *(1,) * len(sizes), *values.shape[1:])
    return [np.broadcast_to(spread, (len(values), *sizes, *values.shape[1:]))]


@evaluates("stablehlo.reshape")
def reshape(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [operands[0].reshape(len(operands[0]), *result_shape(op))]


@evaluates("stablehlo.dynamic_reshape", "tensor.reshape")
def dynamic_reshape(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [operands[0].reshape(len(operands[0]), *uniform_integers(operands[1]))]


@evaluates("stablehlo.transpose")
def transpose(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [operands[0].transpose(0, *(1 + place for place in integers(op, "permutation")))]


@evaluates("stablehlo.reverse")
def reverse(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.flip(operands[0], tuple(1 + dimension for dimension in integers(op, "dimensions")))]


@evaluates("stablehlo.dynamic_iota")
def dynamic_iota(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [counted(frame, op, uniform_integers(operands[0]), integer(op, "iota_dimension"))]


@evaluates("stablehlo.get_dimension_size")
def get_dimension_size(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.array([operands[0].shape[1 + integer(op, "dimension")]], np.int32)]


@evaluates("stablehlo.set_dimension_size")
def set_dimension_size(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The tensor cut to the given size: arrays here have the sizes that hold now, not their bounds."""
    dimension = 1 + integer(op, "dimension")
    (size,) = uniform_integers(operands[1])
    if size > operands[0].shape[dimension]:
        frame.fail(op, f"sets a dimension of size {operands[0].shape[dimension]} to the larger size {size}")
    return [operands[0][(slice(None),) * dimension + (slice(size),)]]


@evaluates("stablehlo.optimization_barrier")
def optimization_barrier(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return operands


@evaluates("tensor.cast", "builtin.unrealized_conversion_cast", "arith.index_cast", "arith.index_castui")
def cast(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [narrow(wide(operands[0]), frame.array_type(op.results[0].type))]


@evaluates("shape.shape_of")
def shape_of(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.array([operands[0].shape[1:]], np.int64)]


@evaluates("shape.num_elements")
def num_elements(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.prod(operands[0], axis=1, dtype=np.int64)]


@evaluates("tensor.dim")
def dim(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (place,) = uniform_integers(operands[1])
    return [np.array([operands[0].shape[1 + place]], np.int64)]


@evaluates("tensor.from_elements")
def from_elements(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    type = op.results[0].type
    assert isinstance(type, TensorType)
    spread = np.broadcast_arrays(*operands)
    return [np.stack(spread, axis=-1).reshape(len(spread[0]), *type.shape)]


@evaluates("tensor.extract")
def extract(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    values, *places = operands
    lanes = np.arange(max(len(one) for one in operands))
    return [values[(lanes % len(values), *(place[lanes % len(place)] for place in places))]]
