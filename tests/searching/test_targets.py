"""Hardware with the number of devices in one word, and the meshes that there can be."""

import pytest

from pyshardy import HardwareProblem
from pyshardy.analysis.cost.targets import check_mesh, target
from pyshardy.searching.meshes import meshes_for


@pytest.mark.parametrize(
    ("text", "name", "devices"),
    [
        ("h100", "NVIDIA H100 SXM", None),
        ("h100x8", "NVIDIA H100 SXM", 8),
        ("mi300x8", "AMD Instinct MI300X", 8),
        ("mi300xx8", "AMD Instinct MI300X", 8),
        ("v5p:4x4x8", "TPU v5p", 128),
        ("v5e:16", "TPU v5e", 16),
        ("v5ex16", "TPU v5e", 16),
    ],
)
def test_a_word_says_the_chip_and_how_many(text: str, name: str, devices: int | None) -> None:
    found = target(text)
    assert (found.hardware.name, found.devices) == (name, devices)


def test_a_slice_is_the_torus_that_is_there() -> None:
    assert target("v5p:4x4x8").hardware.links[0].slice == (4, 4, 8)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("h200y8", "there is no hardware 'h200y8'"),
        ("v5e:4x4x4", "4x4x4 is no slice of ICI, which is at most 16x16"),
        ("v5p:29x4", "29x4 is no slice"),
        ("h100:2x4", "has no torus to take a slice of: say how many, x8"),
    ],
)
def test_a_word_that_means_nothing_says_what_would(text: str, problem: str) -> None:
    with pytest.raises(HardwareProblem) as error:
        target(text)
    assert problem in str(error.value)


def test_meshes_have_up_to_three_axes_the_fewest_first() -> None:
    found = [tuple(axis.size for axis in mesh.axes) for mesh in meshes_for(8, target("h100").hardware)]
    assert found == [(8,), (4, 2), (2, 4), (2, 2, 2)]


def test_a_mesh_has_as_many_devices_as_the_hardware() -> None:
    chip = target("h100").hardware
    assert check_mesh({"a": 4, "b": 2}, 8, chip).total_size == 8
    with pytest.raises(HardwareProblem, match="a mesh a=3 has 3 devices, and the hardware 8"):
        check_mesh({"a": 3}, 8, chip)
