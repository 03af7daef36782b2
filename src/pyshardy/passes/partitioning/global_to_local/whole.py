"""The last resort: every device gathers the operands, computes the whole, and takes its part of the results.

For operations that nobody has told how to share, and for parts of sharded dimensions that are chosen when the program
runs. Registers with ``conversion``.
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
from pyshardy.passes.partitioning.global_to_local.stablehlo_collectives import gather, only_once
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse


def computed_whole(site: ConversionSite) -> list[Value]:
    """Replaces the operation by one on whole tensors; returns what takes the place of its results."""
    op = site.op
    if any(sharding is not None and sharding.unreduced for sharding in map(site.sharding, op.results)):
        refuse("results are unreduced, but the operation needs whole operands, of which devices have no terms")
    operands = [_whole(site, value) for value in op.operands]
    types = [site.walk.types_before[result] for result in op.results]
    regions, op.regions = op.regions, ()
    new = site.emit.create(op.name, operands, types, op.properties, op.attributes.without(SHARDING), regions)
    parts = [_part(site, index, value) for index, value in enumerate(new.results)]
    site.replace(*parts)
    return parts


@converts("sdy.reshard")
def _reshard(site: ConversionSite) -> None:
    """Between meshes, or to one device: nobody else knows a way. All others should be collectives by now."""
    op = site.op
    source, target = site.mesh(op.operands[0]), site.mesh(op.result)
    sharding, wanted = site.sharding(op.operands[0]), site.sharding(op.result)
    gains_terms = source is not target and wanted is not None and bool(wanted.unreduced)
    if target is None or (source is not None and source.equals(target, ignore_device_ids=True) and not gains_terms):
        raise NotConvertible
    if sharding is not None and sharding.unreduced:
        raise NotConvertible
    part = _part(site, 0, _whole(site, op.operands[0]))
    if wanted is not None and wanted.unreduced:
        part = only_once(site, part, target, wanted.unreduced)
    site.replace(part)


@converts_dialect("chlo")
@converts(*(name for name, row in DIALECT.definitions.items() if row.traits & NO_SHARDING_RULE))
def _without_rule(site: ConversionSite) -> None:
    """Operations that have no sharding rules, and are not resharded: on what each device has if all that they work on
    lies alike and one element at a time, else whole."""
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
    """Kept, unless results that share the memory of operands would no longer have their types."""
    aliases = site.op.properties.get("output_operand_aliases")
    for alias in aliases if isinstance(aliases, ArrayAttr) else ():
        if isinstance(alias, OutputOperandAlias) and not alias.operand_tuple_indices:
            (index,) = alias.output_tuple_indices or (0,)
            if site.op.operands[alias.operand_index].type is not site.walk.target(site.op.results[index]):
                computed_whole(site)
                return None
    return keep(site)


def _part(site: ConversionSite, index: int, whole: Value) -> Value:
    """What the device has of result ``index``."""
    result = site.op.results[index]
    mesh, axes = site.mesh(result), site.axes(result)
    if mesh is None or not any(axes):
        return whole
    return site.emit.slice_for_axes(whole, mesh, axes, site.target(index).shape)


def _whole(site: ConversionSite, value: Value) -> Value:
    sharding, mesh = site.sharding(value), site.mesh(value)
    if sharding is None or mesh is None or not isinstance(value.type, TensorType):
        return value
    for dim, axes in reversed(list(enumerate(site.axes(value)))):
        if axes:
            value = gather(site, value, sharding, mesh, axes, dim)
    return value
