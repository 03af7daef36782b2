"""Plans which elements travel between devices when every shard of a dimension needs some range of it.

Each shard has a *pool*: its elements along the dimension, of one tensor or of several concatenated ones. Each shard
needs a *window*, of the same length on all, which consists of ranges of elements from pools: *transfers*. Transfers
between different shards are grouped into *rounds*. In each round a shard sends at most one piece and receives at most
one, so a round is one collective permute of just the elements needed. ``window_exchange`` emits a route.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Transfer(NamedTuple):
    """``size`` elements, from ``offset`` in the pool of shard ``source`` to ``place`` in the window of shard
    ``target``."""

    source: int
    offset: int
    target: int
    place: int
    size: int


class PieceSlice(NamedTuple):
    """The part of a piece that a shard uses: ``size`` elements, from ``offset`` in the piece to ``place`` in the
    window."""

    place: int
    offset: int
    size: int

    @property
    def shift(self) -> int:
        """The position of the beginning of the piece in the window."""
        return self.place - self.offset


class Piece(NamedTuple):
    """Elements that every shard holds: its pool, if ``starts`` is None, otherwise ``size`` elements received by a
    permute.

    ``starts`` has the offset from which each sender sends, ``senders`` the sender for each receiver; ``parts`` has the
    part that each shard uses.
    """

    size: int
    parts: Mapping[int, PieceSlice]
    starts: Mapping[int, int] | None = None
    senders: Mapping[int, int] | None = None


class Route(NamedTuple):
    """How each of ``shards`` shards gets a window of ``length`` elements from pools of ``pool`` elements. ``required``
    has the range of its window that each shard reads; positions in it that no piece covers have to be filled."""

    shards: int
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
    """For each shard the shard whose whole pool is its window, possibly itself; None if the route does anything
    else."""
    senders: dict[int, int] = {}
    if route.length != route.pool:
        return None
    for piece in route.pieces:
        for target, part in piece.parts.items():
            if target in senders or part != (0, 0, route.pool):
                return None
            senders[target] = target if piece.senders is None else piece.senders[target]
    everyone = range(route.shards)
    return tuple(senders[target] for target in everyone) if sorted(senders.values()) == list(everyone) else None


def plan_route(
    count: int, pool: int, length: int, transfers: Iterable[Transfer], required: Sequence[tuple[int, int]]
) -> Route:
    """The route that delivers ``transfers`` with the fewest elements sent."""
    local: list[Transfer] = []
    remote: list[Transfer] = []
    for transfer in _merge_adjacent(transfers):
        (local if transfer.source == transfer.target else remote).append(transfer)
    pieces = [
        Piece(pool, {one.target: PieceSlice(one.place, one.offset, one.size) for one in group})
        for group in _local_groups(local)
    ]
    by_distance = _rounds_by_distance(remote)
    packed = _packed_rounds(remote)
    rounds = packed if _sent(packed) < _sent(by_distance) else by_distance
    pieces += [_piece(group, pool) for group in rounds]
    return Route(count, pool, length, tuple(pieces), tuple(required))


def _merge_adjacent(transfers: Iterable[Transfer]) -> list[Transfer]:
    """``transfers``, with those merged that are adjacent both in the pool and in the window."""
    runs: list[Transfer] = []
    for transfer in sorted(transfers, key=lambda one: (one.source, one.target, one.place)):
        if runs and transfer.size:
            source, offset, target, place, size = runs[-1]
            follows = (source, offset + size, target, place + size)
            if follows == transfer[:4]:
                runs[-1] = Transfer(source, offset, target, place, size + transfer.size)
                continue
        if transfer.size:
            runs.append(transfer)
    return runs


def _local_groups(transfers: Iterable[Transfer]) -> list[list[Transfer]]:
    """Transfers within one shard, in groups with at most one transfer for each shard."""
    groups: list[list[Transfer]] = []
    number: dict[int, int] = {}
    for transfer in sorted(transfers, key=lambda one: (one.target, one.place)):
        index = number.get(transfer.target, 0)
        number[transfer.target] = index + 1
        if index == len(groups):
            groups.append([])
        groups[index].append(transfer)
    return groups


def _rounds_by_distance(transfers: Iterable[Transfer]) -> list[list[Transfer]]:
    """One round for each distance between sender and receiver, several where a pair has several transfers. All senders
    and receivers then do the same."""
    groups: dict[tuple[int, int], list[Transfer]] = {}
    number: dict[tuple[int, int], int] = {}
    for transfer in sorted(transfers, key=lambda one: (one.source, one.target, one.place)):
        pair = (transfer.source, transfer.target)
        index = number.get(pair, 0)
        number[pair] = index + 1
        groups.setdefault((transfer.target - transfer.source, index), []).append(transfer)
    return [groups[key] for key in sorted(groups)]


def _packed_rounds(transfers: Iterable[Transfer]) -> list[list[Transfer]]:
    """Rounds that contain transfers of similar size: the longest transfers first, each in the first round in which its
    sender and receiver are free."""
    ordered = sorted(transfers, key=lambda one: (-one.size, one.target - one.source, one.source, one.place))
    groups: list[list[Transfer]] = []
    sending: list[set[int]] = []
    receiving: list[set[int]] = []
    for transfer in ordered:
        index = 0
        while index < len(groups) and (transfer.source in sending[index] or transfer.target in receiving[index]):
            index += 1
        if index == len(groups):
            groups.append([])
            sending.append(set())
            receiving.append(set())
        groups[index].append(transfer)
        sending[index].add(transfer.source)
        receiving[index].add(transfer.target)
    return groups


def _sent(rounds: Iterable[Sequence[Transfer]]) -> int:
    return sum(max(transfer.size for transfer in group) for group in rounds)


def _piece(group: Sequence[Transfer], pool: int) -> Piece:
    """The piece that the permute of a round with the transfers ``group`` brings."""
    size = max(transfer.size for transfer in group)
    starts, senders, parts = {}, {}, {}
    first = min(transfer.offset for transfer in group)
    # All senders send the same range if it contains every transfer that is asked for.
    same = all(transfer.offset + transfer.size <= first + size for transfer in group) and first + size <= pool
    for transfer in group:
        start = first if same else min(transfer.offset, pool - size)
        starts[transfer.source] = start
        senders[transfer.target] = transfer.source
        parts[transfer.target] = PieceSlice(transfer.place, transfer.offset - start, transfer.size)
    return Piece(size, parts, starts, senders)


def concatenated_parts(a: Piece, b: Piece) -> dict[int, PieceSlice] | None:
    """The part that each shard uses of ``a`` and ``b`` concatenated. None if concatenation does not help: a shard would
    use elements from both that are not adjacent in its window, or shards would use more different positions than they
    do of either piece."""
    parts: dict[int, PieceSlice] = {target: part for target, part in a.parts.items() if target not in b.parts}
    in_both = False
    for target, part in b.parts.items():
        moved = PieceSlice(part.place, part.offset + a.size, part.size)
        before = a.parts.get(target)
        if before is not None:
            if before.shift != moved.shift or before.place + before.size != part.place:
                return None
            moved = PieceSlice(before.place, before.offset, before.size + part.size)
            in_both = True
        parts[target] = moved
    places = _num_shifts(parts)
    return parts if places == 1 or (in_both and places <= max(_num_shifts(a.parts), _num_shifts(b.parts))) else None


def _num_shifts(parts: Mapping[int, PieceSlice]) -> int:
    return len({part.shift for part in parts.values()})


class WindowAccess(NamedTuple):
    """Which positions of a dimension each result reads: result j reads ``extent`` positions from ``first + j * step``
    on. ``step`` is negative for a reversed dimension. Positions are those after dilation, which puts ``dilation - 1``
    gaps between neighbouring elements."""

    first: int = 0
    step: int = 1
    extent: int = 1
    dilation: int = 1

    @property
    def is_identity(self) -> bool:
        """Whether result j reads element j only."""
        return self == _IDENTITY


_IDENTITY = WindowAccess()


class Windows(NamedTuple):
    """The range of positions that each shard of the results reads: ``length`` positions from its entry in ``starts``
    on, of which the range in ``required`` matters."""

    length: int
    starts: tuple[int, ...]
    required: tuple[tuple[int, int], ...]


def windows_of(reach: WindowAccess, results: int, count: int) -> Windows:
    """The windows of ``count`` shards of ``results`` results."""
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
    """``windows`` of a dilated dimension as windows of its elements, without the ``dilation - 1`` gaps between
    elements; and for each shard the distance from the start of its window to its first element."""
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


def window_transfers(windows: Windows, size: int, pool: int, sources: int | None = None) -> list[Transfer]:
    """The transfers that fill ``windows`` from a dimension of ``size`` elements in pools of ``pool`` each. With
    ``sources`` 0 every shard has the whole dimension itself."""
    transfers = []
    for target, (start, (low, high)) in enumerate(zip(windows.starts, windows.required, strict=True)):
        first, end = max(0, start + low), min(size, start + high)
        while first < end:
            source, offset = (target, first) if sources == 0 else divmod(first, pool)
            run = min(end - first, pool - offset)
            transfers.append(Transfer(source, offset, target, first - start, run))
            first += run
    return transfers
