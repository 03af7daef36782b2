"""Axes of size 1 go from shardings."""

from __future__ import annotations

import pytest

from pyshardy.passes.importing.remove_size_one_axes import without_size_one_axes
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import CLOSED, DimSharding, TensorSharding
from tests.passes.running import body_after

MESH = Mesh({"x": 2, "y": 1, "z": 1, "w": 4})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DimSharding(["x", "y"]), DimSharding(["x"])),
        (DimSharding(["z"], is_closed=False, priority=2), DimSharding([], is_closed=False, priority=2)),
        (DimSharding(["y"], priority=1), CLOSED),
        (DimSharding([AxisRef("w", 2, 2)], priority=1), DimSharding([AxisRef("w", 2, 2)], priority=1)),
    ],
    ids=str,
)
def test_a_dimension_keeps_the_other_axes(before: DimSharding, after: DimSharding) -> None:
    assert without_size_one_axes(TensorSharding("m", [before]), MESH) is TensorSharding("m", [after])


def test_replicated_and_unreduced_axes_go_too() -> None:
    before = TensorSharding("m", [CLOSED], ["y", "x"], ["z", "w"])
    assert without_size_one_axes(before, MESH) is TensorSharding("m", [CLOSED], ["x"], ["w"])


def test_without_such_an_axis_in_a_named_mesh_nothing_happens() -> None:
    program = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=1]>, [{"y"}]>}) { return }
        """
    assert '[{"y"}]' in body_after("sdy-remove-size-one-axes", program)
