"""The pass ``sdy-inline-meshes``: writes each mesh into the shardings and replica groups that name it, and deletes the
``sdy.mesh`` operations.

It is for tools that know no mesh symbols; ``lift_inlined_meshes`` does the opposite.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.dialects.sdy.every_sharding import transform_shardings
from pyshardy.dialects.sdy.placement import meshes, resolve_mesh
from pyshardy.dialects.stablehlo.attributes import Mesh as StablehloMesh
from pyshardy.dialects.stablehlo.attributes import MeshAxis, ReplicaGroupMeshAxes
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.importing.lift_inlined_meshes import device_ids_attribute
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def inline_meshes(module: Operation) -> None:
    """Makes all shardings and replica groups of ``module`` carry their mesh, and erases the mesh operations."""
    known = meshes(module)

    def inlined(sharding: TensorSharding) -> TensorSharding:
        return sharding.replace(mesh_or_ref=resolve_mesh(sharding, known))

    transform_shardings(module.operations(), inlined)
    for op in module.walk():
        inline_mesh_of_groups(op, known)
    for op in module.body:
        if op.name == "sdy.mesh":
            rewriting.erase(op)


def inline_mesh_of_groups(op: Operation, known: Mapping[str, Mesh]) -> None:
    """Writes the mesh into replica groups of ``op`` that name one."""
    groups = op.properties.entries.get("replica_groups")
    if not isinstance(groups, ReplicaGroupMeshAxes) or not isinstance(groups.mesh, SymbolRefAttr):
        return
    mesh = known.get(groups.mesh.root)
    if mesh is not None:
        written = ReplicaGroupMeshAxes(stablehlo_mesh(mesh), groups.axes)
        rewriting.set_properties(op, op.properties.with_("replica_groups", written))


def stablehlo_mesh(mesh: Mesh) -> StablehloMesh:
    """``mesh`` as StableHLO writes one into replica groups."""
    return StablehloMesh(tuple(MeshAxis(axis.name, axis.size) for axis in mesh.axes), device_ids_attribute(mesh))


@register_pass("sdy-inline-meshes", on="builtin.module")
class InlineMeshes(Pass):
    """Replaces the names of meshes in shardings by the meshes, and deletes the ``sdy.mesh`` operations."""

    def apply(self, op: Operation, context: Context) -> None:
        inline_meshes(op)
