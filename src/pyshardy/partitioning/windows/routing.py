"""Which elements travel where, when every shard of a dimension needs some stretch of it.

A pure planner. Each shard has a *pool*: its elements along the dimension, of one tensor or of several one behind the
other. Each shard needs a *window* of a common length, put together from *segments*: runs of elements of somebody's
pool. Segments from elsewhere are dealt into *rounds*, in each of which a shard sends at most one piece and receives at
most one: a round is one collective permute of just the elements needed. ``window_exchange`` emits a route.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Segment(NamedTuple):
    """``size`` elements from ``offset`` of the pool of shard ``source``, to ``place`` of the window of ``target``."""

    source: int
    offset: int
    target: int
    place: int
    size: int


class Part(NamedTuple):
    """What a shard takes of a piece: ``size`` elements from ``offset`` on, to ``place`` of its window."""

    place: int
    offset: int
    size: int

    @property
    def shift(self) -> int:
        """Where the beginning of the piece would be in the window."""
        return self.place - self.offset


class Piece(NamedTuple):
    """Elements that every shard holds: its pool if ``starts`` is None, else ``size`` elements that a permute brought.

    ``starts`` says from where on each sender sends, ``senders`` who sends to each receiver; ``parts`` what each shard
    takes of it.
    """

    size: int
    parts: Mapping[int, Part]
    starts: Mapping[int, int] | None = None
    senders: Mapping[int, int] | None = None


@dataclass(frozen=True)
class Route:
    """A window of ``length`` for each of ``count`` shards, from pools of ``pool`` elements. ``required`` says which
    stretch of its window a shard looks at; what no piece covers there is to be filled."""

    count: int
    pool: int
    length: int
    pieces: tuple[Piece, ...]
    required: tuple[tuple[int, int], ...]

    @property
    def elements(self) -> int:
        """How many elements along the dimension each shard receives."""
        return sum(piece.size for piece in self.pieces if piece.starts is not None)

    @property
    def rounds(self) -> int:
        """The number of permutes."""
        return sum(piece.starts is not None for piece in self.pieces)


def whole_senders(route: Route) -> tuple[int, ...] | None:
    """From whom each shard gets a whole pool, itself perhaps, if that is all that the route does."""
    senders: dict[int, int] = {}
    if route.length != route.pool:
        return None
    for piece in route.pieces:
        for target, part in piece.parts.items():
            if target in senders or part != (0, 0, route.pool):
                return None
            senders[target] = target if piece.senders is None else piece.senders[target]
    everyone = range(route.count)
    return tuple(senders[target] for target in everyone) if sorted(senders.values()) == list(everyone) else None


def plan_route(
    count: int, pool: int, length: int, segments: Iterable[Segment], required: Sequence[tuple[int, int]]
) -> Route:
    """The route that delivers ``segments``, by the fewest elements sent."""
    own: list[Segment] = []
    remote: list[Segment] = []
    for segment in _continued(segments):
        (own if segment.source == segment.target else remote).append(segment)
    pieces = [Piece(pool, {one.target: Part(one.place, one.offset, one.size) for one in group}) for group in _own(own)]
    by_distance = _rounds_by_distance(remote)
    packed = _packed_rounds(remote)
    rounds = packed if _sent(packed) < _sent(by_distance) else by_distance
    pieces += [_piece(group, pool) for group in rounds]
    return Route(count, pool, length, tuple(pieces), tuple(required))


def _continued(segments: Iterable[Segment]) -> list[Segment]:
    """Runs that continue each other on both sides become one."""
    runs: list[Segment] = []
    for segment in sorted(segments, key=lambda one: (one.source, one.target, one.place)):
        if runs and segment.size:
            source, offset, target, place, size = runs[-1]
            follows = (source, offset + size, target, place + size)
            if follows == segment[:4]:
                runs[-1] = Segment(source, offset, target, place, size + segment.size)
                continue
        if segment.size:
            runs.append(segment)
    return runs


def _own(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments that stay where they are, in groups with at most one for each shard."""
    groups: list[list[Segment]] = []
    number: dict[int, int] = {}
    for segment in sorted(segments, key=lambda one: (one.target, one.place)):
        index = number.get(segment.target, 0)
        number[segment.target] = index + 1
        if index == len(groups):
            groups.append([])
        groups[index].append(segment)
    return groups


def _rounds_by_distance(segments: Iterable[Segment]) -> list[list[Segment]]:
    """One round for each distance between sender and receiver, more where a pair has several segments: the most regular
    form, in which every sender and receiver does the same."""
    groups: dict[tuple[int, int], list[Segment]] = {}
    number: dict[tuple[int, int], int] = {}
    for segment in sorted(segments, key=lambda one: (one.source, one.target, one.place)):
        pair = (segment.source, segment.target)
        index = number.get(pair, 0)
        number[pair] = index + 1
        groups.setdefault((segment.target - segment.source, index), []).append(segment)
    return [groups[key] for key in sorted(groups)]


