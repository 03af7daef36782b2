"""A step over time for the page: a lane of computation, one of what it waits for, and one for the links of each axis.

``analysis.cost.schedule`` says what happens when; a picture has room for some hundred pieces, so what follows closely
and is of one kind is one piece. ``pictures`` draws the lanes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.analysis.cost.schedule import COMPUTE, Schedule, Slot
from pyshardy.report.words import counted, seconds_text, short_name

ARITHMETIC, MEMORY, TURNS, WAITING, LINKS = range(5)
KINDS = ("computes", "waits for memory", "more turns of a loop", "waits for communication", "communicates")
"""What a piece shows, by number."""
_MOST_PIECES = 600
"""So many pieces of a lane a picture has room for."""


class Piece(NamedTuple):
    """What goes on in a lane from ``begin`` to ``end``, in seconds, and what a reader is told of it."""

    kind: int
    begin: float
    end: float
    text: str


@dataclass(frozen=True)
class StepLanes:
    """The lanes of a step by what they are called, and its ``seconds``."""

    names: tuple[str, ...]
    lanes: tuple[tuple[Piece, ...], ...]
    seconds: float


def step_lanes(schedule: Schedule) -> StepLanes:
    """The lanes of ``schedule``."""
    finest = schedule.seconds / _MOST_PIECES
    tracks = (COMPUTE, *schedule.tracks)
    by_track: dict[str, list[Slot]] = {track: [] for track in tracks}
    for slot in schedule.slots:
        by_track[slot.track].append(slot)
    waits = _waits(by_track[COMPUTE], schedule.seconds)
    lanes = [
        _merged(map(_piece, by_track[COMPUTE]), finest),
        _merged(waits, finest),
        *(_merged(map(_piece, by_track[track]), finest) for track in schedule.tracks),
    ]
    names = ("computation", "waits for links", *(f"links along {track}" for track in schedule.tracks))
    return StepLanes(names, tuple(map(tuple, lanes)), schedule.seconds)


def _piece(slot: Slot) -> Piece:
    end = slot.begin + slot.seconds
    if slot.collective is not None:
        return Piece(LINKS, slot.begin, end, slot.collective.kind)
    if slot.timed is None:
        return Piece(TURNS, slot.begin, end, f"{counted(slot.turns, 'more turn')} of {short_name(slot.op.name)}")
    return Piece(ARITHMETIC if slot.timed.is_compute else MEMORY, slot.begin, end, short_name(slot.op.name))


def _waits(computing: Sequence[Slot], seconds: float) -> Iterable[Piece]:
    """When nothing computes."""
    now = 0.0
    for slot in computing:
        if slot.begin > now:
            yield Piece(WAITING, now, slot.begin, KINDS[WAITING])
        now = max(now, slot.begin + slot.seconds)
    if seconds > now:
        yield Piece(WAITING, now, seconds, KINDS[WAITING])


def _merged(pieces: Iterable[Piece], finest: float) -> list[Piece]:
    """``pieces``, in the order of their begins, with as one what is closer than ``finest``: it is of the kind that most
    of its time goes to, and called after what takes longest."""
    found: list[Piece] = []
    group: list[Piece] = []
    for piece in pieces:
        if group:
            first, last = group[0], group[-1]
            close = piece.begin - last.end < finest
            same = piece.kind == last.kind or piece.end - first.begin < finest
            if not (close and same):
                found.append(_as_one(group))
                group = []
        group.append(piece)
    return [*found, _as_one(group)] if group else found


def _as_one(group: Sequence[Piece]) -> Piece:
    kinds: dict[int, float] = {}
    for one in group:
        kinds[one.kind] = kinds.get(one.kind, 0.0) + one.end - one.begin
    longest = max(group, key=lambda one: one.end - one.begin)
    others = f" and {len(group) - 1} more" if len(group) > 1 else ""
    text = f"{longest.text}{others}: {seconds_text(sum(kinds.values()))}"
    return Piece(max(kinds, key=kinds.__getitem__), group[0].begin, group[-1].end, text)
