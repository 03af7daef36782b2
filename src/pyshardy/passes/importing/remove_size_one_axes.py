"""The pass ``sdy-remove-size-one-axes``: removes mesh axes of size 1 from all shardings.

They split nothing, yet two shardings that differ in them alone would look different to propagation. In the import
pipeline ``manual_axes_cleanup`` runs after it, and names such axes again where a manual computation must.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.sdy.every_sharding import transform_shardings
from pyshardy.dialects.sdy.placement import meshes, resolve_mesh
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding


def remove_size_one_axes(module: Operation) -> bool:
    """Removes axes of size 1 from the shardings of ``module``, if one of its mesh operations has such an axis; whether
    there were any."""
    known = meshes(module)
    if not any(axis.size == 1 for mesh in known.values() for axis in mesh.axes):
        return False

    def cleaned(sharding: TensorSharding) -> TensorSharding:
        mesh = resolve_mesh(sharding, known)
        return sharding if mesh is None else without_size_one_axes(sharding, mesh)

    return transform_shardings(module.operations(), cleaned)


def without_size_one_axes(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    """``sharding`` without the axes that have size 1 in ``mesh``; a closed dimension that is left without axes has no
    priority."""

    def kept(axes: Iterable[AxisRef]) -> list[AxisRef]:
        return [axis for axis in axes if mesh.sizes.get(axis.name) != 1]

    def dimension(dim: DimSharding) -> DimSharding:
        axes = kept(dim.axes)
        return DimSharding(axes, dim.is_closed, dim.priority if axes or not dim.is_closed else None)

    return sharding.replace(
        dims=map(dimension, sharding.dims),
        replicated=kept(sharding.replicated),
        unreduced=kept(sharding.unreduced),
    )


@register_pass("sdy-remove-size-one-axes", on="builtin.module")
class RemoveSizeOneAxes(Pass):
    """Removes axes of size one from all shardings. Meshes and manual axes keep them."""

    def apply(self, op: Operation, context: Context) -> bool:
        return remove_size_one_axes(op)