def _packed_rounds(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments of like size share a round: the longest first, each into the first round where sender and receiver are
    free."""
    ordered = sorted(segments, key=lambda one: (-one.size, one.target - one.source, one.source, one.place))
    groups: list[list[Segment]] = []
    sending: list[set[int]] = []
    receiving: list[set[int]] = []
    for segment in ordered:
        index = 0
        while index < len(groups) and (segment.source in sending[index] or segment.target in receiving[index]):
            index += 1
        if index == len(groups):
            groups.append([])
            sending.append(set())
            receiving.append(set())
        groups[index].append(segment)
        sending[index].add(segment.source)
        receiving[index].add(segment.target)
    return groups


def _sent(rounds: Iterable[Sequence[Segment]]) -> int:
    return sum(max(segment.size for segment in group) for group in rounds)


def _piece(group: Sequence[Segment], pool: int) -> Piece:
    size = max(segment.size for segment in group)
    starts, senders, parts = {}, {}, {}
    first = min(segment.offset for segment in group)
    # All senders send the same stretch if that holds what each is asked for.
    same = all(segment.offset + segment.size <= first + size for segment in group) and first + size <= pool
    for segment in group:
        start = first if same else min(segment.offset, pool - size)
        starts[segment.source] = start
        senders[segment.target] = segment.source
        parts[segment.target] = Part(segment.place, segment.offset - start, segment.size)
    return Piece(size, parts, starts, senders)


def joined(a: Piece, b: Piece) -> dict[int, Part] | None:
    """What each shard takes of ``a`` and ``b`` one behind the other; None if they do not fit together: no shard may see
    a seam, nor the places differ more from shard to shard than they do in one of the two."""
    parts: dict[int, Part] = {target: part for target, part in a.parts.items() if target not in b.parts}
    in_both = False
    for target, part in b.parts.items():
        moved = Part(part.place, part.offset + a.size, part.size)
        before = a.parts.get(target)
        if before is not None:
            if before.shift != moved.shift or before.place + before.size != part.place:
                return None
            moved = Part(before.place, before.offset, before.size + part.size)
            in_both = True
        parts[target] = moved
    places = _places(parts)
    return parts if places == 1 or (in_both and places <= max(_places(a.parts), _places(b.parts))) else None


def _places(parts: Mapping[int, Part]) -> int:
    return len({part.shift for part in parts.values()})


class Reach(NamedTuple):
    """Which positions of a dimension its results look at: result j those from ``first + j * step`` on, ``extent`` of
    them. ``step`` is negative where the order is reversed. Positions are those of the dimension with ``dilation - 1``
    gaps between its elements."""

    first: int = 0
    step: int = 1
    extent: int = 1
    dilation: int = 1

    @property
    def is_identity(self) -> bool:
        """Whether result j looks at element j only."""
        return self == _IDENTITY


_IDENTITY = Reach()


class Windows(NamedTuple):
    """The stretch of positions that each of several shards of the results looks at: ``length`` positions from its
    ``starts`` on, of which those in ``required`` matter."""

    length: int
    starts: tuple[int, ...]
    required: tuple[tuple[int, int], ...]


def windows_of(reach: Reach, results: int, count: int) -> Windows:
    """What the ``count`` shards of ``results`` results look at."""
    share = -(-results // count)
    stride = abs(reach.step)
    length = max(0, share - 1) * stride + reach.extent if share else 0
    starts, required = [], []
    for shard in range(count):
        first = shard * share
        wanted = max(0, min(share, results - first))
        size = (wanted - 1) * stride + reach.extent if wanted else 0
        if reach.step >= 0:
            starts.append(reach.first + first * reach.step)
            required.append((0, size))
        else:
            starts.append(reach.first + (first + share - 1) * reach.step)
            required.append((length - size, length) if size else (0, 0))
    return Windows(length, tuple(starts), tuple(required))


def undilated(windows: Windows, dilation: int) -> tuple[Windows, tuple[int, ...]]:
    """The stretches of elements that lie in ``windows`` if ``dilation - 1`` gaps lie between elements, and how far
    behind the beginning of its window the first element of each shard is."""
    if dilation == 1:
        return windows, (0,) * len(windows.starts)
    firsts = [-(-start // dilation) for start in windows.starts]
    ends = [(start + windows.length - 1) // dilation + 1 for start in windows.starts]
    length = max(1, *(end - first for first, end in zip(firsts, ends, strict=True)))
    required = []
    for start, first, (low, high) in zip(windows.starts, firsts, windows.required, strict=True):
        below, above = -(-(start + low) // dilation) - first, (start + high - 1) // dilation + 1 - first
        required.append((below, above) if low < high and below < above else (0, 0))
    phases = tuple(first * dilation - start for start, first in zip(windows.starts, firsts, strict=True))
    return Windows(length, tuple(firsts), tuple(required)), phases


def window_segments(windows: Windows, size: int, pool: int, sources: int | None = None) -> list[Segment]:
    """The segments that fill ``windows`` from a dimension of ``size`` elements, cut into pools of ``pool`` each; with
    ``sources`` 0 each shard has all of them itself."""
    segments = []
    for target, (start, (low, high)) in enumerate(zip(windows.starts, windows.required, strict=True)):
        first, end = max(0, start + low), min(size, start + high)
        while first < end:
            source, offset = (target, first) if sources == 0 else divmod(first, pool)
            run = min(end - first, pool - offset)
            segments.append(Segment(source, offset, target, first - start, run))
            first += run
    return segments
