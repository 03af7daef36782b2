"""The grid of processes (replicas x partitions) and the groups in which a collective runs.

A process is numbered replica · partitions + partition. The rules are StableHLO's: which of the four ways of reading
replica groups holds depends on the channel and on ``use_global_device_ids``.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.dialects.stablehlo.replica_groups import Groups, group_rows, listed_rows
from pyshardy.ir.operation import Operation


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
    rows = listed_rows(op.properties.get("source_target_pairs"))
    pairs = cross_replica(rows, grid) if channel(op) <= 0 else cross_partition(rows, grid)
    for side, name in enumerate(("source", "target")):
        ends = [pair[side] for pair in pairs]
        if len(set(ends)) != len(ends):
            raise ValueError(f"a process is the {name} of more than one pair")
    return pairs


def _disjoint(groups: Groups) -> Groups:
    flat = [process for group in groups for process in group]
    if len(set(flat)) != len(flat):
        raise ValueError("a process is in more than one group")
    return groups
