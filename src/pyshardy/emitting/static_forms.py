"""Converts operations whose sizes are operands to operations with fixed sizes, if these operands are constants.

``stablehlo.torch_index_select``, a gather under another name, is among them. The partitioner uses these forms, and
programs whose sizes are bound (``pyshardy.reading.dynamic``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import Build, Builder, i64_array, tensor_type
from pyshardy.emitting.known_sizes import has_fixed_sizes, known_integers
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I64, TensorType
from pyshardy.rules.builder import operand_shape
from pyshardy.rules.properties import integer, integers

_Static = Callable[[Operation], Build | None]


def static_form(op: Operation) -> Build | None:
    """What creates the operation with fixed sizes that replaces ``op``; None if the sizes are unknown, or ``op`` has no
    such form."""
    form = STATIC_FORMS.get(op.name)
    return form(op) if form is not None and has_fixed_sizes(op) else None


def _result_type(op: Operation) -> TensorType:
    return tensor_type(op.results[0])


def _slice(op: Operation) -> Build | None:
    starts, limits, strides = (known_integers(value) for value in op.operands[1:])
    if starts is None or limits is None or strides is None:
        return None
    return lambda builder, operands: [builder.slice(operands[0], starts, limits, strides)]


def _pad(op: Operation) -> Build | None:
    low, high, interior = (known_integers(value) for value in op.operands[2:])
    if low is None or high is None or interior is None:
        return None
    return lambda builder, operands: [builder.pad(operands[0], operands[1], low, high, interior)]


def _reshape(op: Operation) -> Build | None:
    return lambda builder, operands: [builder.reshape(operands[0], _result_type(op).shape)]


def _broadcast(op: Operation) -> Build | None:
    dims = integers(op, "broadcast_dimensions")
    return lambda builder, operands: [builder.broadcast(operands[0], _result_type(op).shape, dims)]


def _iota(op: Operation) -> Build | None:
    return lambda builder, operands: [builder.iota(_result_type(op), integer(op, "iota_dimension", 0))]


def _gather(op: Operation) -> Build | None:
    sizes = known_integers(op.operands[2])
    if sizes is None:
        return None
    properties = op.properties.with_("slice_sizes", i64_array(sizes))
    return lambda builder, operands: [builder.emit("gather", operands[:2], _result_type(op), properties)]


def _convolution(op: Operation) -> Build | None:
    padding = known_integers(op.operands[2])
    if padding is None:
        return None
    type = TensorType((len(padding) // 2, 2), I64)
    properties = op.properties.with_("padding", DenseElementsAttr.of(type, padding))
    return lambda builder, operands: [builder.emit("convolution", operands[:2], _result_type(op), properties)]


def _set_size(op: Operation) -> Build | None:
    """Setting a dimension to the size that it has changes nothing."""
    size = known_integers(op.operands[1])
    if size != (operand_shape(op)[integer(op, "dimension", 0)],) or op.results[0].type is not op.operands[0].type:
        return None
    return lambda builder, operands: operands[:1]


def _index_select(op: Operation) -> Build | None:
    """For each batch the slices of dimension ``dim`` that the indices select; the dimensions of the indices replace
    it."""
    operand, indices = operand_shape(op, 0), operand_shape(op, 1)
    batch = integer(op, "batch_dims", 0) % (len(indices) + 1)
    dim = integer(op, "dim", 0) % len(operand)
    named = len(indices) - batch
    batching = tuple(range(batch))
    numbers: Attribute = GatherDimensionNumbers(
        offset_dims=(*range(batch, dim), *range(dim + named, len(operand) - 1 + named)),
        collapsed_slice_dims=(dim,),
        operand_batching_dims=batching,
        start_indices_batching_dims=batching,
        start_index_map=(dim,),
        index_vector_dim=len(indices),
    )
    sizes = [1 if index < batch or index == dim else size for index, size in enumerate(operand)]

    def build(builder: Builder, operands: Sequence[Value]) -> list[Value]:
        properties = {"dimension_numbers": numbers, "slice_sizes": i64_array(sizes)}
        return [builder.emit("gather", operands, _result_type(op), properties)]

    return build


STATIC_FORMS: dict[str, _Static] = {
    "stablehlo.dynamic_broadcast_in_dim": _broadcast,
    "stablehlo.dynamic_conv": _convolution,
    "stablehlo.dynamic_gather": _gather,
    "stablehlo.dynamic_iota": _iota,
    "stablehlo.dynamic_pad": _pad,
    "stablehlo.dynamic_reshape": _reshape,
    "stablehlo.real_dynamic_slice": _slice,
    "stablehlo.set_dimension_size": _set_size,
    "stablehlo.torch_index_select": _index_select,
}
"""Operations whose sizes are operands → what creates the form with fixed sizes."""
