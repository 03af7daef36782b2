"""Meshes: what they hold, what they refuse, when two are the same."""

from __future__ import annotations

import pytest

from pyshardy.sharding.mesh import Mesh, MeshAxis


def test_equal_meshes_are_one_object_however_they_were_given() -> None:
    assert Mesh({"a": 2, "b": 4}) is Mesh([("a", 2), MeshAxis("b", 4)])
    assert Mesh({"a": 2, "b": 4}) is not Mesh({"b": 4, "a": 2})


def test_device_ids_in_order_are_dropped() -> None:
    assert Mesh({"a": 2}, [0, 1]) is Mesh({"a": 2})
    assert Mesh({"a": 1}, [0]) is Mesh({"a": 1})
    assert Mesh({"a": 2}, [1, 0]).device_ids == (1, 0)
    assert Mesh((), [0]).device_ids == (0,)


def test_a_mesh_without_axes_is_empty_or_maximal() -> None:
    assert Mesh().is_empty and not Mesh().is_maximal
    assert Mesh((), [3]).is_maximal and not Mesh((), [3]).is_empty
    assert not Mesh({"a": 1}).is_maximal
    assert Mesh().total_size == 1


def test_sizes_and_positions_follow_the_axes() -> None:
    mesh = Mesh({"a": 2, "b": 4})
    assert mesh.sizes == {"a": 2, "b": 4}
    assert mesh.positions == {"a": 0, "b": 1}
    assert mesh.total_size == 8


@pytest.mark.parametrize(
    ("axes", "ids", "message"),
    [
        ({"a": 0}, (), "axis size must be at least 1, got: 0"),
        ({"a": 2}, (0, -1), "device id must be non-negative, got: -1"),
        ({}, (0, 1), "axes is empty and device_ids has more than one element"),
        ([("a", 2), ("a", 2)], (), 'duplicate axis name: "a"'),
        (
            {"a": 2},
            (0, 1, 2),
            "total product of axis sizes must match total number of device ids, got: 2 != 3",
        ),
        ({"a": 2}, (2, 0), "sorted device ids must be iota(product(axes)), got: 0, 2"),
    ],
)
def test_impossible_meshes_are_refused(
    axes: dict[str, int] | list[tuple[str, int]], ids: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError) as error:
        Mesh(axes, ids)
    assert str(error.value) == message


def test_meshes_that_differ_in_device_order_are_equal_only_if_that_is_ignored() -> None:
    mesh, permuted = Mesh({"a": 2}), Mesh({"a": 2}, [1, 0])
    assert not mesh.equals(permuted)
    assert mesh.equals(permuted, ignore_device_ids=True)
    assert not mesh.equals(Mesh({"b": 2}), ignore_device_ids=True)
    assert not Mesh().equals(Mesh((), [1]), ignore_device_ids=True)


def test_names_print_as_mlir_escapes_them() -> None:
    mesh = Mesh({'q"': 2, "\\": 2, "\n": 2, "é": 2, "": 2})
    assert str(mesh) == r'#sdy.mesh<["q\22"=2, "\\"=2, "\0A"=2, "\C3\A9"=2, ""=2]>'
