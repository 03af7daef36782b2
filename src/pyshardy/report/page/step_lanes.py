"""A step over time for the page: a lane of computation and one for the links of each axis, loops folded.

The times are those of ``analysis.cost.schedule``. A loop is one block, in which the height of a lane is the fraction of
the time that it is busy; an iteration of the longest loop is shown by itself (``one_iteration``). The part of a
collective during which nothing computes is exposed. A picture has room for some hundred pieces, so neighbouring pieces
of one kind are merged. ``pictures`` draws the lanes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.analysis.cost.schedule import COMPUTE, Schedule, Slot, Span
from pyshardy.report.page.computation_parts import PARTS
from pyshardy.report.words import seconds_text, short_name

PRODUCTS, MEMORY, REST, LOOP, WAITING, HIDDEN, EXPOSED = range(7)
KINDS = (*PARTS, "iterations of a loop", "waits for links", "links behind computation", "links that are waited for")
"""The kinds of pieces, by number."""
_MOST_PIECES = 600
"""The number of pieces in a lane that a picture has room for."""


class LaneSegment(NamedTuple):
    """A piece of a lane from ``begin`` to ``end``, in seconds, with its description; ``share`` is the busy fraction of
    that time, and on top of it ``exposed`` the exposed fraction."""

    kind: int
    begin: float
    end: float
    text: str
    share: float = 1.0
    exposed: float = 0.0


@dataclass(frozen=True)
class StepLanes:
    """The lanes from ``begin`` on for so many ``seconds``: that of computation, and those of ``tracks`` by axes."""

    tracks: tuple[str, ...]
    lanes: tuple[tuple[LaneSegment, ...], ...]
    begin: float
    seconds: float
    title: str = ""


def step_lanes(schedule: Schedule) -> StepLanes:
    """The step as a whole."""
    loops = _innermost(schedule.spans)
    begins = [span.begin for span in loops]
    outside: list[Slot] = []
    inside: dict[int, list[Slot]] = {}
    for slot in schedule.slots:
        place = bisect_right(begins, slot.begin + 1e-12) - 1
        if place >= 0 and slot.begin < loops[place].begin + loops[place].seconds:
            inside.setdefault(place, []).append(slot)
        else:
            outside.append(slot)
    tracks = (COMPUTE, *schedule.tracks)
    blocks: dict[str, list[LaneSegment]] = {track: [] for track in tracks}
    for place, span in enumerate(loops):
        for track, block in _blocks(span, inside.get(place, ()), tracks):
            blocks[track].append(block)
    for slot in outside:
        if slot.timed is None and slot.collective is None:
            around = _around(slot, schedule.spans)
            end = around.begin + around.seconds if around is not None else slot.begin + slot.seconds
            share = min(1.0, slot.seconds / (end - slot.begin)) if end > slot.begin else 1.0
            blocks[slot.track].append(LaneSegment(LOOP, slot.begin, end, _iterations_text(slot, share), share))
    alone = [slot for slot in outside if slot.timed is not None or slot.collective is not None]
    busy = [(piece.begin, piece.end) for piece in blocks[COMPUTE]]
    lanes = _lanes(alone, tracks, 0.0, schedule.seconds, blocks, busy)
    return StepLanes(schedule.tracks, lanes, 0.0, schedule.seconds)


def one_iteration(schedule: Schedule) -> StepLanes | None:
    """An iteration, in its steady state, of the loop that takes longest; None without loops."""
    loops = [span for span in _innermost(schedule.spans) if span.shown]
    if not loops:
        return None
    span = max(loops, key=lambda one: one.seconds)
    end = span.begin + span.seconds
    rest = [
        one.begin for one in schedule.slots if one.op is span.op and one.iterations > 1 and span.begin < one.begin < end
    ]
    shown = (min(rest) if rest else end) - span.begin
    each = shown / span.shown
    begin = span.begin + each * min(2, span.shown - 1)
    slots = [
        slot._replace(begin=first, seconds=last - first)
        for slot in schedule.slots
        if (slot.timed is not None or slot.collective is not None)
        and (last := min(slot.begin + slot.seconds, begin + each)) > (first := max(slot.begin, begin))
    ]
    lanes = _lanes(slots, (COMPUTE, *schedule.tracks), begin, each, {}, [])
    seconds = seconds_text(span.seconds)
    title = f"1 of {span.iterations} iterations of the loop that takes longest; all of them take {seconds}"
    return StepLanes(schedule.tracks, lanes, begin, each, title)


def _innermost(spans: Sequence[Span]) -> list[Span]:
    """The loops that contain no other."""
    loops = [span for span in spans if span.iterations > 1]
    found = []
    for place, span in enumerate(loops):
        after = loops[place + 1] if place + 1 < len(loops) else None
        if after is None or after.begin >= span.begin + span.seconds or after.depth <= span.depth:
            found.append(span)
    return found


def _around(slot: Slot, spans: Sequence[Span]) -> Span | None:
    return next(
        (one for one in spans if one.op is slot.op and one.begin <= slot.begin <= one.begin + one.seconds), None
    )


def _blocks(span: Span, slots: Sequence[Slot], tracks: Sequence[str]) -> Iterable[tuple[str, LaneSegment]]:
    """The block of the loop in each lane."""
    seconds = span.seconds or 1.0
    shown = [slot for slot in slots if slot.timed is not None or slot.collective is not None]
    computing = _joined([(one.begin, one.begin + one.seconds) for one in shown if one.track == COMPUTE])
    for track in tracks:
        own = [slot for slot in slots if slot.track == track]
        share = min(1.0, sum(slot.seconds for slot in own) / seconds)
        if not share:
            continue
        exposed = 0.0
        if track != COMPUTE:
            seen = [slot for slot in own if slot.collective is not None]
            waited = sum(_beyond(slot.begin, slot.begin + slot.seconds, computing) for slot in seen)
            exposed = share * waited / (sum(slot.seconds for slot in seen) or 1.0)
        whole = seconds_text(span.seconds)
        text = f"{span.iterations} iterations of a loop, {whole}: at work {100 * share:.0f} % of the time"
        yield track, LaneSegment(LOOP, span.begin, span.begin + span.seconds, text, share, exposed)


def _iterations_text(slot: Slot, share: float) -> str:
    return f"{slot.iterations} more iterations of {short_name(slot.op.name)}: at work {100 * share:.0f} % of the time"


def _lanes(
    slots: Sequence[Slot],
    tracks: Sequence[str],
    begin: float,
    seconds: float,
    blocks: dict[str, list[LaneSegment]],
    busy: Sequence[tuple[float, float]],
) -> tuple[tuple[LaneSegment, ...], ...]:
    finest = seconds / _MOST_PIECES
    computing = [slot for slot in slots if slot.track == COMPUTE]
    times = _joined([*busy, *((one.begin, one.begin + one.seconds) for one in computing)])
    found = []
    for track in tracks:
        if track == COMPUTE:
            pieces = [*map(_piece, computing), *_idle_times(times, begin, begin + seconds)]
        else:
            pieces = [one for slot in slots if slot.track == track for one in _link_pieces(slot, times)]
        listed = sorted([*pieces, *blocks.get(track, ())], key=lambda one: one.begin)
        found.append(tuple(_merged(listed, finest)))
    return tuple(found)


def _piece(slot: Slot) -> LaneSegment:
    assert slot.timed is not None
    kind = PRODUCTS if slot.timed.work.product is not None else REST if slot.timed.is_compute else MEMORY
    return LaneSegment(kind, slot.begin, slot.begin + slot.seconds, short_name(slot.op.name))


def _link_pieces(slot: Slot, computing: Sequence[tuple[float, float]]) -> Iterable[LaneSegment]:
    """The overlapped and the exposed parts of a collective."""
    now, end = slot.begin, slot.begin + slot.seconds
    text = slot.collective.kind if slot.collective is not None else short_name(slot.op.name)
    for low, high in computing:
        if high <= now or low >= end:
            continue
        if low > now:
            yield LaneSegment(EXPOSED, now, low, text)
        yield LaneSegment(HIDDEN, max(low, now), min(high, end), text)
        now = min(high, end)
    if now < end:
        yield LaneSegment(EXPOSED, now, end, text)


def _idle_times(computing: Sequence[tuple[float, float]], begin: float, end: float) -> Iterable[LaneSegment]:
    """The times at which nothing computes, as pieces."""
    now = begin
    for low, high in computing:
        if low > now:
            yield LaneSegment(WAITING, now, low, KINDS[WAITING])
        now = max(now, high)
    if end > now:
        yield LaneSegment(WAITING, now, end, KINDS[WAITING])


def _joined(times: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """``times`` in order, with adjacent ones merged."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(times):
        if found and low <= found[-1][1] + 1e-12:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def _beyond(begin: float, end: float, times: Sequence[tuple[float, float]]) -> float:
    """The part of the time from ``begin`` to ``end`` that is in none of ``times``."""
    return (end - begin) - sum(max(0.0, min(end, high) - max(begin, low)) for low, high in times)


