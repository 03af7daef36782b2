"""A slice of a sharded tensor as a sum: each device contributes what it has of it, zero elsewhere.

That moves the slice, not the tensor: worth it where a slice is small and its place is known only when the program runs,
or where all devices need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.coordinates import index_type, offset
from pyshardy.emitting.layout import Layout, Shape, Sharded
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, ComplexType, FloatType, IntegerType, Type
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor, cheapest, delivered, first_mesh, layouts_like


class PartPlan(NamedTuple):
    """The layouts of the tensor, of a slice or update of it, and of the result; elements that each device receives."""

    operand: Layout
    part: Layout
    result: Layout
    elements: float


def reduction_of(element: Type) -> str | None:
    """How contributions of which all but one are zero are combined; None if they cannot be."""
    if element is I1:
        return "or"
    return "sum" if isinstance(element, ComplexType | FloatType | IntegerType) else None


@lru_cache(maxsize=1 << 12)
def slice_plan(
    given: OperandTensor, result: Shape, wanted: Layout | None, taken: tuple[int, ...], reduction: str | None
) -> PartPlan:
    """The cheapest way to a slice of what is ``given`` in the dimensions ``taken``, a sum by ``reduction``."""
    mesh = first_mesh([given.layout] if given.free else [wanted, given.layout])
    layouts = [given.layout] if given.free else [given.layout, wanted]

    def plan(source: Layout) -> PartPlan:
        terms = [axis for dim in taken for axis in source.dims[dim]]
        part = Layout(mesh, source.without(taken).dims, terms, reduction or "sum")
        elements = given.brought(source) + delivered(result, part, part.reduced() if wanted is None else wanted)
        return PartPlan(source, part, part, elements)

    sources = layouts_like(layouts, len(given.shape), mesh, taken if reduction is None else ())
    return cheapest(map(plan, sources), given.shape, attrgetter("operand"))


def clamped(site: Site, value: Value, last: int) -> Value:
    """The scalar ``value``, not below 0 and not above ``last``."""
    builder, element = site.builder, tensor_type(value).element
    return builder.clamp(builder.scalar(0, element), value, builder.scalar(last, element))


class Along(NamedTuple):
    """A dimension that is sharded and taken in part: where the part begins, seen from the beginning of the shard; where
    the device cuts, if the part is not larger than its shard."""

    begin: Value
    cut: Value | None


def along(site: Site, layout: Layout, dim: int, start: Value, local: int, size: int) -> Along:
    builder, mesh = site.builder, layout.mesh
    assert mesh is not None
    element = tensor_type(start).element
    begin = builder.binary("subtract", start, offset(builder, mesh, layout.dims[dim], local, element))
    return Along(begin, clamped(site, begin, local - size) if size <= local else None)


def place_type(shapes: Sequence[Shape]) -> IntegerType:
    element = index_type(4 * max((size for shape in shapes for size in shape), default=1))
    assert isinstance(element, IntegerType)
    return element


def contribution(site: Site, source: Sharded, shape: Shape, places: Mapping[int, Value]) -> Value:
    """What the device has of the slice of ``shape``, zero elsewhere; ``places`` says where it begins in the dimensions
    that are not taken whole, scalars of type ``place_type``."""
    builder, layout, local = site.builder, source.layout, source.local_shape
    element = place_type([source.shape])
    zero = builder.scalar(0, element)
    starts, sizes = [zero] * len(shape), list(local)
    cut: dict[int, Along] = {}
    for dim, start in places.items():
        if layout.counts[dim] == 1:
            starts[dim], sizes[dim] = start, shape[dim]
            continue
        one = cut[dim] = along(site, layout, dim, start, local[dim], shape[dim])
        if one.cut is not None:
            starts[dim], sizes[dim] = one.cut, shape[dim]
    value = builder.dynamic_slice(source.value, starts, sizes)
    for dim, one in cut.items():
        value = _placed(site, value, dim, one, shape[dim])
    return value


def _placed(site: Site, value: Value, dim: int, one: Along, size: int) -> Value:
    """What was cut out of a dimension, at its place in the slice of ``size`` elements."""
    builder, type = site.builder, tensor_type(value)
    nothing = builder.scalar(0, type.element)
    if size == 1 and one.cut is not None:
        here = builder.compare(one.begin, "EQ", one.cut)
        return builder.select(here, value, builder.broadcast(nothing, type.shape))
    shift = one.begin if one.cut is None else builder.binary("subtract", one.begin, one.cut)
    padded = builder.pad_dim(value, nothing, dim, size, size)
    begin = builder.binary("add", shift, builder.scalar(size, tensor_type(shift).element))
    return builder.dynamic_slice_dim(padded, dim, clamped(site, begin, type.shape[dim] + size), size)
