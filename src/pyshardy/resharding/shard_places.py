"""Which shard of a tensor each device holds: a change of layout that leaves every shard on its device moves nothing.

Only meshes with an explicit order of devices ask here, and not very large ones.
"""

from __future__ import annotations

from math import prod

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.mesh import Mesh

_MOST_DEVICES = 4096


def placed_alike(layout: Layout, mesh: Mesh, other_layout: Layout, other_mesh: Mesh) -> bool:
    """Whether every device holds the same shard in both layouts; False for meshes that are too large to compare."""
    if mesh.total_size > _MOST_DEVICES:
        return False
    return _shards(layout, mesh) == _shards(other_layout, other_mesh)


def _shards(layout: Layout, mesh: Mesh) -> dict[int, list[int]]:
    """For each device id the index of its shard in each dimension, and the number of shards."""
    strides = [[(_stride(axis.name, axis.end(mesh), mesh), axis.size(mesh)) for axis in axes] for axes in layout]
    shards: dict[int, list[int]] = {}
    for place, device in enumerate(mesh.device_ids or range(mesh.total_size)):
        shards[device] = []
        for dim in strides:
            number, count = 0, 1
            for stride, size in dim:
                number = number * size + place // stride % size
                count *= size
            shards[device] += [number, count]
    return shards


def _stride(name: str, end: int, mesh: Mesh) -> int:
    """How far apart devices are that differ by one along an axis, or a sub-axis with this end."""
    return prod(axis.size for axis in mesh.axes[mesh.positions[name] + 1 :]) * (mesh.sizes[name] // end)