def _merged(pieces: Iterable[LaneSegment], finest: float) -> list[LaneSegment]:
    """``pieces``, in the order of their begins, with pieces closer than ``finest`` merged; a merged piece has the kind
    that takes most of its time, and the text of the longest."""
    found: list[LaneSegment] = []
    group: list[LaneSegment] = []
    for piece in pieces:
        if piece.kind == LOOP:
            found += [_as_one(group)] if group else []
            group = []
            found.append(piece)
            continue
        if group:
            first, last = group[0], group[-1]
            close = piece.begin - last.end < finest
            same = piece.kind == last.kind or piece.end - first.begin < finest
            if not (close and same):
                found.append(_as_one(group))
                group = []
        group.append(piece)
    return [*found, _as_one(group)] if group else found


def _as_one(group: Sequence[LaneSegment]) -> LaneSegment:
    kinds: dict[int, float] = {}
    for one in group:
        kinds[one.kind] = kinds.get(one.kind, 0.0) + one.end - one.begin
    longest = max(group, key=lambda one: one.end - one.begin)
    others = f" and {len(group) - 1} more" if len(group) > 1 else ""
    text = f"{longest.text}{others}: {seconds_text(sum(kinds.values()))}"
    return LaneSegment(max(kinds, key=kinds.__getitem__), group[0].begin, group[-1].end, text)
