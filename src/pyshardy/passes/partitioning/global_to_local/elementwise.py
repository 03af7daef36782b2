"""Elementwise operations: checks that operands are sharded like the result.

Types alone do not tell, because dimensions that are sharded along different axes of one size have equal local shapes.
The operands of a function's return are checked in the same way.
"""

from __future__ import annotations

from pyshardy.emitting.layout import Axes
from pyshardy.ir.operation import Value
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.pointwise import NAMES
from pyshardy.sharding.axes import AxisRef, append_or_merge, axes_text, shard_count
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


@converts(*NAMES, "stablehlo.select")
def _pointwise(site: ConversionSite) -> None:
    result = site.op.results[0]
    for index, operand in enumerate(site.op.operands):
        if site.type_before(operand).rank == 0:
            continue
        message = sharding_mismatch(site, operand, f"operand {index}", site.sharding(result), "its result")
        if message is not None:
            refuse(message)
    keep(site)


def _canonical(axes: Axes, mesh: Mesh) -> list[AxisRef]:
    """``axes`` without those of size 1, and with neighbouring sub-axes merged."""
    merged: list[AxisRef] = []
    for axis in axes:
        if axis.size(mesh) > 1:
            append_or_merge(merged, axis, mesh)
    return merged


def sharding_mismatch(
    site: ConversionSite, a: Value, a_name: str, other_sharding: TensorSharding | None, other_name: str
) -> str | None:
    """The message if ``a`` and another value of the same local shape hold different parts of a dimension; None
    otherwise."""
    mesh, other_mesh = site.mesh(a), site.walk.mesh_of(other_sharding)
    if mesh is None or other_mesh is None or other_sharding is None:
        return None
    b_name, b_axes = other_name, [dim.axes for dim in other_sharding.dims]
    for dim, (own, other) in enumerate(zip(site.axes(a), b_axes, strict=False)):
        if shard_count(own, mesh) != shard_count(other, other_mesh) or shard_count(own, mesh) == 1:
            continue
        if mesh is not other_mesh:
            return f"{a_name} and {b_name} are sharded on different meshes; reshard one of them"
        if _canonical(own, mesh) != _canonical(other, mesh):
            return (
                f"dimension {dim} of {a_name} is sharded along {axes_text(own)} and that of {b_name} along "
                f"{axes_text(other)}: the devices hold different parts of it; reshard one of them"
            )
    return None
