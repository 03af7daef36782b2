"""Localizes ``dynamic_slice`` and ``dynamic_update_slice`` without gathering the tensor that they cut or update.

Dimensions that are taken whole stay sharded. Of a slice out of a sharded dimension each device contributes what it has,
zero elsewhere, and the contributions are summed up; of an update each device writes what falls into its shard. Where
that would move more than the tensor itself, it is gathered. Registers with ``registry``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, ComplexType, FloatType, IntegerType, TensorType
from pyshardy.partitioning.builder import tensor_type
from pyshardy.partitioning.coordinates import index_type, offset
from pyshardy.partitioning.layout import Axes, Layout, Sharded, local_shape
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.reshard_plan import Shape, reshard_plan
from pyshardy.partitioning.routing import Reach
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.slicing import has_fixed_elements, result_shape, sliced
from pyshardy.partitioning.window_strategy import may_share
from pyshardy.sharding.mesh import Mesh

_MOST_CANDIDATES = 1000
_WORK = 1e-3


class _Plan(NamedTuple):
    """The layouts of the tensor, of the slice or update, and of the result."""

    operand: Layout
    part: Layout
    result: Layout


@localizes("stablehlo.dynamic_slice")
def _dynamic_slice(site: Site) -> list[Sharded]:
    operand, shape = site.operands[0], result_shape(site)
    if not has_fixed_elements(operand.shape, shape):
        return site.fall_back()
    taken = [dim for dim, (whole, size) in enumerate(zip(operand.shape, shape, strict=True)) if whole != size]
    starts = [_constant_start(site, 1 + dim, operand.shape[dim] - shape[dim]) for dim in range(len(shape))]
    if all(start is not None for start in starts):
        return sliced(site, [Reach(start or 0) for start in starts])
    reduction: str | None = "or" if operand.element is I1 else "sum"
    if not isinstance(operand.element, ComplexType | FloatType | IntegerType):
        reduction = None
    plan = _slice_plan(
        operand.shape, operand.layout, operand.recipe is not None, shape, site.wanted[0], tuple(taken), reduction
    )
    source = site.reshard(operand, plan.operand)
    return [site.result(0, _contribution(site, source, shape, taken), plan.result)]


@lru_cache(maxsize=1 << 12)
def _slice_plan(
    shape: Shape,
    layout: Layout,
    free: bool,
    result: Shape,
    wanted: Layout | None,
    taken: tuple[int, ...],
    reduction: str | None,
) -> _Plan:
    """The cheapest plan by elements received, then by work."""
    best: _Plan | None = None
    least = float("inf")
    for dims, mesh in _choices([layout] if free else [layout, wanted], taken if reduction is None else ()):
        source = Layout(mesh, dims)
        terms = [axis for dim in taken for axis in dims[dim]]
        summed = [() if dim in taken else axes for dim, axes in enumerate(dims)]
        part = Layout(mesh, summed, terms, reduction or "sum")
        cost = 0.0 if free else reshard_plan(layout, source, shape).elements
        cost += reshard_plan(part, part.reduced() if wanted is None else wanted, result).elements
        cost += _WORK * prod(local_shape(shape, source))
        if cost < least:
            best, least = _Plan(source, part, part), cost
    assert best is not None
    return best


def _choices(layouts: Sequence[Layout | None], whole: Sequence[int]) -> Iterator[tuple[tuple[Axes, ...], Mesh | None]]:
    """Axes for each dimension: those of one of ``layouts``, or none; none in the dimensions ``whole``."""
    present = [layout for layout in layouts if layout is not None]
    mesh = next((layout.mesh for layout in reversed(present) if layout.mesh is not None), None)
    present = [layout for layout in present if layout.mesh is mesh]
    rank = len(layouts[0].dims) if layouts[0] is not None else 0
    choices: list[list[Axes]] = [
        [()] if dim in whole else list(dict.fromkeys([*(layout.dims[dim] for layout in present), ()]))
        for dim in range(rank)
    ]
    if prod(map(len, choices)) > _MOST_CANDIDATES:
        choices = [[one[0], ()] for one in choices]
    for dims in product(*choices):
        if may_share(dims, mesh):
            yield dims, mesh


def _constant_start(site: Site, index: int, last: int) -> int | None:
    """Where a slice begins in a dimension, if that is known."""
    if last == 0:
        return 0
    producer = site.op.operands[index].defining_op
    value = producer.properties.get("value") if producer is not None and producer.name.endswith(".constant") else None
    if not isinstance(value, DenseElementsAttr) or not isinstance(value.type.element, IntegerType):
        return None
    (start,) = value.integers()
    return max(0, min(int(start), last))


def _start(site: Site, index: int, last: int, element: IntegerType) -> Value:
    """The operand ``index``, a scalar, not below 0 and not above ``last``, as ``element``."""
    builder, value = site.builder, site.replicate(site.operands[index]).value
    type = tensor_type(value)
    given = type.element
    assert isinstance(given, IntegerType)
    largest = (1 << (given.width - (given.signedness != "u"))) - 1
    value = builder.binary("maximum", value, builder.scalar(0, given)) if given.signedness != "u" else value
    if last < largest:
        value = builder.binary("minimum", value, builder.scalar(last, given))
    return builder.convert(value, element)


def _clamped(site: Site, value: Value, last: int) -> Value:
    """The scalar ``value``, not below 0 and not above ``last``."""
    builder, element = site.builder, tensor_type(value).element
    return builder.emit("clamp", (builder.scalar(0, element), value, builder.scalar(last, element)), value.type)


class _Along(NamedTuple):
    """A dimension that is sharded and taken in part: where the part begins, seen from the beginning of the shard; where
    the device cuts, if the part is not larger than its shard."""

    begin: Value
    cut: Value | None


def _along(site: Site, layout: Layout, dim: int, start: Value, local: int, size: int) -> _Along:
    builder, mesh = site.builder, layout.mesh
    assert mesh is not None
    element = tensor_type(start).element
    begin = builder.binary("subtract", start, offset(builder, mesh, layout.dims[dim], local, element))
    return _Along(begin, _clamped(site, begin, local - size) if size <= local else None)


def _index_type(shapes: Sequence[Shape]) -> IntegerType:
    element = index_type(4 * max((size for shape in shapes for size in shape), default=1))
    assert isinstance(element, IntegerType)
    return element


def _contribution(site: Site, source: Sharded, shape: Shape, taken: Sequence[int]) -> Value:
    """What the device has of the slice, zero elsewhere."""
    builder, layout, local = site.builder, source.layout, source.local_shape
    element = _index_type([source.shape])
    zero = builder.scalar(0, element)
    starts, sizes = [zero] * len(shape), list(local)
    cut: dict[int, _Along] = {}
    for dim in taken:
        start = _start(site, 1 + dim, source.shape[dim] - shape[dim], element)
        if layout.counts[dim] == 1:
            starts[dim], sizes[dim] = start, shape[dim]
            continue
        along = cut[dim] = _along(site, layout, dim, start, local[dim], shape[dim])
        if along.cut is not None:
            starts[dim], sizes[dim] = along.cut, shape[dim]
    value = builder.dynamic_slice(source.value, starts, sizes)
    for dim, along in cut.items():
        value = _placed(site, value, dim, along, shape[dim])
    return value


def _placed(site: Site, value: Value, dim: int, along: _Along, size: int) -> Value:
    """What was cut out of a dimension, at its place in the slice of ``size`` elements."""
    builder, type = site.builder, tensor_type(value)
    nothing = builder.scalar(0, type.element)
    if size == 1 and along.cut is not None:
        here = builder.compare(along.begin, "EQ", along.cut)
        return builder.select(here, value, builder.broadcast(nothing, type.shape))
    shift = along.begin if along.cut is None else builder.binary("subtract", along.begin, along.cut)
    around = [size if index == dim else 0 for index in range(type.rank)]
    padded = builder.pad(value, nothing, around, around)
    begin = builder.binary("add", shift, builder.scalar(size, tensor_type(shift).element))
    return builder.dynamic_slice_dim(padded, dim, _clamped(site, begin, type.shape[dim] + size), size)


# --- updates ----------------------------------------------------------------------------------------------------------


@localizes("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(site: Site) -> list[Sharded]:
    operand, update = site.operands[:2]
    if not has_fixed_elements(operand.shape, update.shape):
        return site.fall_back()
    taken = [dim for dim, (a, b) in enumerate(zip(operand.shape, update.shape, strict=True)) if a != b]
    plan = _update_plan(
        (operand.shape, operand.layout, operand.recipe is not None),
        (update.shape, update.layout, update.recipe is not None),
        site.wanted[0],
        tuple(taken),
    )
    return [site.result(0, _updated(site, plan, taken), plan.result)]


@lru_cache(maxsize=1 << 12)
def _update_plan(
    operand: tuple[Shape, Layout, bool],
    update: tuple[Shape, Layout, bool],
    wanted: Layout | None,
    taken: tuple[int, ...],
) -> _Plan:
    best: _Plan | None = None
    least = float("inf")
    for dims, mesh in _choices([operand[1], update[1].without(taken), wanted], ()):
        layout = Layout(mesh, dims)
        part = layout.without(taken)
        cost = 0.0
        for (shape, now, free), then in ((operand, layout), (update, part)):
            if not free:
                cost += reshard_plan(now, then, shape).elements
        if wanted is not None:
            cost += reshard_plan(layout, wanted, operand[0]).elements
        cost += _WORK * prod(local_shape(operand[0], layout))
        if cost < least:
            best, least = _Plan(layout, part, layout), cost
    assert best is not None
    return best


def _updated(site: Site, plan: _Plan, taken: Sequence[int]) -> Value:
    """The shard of the operand with what falls into it of the update."""
    builder = site.builder
    operand, update = site.reshard(site.operands[0], plan.operand), site.reshard(site.operands[1], plan.part)
    local, sizes = operand.local_shape, list(update.local_shape)
    element = _index_type([operand.shape])
    zero = builder.scalar(0, element)
    starts = [zero] * len(sizes)
    value, inside = update.value, None
    for dim in taken:
        size = update.shape[dim]
        start = _start(site, 2 + dim, operand.shape[dim] - size, element)
        if plan.operand.counts[dim] == 1:
            starts[dim] = start
            continue
        along = _along(site, plan.operand, dim, start, local[dim], size)
        covered = min(size, local[dim])
        if along.cut is not None:
            starts[dim] = along.cut
        value, one = _under(site, value, dim, along, covered)
        sizes[dim] = covered
        if tensor_type(one).rank:
            shape = [covered if index == dim else 1 for index in range(len(sizes))]
            one = builder.reshape(one, shape)
        inside = one if inside is None else _both(site, inside, one)
    if inside is not None:
        old = builder.dynamic_slice(operand.value, starts, sizes)
        value = builder.select(_spread(site, inside, tensor_type(value).shape), value, old)
    return builder.emit("dynamic_update_slice", (operand.value, value, *starts), operand.value.type)


def _under(site: Site, update: Value, dim: int, along: _Along, covered: int) -> tuple[Value, Value]:
    """Of ``update`` what belongs to the ``covered`` elements where the device writes, and which of them it reaches: one
    boolean each, or one for all."""
    builder, type = site.builder, tensor_type(update)
    size = type.shape[dim]
    element = tensor_type(along.begin).element
    if size == 1:
        assert along.cut is not None
        return update, builder.compare(along.begin, "EQ", along.cut)
    # Element j of what is written is element j + shift of the update.
    cut = along.cut if along.cut is not None else builder.scalar(0, element)
    shift = builder.binary("subtract", cut, along.begin)
    around = [covered if index == dim else 0 for index in range(type.rank)]
    padded = builder.pad(update, builder.scalar(0, type.element), around, around)
    begin = builder.binary("add", shift, builder.scalar(covered, element))
    value = builder.dynamic_slice_dim(padded, dim, _clamped(site, begin, size + covered), covered)
    places = builder.iota(TensorType((covered,), element), 0)
    places = builder.binary("add", places, builder.broadcast(shift, (covered,)))
    after = builder.compare(places, "GE", builder.splat(0, tensor_type(places)))
    before = builder.compare(places, "LT", builder.splat(size, tensor_type(places)))
    return value, builder.binary("and", after, before)


def _both(site: Site, a: Value, b: Value) -> Value:
    """``a`` and ``b``, each a scalar or with size 1 along the dimensions where it does not differ."""
    shapes = tensor_type(a).shape, tensor_type(b).shape
    if not all(shapes):
        shape = shapes[0] or shapes[1]
    else:
        shape = tuple(max(pair) for pair in zip(*shapes, strict=True))
    return site.builder.binary("and", _spread(site, a, shape), _spread(site, b, shape))


def _spread(site: Site, mask: Value, shape: Sequence[int]) -> Value:
    type = tensor_type(mask)
    assert type.element is I1
    return site.builder.broadcast(mask, shape, range(type.rank)) if type.shape != tuple(shape) else mask
