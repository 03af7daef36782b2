"""Plans lead from any layout to any other: proved on simulated devices."""

from __future__ import annotations

import pytest

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import elements_moved, is_sound
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from tests.resharding.collectives.prove import small_meshes, try_all, try_random
from tests.sampling import sampled


@pytest.mark.slow
@pytest.mark.parametrize("mesh", small_meshes(6), ids=lambda mesh: mesh.body_text)
def test_every_pair_of_layouts_of_a_small_mesh_in_two_dimensions(mesh: Mesh) -> None:
    assert try_all(mesh, 2).failures == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(3), 3))
def test_random_pairs_on_up_to_64_devices(seed: int) -> None:
    assert try_random(seed, 100).failures == 0


def _layout(*dims: str) -> Layout:
    return tuple(tuple(map(AxisRef, dim)) for dim in dims)


def _names(mesh: Mesh, source: Layout, target: Layout) -> list[str]:
    return [step.name.removeprefix("sdy.") for step in collective_plan(mesh, source, target, (48, 48))]


def test_nothing_is_done_where_nothing_changes() -> None:
    assert _names(Mesh({"a": 2}), _layout("a", ""), _layout("a", "")) == []


def test_slices_come_first_and_gathers_last() -> None:
    mesh = Mesh({"a": 2, "b": 2, "c": 2})
    assert _names(mesh, _layout("a", "b"), _layout("bc", "")) == ["all_slice", "collective_permute", "all_gather"]


def test_layouts_that_two_rounds_do_not_reach_are_reached_all_the_same() -> None:
    mesh = Mesh({"a": 3, "b": 12, "c": 12, "d": 4})
    assert _names(mesh, _layout("ab", "dc"), _layout("d", "a")) == ["all_gather", "all_slice"]


def test_an_axis_of_size_one_can_be_sliced() -> None:
    assert _names(Mesh({"a": 1}), _layout("", ""), _layout("a", "")) == ["all_slice"]


def test_a_permute_that_cannot_fill_a_dimension_is_not_planned() -> None:
    mesh = Mesh({"a": 6, "b": 4, "c": 12, "d": 6})
    steps = collective_plan(mesh, _layout("", "bc", "ad"), _layout("cb", "a", "d"), (24, 48, 36))
    assert is_sound(steps, _layout("", "bc", "ad"), mesh)
    assert steps[-1].layout == _layout("cb", "a", "d")


def test_sub_axes_that_cannot_coexist_are_gathered_before_the_others_are_sliced() -> None:
    mesh = Mesh({"a": 6})
    source, target = ((AxisRef("a", 1, 2),),), ((AxisRef("a", 1, 3),),)
    names = [step.name for step in collective_plan(mesh, source, target, (36,))]
    assert names == ["sdy.all_gather", "sdy.all_slice"]


def test_what_a_plan_costs_is_what_devices_receive() -> None:
    mesh = Mesh({"a": 2})
    for target, elements in ((_layout("", ""), 128), (_layout("", "a"), 64), (_layout("a", ""), 0)):
        steps = collective_plan(mesh, _layout("a", ""), target, (16, 16))
        assert elements_moved(steps, _layout("a", ""), (16, 16), mesh) == elements
