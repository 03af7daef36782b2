"""The last resort: every device gathers the operands, computes the whole, and takes its part of the results.

For operations that nobody has told how to share, and for parts of sharded dimensions that are chosen when the program
runs. Registers with ``conversion``.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.global_to_local.collectives import gather, only_once
from pyshardy.passes.partitioning.global_to_local.conversion import Site, converts
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse


def computed_whole(site: Site) -> list[Value]:
    """Replaces the operation by one on whole tensors; returns what takes the place of its results."""
    op = site.op
    if any(sharding is not None and sharding.unreduced for sharding in map(site.sharding, op.results)):
        refuse("results are unreduced, but the operation needs whole operands, of which devices have no terms")
    operands = [_whole(site, value) for value in op.operands]
    types = [site.conversion.global_types[result] for result in op.results]
    regions, op.regions = op.regions, ()
    new = site.emit.create(op.name, operands, types, op.properties, op.attributes.without(SHARDING), regions)
    parts = [_part(site, index, value) for index, value in enumerate(new.results)]
    site.replace(*parts)
    return parts


@converts("sdy.reshard")
def _reshard(site: Site) -> None:
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


def _part(site: Site, index: int, whole: Value) -> Value:
    """What the device has of result ``index``."""
    result = site.op.results[index]
    mesh, axes = site.mesh(result), site.axes(result)
    if mesh is None or not any(axes):
        return whole
    return site.emit.slice_for_axes(whole, mesh, axes, site.local_result(index).shape)


def _whole(site: Site, value: Value) -> Value:
    sharding, mesh = site.sharding(value), site.mesh(value)
    if sharding is None or mesh is None or not isinstance(value.type, TensorType):
        return value
    for dim, axes in reversed(list(enumerate(site.axes(value)))):
        if axes:
            value = gather(site, value, sharding, mesh, axes, dim)
    return value
