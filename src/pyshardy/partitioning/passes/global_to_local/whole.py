"""The last resort: every device gathers the operands, computes the whole, and takes its part of the results.

For operations that nobody has told how to share, and for parts of sharded dimensions that are chosen when the program
runs. Registers with ``conversion``.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.passes.global_to_local.collectives import gather
from pyshardy.partitioning.passes.global_to_local.conversion import Site


def computed_whole(site: Site) -> list[Value]:
    """Replaces the operation by one on whole tensors; returns what takes the place of its results."""
    op = site.op
    operands = [_whole(site, value) for value in op.operands]
    types = [site.conversion.global_types[result] for result in op.results]
    regions, op.regions = op.regions, ()
    new = site.emit.create(op.name, operands, types, op.properties, op.attributes.without(SHARDING), regions)
    parts: list[Value] = []
    for index, (old, value) in enumerate(zip(op.results, new.results, strict=True)):
        mesh, axes = site.mesh(old), site.axes(old)
        part: Value = value
        if mesh is not None and any(axes):
            part = site.emit.slice_for_axes(value, mesh, axes, site.local_result(index).shape)
        parts.append(part)
    site.replace(*parts)
    return parts


def _whole(site: Site, value: Value) -> Value:
    sharding, mesh = site.sharding(value), site.mesh(value)
    if sharding is None or mesh is None or not isinstance(value.type, TensorType):
        return value
    for dim, axes in reversed(list(enumerate(site.axes(value)))):
        if axes:
            value = gather(site, value, sharding, mesh, axes, dim)
    return value
