"""Times of collectives: computed by hand, and by running their schedules on simulated links."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import pytest

from pyshardy import Mesh, hardware
from pyshardy.analysis.cost import fabric as fabrics
from pyshardy.analysis.cost.collective_times import CollectiveTime, collective_seconds
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.permute_times import crossing_seconds, crossings
from tests.analysis.cost import simulated_links as links

W, ALPHA = 1e9, 1e-6
CHIP = {"memory": 1e9, "bandwidth": 1e9, "flops": {"f32": 1e12}}
SIZE = 1 << 20


def fabric(mesh: dict[str, int], *levels: dict[str, object]) -> Fabric:
    given = [{"name": f"level {number}", "bandwidth": W, "latency": ALPHA} | one for number, one in enumerate(levels)]
    return Fabric(hardware({"chip": CHIP, "links": given}), Mesh(mesh))


def torus(shape: tuple[int, ...], wraps: bool, mesh: dict[str, int] | None = None) -> Fabric:
    level = {
        "topology": "torus",
        "dimensions": list(shape),
        "slice": list(shape),
        "wraps_at_multiples_of": int(wraps),
    }
    return fabric(mesh or {f"d{number}": size for number, size in enumerate(shape)}, level)


def switched(count: int) -> Fabric:
    return fabric({"x": count}, {"topology": "switched"})


def network(route: links.Route) -> links.Network:
    return links.Network(route, Fraction(W), Fraction(1, 10**6))


def seconds(kind: str, on: Fabric, group: list[int] | None = None, size: int = SIZE) -> float:
    found = collective_seconds(kind, on.reaches(group or list(range(on.mesh.total_size))), size)
    assert found.pipelined == found.after
    return found.after


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "on", "expected"),
    [
        # 8 MB round a ring of 4: 6 MB arrive, 3 MB from each side, in 2 hops.
        ("all_gather", torus((4,), True), 3e-3 + 2e-6),
        ("reduce_scatter", torus((4,), True), 3e-3 + 2e-6),
        ("all_reduce", torus((4,), True), 6e-3 + 4e-6),
        # Each has 2 MB for each other: 2 from each neighbour's link, and half of the 2 that go across.
        ("all_to_all", torus((4,), True), 8e-3 * 4 / 8 + 2e-6),
        # A line: the end gets 6 MB over its one link, in 3 hops.
        ("all_gather", torus((4,), False), 6e-3 + 3e-6),
        # In the middle 2 x 2 messages of 2 MB meet.
        ("all_to_all", torus((4,), False), 8e-3 + 3e-6),
        ("all_gather", switched(4), 6e-3 + 2e-6),
        ("all_reduce", switched(4), 12e-3 + 4e-6),
        ("all_to_all", switched(4), 6e-3 + 1e-6),
        ("collective_broadcast", switched(4), 8e-3 + 2e-6),
        ("collective_broadcast", torus((4,), True), 8e-3 + 2e-6),
        # Three links at once, 2 MB on each.
        ("all_gather", fabric({"x": 4}, {"topology": "full", "devices": 8}), 2e-3 + 1e-6),
        ("all_to_all", fabric({"x": 4}, {"topology": "full", "devices": 8}), 2e-3 + 1e-6),
    ],
)
def test_a_collective_of_8_mb_takes_what_is_computed_by_hand(kind: str, on: Fabric, expected: float) -> None:
    assert seconds(kind, on, size=8 * 10**6) == pytest.approx(expected)


def test_two_dimensions_of_a_torus_are_twice_as_quick_as_one() -> None:
    # 15/16 of the bytes over four links of each device.
    assert seconds("all_gather", torus((4, 4), True), size=16 * 10**6) == pytest.approx(15e-3 / 4 + 4e-6)


def test_a_group_that_spans_levels_goes_through_both() -> None:
    on = fabric(
        {"node": 2, "chip": 4},
        {"topology": "switched", "devices": 4, "start": 3e-6},
        {"topology": "switched", "bandwidth": W / 10, "start": 7e-6},
    )
    inside, outside = 6e-3 + 2e-6, 1e-2 + 1e-6
    # Inside all of 8 MB, of which 3/4 arrive; between nodes a quarter of that, of which half arrives, ten times slower.
    found = collective_seconds("all_gather", on.reaches(range(8)), 8 * 10**6)
    assert found == pytest.approx(CollectiveTime(max(inside, outside) + 7e-6, inside + outside + 7e-6))
    found = collective_seconds("all_reduce", on.reaches(range(8)), 8 * 10**6)
    assert found == pytest.approx(CollectiveTime(2 * outside + 7e-6, 2 * (inside + outside) + 7e-6))
    within = collective_seconds("all_gather", on.reaches(range(4)), 8 * 10**6)
    assert within == pytest.approx(CollectiveTime(inside + 3e-6, inside + 3e-6))


def test_a_switch_that_reduces_halves_an_all_reduce() -> None:
    plain = switched(8)
    level = {"topology": "switched", "reduces_in_switch": True}
    assert seconds("all_reduce", fabric({"x": 8}, level)) == pytest.approx(seconds("all_gather", plain))


def test_small_tensors_are_exchanged_whole() -> None:
    assert seconds("all_reduce", switched(8), size=8) == pytest.approx(3 * (8 / W + ALPHA))
    assert seconds("all_reduce", torus((8,), True), size=8) == pytest.approx(28 / W + 4 * ALPHA)


def test_nothing_takes_no_time() -> None:
    assert collective_seconds("all_reduce", (), SIZE) == CollectiveTime(0.0, 0.0)
    assert collective_seconds("all_reduce", switched(4).reaches(range(4)), 0) == CollectiveTime(0.0, 0.0)


def test_a_matrix_product_waits_for_its_weights_below_so_many_tokens_a_device() -> None:
    """The order of magnitude that "How to Scale Your Model" gives: FLOP/s by twice the bandwidth of a link."""
    chips = hardware("v5p")
    on = Fabric(chips, Mesh({"x": 16, "y": 16, "z": 16}))
    width = 8192
    gather = collective_seconds("all_gather", on.reaches(range(16)), 2 * width * width).after
    tokens = gather * chips.chip.flops["bf16"] / (2 * width * width)
    assert tokens == pytest.approx(chips.chip.flops["bf16"] / (2 * chips.links[0].bandwidth), rel=0.1)


# --- simulated --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("count", [3, 4, 5, 8])
def test_gathering_round_a_ring_takes_as_long_as_its_schedule(count: int, wraps: bool) -> None:
    simulated, held = network(links.over_a_torus((count,), (wraps,))), links.own_halves(count)
    taken = simulated.rounds(links.around_rings([range(count)], Fraction(SIZE), wraps=wraps), held)
    assert all(len(one) == 2 * count for one in held)
    assert seconds("all_gather", torus((count,), wraps)) == pytest.approx(float(taken))


@pytest.mark.parametrize(("stride", "count", "wraps"), [(2, 4, True), (3, 4, True), (2, 4, False), (4, 2, False)])
def test_groups_that_lie_between_each_other_share_links(stride: int, count: int, wraps: bool) -> None:
    size = stride * count
    rings = [range(first, size, stride) for first in range(stride)]
    simulated, held = network(links.over_a_torus((size,), (wraps,))), links.own_halves(size)
    taken = simulated.rounds(links.around_rings(rings, Fraction(SIZE), wraps=wraps), held)
    assert all(len(one) == 2 * count for one in held)
    on = torus((size,), wraps, {"far": count, "near": stride})
    assert seconds("all_gather", on, list(rings[0])) == pytest.approx(float(taken))


@pytest.mark.parametrize(("shape", "wraps"), [((4, 4), True), ((4, 4, 4), True), ((2, 4), False), ((4, 8), True)])
def test_gathering_over_a_torus_takes_as_long_as_the_quicker_of_its_schedules(
    shape: tuple[int, ...], wraps: bool
) -> None:
    ways = len(shape)
    orders = [[(first + phase) % ways for phase in range(ways)] for first in range(ways)]
    rotating = Fraction()
    for phase in range(ways):
        # Each part goes along a dimension of its own: none meets another.
        rotating += max(_phase(shape, wraps, order, phase, Fraction(SIZE, ways)) for order in orders)
    turns = [order for first in orders for order in (first, first[::-1])]
    in_turn = min(sum(_phase(shape, wraps, order, phase, Fraction(SIZE)) for phase in range(ways)) for order in turns)
    assert seconds("all_gather", torus(shape, wraps)) == pytest.approx(float(min(rotating, in_turn)))


def _phase(shape: tuple[int, ...], wraps: bool, order: list[int], phase: int, size: Fraction) -> Fraction:
    """How long a tensor of ``size`` bytes takes for dimension ``order[phase]``, in all rings along it."""
    dim, devices = order[phase], prod(shape)
    held = size / devices * prod(shape[one] for one in order[: phase + 1])
    stride = prod(shape[dim + 1 :])
    firsts = [device for device in range(devices) if device // stride % shape[dim] == 0]
    rings = [[first + place * stride for place in range(shape[dim])] for first in firsts]
    simulated = network(links.over_a_torus(shape, [wraps and size > 2 for size in shape]))
    return simulated.rounds(links.around_rings(rings, held, wraps=wraps and shape[dim] > 2))


@pytest.mark.parametrize("count", [2, 3, 5, 8, 16])
def test_gathering_through_a_switch_takes_as_long_as_its_schedule(count: int) -> None:
    simulated, held = network(links.through_a_switch), [{device} for device in range(count)]
    taken = simulated.rounds(links.doubling_gather(count, Fraction(SIZE)), held)  # type: ignore[arg-type]
    assert all(len(one) == count for one in held)
    assert seconds("all_gather", switched(count)) == pytest.approx(float(taken))


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8])
def test_a_small_all_reduce_takes_as_long_as_its_schedule(count: int) -> None:
    taken = network(links.through_a_switch).rounds(links.doubling_exchange(count, Fraction(4)))
    assert seconds("all_reduce", switched(count), size=4) == pytest.approx(float(taken))


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("count", [3, 4, 8])
def test_a_small_all_reduce_round_a_ring_gathers_whole_tensors(count: int, wraps: bool) -> None:
    simulated, held = network(links.over_a_torus((count,), (wraps,))), links.own_halves(count)
    taken = simulated.rounds(links.around_rings([range(count)], Fraction(4 * count), wraps=wraps), held)
    assert all(len(one) == 2 * count for one in held)
    assert seconds("all_reduce", torus((count,), wraps), size=4) == pytest.approx(float(taken))


def test_a_group_of_two_levels_takes_as_long_as_its_schedules_in_each() -> None:
    on = fabric({"node": 4, "chip": 8}, {"topology": "switched", "devices": 8}, {"topology": "switched"})
    inside = network(links.through_a_switch).rounds(links.doubling_gather(8, Fraction(SIZE)))
    # Devices of the same number in their nodes gather an eighth, all at the same time, each through its own port.
    rounds = [
        [links.Message(8 * one.source + port, 8 * one.target + port, one.size) for one in messages for port in range(8)]
        for messages in links.doubling_gather(4, Fraction(SIZE, 8))
    ]
    outside = network(links.through_a_switch).rounds(rounds)
    found = collective_seconds("all_gather", on.reaches(range(32)), SIZE)
    assert found == pytest.approx(CollectiveTime(float(max(inside, outside)), float(inside + outside)))


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("shape", [(4,), (5,), (8,), (4, 4), (4, 8), (3, 4, 5)])
def test_an_all_to_all_takes_as_long_as_its_busiest_link(shape: tuple[int, ...], wraps: bool) -> None:
    count = prod(shape)
    simulated = network(links.over_a_torus(shape, [wraps] * len(shape)))
    taken = simulated.round(links.to_each([range(count)], Fraction(SIZE, count)))
    assert seconds("all_to_all", torus(shape, wraps)) == pytest.approx(float(taken))


@pytest.mark.parametrize("route", ["switched", "full"])
def test_an_all_to_all_over_ports_takes_as_long_as_the_busiest(route: str) -> None:
    ways = {"switched": links.through_a_switch, "full": links.over_own_link}[route]
    taken = network(ways).round(links.to_each([range(6)], Fraction(SIZE, 6)))
    on = fabric({"x": 6}, {"topology": route, "devices": 8})
    assert seconds("all_to_all", on) == pytest.approx(float(taken))


def permute_seconds(on: Fabric, pairs: list[tuple[int, int]], size: int) -> CollectiveTime:
    return crossing_seconds(crossings(on, pairs), size)


@pytest.mark.parametrize("seed", range(12))
def test_a_permute_takes_as_long_as_the_ways_of_its_pairs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    shape = chance.choice([(6,), (4, 4), (3, 5), (2, 4, 3)])
    wraps = [chance.random() < 0.5 and size > 2 for size in shape]
    count = prod(shape)
    targets = chance.sample(range(count), count)
    pairs = [(source, target) for source, target in enumerate(targets) if chance.random() < 0.8]
    level = {"topology": "torus", "dimensions": list(shape), "slice": list(shape), "wraps_at_multiples_of": 1}
    on = fabric({f"d{number}": size for number, size in enumerate(shape)}, level)
    # The formulas take wraps by size; here each dimension has its own.
    on.dimensions = [one._replace(wraps=own) for one, own in zip(on.dimensions, wraps, strict=True)]
    taken = network(links.over_a_torus(shape, wraps)).round(
        [links.Message(a, b, Fraction(SIZE)) for a, b in pairs if a != b]
    )
    where = on.coordinates(list(range(count))).tolist()
    assert sorted(where) == where, "the dimensions of the torus are those of the mesh, in order"
    few = permute_seconds(on, pairs, SIZE)
    assert few.after == pytest.approx(float(taken))
    monkeypatch.setattr(fabrics, "_FEW", -1)
    assert permute_seconds(on, pairs, SIZE) == few, "many devices at once take as long"


def test_a_permute_between_nodes_goes_at_the_pace_of_the_network() -> None:
    on = fabric(
        {"node": 2, "chip": 4}, {"topology": "switched", "devices": 4}, {"topology": "switched", "bandwidth": 1e8}
    )
    assert permute_seconds(on, [(0, 1), (1, 0)], 10**6).after == pytest.approx(1e-3 + 1e-6)
    assert permute_seconds(on, [(0, 1), (3, 4)], 10**6).after == pytest.approx(1e-2 + 1e-6)
    assert permute_seconds(on, [(0, 0), (3, 3)], 10**6).after == 0.0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["h100", "v5e"])
def test_few_devices_are_looked_at_one_by_one_and_take_as_long(
    seed: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    on = Fabric(hardware(name), Mesh({"x": 4, "y": 2, "z": 4}))
    targets = chance.sample(range(32), 32)
    pairs = [pair for pair in enumerate(targets) if chance.random() < chance.choice([0.1, 0.8])] or [(0, 5)]
    with monkeypatch.context() as patch:
        if name == "h100":
            patch.setattr(Fabric, "coordinates", None)
        few = permute_seconds(on, pairs, SIZE)
    links, reaches = on.links_of_pairs(pairs), on.reaches(targets[:5])
    monkeypatch.setattr(fabrics, "_FEW", -1)
    assert few == permute_seconds(on, pairs, SIZE) and few.after
    assert (links, reaches) == (on.links_of_pairs(pairs), on.reaches(targets[:5]))
