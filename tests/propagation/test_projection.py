"""Axes of dimensions are dealt out to factors and collected again."""

import pytest

from pyshardy.propagation.projection import collect, project
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding

MESH = Mesh({"a": 2, "b": 4, "c": 3})


def sharding(*dims: list[str], closed: bool = False) -> TensorSharding:
    return TensorSharding("m", [DimSharding(axes, is_closed=closed) for axes in dims])


def test_one_factor_takes_all_axes_of_its_dimension() -> None:
    projection = project(((0,),), (7,), sharding(["b", "c"]), MESH)
    assert projection.factors[0].axes == [AxisRef("b"), AxisRef("c")]
    assert projection.factors[0].minor_most


def test_an_axis_is_split_between_factors() -> None:
    projection = project(((0, 1),), (2, 8), sharding(["b"]), MESH)
    assert projection.factors[0].axes == [AxisRef("b", 1, 2)]
    assert projection.factors[1].axes == [AxisRef("b", 2, 2)]


def test_what_is_coprime_to_the_rest_of_a_factor_overflows() -> None:
    projection = project(((0, 1),), (6, 4), sharding(["b"]), MESH)
    assert projection.factors[0].axes == [AxisRef("b", 1, 2)]
    assert projection.factors[0].overflow == [AxisRef("b", 2, 2)]
    assert projection.factors[1].axes == [] and projection.factors[1].closed


def test_after_an_overflow_further_factors_are_absent() -> None:
    projection = project(((0, 1, 2),), (3, 2, 2), sharding(["a"]), MESH)
    assert set(projection.factors) == {0, 1}


def test_a_tensor_without_sharding_is_open() -> None:
    projection = project(((0,), (1,)), (4, 4), None, MESH)
    assert not projection.factors[0].closed and not projection.factors[1].closed


@pytest.mark.parametrize("mapping", [((0, 1),), ((0,), (1,))])
def test_collecting_gives_back_what_was_projected(mapping: tuple[tuple[int, ...], ...]) -> None:
    dims: list[list[str]] = [["a", "b"]] if len(mapping) == 1 else [["a"], ["b"]]
    before = sharding(*dims, closed=True)
    projection = project(mapping, (2, 8), before, MESH)
    assert collect(mapping, (2, 8), projection, "m", MESH, "sum") is before


def test_axes_behind_a_factor_that_is_not_full_are_dropped() -> None:
    projection = project(((0, 1),), (4, 4), sharding(["a"]), MESH)
    projection.factors[1].axes = [AxisRef("c")]
    assert collect(((0, 1),), (4, 4), projection, "m", MESH, "sum") is sharding(["a"])


def test_collecting_drops_priorities() -> None:
    before = TensorSharding("m", [DimSharding(["a"], True, 2)])
    projection = project(((0,),), (8,), before, MESH)
    assert collect(((0,),), (8,), projection, "m", MESH, "sum") is sharding(["a"], closed=True)
