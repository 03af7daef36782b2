"""The grid of processes (replicas x partitions) and the groups in which a collective runs.

A process is numbered replica · partitions + partition. The rules are StableHLO's: which of the four ways of reading
replica groups holds depends on the channel and on ``use_global_device_ids``.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

import numpy as np

from pyshardy.dialects.stablehlo.attributes import ChannelHandle, ReplicaGroupMeshAxes
from pyshardy.dialects.stablehlo.attributes import Mesh as StablehloMesh
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.sharding.mesh import Mesh

Groups = list[list[int]]


class Grid(NamedTuple):
    """``replicas`` x ``partitions`` processes."""

    replicas: int = 1
    partitions: int = 1

    @property
    def size(self) -> int:
        return self.replicas * self.partitions

    def process(self, replica: int, partition: int) -> int:
        """The number of a process.

        Raises:
            ValueError: the grid has no such process.
        """
        if not (0 <= replica < self.replicas and 0 <= partition < self.partitions):
            raise ValueError(
                f"the groups name replica {replica} and partition {partition}, but there are {self.replicas} replicas "
                f"and {self.partitions} partitions"
            )
        return replica * self.partitions + partition


def channel(op: Operation) -> int:
    """The id of a collective's channel, 0 for none."""
    handle = op.properties.get("channel_handle")
    return handle.handle if isinstance(handle, ChannelHandle) else 0


def cross_replica(rows: Groups, grid: Grid) -> Groups:
    """Groups of replicas, for each partition."""
    return [[grid.process(replica, p) for replica in row] for row in rows for p in range(grid.partitions)]


def cross_partition(rows: Groups, grid: Grid) -> Groups:
    """Groups of partitions, for each replica."""
    return [[grid.process(r, partition) for partition in row] for row in rows for r in range(grid.replicas)]


def cross_replica_and_partition(rows: Groups, grid: Grid) -> Groups:
    """Groups of all partitions of some replicas, partition by partition."""
    return [[grid.process(replica, p) for p in range(grid.partitions) for replica in row] for row in rows]


def flattened_ids(rows: Groups, grid: Grid) -> Groups:
    """Groups of processes by their numbers.

    Raises:
        ValueError: a number is beyond the grid.
    """
    for row in rows:
        for one in row:
            if not 0 <= one < grid.size:
                raise ValueError(f"the groups name device {one}, but there are {grid.size}")
    return rows


def reduction_groups(op: Operation, grid: Grid, module: Operation) -> Groups:
    """The groups of an all_gather, all_reduce or reduce_scatter.

    Raises:
        ValueError: the groups do not fit the grid.
    """
    return _disjoint(_reduction_groups(op, grid, module))


def _reduction_groups(op: Operation, grid: Grid, module: Operation) -> Groups:
    rows = group_rows(op, module)
    is_global = "use_global_device_ids" in op.properties.entries
    if channel(op) <= 0:
        if is_global:
            raise ValueError("use_global_device_ids needs a positive channel id")
        return cross_replica(rows or [list(range(grid.replicas))], grid)
    if is_global:
        return flattened_ids(rows, grid)
    return cross_replica_and_partition(rows or [list(range(grid.replicas))], grid)


def exchange_groups(op: Operation, grid: Grid, module: Operation) -> Groups:
    """The groups of an all_to_all or collective_broadcast.

    Raises:
        ValueError: the groups do not fit the grid.
    """
    rows = group_rows(op, module)
    if channel(op) <= 0:
        return _disjoint(cross_replica(rows or [list(range(grid.replicas))], grid))
    return _disjoint(cross_partition(rows or [list(range(grid.partitions))], grid))


def permutation_pairs(op: Operation, grid: Grid) -> Groups:
    """The pairs (source, target) of a collective_permute, as processes.

    Raises:
        ValueError: the pairs do not fit the grid, or share a source or a target.
    """
    rows = _rows(op.properties.get("source_target_pairs"))
    pairs = cross_replica(rows, grid) if channel(op) <= 0 else cross_partition(rows, grid)
    for side, name in enumerate(("source", "target")):
        ends = [pair[side] for pair in pairs]
        if len(set(ends)) != len(ends):
            raise ValueError(f"a process is the {name} of more than one pair")
    return pairs


