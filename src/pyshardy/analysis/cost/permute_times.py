"""The time of a permute: its busiest link, and its longest path.

In a torus all data goes the shorter way round, along one dimension after the other, and half of it each way if both are
equally long. Elsewhere a device has its port, or its link, to itself, since it sends to one device and receives from
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from pyshardy.analysis.cost.collective_times import NO_TIME, CollectiveTime
from pyshardy.analysis.cost.fabric import Dimension, Fabric
from pyshardy.analysis.cost.hardware import Links

_KIND = "collective_permute"


class Crossing(NamedTuple):
    """The part of a permute whose routes go out to one level of links and no farther: ``load`` is the traffic of its
    busiest link in multiples of what a device sends, ``hops`` the length of its longest route."""

    links: Links
    load: float
    hops: int

    def seconds(self, size: int) -> float:
        """How long it takes if each device sends ``size`` bytes."""
        links = self.links
        return links.start + self.load * size / links.bandwidth + self.hops * links.latency


def crossing_seconds(found: Iterable[Crossing], size: int) -> CollectiveTime:
    """The time of a permute of ``size`` bytes that makes these crossings, all at the same time."""
    slowest = max([one.seconds(size) for one in found], default=0.0) if size else 0.0
    return CollectiveTime(slowest, slowest) if slowest else NO_TIME


def crossings(fabric: Fabric, pairs: Sequence[tuple[int, int]]) -> list[Crossing]:
    """What goes from the first to the second device of each pair does in the levels of links."""
    moving = [pair for pair in pairs if pair[0] != pair[1]]
    if not moving:
        return []
    few = fabric.coordinates_of_few([device for pair in moving for device in pair])
    return _of_many(fabric, moving) if few is None else _of_few(fabric, few[::2], few[1::2])


def _crossing(fabric: Fabric, level: int, load: float, hops: int) -> Crossing:
    return Crossing(fabric.hardware.links[level].of_kind(_KIND), load, hops)


# --- few devices, one by one ------------------------------------------------------------------------------------------


def _of_few(fabric: Fabric, sources: Sequence[list[int]], targets: Sequence[list[int]]) -> list[Crossing]:
    dimensions, links = fabric.dimensions, fabric.hardware.links
    by_level: dict[int, list[tuple[list[int], list[int]]]] = {}
    for source, target in zip(sources, targets, strict=True):
        crossed = [one.level for one, a, b in zip(dimensions, source, target, strict=True) if a != b]
        if crossed:
            by_level.setdefault(max(crossed), []).append((source, target))
    return [
        _crossing(fabric, level, *(_load_of_few(dimensions, level, here) if links[level].is_torus else (1, 1)))
        for level, here in sorted(by_level.items())
    ]


def _load_of_few(
    dimensions: Sequence[Dimension], level: int, pairs: Sequence[tuple[list[int], list[int]]]
) -> tuple[float, int]:
    """How often the busiest link of a torus is used, and the hops of the longest way."""
    used: dict[tuple[object, ...], float] = {}
    longest = 0
    for source, target in pairs:
        at, hops = list(source), 0
        for number, dimension in enumerate(dimensions):
            if dimension.level != level or at[number] == target[number]:
                continue
            begin, end, count = at[number], target[number], dimension.size
            away = end - begin
            ways = [(1, away, 1.0)] if away > 0 else [(-1, -away, 1.0)]
            if dimension.wraps:
                up = away % count
                ways = [(1, up, 1.0)] if 2 * up < count else [(-1, count - up, 1.0)]
                if 2 * up == count:
                    ways = [(1, up, 0.5), (-1, up, 0.5)]
            for direction, distance, share in ways:
                for step in range(distance):
                    at[number] = (begin + direction * step) % count
                    link = number, direction, *at
                    used[link] = used.get(link, 0.0) + share
            hops += max([distance for _, distance, _ in ways])
            at[number] = end
        longest = max(longest, hops)
    return max(used.values(), default=0.0), longest


# --- many devices, with numpy -----------------------------------------------------------------------------------------


def _of_many(fabric: Fabric, pairs: Sequence[tuple[int, int]]) -> list[Crossing]:
    import numpy as np

    ends = fabric.coordinates(pairs)
    sources, targets = ends[:, 0], ends[:, 1]
    levels = np.array([dimension.level for dimension in fabric.dimensions])
    outermost = np.where(sources != targets, levels, -1).max(axis=1)
    found = []
    for level, links in enumerate(fabric.hardware.links):
        here = outermost == level
        if here.any():
            used = _torus_load(fabric, level, sources[here], targets[here]) if links.is_torus else (1, 1)
            found.append(_crossing(fabric, level, *used))
    return found


def _torus_load(fabric: Fabric, level: int, sources: object, targets: object) -> tuple[float, int]:
    """How often the busiest link of a torus is used, and the hops of the longest way."""
    import numpy as np

    at, end = np.array(sources), np.array(targets)
    numbers = [number for number, one in enumerate(fabric.dimensions) if one.level == level]
    shape = [one.size for one in fabric.dimensions]
    busiest, hops = 0.0, np.zeros(len(at), dtype=np.int64)
    for number in numbers:
        count = fabric.dimensions[number].size
        away = end[:, number] - at[:, number]
        if fabric.dimensions[number].wraps:
            up = away % count
            ways = [(1, up, np.where(2 * up < count, 1.0, np.where(2 * up == count, 0.5, 0.0)))]
            ways.append((-1, (count - up) % count, np.where(2 * up > count, 1.0, np.where(2 * up == count, 0.5, 0.0))))
        else:
            ways = [(1, np.maximum(away, 0), 1.0 * (away > 0)), (-1, np.maximum(-away, 0), 1.0 * (away < 0))]
        longest = np.zeros(len(at), dtype=np.int64)
        for direction, distance, share in ways:
            used = np.zeros(prod(shape))
            gone = at.copy()
            for step in range(int((distance * (share > 0)).max(initial=0))):
                goes = (distance > step) & (share > 0)
                links = np.ravel_multi_index(tuple(gone[goes].T), shape)
                np.add.at(used, links, share[goes])
                gone[goes, number] = (gone[goes, number] + direction) % count
            busiest = max(busiest, float(used.max()))
            longest = np.maximum(longest, np.where(share > 0, distance, 0))
        hops += longest
        at[:, number] = end[:, number]
    return busiest, int(hops.max())
