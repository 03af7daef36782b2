"""Which shard of a tensor each device holds: where two layouts put the same shard on every device, nothing moves.

Stands on ``axis_alignment``; asked only about meshes with devices in an order of their own, and not about huge ones.
"""

from __future__ import annotations

from math import prod

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.mesh import Mesh

_MOST_DEVICES = 4096


def placed_alike(layout: Layout, mesh: Mesh, other_layout: Layout, other_mesh: Mesh) -> bool:
    """Whether every device holds the same shard either way; False for meshes that are too large to compare."""
    if mesh.total_size > _MOST_DEVICES:
        return False
    return _shards(layout, mesh) == _shards(other_layout, other_mesh)


def _shards(layout: Layout, mesh: Mesh) -> dict[int, list[int]]:
    """Per device id the number of its shard in each dimension, behind which stands the number of shards."""
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
    """How many places in the order of devices one step along an axis, or a sub-axis with this end, is."""
    return prod(axis.size for axis in mesh.axes[mesh.positions[name] + 1 :]) * (mesh.sizes[name] // end)
