"""The time of a plan's collectives on hardware: groups are mapped to the fabric, equal collectives are timed once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyshardy.analysis.cost.collective_times import NO_TIME, CollectiveTime, collective_seconds
from pyshardy.analysis.cost.fabric import Fabric, GroupLinks
from pyshardy.analysis.cost.permute_times import Crossing, crossing_seconds, crossings
from pyshardy.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from pyshardy.dialects.stablehlo.collective_kinds import BROADCASTS, PERMUTES, REDUCES_TO_ONE, collective_kind
from pyshardy.dialects.stablehlo.replica_groups import group_rows
from pyshardy.emitting.collectives import Collective, bytes_of
from pyshardy.emitting.devices import first_group
from pyshardy.emitting.layout import Axes
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh

_OWN_AXES = "the program's own"
"""What the axes of collectives are called that name devices instead."""

_MOST_GROUPS = 64
"""So many groups that a program brings along are looked at, for the slowest."""


class CollectiveTimes:
    """How long collectives of one program take on ``fabric``, and the links that they use; like ones are worked out
    once, in whichever form of the program they stand."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        self._seconds: dict[tuple[object, ...], CollectiveTime] = {}
        self._groups: dict[tuple[object, bool], list[tuple[GroupLinks, ...]]] = {}
        self._along: dict[Axes, tuple[GroupLinks, ...]] = {}
        self._links: dict[tuple[object, bool], frozenset[int]] = {}
        self._crossings: dict[tuple[tuple[int, int], ...], list[Crossing]] = {}

    def seconds(self, collective: Collective, module: Operation) -> CollectiveTime:
        """How long ``collective``, in the program ``module``, takes once."""
        op = collective.op
        size = max(bytes_of(op.operands), bytes_of(op.results))
        if collective_kind(collective.kind).route in (BROADCASTS, REDUCES_TO_ONE):
            # What goes to the root, or from it.
            size = round(collective.bytes)
        key = collective.kind, _group_key(op), size
        found = self._seconds.get(key)
        if found is None:
            pairs = _pairs(op, module)
            if pairs is not None:
                found = self.permute_seconds(pairs, size)
            else:
                shapes = self._shapes(op, collective.axes, module)
                each = [collective_seconds(collective.kind, shape, size) for shape in shapes]
                found = max(each, key=lambda seconds: seconds.after, default=NO_TIME)
            self._seconds[key] = found
        return found

    def links(self, collective: Collective, module: Operation) -> frozenset[int]:
        """The links that ``collective``, in the program ``module``, uses."""
        op = collective.op
        key = _group_key(op), bool(collective.axes)
        found = self._links.get(key)
        if found is None:
            pairs = _pairs(op, module)
            if pairs is not None:
                found = self.fabric.links_of_pairs(pairs)
            else:
                found = frozenset().union(*map(self.fabric.links_of, self._rows(op, collective.axes, module)))
            self._links[key] = found
        return found

    def permute_seconds(self, pairs: Sequence[tuple[int, int]], size: int) -> CollectiveTime:
        """The time in which ``size`` bytes go from the first to the second device of each pair."""
        key = tuple(pairs)
        found = self._crossings.get(key)
        if found is None:
            found = self._crossings[key] = crossings(self.fabric, pairs)
        return crossing_seconds(found, size)

    def along(self, axes: Axes) -> tuple[GroupLinks, ...]:
        """What the groups along ``axes`` of the mesh look like: all are alike."""
        found = self._along.get(axes)
        if found is None:
            found = self._along[axes] = self.fabric.reaches(first_group(self.fabric.mesh, axes))
        return found

    def _shapes(self, op: Operation, axes: Axes, module: Operation) -> list[tuple[GroupLinks, ...]]:
        """What the groups look like."""
        key = _group_key(op), bool(axes)
        if key not in self._groups:
            rows = self._rows(op, axes, module)
            self._groups[key] = list(dict.fromkeys(self.fabric.reaches(row) for row in rows))
        return self._groups[key]

    def _rows(self, op: Operation, axes: Axes, module: Operation) -> list[list[int]]:
        """The groups that are looked at."""
        groups, is_regular = op.properties.get("replica_groups"), bool(axes)
        if is_regular and isinstance(groups, ReplicaGroupMeshAxes):
            return [first_group(self.fabric.mesh, axes)]
        rows = group_rows(op, module) or [list(range(self.fabric.mesh.total_size))]
        return rows[:1] if is_regular else rows[:_MOST_GROUPS]


class Communication:
    """The ``collectives`` of the program ``module`` of one device, with ``times`` for its mesh on hardware."""

    def __init__(self, times: CollectiveTimes, module: Operation, collectives: Sequence[Collective]) -> None:
        self.fabric = times.fabric
        self._seconds = {one.op: times.seconds(one, module) for one in collectives}
        self._uses = {one.op: times.links(one, module) for one in collectives}

    @property
    def operations(self) -> Collection[Operation]:
        """The collectives of the plan."""
        return self._uses.keys()

    def seconds(self, op: Operation) -> CollectiveTime:
        """How long ``op`` takes once; nothing if it is no collective of the plan."""
        return self._seconds.get(op, NO_TIME)

    def links(self, op: Operation) -> frozenset[int]:
        """The links that ``op`` uses, as numbers of ``fabric``; none if it is no collective of the plan. Collectives
        that use none in common go on at the same time."""
        return self._uses.get(op, frozenset())


def axes_of(collective: Collective) -> str:
    """The axes that ``collective`` goes along, as text."""
    return axes_text(collective.axes) if collective.axes else _OWN_AXES


def mesh_of_own_collectives(collectives: Sequence[Collective], module: Operation) -> Mesh:
    """The mesh of the program ``module``, which has none: as many devices as its own ``collectives`` name."""
    named = [0]
    for one in collectives:
        if foreign_row(one.op.name) is not None:
            named += [device for group in group_rows(one.op, module) for device in group]
        for name in ("source_target_pairs", "replica_groups"):
            found = one.op.properties.get(name)
            if isinstance(found, DenseElementsAttr):
                named += found.integers()
    return Mesh({"devices": max(named) + 1}) if max(named) else Mesh()


def _group_key(op: Operation) -> object:
    """What says which devices talk to each other in ``op``."""
    if foreign_row(op.name) is not None:
        return op.name, op.properties
    return op.properties.get("source_target_pairs") or op.properties.get("replica_groups")


def _pairs(op: Operation, module: Operation) -> list[tuple[int, int]] | None:
    """From which device to which a permute goes; None for other collectives."""
    row = foreign_row(op.name)
    if row is not None and row.collective is not None:
        is_permute = collective_kind(row.collective.kind).route == PERMUTES
        return [(source, target) for source, target in group_rows(op, module)] if is_permute else None
    pairs = op.properties.get("source_target_pairs")
    if not isinstance(pairs, DenseElementsAttr):
        return None
    flat = list(pairs.integers())
    return list(zip(flat[::2], flat[1::2], strict=True))
