"""Finds out why nothing of a program will be sharded: it has no mesh, or no shardings.

Commands call it before propagation, since their summaries would only show one device or replicated tensors, without the
reason.
"""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.every_sharding import visit_shardings
from pyshardy.module import Module
from pyshardy.reading.gspmd.markers import num_partitions
from pyshardy.sharding.tensor import TensorSharding


def why_nothing_is_sharded(module: Module) -> list[str]:
    """Sentences on why nothing of ``module`` will be sharded; none if something may be."""
    shardings: list[TensorSharding] = []
    visit_shardings(module.op, lambda sharding, slot: shardings.append(sharding))
    meshes = placement.meshes(module.op)
    if not meshes and not shardings:
        return [f"the program has no mesh and no shardings: nothing is sharded{_contradiction(module)}"]
    if not shardings:
        devices = max(mesh.total_size for mesh in meshes.values())
        return [f"the program has no shardings: every tensor is whole on each of the {devices} devices of its mesh"]
    if not any(sharding.has_axes for sharding in shardings):
        return ["no sharding of the program names an axis: every tensor is whole on each device"]
    return []


def _contradiction(module: Module) -> str:
    devices = num_partitions(module.op)
    return f", though mhlo.num_partitions says that it is for {devices} devices" if devices > 1 else ""
