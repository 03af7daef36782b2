"""Collectives on values that do not divide: what is sliced is padded before, what has been gathered is cut behind.

A dimension whose shards get another size moves through the whole dimension: gathered, cut, padded, sliced.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.passes.partitioning.padding.growth import Site, grow_results, grows, rounded_up
from pyshardy.rules.properties import integer
from pyshardy.sharding.axes import sort_and_merge
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue, fully_closed

_COMBINING = ("sdy.all_reduce", "sdy.reduce_scatter")


def _out_sharding(op: Operation) -> TensorSharding:
    found = op.properties.get("out_sharding")
    assert isinstance(found, TensorSharding)
    return found


def _axes(sharding: TensorSharding | None, rank: int) -> list[Axes]:
    return [dim.axes for dim in sharding.dims] if sharding is not None and sharding.dims else [()] * rank


def _counts(site: Site, sharding: TensorSharding | None, rank: int) -> list[int]:
    mesh = site.growth.mesh_of(sharding)
    if sharding is None or mesh is None or mesh.is_maximal:
        return [1] * rank
    return [dim.sharded_size(mesh) for dim in sharding.dims]


def _wanted_shape(site: Site, value: Value, sharding: TensorSharding) -> list[int]:
    """The shape of ``value`` laid out by ``sharding``."""
    visible = site.visible(value).shape
    return [rounded_up(size, count) for size, count in zip(visible, _counts(site, sharding, len(visible)), strict=True)]


def _shards_change(site: Site, value: Value, sharding: TensorSharding) -> bool:
    """Whether a dimension that is sharded now and afterwards gets shards of another size that way."""
    now, wanted = tensor_type(value).shape, _wanted_shape(site, value, sharding)
    rank = len(now)
    before, after = _counts(site, site.sharding(value), rank), _counts(site, sharding, rank)
    return any(
        old > 1 and new > 1 and size != target
        for size, target, old, new in zip(now, wanted, before, after, strict=True)
    )


@grows("sdy.all_slice")
def _all_slice(site: Site) -> None:
    sharding = _out_sharding(site.op)
    if _shards_change(site, site.op.operands[0], sharding):
        return _replace(site, _through_whole(site, site.op.operands[0], sharding))
    return _grow_both(site, sharding)


def _grow_both(site: Site, sharding: TensorSharding) -> None:
    """Lets operand and result grow until ``sharding`` divides them too."""
    operand = site.op.operands[0]
    wanted = _wanted_shape(site, operand, sharding)
    now = tensor_type(operand).shape
    new = site.padded(operand, [max(sizes) for sizes in zip(now, wanted, strict=True)])
    rewriting.set_operand(site.op, 0, new)
    _same_type(site, new)


def _same_type(site: Site, operand: Value) -> None:
    result = site.op.results[0]
    rewriting.set_type(result, operand.type)
    site.op.checked = site.op.signature = None
    if operand in site.growth.zeros:
        site.growth.zeros.add(result)


@grows("sdy.all_gather")
def _all_gather(site: Site) -> None:
    op = site.op
    operand, sharding = op.operands[0], _out_sharding(op)
    if _shards_change(site, operand, sharding):
        return _replace(site, _through_whole(site, operand, sharding))
    _same_type(site, operand)
    return _cut_behind(site, sharding)


def _cut_behind(site: Site, sharding: TensorSharding) -> None:
    """Cuts the dimensions of the result that are not sharded any more."""
    op = site.op
    result = op.results[0]
    wanted = _wanted_shape(site, result, sharding)
    if tuple(wanted) == tensor_type(result).shape:
        return
    following = op.next_op
    assert following is not None
    site.emit.at(following)
    site.emit.location = op.location
    new = site.cut(result, wanted, sharding)
    rewriting.replace_all_uses_except(result, new, new.defining_op or op)


@grows("sdy.all_to_all")
def _all_to_all(site: Site) -> None:
    sharding = _out_sharding(site.op)
    if _shards_change(site, site.op.operands[0], sharding):
        return _replace(site, _through_whole(site, site.op.operands[0], sharding))
    _grow_both(site, sharding)
    return _cut_behind(site, sharding)


@grows("sdy.reduce_scatter")
def _reduce_scatter(site: Site) -> None:
    op = site.op
    operand, sharding = op.operands[0], _out_sharding(op)
    if not _shards_change(site, operand, sharding):
        return _all_slice(site)
    found = op.properties.get("reduce_scatter_axes")
    before = site.sharding(operand)
    mesh = site.growth.mesh_of(sharding)
    assert isinstance(found, ListOfAxisRefLists) and before is not None and mesh is not None
    axes = sort_and_merge([axis for each in found for axis in each], mesh)
    reduced = before.replace(unreduced=sharding.unreduced)
    properties: dict[str, Attribute] = {"reduction_axes": AxisRefList(axes)}
    if integer(op, "reduction_op", 0):
        properties["reduction_op"] = op.properties.entries["reduction_op"]
    summed = _collective(site, "all_reduce", operand, reduced, properties)
    return _replace(site, _through_whole(site, summed, sharding))


@grows("sdy.sharded_to_unreduced")
def _sharded_to_unreduced(site: Site) -> None:
    """Where shards get another size, what has been gathered becomes unreduced."""
    op = site.op
    operand, sharding = op.operands[0], _out_sharding(op)
    if not _shards_change(site, operand, sharding):
        return _elementwise(site)
    lists, mesh = op.properties.get("axes"), site.growth.mesh_of(sharding)
    assert isinstance(lists, ListOfAxisRefLists) and mesh is not None
    gathered = _through_whole(site, operand, sharding.replace(unreduced=()))
    axes = AxisRefList(sort_and_merge([axis for each in lists for axis in each], mesh))
    return _replace(site, _collective(site, "replicated_to_unreduced", gathered, sharding, {"axes": axes}))


@grows("sdy.all_reduce", "sdy.replicated_to_unreduced", "sdy.collective_permute")
def _elementwise(site: Site) -> None:
    _same_type(site, site.op.operands[0])
    site.growth.zeros.discard(site.op.results[0])
    if site.op.name == "sdy.sharded_to_unreduced":
        _cut_behind(site, _out_sharding(site.op))


def _through_whole(site: Site, value: Value, sharding: TensorSharding) -> Value:
    """``value`` laid out by ``sharding`` by way of whole dimensions, those that change."""
    rank = tensor_type(value).rank
    source, target = _axes(site.sharding(value), rank), _axes(sharding, rank)
    changed = [old != new for old, new in zip(source, target, strict=True)]
    kept = [DimSharding(() if change else axes) for axes, change in zip(source, changed, strict=True)]
    between = TensorSharding(sharding.mesh_or_ref, kept, (), sharding.unreduced, sharding.reduction_op)
    gathered = [axes if change else () for axes, change in zip(source, changed, strict=True)]
    if any(gathered):
        value = _collective(site, "all_gather", value, between, {"gathering_axes": ListOfAxisRefLists(gathered)})
    shape = _wanted_shape(site, value, between)
    if tuple(shape) != tensor_type(value).shape:
        value = site.cut(value, shape, between)
    value = site.padded(value, _wanted_shape(site, value, sharding))
    sliced = [axes if change else () for axes, change in zip(target, changed, strict=True)]
    if any(sliced):
        value = _collective(site, "all_slice", value, sharding, {"slicing_axes": ListOfAxisRefLists(sliced)})
    return value


def _collective(
    site: Site, name: str, value: Value, sharding: TensorSharding, properties: dict[str, Attribute]
) -> Value:
    op = site.emit.create(f"sdy.{name}", (value,), (value.type,), properties | {"out_sharding": sharding})
    zeros = value in site.growth.zeros
    return site.growth.introduce(op.results[0], site.visible(value), sharding, zeros=zeros)


def _replace(site: Site, value: Value) -> None:
    rewriting.replace_op(site.op, [value])


@grows("sdy.reshard")
def _reshard(site: Site) -> None:
    """What is left goes to another mesh, or to one device: from the whole."""
    op = site.op
    wanted = op.properties.get("sharding")
    assert isinstance(wanted, TensorSharding)
    value = _gathered(site, op.operands[0])
    rewriting.set_operand(op, 0, site.padded(value, _wanted_shape(site, value, wanted)))
    _same_type(site, op.operands[0])


# --- what every device makes by itself --------------------------------------------------------------------------------


@grows("sdy.constant", "stablehlo.constant")
def _constant(site: Site) -> None:
    """A splat becomes a larger one; anything else is padded and sliced."""
    op = site.op
    value = op.properties.get("value")
    type = site.growth.target(op.results[0])
    if isinstance(value, DenseElementsAttr) and value.is_splat and isinstance(type, TensorType):
        op.properties = op.properties.with_("value", DenseElementsAttr(type, value.data))
        return grow_results(site)
    return made_whole(site)


@grows("stablehlo.rng_bit_generator", "stablehlo.rng")
def _random(site: Site) -> None:
    """A larger tensor would get other numbers."""
    made_whole(site)


def made_whole(site: Site) -> None:
    """The operation makes whole tensors of whole ones on every device; those that are to be sharded are padded and
    sliced."""
    op = site.op
    if any(sharding is not None and sharding.unreduced for sharding in map(site.sharding, op.results)):
        refuse("results are unreduced, but the operation needs whole operands, of which devices have no terms")
    operands = [_gathered(site, value) for value in op.operands]
    regions, op.regions = op.regions, ()
    shardings = [site.sharding(result) for result in op.results]
    whole = site.emit.create(
        op.name,
        operands,
        [site.growth.visible[result] for result in op.results],
        op.properties,
        _whole_attributes(site),
        regions,
    )
    values: list[Value] = []
    for old, new, sharding in zip(op.results, whole.results, shardings, strict=True):
        value: Value = site.growth.introduce(new, site.growth.visible[old], None)
        if sharding is not None and any(dim.axes for dim in sharding.dims):
            value = site.padded(value, _wanted_shape(site, value, sharding))
            axes = ListOfAxisRefLists(_axes(sharding, tensor_type(value).rank))
            value = _collective(site, "all_slice", value, sharding, {"slicing_axes": axes})
        values.append(value)
    combining = [user for result in op.results for user in result.users if user.name in _COMBINING]
    rewriting.replace_op(op, values)
    for one in combining:
        _combine_no_more(site, one)


def _whole_attributes(site: Site) -> DictionaryAttr:
    """The attributes of the operation at hand on whole tensors."""
    op = site.op
    shardings = [site.sharding(result) for result in op.results]
    closed = [fully_closed(one.rank, one.mesh_or_ref) for one in shardings if one is not None]
    if SHARDING not in op.attributes.entries or len(closed) != len(shardings):
        return op.attributes.without(SHARDING)
    return op.attributes.with_(SHARDING, TensorShardingPerValue(closed))


def _combine_no_more(site: Site, op: Operation) -> None:
    """The collective ``op`` gets no terms any more but the whole: it only has to slice."""
    site.emit.at(op)
    rewriting.replace_op(op, [_through_whole(site, op.operands[0], _out_sharding(op))])


def _gathered(site: Site, value: Value) -> Value:
    """The visible part of ``value``, which every device has whole."""
    sharding = site.sharding(value)
    if sharding is None or sharding.is_fully_replicated or not isinstance(value.type, TensorType):
        return value
    return _through_whole(site, value, fully_closed(value.type.rank, sharding.mesh_or_ref))
