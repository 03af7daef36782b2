"""Collectives on dimensions that do not divide: values are padded before they are sliced, and sliced after they are
gathered.

A dimension whose shards change their size is resharded through the whole dimension: gathered, sliced, padded, and
sliced into shards.
"""

from __future__ import annotations

from pyshardy.emitting.builder import tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.operation import Value
from pyshardy.passes.partitioning.padding.walk import PaddingSite, padding_rule
from pyshardy.passes.partitioning.shard_sizes import rounded_up
from pyshardy.rules.properties import integer
from pyshardy.sharding.axes import sort_and_merge
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.tensor import DimSharding, TensorSharding


def wanted_shape(site: PaddingSite, value: Value, sharding: TensorSharding) -> list[int]:
    """The shape of ``value`` padded for ``sharding``."""
    visible = site.type_before(value).shape
    counts = site.walk.counts(sharding, len(visible))
    return [rounded_up(size, count) for size, count in zip(visible, counts, strict=True)]


def _shards_change(site: PaddingSite, value: Value, sharding: TensorSharding) -> bool:
    """Whether a dimension that is sharded before and after changes the size of its shards."""
    now, wanted = tensor_type(value).shape, wanted_shape(site, value, sharding)
    before, after = site.counts(value), site.walk.counts(sharding, len(now))
    return any(
        old > 1 and new > 1 and size != target
        for size, target, old, new in zip(now, wanted, before, after, strict=True)
    )


@padding_rule("sdy.all_slice")
def _all_slice(site: PaddingSite) -> None:
    sharding = site.out_sharding
    if _shards_change(site, site.op.operands[0], sharding):
        return _replace(site, resharded_through_whole(site, site.op.operands[0], sharding))
    return _pad_both(site, sharding)


def _pad_both(site: PaddingSite, sharding: TensorSharding) -> None:
    """Pads operand and result until ``sharding`` divides them, too."""
    operand = site.op.operands[0]
    wanted = wanted_shape(site, operand, sharding)
    now = tensor_type(operand).shape
    new = site.padded(operand, [max(sizes) for sizes in zip(now, wanted, strict=True)])
    rewriting.set_operand(site.op, 0, new)
    same_type(site, new)


def same_type(site: PaddingSite, operand: Value) -> None:
    """Gives the result the type of ``operand``, for an operation that leaves elements in place."""
    result = site.op.results[0]
    rewriting.set_type(result, operand.type)
    rewriting.make_anew(site.op)
    if operand in site.walk.zeros:
        site.walk.zeros.add(result)


@padding_rule("sdy.all_gather")
def _all_gather(site: PaddingSite) -> None:
    op = site.op
    operand, sharding = op.operands[0], site.out_sharding
    if _shards_change(site, operand, sharding):
        return _replace(site, resharded_through_whole(site, operand, sharding))
    same_type(site, operand)
    return _cut_behind(site, sharding)


def _cut_behind(site: PaddingSite, sharding: TensorSharding) -> None:
    """Slices the dimensions of the result that are no longer sharded."""
    op = site.op
    result = op.results[0]
    wanted = wanted_shape(site, result, sharding)
    if tuple(wanted) == tensor_type(result).shape:
        return
    following = op.next_op
    assert following is not None
    site.builder.at(following)
    site.builder.location = op.location
    new = site.cut(result, wanted, sharding)
    rewriting.replace_all_uses_except(result, new, new.defining_op or op)


@padding_rule("sdy.all_to_all")
def _all_to_all(site: PaddingSite) -> None:
    sharding = site.out_sharding
    if _shards_change(site, site.op.operands[0], sharding):
        return _replace(site, resharded_through_whole(site, site.op.operands[0], sharding))
    _pad_both(site, sharding)
    return _cut_behind(site, sharding)


@padding_rule("sdy.reduce_scatter")
def _reduce_scatter(site: PaddingSite) -> None:
    op = site.op
    operand, sharding = op.operands[0], site.out_sharding
    if not _shards_change(site, operand, sharding):
        return _all_slice(site)
    found = op.properties.get("reduce_scatter_axes")
    before = site.sharding(operand)
    mesh = site.walk.mesh_of(sharding)
    assert isinstance(found, ListOfAxisRefLists) and before is not None and mesh is not None
    axes = sort_and_merge([axis for each in found for axis in each], mesh)
    reduced = before.replace(unreduced=sharding.unreduced)
    properties: dict[str, Attribute] = {"reduction_axes": AxisRefList(axes)}
    if integer(op, "reduction_op", 0):
        properties["reduction_op"] = op.properties.entries["reduction_op"]
    summed = collective(site, "all_reduce", operand, reduced, properties)
    return _replace(site, resharded_through_whole(site, summed, sharding))


@padding_rule("sdy.sharded_to_unreduced")
def _sharded_to_unreduced(site: PaddingSite) -> None:
    """If shards change their size, the value is gathered first, and becomes unreduced from there."""
    op = site.op
    operand, sharding = op.operands[0], site.out_sharding
    if not _shards_change(site, operand, sharding):
        return _elementwise(site)
    lists, mesh = op.properties.get("axes"), site.walk.mesh_of(sharding)
    assert isinstance(lists, ListOfAxisRefLists) and mesh is not None
    gathered = resharded_through_whole(site, operand, sharding.replace(unreduced=()))
    axes = AxisRefList(sort_and_merge([axis for each in lists for axis in each], mesh))
    return _replace(site, collective(site, "replicated_to_unreduced", gathered, sharding, {"axes": axes}))


@padding_rule("sdy.all_reduce", "sdy.replicated_to_unreduced", "sdy.collective_permute")
def _elementwise(site: PaddingSite) -> None:
    same_type(site, site.op.operands[0])
    site.walk.zeros.discard(site.op.results[0])
    if site.op.name == "sdy.sharded_to_unreduced":
        _cut_behind(site, site.out_sharding)


def resharded_through_whole(site: PaddingSite, value: Value, sharding: TensorSharding) -> Value:
    """``value`` resharded to ``sharding`` by gathering the dimensions that change, and slicing them again."""
    source, target = site.axes(value), [dim.axes for dim in sharding.dims]
    changed = [old != new for old, new in zip(source, target, strict=True)]
    kept = [DimSharding(() if change else axes) for axes, change in zip(source, changed, strict=True)]
    between = TensorSharding(sharding.mesh_or_ref, kept, (), sharding.unreduced, sharding.reduction_op)
    gathered = [axes if change else () for axes, change in zip(source, changed, strict=True)]
    if any(gathered):
        value = collective(site, "all_gather", value, between, {"gathering_axes": ListOfAxisRefLists(gathered)})
    shape = wanted_shape(site, value, between)
    if tuple(shape) != tensor_type(value).shape:
        value = site.cut(value, shape, between)
    value = site.padded(value, wanted_shape(site, value, sharding))
    sliced = [axes if change else () for axes, change in zip(target, changed, strict=True)]
    if any(sliced):
        value = collective(site, "all_slice", value, sharding, {"slicing_axes": ListOfAxisRefLists(sliced)})
    return value


def collective(
    site: PaddingSite, name: str, value: Value, sharding: TensorSharding, properties: dict[str, Attribute]
) -> Value:
    """The result of the collective ``sdy.name`` on ``value``, with ``sharding``."""
    op = site.builder.create(f"sdy.{name}", (value,), (value.type,), properties | {"out_sharding": sharding})
    zeros = value in site.walk.zeros
    return site.walk.introduce(op.results[0], site.type_before(value), sharding, zeros=zeros)


def _replace(site: PaddingSite, value: Value) -> None:
    rewriting.replace_op(site.op, [value])
