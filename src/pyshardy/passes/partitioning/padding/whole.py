"""Operations that every device computes whole: reshards to another mesh, constants, random numbers.

Also the last resort for operations that cannot run on padded operands (``NeedsWholeOperands``).
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.names import REDUCING_COLLECTIVES
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.padding.uneven_collectives import (
    collective,
    resharded_through_whole,
    same_type,
    wanted_shape,
)
from pyshardy.passes.partitioning.padding.walk import PaddingSite, pad_results, padding_rule
from pyshardy.sharding.lists import ListOfAxisRefLists
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_closed


@padding_rule("sdy.reshard")
def _reshard(site: PaddingSite) -> None:
    """The reshards that are left go to another mesh, or to one device: they start from the whole value."""
    op = site.op
    wanted = op.properties.get("sharding")
    assert isinstance(wanted, TensorSharding)
    value = _gathered(site, op.operands[0])
    rewriting.set_operand(op, 0, site.padded(value, wanted_shape(site, value, wanted)))
    same_type(site, op.operands[0])


@padding_rule("sdy.constant", "stablehlo.constant")
def _constant(site: PaddingSite) -> None:
    """A splat gets the padded type; any other constant is padded and sliced into shards."""
    op = site.op
    value = op.properties.get("value")
    if isinstance(value, DenseElementsAttr) and value.is_splat:
        rewriting.set_properties(op, op.properties.with_("value", DenseElementsAttr(site.target(), value.data)))
        return pad_results(site)
    return computed_whole(site)


@padding_rule("stablehlo.rng_bit_generator", "stablehlo.rng")
def _random(site: PaddingSite) -> None:
    """A larger tensor would get other numbers."""
    computed_whole(site)


def computed_whole(site: PaddingSite) -> None:
    """Every device runs the operation on whole operands. Results that are sharded are padded and sliced into shards."""
    op = site.op
    site.refuse_unreduced_results()
    operands = [_gathered(site, value) for value in op.operands]
    regions, op.regions = op.regions, ()
    shardings = [site.sharding(result) for result in op.results]
    whole = site.builder.create(
        op.name,
        operands,
        [site.walk.types_before[result] for result in op.results],
        op.properties,
        _whole_attributes(site),
        regions,
    )
    values: list[Value] = []
    for old, new, sharding in zip(op.results, whole.results, shardings, strict=True):
        value: Value = site.walk.introduce(new, site.walk.types_before[old], None)
        if sharding is not None and any(dim.axes for dim in sharding.dims):
            value = site.padded(value, wanted_shape(site, value, sharding))
            axes = ListOfAxisRefLists(dim.axes for dim in sharding.dims)
            value = collective(site, "all_slice", value, sharding, {"slicing_axes": axes})
        values.append(value)
    combining = [user for result in op.results for user in result.users if user.name in REDUCING_COLLECTIVES]
    rewriting.replace_op(op, values)
    for one in combining:
        # The operand is whole now, no longer partial: nothing is left to reduce, only to slice.
        follower = PaddingSite(site.walk, one)
        rewriting.replace_op(one, [resharded_through_whole(follower, one.operands[0], follower.out_sharding)])


def _whole_attributes(site: PaddingSite) -> DictionaryAttr:
    """The attributes of the current operation on whole tensors."""
    op = site.op
    shardings = [site.sharding(result) for result in op.results]
    closed = [fully_closed(one.rank, one.mesh_or_ref) for one in shardings if one is not None]
    if SHARDING not in op.attributes.entries or len(closed) != len(shardings):
        return op.attributes.without(SHARDING)
    return op.attributes.with_(SHARDING, TensorShardingPerValue(closed))


def _gathered(site: PaddingSite, value: Value) -> Value:
    """The visible part of ``value``, replicated."""
    sharding = site.sharding(value)
    if sharding is None or sharding.is_fully_replicated or not isinstance(value.type, TensorType):
        return value
    return resharded_through_whole(site, value, fully_closed(value.type.rank, sharding.mesh_or_ref))