def group_rows(op: Operation, module: Operation) -> Groups:
    """The rows of ``replica_groups``, however they are written; fillings of -1 are dropped.

    Raises:
        ValueError: the mesh they refer to does not exist.
    """
    value = op.properties.get("replica_groups")
    return _mesh_rows(value, module) if isinstance(value, ReplicaGroupMeshAxes) else _rows(value)


def _rows(value: Attribute | None) -> Groups:
    if not isinstance(value, DenseElementsAttr) or not value.num_elements:
        return []
    numbers = value.integers()
    width = value.type.shape[-1]
    rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    return [[one for one in row if one >= 0] for row in rows]


def _disjoint(groups: Groups) -> Groups:
    flat = [process for group in groups for process in group]
    if len(set(flat)) != len(flat):
        raise ValueError("a process is in more than one group")
    return groups


def _mesh_rows(value: ReplicaGroupMeshAxes, module: Operation) -> Groups:
    sizes, devices = _mesh(value.mesh, module)
    chosen: list[tuple[str, int, int]] = []
    for axis in value.axes:
        name, sub_axis = getattr(axis, "name", None), getattr(axis, "sub_axis", None)
        if not isinstance(name, str) or name not in sizes:
            raise ValueError(f"the mesh of the replica groups has no axis {axis}")
        pre, size = (1, sizes[name]) if sub_axis is None else (sub_axis.pre_size, sub_axis.size)
        chosen.append((name, pre, size))
    return mesh_axis_groups(sizes, devices, chosen)


def mesh_axis_groups(sizes: dict[str, int], devices: Iterable[int], chosen: Iterable[tuple[str, int, int]]) -> Groups:
    """The groups of devices that differ only along parts of axes, each ``(axis, size before it, size)``.

    ``sizes`` are the axes of the mesh in order and ``devices`` its devices, row by row. The members of a group are in
    the order of the chosen parts, the last one fastest.

    Raises:
        ValueError: a part does not divide its axis.

    >>> mesh_axis_groups({"x": 2, "y": 2}, range(4), [("x", 1, 2)])
    [[0, 2], [1, 3]]
    """
    wanted = list(chosen)
    shape: list[int] = []
    place: dict[tuple[str, int], int] = {}
    for name, size in sizes.items():
        parts = sorted((pre, part) for axis, pre, part in wanted if axis == name)
        done = 1
        for pre, part in parts:
            if pre % done or size % (pre * part):
                raise ValueError(f"the part ({pre}){part} of axis {name!r} does not divide its size {size}")
            if pre > done:
                shape.append(pre // done)
            place[name, pre] = len(shape)
            shape.append(part)
            done = pre * part
        shape.append(size // done)
    array = np.array(list(devices), np.int64).reshape(shape)
    last = [place[axis, pre] for axis, pre, _ in wanted]
    first = [dimension for dimension in range(len(shape)) if dimension not in last]
    count = prod(size for _, _, size in wanted)
    groups: Groups = array.transpose(first + last).reshape(-1, count).tolist()
    return groups


def _mesh(mesh: Attribute, module: Operation) -> tuple[dict[str, int], list[int]]:
    """Sizes of the axes by name, and the devices row by row."""
    if isinstance(mesh, SymbolRefAttr):
        for op in module.body:
            if op.symbol_name == mesh.root:
                value = op.properties.get("mesh")
                if isinstance(value, Mesh | StablehloMesh):
                    return _mesh(value, module)
        raise ValueError(f"the replica groups name the mesh {mesh}, which does not exist")
    if isinstance(mesh, Mesh):
        return dict(mesh.sizes), list(mesh.device_ids or range(mesh.total_size))
    assert isinstance(mesh, StablehloMesh)
    sizes = {axis.name: axis.size for axis in mesh.axes}
    ids = mesh.device_ids
    if isinstance(ids, DenseElementsAttr):
        return sizes, ids.integers()
    if isinstance(ids, ArrayAttr):
        return sizes, [int(getattr(one, "value", 0)) for one in ids]
    return sizes, list(range(prod(sizes.values())))
