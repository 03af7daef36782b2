"""Localizes ``dynamic_slice`` and ``dynamic_update_slice`` without gathering the tensor that they slice or update.

Dimensions that are taken whole stay sharded. For a slice along a sharded dimension, each device contributes the
elements that it has, and the contributions are summed (``windows.contributions``). For an update, each device writes
the elements that fall into its shard. Where that would move more than the tensor itself, the tensor is gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, IntegerType, TensorType
from pyshardy.partitioning.families.slicing import sliced
from pyshardy.partitioning.localizing.recipes import with_recipe_if_replicated
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import (
    OperandTensor,
    cheapest,
    first_mesh,
    layouts_like,
    result_reshard_elements,
)
from pyshardy.partitioning.windows.contributions import (
    PartPlan,
    ShardOffset,
    clamped,
    contribution,
    position_type,
    reduction_of,
    shard_offset,
    slice_plan,
)
from pyshardy.partitioning.windows.routing import WindowAccess
from pyshardy.rules.builder import result_shape


@localizes("stablehlo.dynamic_slice")
@with_recipe_if_replicated
def _dynamic_slice(site: Site) -> list[Sharded]:
    operand, shape = site.operands[0], result_shape(site.op)
    if not has_fixed_elements(operand.shape, shape):
        return site.fall_back()
    taken = [dim for dim, (whole, size) in enumerate(zip(operand.shape, shape, strict=True)) if whole != size]
    starts = [_constant_start(site, 1 + dim, operand.shape[dim] - shape[dim]) for dim in range(len(shape))]
    if all(start is not None for start in starts):
        return sliced(site, [WindowAccess(start or 0) for start in starts])
    plan = slice_plan(OperandTensor.of(operand), shape, site.requested[0], tuple(taken), reduction_of(operand.element))
    source = site.reshard(operand, plan.operand)
    element = position_type([operand.shape])
    places = {dim: _start(site, 1 + dim, operand.shape[dim] - shape[dim], element) for dim in taken}
    return [site.result(0, contribution(site, source, shape, places), plan.result)]


def _constant_start(site: Site, index: int, last: int) -> int | None:
    """The start of a slice in a dimension, if it is known; clamped to 0 … ``last``."""
    if last == 0:
        return 0
    producer = site.origin(site.op.operands[index]).defining_op
    value = producer.properties.get("value") if producer is not None and producer.name.endswith(".constant") else None
    if not isinstance(value, DenseElementsAttr) or not isinstance(value.type.element, IntegerType):
        return None
    (start,) = value.integers()
    return max(0, min(int(start), last))


def _start(site: Site, index: int, last: int, element: IntegerType) -> Value:
    """Operand ``index``, a scalar, clamped to 0 … ``last``, as ``element``."""
    builder, value = site.builder, site.replicate(site.operands[index]).value
    type = tensor_type(value)
    given = type.element
    assert isinstance(given, IntegerType)
    value = builder.binary("maximum", value, builder.scalar(0, given)) if given.signedness != "u" else value
    if last < given.largest:
        value = builder.binary("minimum", value, builder.scalar(last, given))
    return builder.convert(value, element)


# --- updates ----------------------------------------------------------------------------------------------------------


@localizes("stablehlo.dynamic_update_slice")
@with_recipe_if_replicated
def _dynamic_update_slice(site: Site) -> list[Sharded]:
    operand, update = site.operands[:2]
    if not has_fixed_elements(operand.shape, update.shape):
        return site.fall_back()
    taken = [dim for dim, (a, b) in enumerate(zip(operand.shape, update.shape, strict=True)) if a != b]
    requested = (site.requested[0], *site.other_layouts_needed(0))
    plan = _update_plan(OperandTensor.of(operand), OperandTensor.of(update), requested, tuple(taken))
    return [site.result(0, _updated(site, plan, taken), plan.result)]


@lru_cache(maxsize=1 << 12)
def _update_plan(
    operand: OperandTensor, update: OperandTensor, requested: tuple[Layout | None, ...], taken: tuple[int, ...]
) -> PartPlan:
    layouts = [operand.layout, update.layout.without(taken), *requested]

    def plan(layout: Layout) -> PartPlan:
        part = layout.without(taken)
        elements = operand.reshard_elements(layout) + update.reshard_elements(part)
        elements += sum(result_reshard_elements(operand.shape, layout, one) for one in requested)
        return PartPlan(layout, part, layout, elements)

    candidates = layouts_like(layouts, len(operand.shape), first_mesh(reversed(layouts)))
    return cheapest(map(plan, candidates), operand.shape, attrgetter("operand"))


def _updated(site: Site, plan: PartPlan, taken: Sequence[int]) -> Value:
    """The shard of the operand, with the elements of the update that fall into it."""
    builder = site.builder
    operand, update = site.reshard(site.operands[0], plan.operand), site.reshard(site.operands[1], plan.part)
    local, sizes = operand.local_shape, list(update.local_shape)
    element = position_type([operand.shape])
    zero = builder.scalar(0, element)
    starts = [zero] * len(sizes)
    value, inside = update.value, None
    for dim in taken:
        size = update.shape[dim]
        start = _start(site, 2 + dim, operand.shape[dim] - size, element)
        if plan.operand.counts[dim] == 1:
            starts[dim] = start
            continue
        here = shard_offset(site, plan.operand, dim, start, local[dim], size)
        covered = min(size, local[dim])
        if here.cut is not None:
            starts[dim] = here.cut
        value, one = _under(site, value, dim, here, covered)
        sizes[dim] = covered
        if tensor_type(one).rank:
            shape = [covered if index == dim else 1 for index in range(len(sizes))]
            one = builder.reshape(one, shape)
        inside = one if inside is None else _both(site, inside, one)
    if inside is not None:
        old = builder.dynamic_slice(operand.value, starts, sizes)
        value = builder.select(_spread(site, inside, tensor_type(value).shape), value, old)
    return builder.dynamic_update_slice(operand.value, value, starts)


def _under(site: Site, update: Value, dim: int, here: ShardOffset, covered: int) -> tuple[Value, Value]:
    """For a device that writes ``covered`` elements along ``dim``: the elements of ``update`` at their positions there,
    and which of them the update reaches, as one boolean for each, or one for all."""
    builder, type = site.builder, tensor_type(update)
    size = type.shape[dim]
    element = tensor_type(here.begin).element
    if size == 1:
        assert here.cut is not None
        return update, builder.compare(here.begin, "EQ", here.cut)
    # Element j of what is written is element j + shift of the update.
    cut = here.cut if here.cut is not None else builder.scalar(0, element)
    shift = builder.binary("subtract", cut, here.begin)
    padded = builder.pad_dim(update, builder.scalar(0, type.element), dim, covered, covered)
    begin = builder.binary("add", shift, builder.scalar(covered, element))
    value = builder.dynamic_slice_dim(padded, dim, clamped(site, begin, size + covered), covered)
    places = builder.iota(TensorType((covered,), element), 0)
    places = builder.binary("add", places, builder.broadcast(shift, (covered,)))
    after = builder.compare(places, "GE", builder.splat(0, tensor_type(places)))
    before = builder.compare(places, "LT", builder.splat(size, tensor_type(places)))
    return value, builder.binary("and", after, before)


def _both(site: Site, a: Value, b: Value) -> Value:
    """``a`` and ``b``. A mask is a scalar, or has size 1 along the dimensions on which it does not depend."""
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
