"""The pass ``sdy-inline-meshes``: writes each mesh into the shardings that name it, and deletes the ``sdy.mesh``
operations.

For hand-over to tools that know no mesh symbols; ``lift_inlined_meshes`` is the way back.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.dialects.sdy.placement import meshes, resolve_mesh, transform_shardings
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.tensor import TensorSharding


def inline_meshes(module: Operation) -> None:
    """Makes every sharding of ``module`` carry its mesh, and erases the mesh operations."""
    known = meshes(module)

    def inlined(sharding: TensorSharding) -> TensorSharding:
        return sharding.replace(mesh_or_ref=resolve_mesh(sharding, known))

    transform_shardings(module, inlined)
    for op in module.body:
        if op.name == "sdy.mesh":
            rewriting.erase(op)


@register_pass(
    "sdy-inline-meshes",
    on="builtin.module",
    class_name="InlineMeshesPass",
    summary="Replaces the names of meshes in shardings by the meshes, and deletes the sdy.mesh operations.",
)
@dataclass(frozen=True)
class InlineMeshes(Pass):
    """Replaces the names of meshes in shardings by the meshes, and deletes the ``sdy.mesh`` operations."""

    def apply(self, op: Operation, context: Context) -> None:
        inline_meshes(op)
