"""The pass ``sdy-explicit-gather-scatter-batching``: makes dimension 0 a batching dimension if its indices are an iota.

Propagation can shard a batching dimension of a gather or scatter on both sides. The pass is an optional step of the
import pipeline, run by the greedy driver (``ir.greedy``), which also erases the operations that made the indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DenseArrayAttr, DictionaryAttr, IntegerAttr
from pyshardy.ir.context import Context
from pyshardy.ir.greedy import Limits, Pattern, rewrite_greedily
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.rewriter import Rewriter
from pyshardy.ir.types import I1, I64, TensorType, tensor_shape

_CONCATENATE = "stablehlo.concatenate"
_IOTA = "stablehlo.iota"
_FALSE = IntegerAttr(0, I1)


class _Numbers(NamedTuple):
    """The dimension numbers of a gather or a scatter, named alike."""

    collapsed: tuple[int, ...]
    operand_batching: tuple[int, ...]
    index_map: tuple[int, ...]
    vector_dim: int


class _Kind(NamedTuple):
    """How gathers and scatters differ: which property holds the dimension numbers, which operand the indices, and which
    properties the new operation has in any case (false by default)."""

    property_name: str
    flags: tuple[str, ...]
    indices_operand: Callable[[Operation], int]
    read: Callable[[Attribute | None], _Numbers]
    batched: Callable[[Attribute | None, _Numbers], Attribute]


def _read_gather(found: Attribute | None) -> _Numbers:
    assert isinstance(found, GatherDimensionNumbers)
    return _Numbers(
        found.collapsed_slice_dims, found.operand_batching_dims, found.start_index_map, found.index_vector_dim
    )


def _batched_gather(found: Attribute | None, numbers: _Numbers) -> Attribute:
    assert isinstance(found, GatherDimensionNumbers)
    return GatherDimensionNumbers(
        found.offset_dims, numbers.collapsed, (0,), (0,), numbers.index_map, numbers.vector_dim
    )


def _read_scatter(found: Attribute | None) -> _Numbers:
    assert isinstance(found, ScatterDimensionNumbers)
    return _Numbers(
        found.inserted_window_dims,
        found.input_batching_dims,
        found.scatter_dims_to_operand_dims,
        found.index_vector_dim,
    )


def _batched_scatter(found: Attribute | None, numbers: _Numbers) -> Attribute:
    assert isinstance(found, ScatterDimensionNumbers)
    return ScatterDimensionNumbers(
        found.update_window_dims, numbers.collapsed, (0,), (0,), numbers.index_map, numbers.vector_dim
    )


_KINDS = {
    "stablehlo.gather": _Kind(
        "dimension_numbers", ("indices_are_sorted",), lambda op: 1, _read_gather, _batched_gather
    ),
    "stablehlo.scatter": _Kind(
        "scatter_dimension_numbers",
        ("indices_are_sorted", "unique_indices"),
        lambda op: len(op.operands) // 2,
        _read_scatter,
        _batched_scatter,
    ),
}


def _batch_dimension_0(op: Operation, rewriter: Rewriter) -> bool:
    kind = _KINDS[op.name]
    written = op.properties.get(kind.property_name)
    numbers = kind.read(written)
    number = kind.indices_operand(op)
    indices = op.operands[number]
    component = _counting_component(op.operands[0], indices, numbers)
    if component is None:
        return False
    left = _without_component(op, indices, numbers.vector_dim, component, rewriter)
    batched = kind.batched(
        written,
        numbers._replace(
            collapsed=tuple(dim for dim in numbers.collapsed if dim != 0),
            index_map=_without(numbers.index_map, component),
        ),
    )
    new = rewriting.create(
        op.name,
        _with(op.operands, number, left),
        [result.type for result in op.results],
        _with_flags(op.properties, kind.flags).with_(kind.property_name, batched),
        op.attributes,
        tuple(Region() for _ in op.regions),
        location=op.location,
    )
    for target, source in zip(new.regions, op.regions, strict=True):
        rewriting.take_region(target, source)
    rewriter.replace_with(op, new)
    return True


def _with_flags(properties: DictionaryAttr, names: Iterable[str]) -> DictionaryAttr:
    return DictionaryAttr({**dict.fromkeys(names, _FALSE), **properties.entries})


def _without(entries: Sequence[int], place: int) -> tuple[int, ...]:
    return (*entries[:place], *entries[place + 1 :])


def _with(values: Sequence[Value], place: int, new: Value) -> list[Value]:
    return [*values[:place], new, *values[place + 1 :]]


# --- which indices count ----------------------------------------------------------------------------------------------


def _counting_component(operand: Value, indices: Value, numbers: _Numbers) -> int | None:
    """The component of the index vectors that runs along dimension 0 of ``operand`` as the vectors do along dimension 0
    of ``indices``; None if there is none, or if dimension 0 cannot become a batching dimension."""
    shape, indices_shape = tensor_shape(operand.type), tensor_shape(indices.type)
    if not shape or not indices_shape or numbers.operand_batching:
        return None
    vector_dim = numbers.vector_dim
    is_vector = vector_dim < len(indices_shape) and indices_shape[vector_dim] > 1
    if not is_vector or indices_shape[0] != shape[0]:
        return None
    if 0 not in numbers.index_map or 0 not in numbers.collapsed:
        return None
    component = numbers.index_map.index(0)
    source: Value | None = indices
    concatenate = _defined_by(indices, _CONCATENATE)
    if concatenate is not None:
        fits = _dimension(concatenate) == vector_dim and component < len(concatenate.operands)
        source = concatenate.operands[component] if fits else None
    return component if source is not None and _counts_along_0(source) else None


def _defined_by(value: Value, name: str) -> Operation | None:
    definition = value.defining_op
    return definition if definition is not None and definition.name == name else None


def _dimension(op: Operation) -> int:
    found = op.properties.get("dimension")
    assert isinstance(found, IntegerAttr)
    return found.value


def _counts_along_0(value: Value) -> bool:
    op = value.defining_op
    while op is not None:
        if op.name == _IOTA:
            found = op.properties.get("iota_dimension")
            return isinstance(found, IntegerAttr) and found.value == 0
        step = _STEPS.get(op.name)
        op = step(op).defining_op if step is not None else None
    return False


def _chosen(select: Operation) -> Value:
    on_true, on_false = select.operands[1:]
    return on_false if _defined_by(on_false, _IOTA) is not None else on_true


_STEPS: dict[str, Callable[[Operation], Value]] = {
    "stablehlo.broadcast_in_dim": lambda op: op.operands[0],
    "stablehlo.clamp": lambda op: op.operands[1],
    "stablehlo.reshape": lambda op: op.operands[0],
    "stablehlo.select": _chosen,
}
"""What may stand between an iota and the indices: the operand of each operation that is followed."""


# --- the indices without one component --------------------------------------------------------------------------------


def _without_component(op: Operation, indices: Value, dim: int, component: int, rewriter: Rewriter) -> Value:
    """``indices`` without one entry along ``dim``; what that takes is made in front of ``op``."""
    count = tensor_shape(indices.type)[dim]
    concatenate = _defined_by(indices, _CONCATENATE)
    if concatenate is not None and len(concatenate.operands) == count:
        parts = [*concatenate.operands[:component], *concatenate.operands[component + 1 :]]
    else:
        bounds = ((0, component), (component + 1, count))
        parts = [_slice(op, indices, dim, *bound, rewriter) for bound in bounds if bound[0] < bound[1]]
    if len(parts) == 1:
        return parts[0]
    properties = DictionaryAttr({"dimension": IntegerAttr(dim, I64)})
    return _made(op, _CONCATENATE, parts, _resized(indices, dim, count - 1), properties, rewriter)


def _slice(op: Operation, indices: Value, dim: int, start: int, limit: int, rewriter: Rewriter) -> Value:
    shape = tensor_shape(indices.type)
    starts = [start if place == dim else 0 for place in range(len(shape))]
    limits = [limit if place == dim else size for place, size in enumerate(shape)]
    properties = DictionaryAttr(
        {
            "start_indices": DenseArrayAttr(I64, starts),
            "limit_indices": DenseArrayAttr(I64, limits),
            "strides": DenseArrayAttr(I64, [1] * len(shape)),
        }
    )
    return _made(op, "stablehlo.slice", [indices], _resized(indices, dim, limit - start), properties, rewriter)


def _resized(indices: Value, dim: int, size: int) -> TensorType:
    type = indices.type
    assert isinstance(type, TensorType)
    return type.with_shape((*type.shape[:dim], size, *type.shape[dim + 1 :]))


def _made(
    op: Operation, name: str, operands: list[Value], type: TensorType, properties: DictionaryAttr, rewriter: Rewriter
) -> Value:
    new = rewriting.create(name, operands, [type], properties, location=op.location)
    rewriter.insert_before(op, new)
    return new.result


_PATTERNS = {name: (Pattern(_batch_dimension_0),) for name in _KINDS}


@register_pass("sdy-explicit-gather-scatter-batching", on="func.func")
class ExplicitGatherScatterBatching(Pass):
    """Makes dimension 0 of gathers and scatters a batching dimension where its indices merely count."""

    def apply(self, op: Operation, context: Context) -> bool:
        return rewrite_greedily(op, _PATTERNS, Limits(top_down=False), context).changed
