"""A slice of a sharded tensor as a sum: each device contributes the elements that its shard has, and zeros elsewhere.

The all-reduce moves the slice, not the tensor. That pays where the slice is small and its start is known only at run
time, or where all devices need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.coordinates import index_type, offset
from pyshardy.emitting.layout import Layout, Shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, ComplexType, FloatType, IntegerType, Type
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import (
    OperandTensor,
    cheapest,
    first_mesh,
    layouts_like,
    result_reshard_elements,
)


class PartPlan(NamedTuple):
    """The layouts of the tensor, of a slice or update of it, and of the result; the elements that each device
    receives."""

    operand: Layout
    part: Layout
    result: Layout
    elements: float


def reduction_of(element: Type) -> str | None:
    """The reduction that combines contributions of which all but one are zero; None if there is none for
    ``element``."""
    if element is I1:
        return "or"
    return "sum" if isinstance(element, ComplexType | FloatType | IntegerType) else None


@lru_cache(maxsize=1 << 12)
def slice_plan(
    operand: OperandTensor, result: Shape, requested: Layout | None, taken: tuple[int, ...], reduction: str | None
) -> PartPlan:
    """The cheapest plan for a slice of ``operand`` in the dimensions ``taken``, as a sum by ``reduction``."""
    mesh = first_mesh([operand.layout] if operand.free else [requested, operand.layout])
    layouts = [operand.layout] if operand.free else [operand.layout, requested]

    def plan(source: Layout) -> PartPlan:
        unreduced = [axis for dim in taken for axis in source.dims[dim]]
        part = Layout(mesh, source.without(taken).dims, unreduced, reduction or "sum")
        elements = operand.reshard_elements(source) + result_reshard_elements(
            result, part, part.reduced() if requested is None else requested
        )
        return PartPlan(source, part, part, elements)

    sources = layouts_like(layouts, len(operand.shape), mesh, taken if reduction is None else ())
    return cheapest(map(plan, sources), operand.shape, attrgetter("operand"))


def clamped(site: Site, value: Value, last: int) -> Value:
    """The scalar ``value`` clamped to 0 … ``last``."""
    builder, element = site.builder, tensor_type(value).element
    return builder.clamp(builder.scalar(0, element), value, builder.scalar(last, element))


class ShardOffset(NamedTuple):
    """A slice along a sharded dimension, relative to the device's shard: where the slice begins, and where the device
    cuts its shard so as to contain the overlap. ``cut`` is None if the slice is larger than the shard: then the shard
    stays whole."""

    begin: Value
    cut: Value | None


def shard_offset(site: Site, layout: Layout, dim: int, start: Value, local: int, size: int) -> ShardOffset:
    """The position of a slice of ``size`` elements from ``start``, relative to the shard of ``local`` elements of
    dimension ``dim``."""
    builder, mesh = site.builder, layout.mesh
    assert mesh is not None
    element = tensor_type(start).element
    begin = builder.binary("subtract", start, offset(builder, mesh, layout.dims[dim], local, element))
    return ShardOffset(begin, clamped(site, begin, local - size) if size <= local else None)


def position_type(shapes: Sequence[Shape]) -> IntegerType:
    """The integer type for positions in tensors of these ``shapes``."""
    element = index_type(4 * max((size for shape in shapes for size in shape), default=1))
    assert isinstance(element, IntegerType)
    return element


def contribution(site: Site, source: Sharded, shape: Shape, places: Mapping[int, Value]) -> Value:
    """The elements of a slice of ``shape`` that the device's shard has, and zeros elsewhere. ``places`` has the start
    of the slice, a scalar of type ``position_type``, for each dimension that is not taken whole."""
    builder, layout, local = site.builder, source.layout, source.local_shape
    element = position_type([source.shape])
    zero = builder.scalar(0, element)
    starts, sizes = [zero] * len(shape), list(local)
    cut: dict[int, ShardOffset] = {}
    for dim, start in places.items():
        if layout.counts[dim] == 1:
            starts[dim], sizes[dim] = start, shape[dim]
            continue
        one = cut[dim] = shard_offset(site, layout, dim, start, local[dim], shape[dim])
        if one.cut is not None:
            starts[dim], sizes[dim] = one.cut, shape[dim]
    value = builder.dynamic_slice(source.value, starts, sizes)
    for dim, one in cut.items():
        value = _shifted_into_slice(site, value, dim, one, shape[dim])
    return value


def _shifted_into_slice(site: Site, value: Value, dim: int, one: ShardOffset, size: int) -> Value:
    """``value``, cut out of the device's shard along ``dim``, at its position in a slice of ``size`` elements of that
    dimension."""
    builder, type = site.builder, tensor_type(value)
    nothing = builder.scalar(0, type.element)
    if size == 1 and one.cut is not None:
        here = builder.compare(one.begin, "EQ", one.cut)
        return builder.select(here, value, builder.broadcast(nothing, type.shape))
    shift = one.begin if one.cut is None else builder.binary("subtract", one.begin, one.cut)
    padded = builder.pad_dim(value, nothing, dim, size, size)
    begin = builder.binary("add", shift, builder.scalar(size, tensor_type(shift).element))
    return builder.dynamic_slice_dim(padded, dim, clamped(site, begin, type.shape[dim] + size), size)
