"""Routes: who sends which elements of a dimension to whom, in how many rounds."""

from __future__ import annotations

import pytest

from pyshardy.partitioning.windows.routing import Route, Transfer, WindowAccess, plan_route, whole_senders, windows_of
from pyshardy.partitioning.windows.window_exchange import window_route


def _received(route: Route, target: int, pools: list[list[int]]) -> dict[int, int]:
    """The window of a shard by place, out of pools of elements."""
    window = {}
    for piece in route.pieces:
        part = piece.parts.get(target)
        if part is None:
            continue
        sender = target if piece.senders is None else piece.senders[target]
        start = 0 if piece.starts is None else piece.starts[sender]
        for index in range(part.size):
            window[part.place + index] = pools[sender][start + part.offset + index]
    return window


@pytest.mark.parametrize(
    "reach",
    [WindowAccess(), WindowAccess(-1, 1, 3), WindowAccess(3, 2, 1), WindowAccess(9, -1), WindowAccess(-4, 3, 5)],
)
@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_every_shard_receives_each_element_that_it_looks_at(reach: WindowAccess, count: int) -> None:
    size, results = 10, 7
    pool = -(-size // count)
    pools = [[shard * pool + index for index in range(pool)] for shard in range(count)]
    route = window_route(size, results, count, True, reach, False).route
    windows = windows_of(reach, results, count)
    for shard in range(count):
        found = _received(route, shard, pools)
        low, high = windows.required[shard]
        for place in range(low, high):
            position = windows.starts[shard] + place
            if 0 <= position < size:
                assert found[place] == position


def test_a_round_has_each_shard_send_and_receive_once() -> None:
    transfers = [Transfer(0, 0, 1, 0, 2), Transfer(0, 2, 2, 0, 2), Transfer(1, 0, 2, 2, 2), Transfer(2, 0, 1, 2, 1)]
    route = plan_route(3, 4, 4, transfers, [(0, 4)] * 3)
    for piece in route.pieces:
        assert piece.senders is not None
        assert len(set(piece.senders.values())) == len(piece.senders)
    assert sum(len(piece.parts) for piece in route.pieces) == len(transfers)


def test_pieces_of_like_size_share_a_round() -> None:
    transfers = [Transfer(0, 0, 1, 0, 5), Transfer(1, 0, 3, 0, 5), Transfer(2, 0, 0, 0, 1), Transfer(3, 0, 2, 0, 1)]
    assert plan_route(4, 5, 5, transfers, [(0, 5)] * 4).elements == 5


def test_a_reversal_of_even_shards_makes_whole_shards_change_places() -> None:
    assert whole_senders(window_route(8, 8, 4, True, WindowAccess(7, -1), False).route) == (3, 2, 1, 0)
    assert whole_senders(window_route(7, 7, 4, True, WindowAccess(6, -1), False).route) is None


def test_rows_at_both_ends_come_from_the_neighbours_alone() -> None:
    route = window_route(64, 64, 8, True, WindowAccess(-1, 1, 3), True).route
    assert (route.rounds, route.elements) == (2, 2)
