"""The time of a collective on the links that its group uses: a latency-bandwidth formula for each schedule.

A schedule takes the bytes on its busiest link, divided by the bandwidth of that link, plus the latency of its
consecutive hops (Thakur, Rabenseifner, Gropp: "Optimization of Collective Communication Operations in MPICH", 2005; for
tori "How to Scale Your Model", chapter "Sharded Matrices"). The fastest of several schedules is taken. A collective
that spans levels of links runs on one after the other: its time is their sum if nothing overlaps, and the slowest of
them if they are pipelined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import ceil, log2
from typing import NamedTuple

from pyshardy.analysis.cost.fabric import GroupLinks, Ring
from pyshardy.analysis.cost.hardware import FULL, SWITCHED
from pyshardy.dialects.stablehlo.collective_kinds import (
    BROADCASTS,
    EXCHANGES,
    GATHERS,
    PERMUTES,
    REDUCES,
    REDUCES_TO_ONE,
    SCATTERS,
    collective_kind,
)


class CollectiveTime(NamedTuple):
    """The seconds of a collective: ``pipelined`` if its stages overlap, ``after`` if they run one after the other."""

    pipelined: float
    after: float


NO_TIME = CollectiveTime(0.0, 0.0)


def collective_seconds(kind: str, reaches: Sequence[GroupLinks], size: int) -> CollectiveTime:
    """The time of a collective of ``kind`` in a group.

    ``size`` are the bytes on one device: of the operand or of the result, whichever is larger; for a broadcast, or a
    reduction to one device, the bytes that are received.

    Raises:
        LookupError: ``kind`` is no collective of groups; the message says what to add, and where.
    """
    if not reaches or not size:
        return NO_TIME
    reaches = [reach._replace(links=reach.links.of_kind(kind)) for reach in reaches]
    start = max(reach.links.start for reach in reaches)
    route = collective_kind(kind).route
    if route == PERMUTES:
        raise LookupError(
            f"{kind} permutes, and is timed from its property source_target_pairs, which it does not have: give it "
            "that, or say another route in COLLECTIVE_KINDS of dialects/stablehlo/collective_kinds.py"
        )
    schedules = _SCHEDULES.get(route)
    if schedules is None:
        raise LookupError(f"say in _SCHEDULES of analysis/cost/collective_times.py how {kind}, which {route}, is run")
    found = min((schedule(reaches, size) for schedule in schedules), key=lambda seconds: seconds.after)
    return CollectiveTime(found.pipelined + start, found.after + start)


def _through(stages: Sequence[float]) -> CollectiveTime:
    return CollectiveTime(max(stages), sum(stages))


# --- all-gather, and its reversal, reduce-scatter ---------------------------------------------------------------------


def _gathered(reaches: Sequence[GroupLinks], size: float) -> CollectiveTime:
    """Gathers on the outermost level first: there each device gathers only its share of ``size`` among the inner
    devices."""
    return _through(list(_gathers(reaches, size)))


def _gathers(reaches: Sequence[GroupLinks], size: float) -> list[float]:
    stages, inside = [], 1
    for reach in reaches:
        stages.append(_gather(reach, size / inside))
        inside *= reach.members
    return stages


def _gather(reach: GroupLinks, size: float) -> float:
    links, count = reach.links, reach.members
    if links.topology == SWITCHED:
        # Each round doubles what a device has (Bruck).
        return links.latency * ceil(log2(count)) + size * (count - 1) / count / links.bandwidth
    if links.topology == FULL:
        return links.latency + size / count / links.bandwidth
    return min([_in_turn(reach, order, size) for order in permutations(reach.rings)] + [_rotating(reach, size)])


def _ring_gather(reach: GroupLinks, ring: Ring, size: float) -> float:
    """Gathers ``size`` bytes along one dimension: both ways round, the last part of an even ring cut in two."""
    members, stride, wraps = ring
    hops = ceil((members - 1) / 2) if wraps else members - 1
    load = size * (members - 1) / members / (2 if wraps else 1)
    return stride * (load / reach.links.bandwidth + hops * reach.links.latency)


def _in_turn(reach: GroupLinks, order: Sequence[Ring], size: float) -> float:
    """Gathers along one dimension of the torus after the other, in this ``order``."""
    seconds, held = 0.0, size / reach.members
    for ring in order:
        held *= ring.members
        seconds += _ring_gather(reach, ring, held)
    return seconds


def _rotating(reach: GroupLinks, size: float) -> float:
    """Splits the tensor into as many parts as the torus has dimensions; each part starts along another dimension, so
    that all links are busy."""
    rings, ways = reach.rings, len(reach.rings)
    held = [size / ways / reach.members] * ways
    seconds = 0.0
    for phase in range(ways):
        slowest = 0.0
        for part in range(ways):
            ring = rings[(part + phase) % ways]
            held[part] *= ring.members
            slowest = max(slowest, _ring_gather(reach, ring, held[part]))
        seconds += slowest
    return seconds


# --- all-reduce -------------------------------------------------------------------------------------------------------


def _scattered_and_gathered(reaches: Sequence[GroupLinks], size: float) -> CollectiveTime:
    stages = _gathers(reaches, size)
    ways = [1 if reach.links.reduces else 2 for reach in reaches]
    return _through([way * stage for way, stage in zip(ways, stages, strict=True)])


def _recursive_doubling(reaches: Sequence[GroupLinks], size: float) -> CollectiveTime:
    """All-reduces whole tensors: fewer rounds than to scatter and gather, so it is faster for small tensors."""
    return _through([_recursive_doubling_level(reach, size) for reach in reaches])


def _recursive_doubling_level(reach: GroupLinks, size: float) -> float:
    links, count = reach.links, reach.members
    if links.topology == SWITCHED:
        # Recursive doubling. Devices beyond a power of two send first and receive the result last: two more rounds.
        doublings = count.bit_length() - 1
        rounds = doublings + (2 if count > 1 << doublings else 0)
        return rounds * (links.latency + size / links.bandwidth)
    if links.topology == FULL:
        return links.latency + size / links.bandwidth
    return sum(_ring_gather(reach, ring, size * ring.members) for ring in reach.rings)


# --- all-to-all -------------------------------------------------------------------------------------------------------


def _all_to_all(reaches: Sequence[GroupLinks], size: float) -> CollectiveTime:
    return _through([_all_to_all_level(reach, size) for reach in reaches])


def _all_to_all_level(reach: GroupLinks, size: float) -> float:
    links, count = reach.links, reach.members
    if links.topology == SWITCHED:
        return links.latency + size * (count - 1) / count / links.bandwidth
    if links.topology == FULL:
        return links.latency + size / count / links.bandwidth
    # Along one dimension after the other, all at the same time: the links of the longest are the busiest.
    load = max(ring.stride * size * _crossing(ring) for ring in reach.rings)
    hops = sum(ring.stride * (ring.members // 2 if ring.wraps else ring.members - 1) for ring in reach.rings)
    return load / links.bandwidth + hops * links.latency


def _crossing(ring: Ring) -> float:
    """Which part of what a device sends goes through the busiest link, over all devices: n/8 in an even ring, n/4 in a
    line, in whose middle half of the devices send half of what they have."""
    return ring.members**2 // 4 / ring.members / (2 if ring.wraps else 1)


# --- from one device to all, and back ---------------------------------------------------------------------------------


def _broadcast(reaches: Sequence[GroupLinks], size: float) -> CollectiveTime:
    return _through([_broadcast_level(reach, size) for reach in reaches])


def _broadcast_level(reach: GroupLinks, size: float) -> float:
    """Broadcasts in small pieces, pipelined over the hops."""
    links = reach.links
    if links.topology == SWITCHED:
        return links.latency * ceil(log2(reach.members)) + size / links.bandwidth
    if links.topology == FULL:
        return links.latency + size / links.bandwidth
    hops = sum(ring.stride * (ring.members // 2 if ring.wraps else ring.members - 1) for ring in reach.rings)
    return max(ring.stride for ring in reach.rings) * size / links.bandwidth + hops * links.latency


_Schedule = Callable[[Sequence[GroupLinks], float], CollectiveTime]

_SCHEDULES: dict[str, tuple[_Schedule, ...]] = {
    GATHERS: (_gathered,),
    SCATTERS: (_gathered,),
    REDUCES: (_scattered_and_gathered, _recursive_doubling),
    EXCHANGES: (_all_to_all,),
    BROADCASTS: (_broadcast,),
    REDUCES_TO_ONE: (_broadcast,),
}
"""The schedules that a collective can take, by its route."""
