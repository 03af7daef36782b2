"""The last resort: every device gathers the operands, computes the whole, and slices its shard of the results.

For operations without a rule for sharded operands, and for slices whose position along a sharded dimension is known
only at run time.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.stablehlo.attributes import OutputOperandAlias
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir.attributes import ArrayAttr
from pyshardy.ir.opdef import ELEMENTWISE, NO_SHARDING_RULE
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, converts_dialect, keep
from pyshardy.passes.partitioning.global_to_local.stablehlo_collectives import gather, on_first_device
from pyshardy.passes.partitioning.legalization import NotConvertible


def computed_whole(site: ConversionSite) -> list[Value]:
    """Replaces the operation by one on whole tensors; returns the values that replace its results."""
    op = site.op
    site.refuse_unreduced_results()
    operands = [_whole(site, value) for value in op.operands]
    types = [site.walk.types_before[result] for result in op.results]
    regions, op.regions = op.regions, ()
    new = site.builder.create(op.name, operands, types, op.properties, op.attributes.without(SHARDING), regions)
    parts = [_part(site, index, value) for index, value in enumerate(new.results)]
    site.replace(*parts)
    return parts


@converts("sdy.reshard")
def _reshard(site: ConversionSite) -> None:
    """Between different meshes, or to one device, a reshard goes through the whole tensor. All other reshards should be
    collectives by now."""
    op = site.op
    source, target = site.mesh(op.operands[0]), site.mesh(op.result)
    sharding, wanted = site.sharding(op.operands[0]), site.sharding(op.result)
    becomes_unreduced = source is not target and wanted is not None and bool(wanted.unreduced)
    if target is None or (
        source is not None and source.equals(target, ignore_device_ids=True) and not becomes_unreduced
    ):
        raise NotConvertible
    if sharding is not None and sharding.unreduced:
        raise NotConvertible
    part = _part(site, 0, _whole(site, op.operands[0]))
    if wanted is not None and wanted.unreduced:
        part = on_first_device(site, part, target, wanted.unreduced)
    site.replace(part)


@converts_dialect("chlo")
@converts(*(name for name, row in DIALECT.definitions.items() if row.traits & NO_SHARDING_RULE))
def _without_rule(site: ConversionSite) -> None:
    """Operations that have no sharding rule, and are not resharded: elementwise ones whose operands and results are
    sharded alike work on shards, all others on whole tensors."""
    op = site.op
    values = (*op.operands, *op.results)
    if all(map(site.is_replicated, values)):
        return keep(site)
    if op.traits & ELEMENTWISE or op.name == "stablehlo.map":
        ranked = [value for value in values if site.type_before(value).rank]
        if len({(site.mesh(value), site.axes(value)) for value in ranked}) == 1:
            return keep(site)
    computed_whole(site)
    return None


@converts("stablehlo.custom_call")
def _custom_call(site: ConversionSite) -> None:
    """Kept, unless a result that aliases an operand would have another type than the operand."""
    aliases = site.op.properties.get("output_operand_aliases")
    for alias in aliases if isinstance(aliases, ArrayAttr) else ():
        if isinstance(alias, OutputOperandAlias) and not alias.operand_tuple_indices:
            (index,) = alias.output_tuple_indices or (0,)
            if site.op.operands[alias.operand_index].type is not site.walk.target(site.op.results[index]):
                computed_whole(site)
                return None
    return keep(site)


def _part(site: ConversionSite, index: int, whole: Value) -> Value:
    """The device's shard of result ``index``."""
    result = site.op.results[index]
    mesh, axes = site.mesh(result), site.axes(result)
    if mesh is None or not any(axes):
        return whole
    return site.builder.slice_for_axes(whole, mesh, axes, site.target(index).shape)


def _whole(site: ConversionSite, value: Value) -> Value:
    sharding, mesh = site.sharding(value), site.mesh(value)
    if sharding is None or mesh is None or not isinstance(value.type, TensorType):
        return value
    for dim, axes in reversed(list(enumerate(site.axes(value)))):
        if axes:
            value = gather(site, value, sharding, mesh, axes, dim)
    return value
