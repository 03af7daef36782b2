"""The mesh for whose devices a program is partitioned."""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import visit_shardings
from pyshardy.module import Module
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

_MOST_DEVICES = (1 << 31) - 1


def main_mesh_of(module: Module) -> tuple[str | None, Mesh | None]:
    """The first mesh that a sharding uses, if it has a name; else the first mesh of the program.

    Raises:
        PyshardyError: shardings use meshes with different numbers of devices.
    """
    meshes = placement.meshes(module.op)
    used: dict[str, Mesh] = {}
    if len(meshes) == 1:
        # Inlined meshes have been given names by propagation.
        used = {name: mesh for name, mesh in meshes.items() if mesh.axes}

    def look(sharding: TensorSharding, slot: placement.ShardingSlot) -> None:
        name = sharding.mesh_or_ref
        mesh = placement.resolve_mesh(sharding, meshes)
        if mesh is not None and mesh.axes and any(True for _ in sharding.axes()):
            used.setdefault(name if isinstance(name, str) else "", mesh)

    if len(meshes) > 1:
        visit_shardings(module.op, look)
    if not used:
        used = {name: mesh for name, mesh in meshes.items() if mesh.axes}
    if not used:
        return None, None
    name, mesh = next(iter(used.items()))
    if mesh.total_size > _MOST_DEVICES:
        count = f"{mesh.total_size:,} devices, more than the {_MOST_DEVICES:,} that a program can number"
        text = f"mesh @{name} has {count}"
        module.context.emit("error", module.op.location, text)
        raise module.context.failure()
    for other_name, other in used.items():
        if other.total_size != mesh.total_size:
            module.context.emit(
                "error",
                module.op.location,
                f"shardings use mesh @{name} with {mesh.total_size} devices and mesh @{other_name} with "
                f"{other.total_size}: a program is partitioned for one number of devices",
            )
            raise module.context.failure()
    return name or None, mesh
