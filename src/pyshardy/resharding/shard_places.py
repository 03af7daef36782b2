"""Which shard of a tensor each device holds: strides of axes in a mesh, and whether two layouts put the same shards on
the same devices.

A change of layout that leaves every shard on its device moves nothing. Only meshes with an explicit order of devices
need the comparison, and very large ones are not compared.
"""

from __future__ import annotations

from math import prod

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh

_MOST_DEVICES = 4096


def placed_alike(layout: Layout, mesh: Mesh, other_layout: Layout, other_mesh: Mesh) -> bool:
    """Whether every device holds the same shard in both layouts; False for meshes that are too large to compare."""
    if mesh.total_size > _MOST_DEVICES:
        return False
    return _shards(layout, mesh) == _shards(other_layout, other_mesh)


def _shards(layout: Layout, mesh: Mesh) -> dict[int, list[int]]:
    """For each device id the index of its shard in each dimension, and the number of shards."""
    strides = [[(stride_of(axis, mesh), axis.size(mesh)) for axis in axes] for axes in layout]
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


def stride_of(axis: AxisRef, mesh: Mesh) -> int:
    """How far apart in the mesh devices are whose coordinates along ``axis`` differ by one."""
    suffix = prod(one.size for one in mesh.axes[mesh.positions[axis.name] + 1 :])
    return suffix * (mesh.sizes[axis.name] // axis.end(mesh))
