"""Plans that move the fewest bytes: as cheap as any way there is. That they are right is proved with the others."""

from __future__ import annotations

import pytest

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import CollectiveStep, elements_moved
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from tests.resharding.collectives.cheapest import Cheapest
from tests.sampling import sampled


def _layout(*dims: str) -> Layout:
    return tuple(tuple(map(AxisRef, dim)) for dim in dims)


def _optimal(
    mesh: Mesh, source: Layout, target: Layout, *shape: int, target_mesh: Mesh | None = None
) -> list[CollectiveStep]:
    return list(collective_plan(mesh, source, target, shape, target_mesh, strategy="optimal"))


def _names(steps: list[CollectiveStep]) -> list[str]:
    return [step.name.removeprefix("sdy.") for step in steps]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("axes", "shape"),
    sampled(
        [
            ({"a": 2, "b": 2, "c": 2}, (64, 64)),
            ({"a": 2, "b": 3}, (36, 36, 36)),
            ({"a": 2, "b": 3, "c": 2}, (36, 36)),
            ({"a": 5, "b": 3, "c": 2}, (90, 90)),
            ({"a": 2, "b": 2}, (3, 5, 7)),
            ({"a": 2, "b": 2}, (64, 64, 64, 64)),
        ],
        2,
    ),
    ids=str,
)
def test_no_sequence_of_collectives_is_cheaper(axes: dict[str, int], shape: tuple[int, ...]) -> None:
    mesh = Mesh(axes)
    cheapest = Cheapest(mesh, shape)
    for source in cheapest.layouts:
        for target, cost in cheapest.from_layout(source).items():
            steps = collective_plan(mesh, source, target, shape, strategy="optimal")
            assert elements_moved(steps, source, shape, mesh) == cost, (source, target)


def test_an_order_is_reversed_by_two_moves_instead_of_a_permute_and_a_move() -> None:
    steps = _optimal(Mesh({"a": 2, "b": 2}), _layout("", "ab"), _layout("ba", ""), 16, 16)
    assert _names(steps) == ["all_to_all", "all_to_all"]


def test_what_is_to_be_gathered_is_moved_along_first() -> None:
    steps = _optimal(Mesh({"a": 2, "b": 2}), _layout("ab", ""), _layout("", "a"), 16, 16)
    assert _names(steps) == ["all_to_all", "all_gather"]


def test_an_axis_that_nobody_asked_for_makes_shards_small_while_they_travel() -> None:
    mesh = Mesh({"a": 2, "b": 2, "c": 2})
    steps = _optimal(mesh, _layout("", "ab"), _layout("a", "b"), 64, 64)
    assert _names(steps) == ["all_slice", "collective_permute", "all_gather"]
    assert elements_moved(steps, _layout("", "ab"), (64, 64), mesh) == 1024


def test_what_stays_a_sum_over_an_axis_is_never_split_along_it() -> None:
    mesh = Mesh({"a": 2, "b": 2, "c": 2})
    kept = AxisRef("c")
    steps = collective_plan(mesh, _layout("", "ab"), _layout("a", "b"), (64, 64), kept=[kept], strategy="optimal")
    assert steps
    assert all(kept not in axes for step in steps for axes in step.layout)


def test_moves_between_four_dimensions_are_one_all_to_all() -> None:
    steps = _optimal(Mesh({"a": 2, "b": 2}), _layout("a", "b", "", ""), _layout("", "", "a", "b"), 8, 8, 8, 8)
    assert _names(steps) == ["all_to_all"]


def test_of_equally_cheap_ways_the_one_with_fewer_collectives_is_taken() -> None:
    steps = _optimal(Mesh({"a": 2, "b": 2}), _layout("a", "b"), _layout("b", "a"), 16, 16)
    assert _names(steps) == ["collective_permute"]


def test_another_order_of_devices_moves_nothing_where_the_shards_stay() -> None:
    mesh, other = Mesh({"a": 2, "b": 2}), Mesh({"a": 2, "b": 2}, (1, 0, 3, 2))
    steps = _optimal(mesh, _layout("a", ""), _layout("", "a"), 16, 16, target_mesh=other)
    assert _names(steps) == ["collective_permute", "all_to_all"]
    assert steps[0].layout == _layout("a", "")


def test_a_sum_is_scattered_where_its_axis_is_wanted() -> None:
    mesh = Mesh({"a": 2, "b": 2})
    steps = collective_plan(
        mesh, _layout("", ""), _layout("ba", ""), (16, 16), unreduced=[AxisRef("a")], strategy="optimal"
    )
    assert _names(list(steps)) == ["all_slice", "reduce_scatter"]


def test_sub_axes_that_do_not_fit_together_are_left_to_the_plain_way() -> None:
    mesh = Mesh({"a": 6})
    source, target = ((AxisRef("a", 1, 2),),), ((AxisRef("a", 1, 3),),)
    assert _names(_optimal(mesh, source, target, 36)) == ["all_gather", "all_slice"]
