"""Replica groups, shard indices and pairs: the devices that an axis list names."""

from __future__ import annotations

from pyshardy.emitting.devices import replica_groups, shard_index, source_target_pairs
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh

MESH = Mesh({"p": 2, "q": 3, "r": 4})


def _axes(*names: str) -> tuple[AxisRef, ...]:
    return tuple(map(AxisRef, names))


def test_groups_are_ordered_by_the_other_axes_and_members_by_the_order_of_the_axes() -> None:
    assert replica_groups(MESH, _axes("r", "p")) == [
        [0, 12, 1, 13, 2, 14, 3, 15],
        [4, 16, 5, 17, 6, 18, 7, 19],
        [8, 20, 9, 21, 10, 22, 11, 23],
    ]


def test_a_sub_axis_groups_the_devices_that_differ_in_its_part_of_the_coordinate() -> None:
    axes = (AxisRef("p"), AxisRef("r", 2, 2))
    assert replica_groups(MESH, axes)[:2] == [[0, 1, 12, 13], [2, 3, 14, 15]]


def test_groups_of_a_mesh_in_another_order_name_its_devices() -> None:
    mesh = Mesh({"p": 2, "q": 2}, [3, 1, 0, 2])
    assert replica_groups(mesh, _axes("p")) == [[3, 0], [1, 2]]


def test_the_shard_index_of_a_major_sub_axis_changes_slowest() -> None:
    mesh = Mesh({"p": 4})
    assert [shard_index(device, mesh, (AxisRef("p", 1, 2),)) for device in range(4)] == [0, 0, 1, 1]


def test_a_permute_brings_each_device_the_shard_that_it_must_have() -> None:
    source, target = _axes("q", "p"), _axes("p", "q")
    pairs = source_target_pairs(MESH, source, MESH, target)
    assert pairs[:2] == [(0, 0), (1, 1)]
    assert pairs[4] == (4, 8)
    for sender, receiver in pairs:
        assert shard_index(sender, MESH, source) == shard_index(receiver, MESH, target)
    assert sorted(receiver for _, receiver in pairs) == list(range(24))


def test_a_permute_between_axes_that_cut_an_axis_in_different_ways_reaches_all_devices() -> None:
    mesh = Mesh({"p": 6, "q": 2})
    source, target = (AxisRef("p", 1, 2), AxisRef("q")), (AxisRef("p", 3, 2), AxisRef("q"))
    pairs = source_target_pairs(mesh, source, mesh, target)
    assert sorted(sender for sender, _ in pairs) == sorted(receiver for _, receiver in pairs) == list(range(12))
    for sender, receiver in pairs:
        assert shard_index(sender, mesh, source) == shard_index(receiver, mesh, target)
