"""Meshes laid onto links: which axis lies where, and what groups look like there."""

from __future__ import annotations

import pytest

from pyshardy import HardwareProblem, Mesh, hardware
from pyshardy.analysis.cost.fabric import Fabric, Ring

CHIP = {"memory": 1e9, "bandwidth": 1e9, "flops": {"f32": 1e12}}


def places(preset: str, mesh: dict[str, int]) -> dict[str, str]:
    found = Fabric(hardware(preset), Mesh(mesh))
    return {axis: found.axis_text(axis) for axis in mesh}


def rings(found: Fabric, devices: list[int]) -> list[list[Ring]]:
    return [list(reach.rings) for reach in found.reaches(devices)]


@pytest.mark.parametrize(
    ("preset", "mesh", "expected"),
    [
        ("h100", {"data": 4, "model": 8}, {"data": "InfiniBand NDR 4", "model": "NVLink 8"}),
        ("h100", {"data": 4, "model": 2}, {"data": "NVLink 4", "model": "NVLink 2"}),
        ("h100", {"data": 4, "model": 4}, {"data": "NVLink 2, InfiniBand NDR 2", "model": "NVLink 4"}),
        ("h100", {"model": 16}, {"model": "NVLink 8, InfiniBand NDR 2"}),
        # Of a node of 8 three each are used twice.
        ("h100", {"data": 4, "model": 3}, {"data": "NVLink 2, InfiniBand NDR 2", "model": "NVLink 3"}),
        ("v5e", {"data": 16, "model": 16}, {"data": "ICI ring of 16", "model": "ICI ring of 16"}),
        ("v5e", {"data": 4, "model": 4}, {"data": "ICI line of 4", "model": "ICI line of 4"}),
        ("v5e", {"data": 2, "model": 16}, {"data": "ICI 2 of 4, 2 apart", "model": "ICI line of 8 and 2 of 4"}),
        ("v5p", {"data": 32, "model": 8}, {"data": "ICI ring of 8 and ring of 4", "model": "ICI ring of 8"}),
        ("v5p", {"data": 2, "model": 4}, {"data": "ICI line of 2", "model": "ICI line of 2 and line of 2"}),
        ("v6e", {"pod": 2, "x": 256}, {"pod": "data-centre network 2", "x": "ICI ring of 16 and ring of 16"}),
        ("laptop", {"x": 4}, {"x": "Ethernet 4"}),
    ],
)
def test_axes_lie_on_the_links_from_inside_out(preset: str, mesh: dict[str, int], expected: dict[str, str]) -> None:
    assert places(preset, mesh) == expected


def test_every_device_has_a_place_of_its_own() -> None:
    for preset, mesh in (("v5p", {"a": 6, "b": 4, "c": 2}), ("h100", {"a": 3, "b": 16}), ("v5e", {"a": 2, "b": 6})):
        found = Fabric(hardware(preset), Mesh(mesh))
        listed = found.coordinates(list(range(found.mesh.total_size))).tolist()
        assert len({tuple(one) for one in listed}) == found.mesh.total_size
        sizes = [dimension.size for dimension in found.dimensions]
        assert all(0 <= at < size for one in listed for at, size in zip(one, sizes, strict=True))


def test_a_group_is_a_ring_a_line_or_every_other_device() -> None:
    level = {"name": "ICI", "topology": "torus", "dimensions": [8], "bandwidth": 1e9}
    found = Fabric(hardware({"chip": CHIP, "links": [level]}), Mesh({"a": 2, "b": 4}))
    assert rings(found, list(range(8))) == [[Ring(8, 1, True)]]
    assert rings(found, [0, 1, 2, 3]) == [[Ring(4, 1, False)]]
    assert rings(found, [1, 5]) == [[Ring(2, 4, True)]]
    assert rings(found, [0, 1, 4, 5]) == [[Ring(4, 2, False)]]
    assert rings(found, [3]) == []


def test_ids_of_devices_say_who_is_who() -> None:
    level = {"name": "ICI", "topology": "ring", "devices": 4, "bandwidth": 1e9}
    found = Fabric(hardware({"chip": CHIP, "links": [level]}), Mesh({"a": 4}, [3, 1, 0, 2]))
    assert found.coordinates([3, 1, 0, 2]).tolist() == [[0], [1], [2], [3]]


def test_a_file_says_where_axes_lie_and_which_slice_there_is() -> None:
    levels = [
        {"name": "ICI", "topology": "torus", "dimensions": [16, 16], "slice": [2, 8], "bandwidth": 1e9},
        {"name": "net", "topology": "switched", "bandwidth": 1e8},
    ]
    given = {"chip": CHIP, "links": levels, "axes": {"model": "net", "data": ["ICI.0"], "rest": "ICI.1"}}
    found = Fabric(hardware(given), Mesh({"rest": 8, "data": 2, "model": 4}))
    where = {axis: found.axis_text(axis) for axis in ("rest", "data", "model")}
    assert where == {"rest": "ICI ring of 8", "data": "ICI line of 2", "model": "net 4"}
    with pytest.raises(HardwareProblem, match=r"axis 'data' of the mesh .* does not divide into the slice 2x8"):
        Fabric(hardware(given), Mesh({"rest": 4, "data": 4, "model": 4}))


def test_a_mesh_that_is_too_large_is_refused() -> None:
    with pytest.raises(HardwareProblem, match=r"TPU v4: the mesh .* does not fit: links join 4096 devices"):
        Fabric(hardware("v4"), Mesh({"x": 8192}))
    with pytest.raises(HardwareProblem, match="does not fit into a, where"):
        inner = {"name": "a", "topology": "switched", "devices": 4, "bandwidth": 1e9}
        outer = {"name": "b", "topology": "switched", "bandwidth": 1e9}
        Fabric(hardware({"chip": CHIP, "links": [inner, outer], "axes": {"x": "a"}}), Mesh({"x": 8}))
    with pytest.raises(HardwareProblem, match=r"needs links between devices"):
        Fabric(hardware({"chip": CHIP}), Mesh({"x": 2}))
    torus = {"name": "ICI", "topology": "torus", "dimensions": [16, 16], "bandwidth": 1e9}
    with pytest.raises(HardwareProblem, match="34 devices are no slice of ICI, whose dimensions are at most 16x16"):
        Fabric(hardware({"chip": CHIP, "links": [torus]}), Mesh({"x": 34}))


def test_one_device_needs_no_links() -> None:
    assert Fabric(hardware({"chip": CHIP}), Mesh()).reaches([0]) == ()


def test_dimensions_without_end_and_many_of_them_take_no_longer() -> None:
    level = {"name": "ICI", "topology": "torus", "bandwidth": 1e9}

    def sizes(dimensions: list[int], count: int) -> list[int]:
        found = Fabric(hardware({"chip": CHIP, "links": [level | {"dimensions": dimensions}]}), Mesh({"x": count}))
        return [dimension.size for dimension in found.dimensions]

    assert sizes([10**11, 10**11], 36) == [6, 6]
    assert sizes([10**11, 3], 36) == [12, 3]
    assert sorted(sizes([2] * 24, 2**20)) == [1] * 4 + [2] * 20
