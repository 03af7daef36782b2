"""Devices joined by links, and messages between them in rounds: what the formulas of collectives are held against.

A round takes the bytes on its busiest link by the bandwidth of one, and the latency of its longest way; rounds follow
each other. Schedules move named parts of tensors, so that a test sees whether everybody ends with what they should.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

Link = tuple[object, ...]
Route = Callable[[int, int], list[tuple[Fraction, list[Link]]]]
"""The ways from one device to another, each with the share of a message that takes it."""

Held = list[set[object]]
"""The parts that each device has."""


@dataclass(frozen=True)
class Message:
    """Some parts on their way from one device to another, and their bytes in all."""

    source: int
    target: int
    size: Fraction
    parts: frozenset[object] = frozenset()


@dataclass
class Network:
    """Links with one bandwidth and one latency; ``seconds`` is how long the rounds up to now took."""

    route: Route
    bandwidth: Fraction
    latency: Fraction

    def round(self, messages: Iterable[Message], held: Held | None = None) -> Fraction:
        """All ``messages`` at the same time; what arrives joins ``held``. The seconds that it takes."""
        load: dict[Link, Fraction] = defaultdict(Fraction)
        hops, arriving = 0, []
        for one in messages:
            if held is not None:
                assert one.parts <= held[one.source], "a device sends what it does not have"
                arriving.append((one.target, one.parts))
            for share, links in self.route(one.source, one.target):
                hops = max(hops, len(links))
                for link in links:
                    load[link] += share * one.size
        for target, parts in arriving:
            assert held is not None
            held[target] |= parts
        return max(load.values(), default=Fraction()) / self.bandwidth + hops * self.latency

    def rounds(self, rounds: Iterable[list[Message]], held: Held | None = None) -> Fraction:
        """One round after the other."""
        return sum((self.round(messages, held) for messages in rounds), Fraction())


# --- ways -------------------------------------------------------------------------------------------------------------


def through_a_switch(source: int, target: int) -> list[tuple[Fraction, list[Link]]]:
    """Out of one port and into another: one hop, and two links that others may use."""
    return [(Fraction(1), [("out", source)]), (Fraction(1), [("in", target)])]


def over_own_link(source: int, target: int) -> list[tuple[Fraction, list[Link]]]:
    """Each pair has a link."""
    return [(Fraction(1), [(source, target)])]


def over_a_torus(shape: Sequence[int], wraps: Sequence[bool]) -> Route:
    """One dimension after the other, the shorter way round, half and half where both are as long. The last dimension of
    ``shape`` changes fastest with the number of a device."""

    def position(device: int) -> list[int]:
        found = []
        for size in reversed(shape):
            found.append(device % size)
            device //= size
        return found[::-1]

    def route(source: int, target: int) -> list[tuple[Fraction, list[Link]]]:
        at, end = position(source), position(target)
        legs: list[list[tuple[Fraction, list[Link]]]] = []
        for dim, size in enumerate(shape):
            up, down = (end[dim] - at[dim]) % size, (at[dim] - end[dim]) % size
            if not wraps[dim]:
                ways = [(Fraction(1), 1 if end[dim] > at[dim] else -1, abs(end[dim] - at[dim]))]
            elif up == down:
                ways = [(Fraction(1, 2), 1, up), (Fraction(1, 2), -1, down)]
            else:
                ways = [(Fraction(1), 1, up) if up < down else (Fraction(1), -1, down)]
            leg = []
            for share, step, distance in ways:
                here = list(at)
                links: list[Link] = []
                for _ in range(distance):
                    links.append((dim, step, tuple(here)))
                    here[dim] = (here[dim] + step) % size
                leg.append((share, links))
            legs.append(leg)
            at[dim] = end[dim]
        return [
            (prod((share for share, _ in chosen), start=Fraction(1)), [link for _, links in chosen for link in links])
            for chosen in product(*legs)
        ]

    return route


# --- schedules --------------------------------------------------------------------------------------------------------


def around_rings(rings: Sequence[Sequence[int]], size: Fraction, *, wraps: bool) -> list[list[Message]]:
    """An all-gather in each of ``rings`` at the same time, of ``size`` bytes in all: everybody passes on, both ways
    round, what has come last. Of an even ring the last part comes in two halves, one from each side."""
    count = len(rings[0])
    part = size / count
    rounds: list[list[Message]] = []
    for turn in range(count - 1 if not wraps else (count - 1) // 2):
        messages = []
        for ring in rings:
            for place, device in enumerate(ring):
                for step in (1, -1):
                    origin, target = place - step * turn, place + step
                    if wraps or (0 <= origin < count and 0 <= target < count):
                        parts = _halves(ring[origin % count])
                        messages.append(Message(device, ring[target % count], part, parts))
        rounds.append(messages)
    if wraps and count % 2 == 0:
        turn, messages = count // 2 - 1, []
        for ring in rings:
            for place, device in enumerate(ring):
                for half, step in enumerate((1, -1)):
                    origin = ring[(place - step * turn) % count]
                    target = ring[(place + step) % count]
                    messages.append(Message(device, target, part / 2, frozenset([(origin, half)])))
        rounds.append(messages)
    return rounds


def _halves(device: int) -> frozenset[object]:
    return frozenset([(device, 0), (device, 1)])


def own_halves(count: int) -> Held:
    """What devices have before an all-gather: their own part, in two halves."""
    return [set(_halves(device)) for device in range(count)]


def doubling_gather(count: int, size: Fraction) -> list[list[Message]]:
    """Bruck's all-gather: in each round everybody passes on all that it has, to a device twice as far away."""
    rounds, known = [], 1
    while known < count:
        sent = min(known, count - known)
        rounds.append(
            [
                Message(
                    device,
                    (device - known) % count,
                    size / count * sent,
                    frozenset((device + ahead) % count for ahead in range(sent)),
                )
                for device in range(count)
            ]
        )
        known += sent
    return rounds


def doubling_exchange(count: int, size: Fraction) -> list[list[Message]]:
    """An all-reduce by recursive doubling; what is beyond a power of two is folded in before and told behind."""
    power = 1 << (count.bit_length() - 1)
    beyond = range(power, count)
    rounds = [[Message(device, device - power, size) for device in beyond]] if beyond else []
    step = 1
    while step < power:
        rounds.append([Message(device, device ^ step, size) for device in range(power)])
        step *= 2
    if beyond:
        rounds.append([Message(device - power, device, size) for device in beyond])
    return rounds


def to_each(groups: Iterable[Sequence[int]], size: Fraction) -> list[Message]:
    """Everybody in a group sends everybody else in it ``size`` bytes."""
    return [Message(a, b, size) for group in groups for a in group for b in group if a != b]
