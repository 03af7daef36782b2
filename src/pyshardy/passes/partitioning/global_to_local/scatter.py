"""Scatters into sharded inputs and of sharded updates: each device applies the updates that fall into its shard.

Indices outside of the shard are out of bounds, where a scatter drops its updates. Of several devices that hold the same
shard of the input and different updates, the first starts from the input and the others from the neutral element; an
all-reduce follows.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import ScatterDimensionNumbers
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.emitting.reducers import neutral_elements
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.floats import bits_of_float
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, FloatType, TensorType
from pyshardy.passes.partitioning.global_to_local.conversion import WHOLE, ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.index_bounds import IndexBounds
from pyshardy.passes.partitioning.global_to_local.whole import computed_whole
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer
from pyshardy.rules.reducers import KINDS, combining_operation


@converts("stablehlo.scatter")
def _scatter(site: ConversionSite) -> None:
    """Makes indices relative to the shard, and lets only one of the devices with the same shard start from the
    input."""
    op = site.op
    numbers = op.properties.get("scatter_dimension_numbers")
    assert isinstance(numbers, ScatterDimensionNumbers)
    count = len(op.results)
    inputs, indices, updates = op.operands[:count], op.operands[count], op.operands[count + 1 :]
    if site.is_replicated(inputs[0]) and site.is_replicated(updates[0]):
        return keep(site)
    taken = {axis for axes in site.axes(inputs[0]) for axis in axes}
    axes = tuple(
        axis
        for dim, each in enumerate(site.axes(updates[0]))
        if dim not in numbers.update_window_dims
        for axis in each
        if axis not in taken
    )
    if not axes and site.is_replicated(inputs[0]):
        return keep(site)
    if _windows_straddle(site, numbers, inputs[0], updates[0]):
        parts = computed_whole(site)
        if axes:
            site.walk.partial |= dict.fromkeys(parts, WHOLE)
        return None
    indexed = _indexed_dims(site, numbers, inputs[0])
    kind = ""
    if axes:
        name = combining_operation(op.regions[0], count)
        if name is None:
            refuse("failed to get scatter reduction identity.")
        kind = KINDS[name]
        inputs = _initial_value_once(site, inputs, updates[0], axes, kind)
    elif not indexed:
        return keep(site)
    if indexed:
        indices = _own_indices(site, numbers, op.operands[0], indices, indexed)
    properties = {
        "indices_are_sorted": IntegerAttr(integer(op, "indices_are_sorted", 0), I1),
        "unique_indices": IntegerAttr(integer(op, "unique_indices", 0), I1),
    }
    new = site.rebuild((*inputs, indices, *updates), properties)
    for result in new.results if axes else ():
        site.walk.partial[result] = kind
    return site.replace(*new.results)


def _windows_straddle(site: ConversionSite, numbers: ScatterDimensionNumbers, operand: Value, update: Value) -> bool:
    """Whether a window may lie in several shards: it has more than one element along a sharded dimension, and is not
    always the whole dimension."""
    sizes, counts = site.type_before(operand).shape, site.counts(operand)
    windows = numbers.window_sizes(len(sizes), site.type_before(update).shape)
    indexed = numbers.scatter_dims_to_operand_dims
    return any(
        counts[dim] > 1 and size != 1 and (size != sizes[dim] or dim in indexed) for dim, size in windows.items()
    )


def _indexed_dims(site: ConversionSite, numbers: ScatterDimensionNumbers, operand: Value) -> list[int]:
    """The sharded dimensions of the input that are indexed."""
    found = []
    for dim, each in enumerate(site.axes(operand)):
        if not each:
            continue
        if dim in numbers.scatter_dims_to_operand_dims:
            if site.counts(operand)[dim] == 1:
                refuse("We should have removed trivial sharding in a previous pass.")
            found.append(dim)
        elif dim in numbers.inserted_window_dims:
            refuse(
                f"'stablehlo.scatter' op sharding operand dimension {dim} that is not indexed but in inserted window "
                "dimension is not supported."
            )
    return found


def _own_indices(
    site: ConversionSite, numbers: ScatterDimensionNumbers, operand: Value, indices: Value, indexed: list[int]
) -> Value:
    bounds = IndexBounds(site, operand, indices, numbers.scatter_dims_to_operand_dims, numbers.index_vector_dim)
    first = bounds.spread(bounds.first(lambda dim: dim in indexed))
    return site.builder.binary("subtract", bounds.indices, first)


def _initial_value_once(site: ConversionSite, inputs: list[Value], update: Value, axes: Axes, kind: str) -> list[Value]:
    """``inputs`` on the first device along ``axes``, neutral elements on the others."""
    emit, mesh = site.builder, site.mesh(update)
    assert mesh is not None
    identity = emit.constant(_identity(kind, tensor_type(inputs[0])))
    first = emit.is_first(mesh, axes)
    shape = tensor_type(inputs[0]).shape
    if shape:
        chosen = emit.broadcast(first, shape, (0,))
    else:
        chosen = emit.reshape(first, ())
    begun = []
    for value in inputs:
        type = tensor_type(value)
        if type.element is not tensor_type(identity).element:
            identity = emit.constant(_identity(kind, type))
        begun.append((value, emit.broadcast(identity, shape)))
    return [emit.select(chosen, value, neutral) for value, neutral in begun]


_LARGEST_FINITE = {
    "f64": 1.7976931348623157e308,
    "f32": 3.4028234663852886e38,
    "f16": 65504.0,
    "bf16": 3.3895313892515355e38,
}


def _identity(kind: str, type: TensorType) -> DenseElementsAttr:
    """The neutral element of reduction ``kind``; for maxima and minima of common floats the largest finite numbers, as
    in the reference."""
    scalar = TensorType((), type.element)
    if isinstance(type.element, FloatType) and kind in ("max", "min") and type.element.name in _LARGEST_FINITE:
        largest = _LARGEST_FINITE[type.element.name]
        value = -largest if kind == "max" else largest
        return DenseElementsAttr.of(scalar, [bits_of_float(value, type.element.name)])
    found = neutral_elements(kind, scalar)
    if found is None:
        refuse("failed to get scatter reduction identity.")
    return found
