"""Which actions take a tensor from one layout to another, and what they move."""

from __future__ import annotations

from random import Random

import pytest

from pyshardy.emitting.layout import Layout
from pyshardy.ir.types import FloatType, TensorType
from pyshardy.partitioning.layouts import reshard_plan as reshard_plans
from pyshardy.partitioning.layouts.reshard_actions import (
    AllGather,
    AllReduce,
    CollectivePermute,
    ReduceScatter,
    Resize,
    TakeShard,
)
from pyshardy.partitioning.layouts.reshard_plan import (
    bytes_moved,
    bytes_moved_if_known,
    least_bytes_moved,
    reshard_plan,
)
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.versions import is_compiled

MESH = Mesh({"x": 4, "y": 2})
X, Y = AxisRef("x"), AxisRef("y")


def _kinds(source: Layout, target: Layout, shape: tuple[int, ...]) -> list[type]:
    return [type(action) for _, action in reshard_plan(source, target, shape).actions]


def test_replicated_to_sharded_is_a_slice_and_moves_nothing() -> None:
    plan = reshard_plan(Layout(None, [()]), Layout(MESH, [(X,)]), (8,))
    assert [type(action) for _, action in plan.actions] == [TakeShard]
    assert plan.elements == 0


def test_a_dimension_that_does_not_divide_is_filled_up_before_the_slice_and_cut_behind_the_gather() -> None:
    whole, sharded = Layout(None, [()]), Layout(MESH, [(X,)])
    assert _kinds(whole, sharded, (10,)) == [Resize, TakeShard]
    assert _kinds(sharded, whole, (10,)) == [AllGather, Resize]
    assert reshard_plan(sharded, whole, (10,)).elements == 12 * 3 / 4


def test_terms_of_a_sum_become_a_reduce_scatter_where_the_target_is_sharded_alike() -> None:
    terms = Layout(MESH, [(), ()], [X])
    assert _kinds(terms, Layout(MESH, [(X,), ()]), (8, 8)) == [ReduceScatter]
    assert _kinds(terms, Layout(MESH, [(), ()]), (8, 8)) == [AllReduce]


def test_terms_are_sliced_along_free_axes_before_they_are_combined() -> None:
    assert _kinds(Layout(MESH, [()], [X]), Layout(MESH, [(Y, X)]), (8,)) == [TakeShard, ReduceScatter]


def test_shards_that_begin_elsewhere_afterwards_go_through_the_whole_dimension() -> None:
    kinds = _kinds(Layout(MESH, [(X,)]), Layout(MESH, [(X, Y)]), (9,))
    assert kinds == [AllGather, Resize, Resize, TakeShard]


def test_on_a_small_mesh_axes_change_places_by_a_permute_on_a_large_one_without() -> None:
    for x, y, permutes in ((4, 2, True), (256, 256, False)):
        mesh = Mesh({"x": x, "y": y})
        source, target = Layout(mesh, [(X, Y)]), Layout(mesh, [(Y, X)])
        assert (CollectivePermute in _kinds(source, target, (x * y,))) == permutes


def _random_layout(rng: Random, rank: int) -> Layout:
    parts = [(X,), (Y,), (X, Y), (Y, X), (AxisRef("x", 1, 2),), (AxisRef("x", 2, 2), Y)]
    dims: list[tuple[AxisRef, ...]] = [()] * rank
    taken: list[AxisRef] = []
    for dim in rng.sample(range(rank), rank):
        axes = rng.choice(parts)
        if rng.random() < 0.6 and not any(overlaps(one, other) for one in axes for other in taken):
            dims[dim] = axes
            taken += axes
    free = [axis for axis in (X, Y) if not any(overlaps(axis, one) for one in taken)]
    return Layout(MESH, dims, free if rng.random() < 0.2 else ())


@pytest.mark.skipif(is_compiled(), reason="functions of compiled modules cannot be replaced")
def test_what_nothing_is_better_than_is_not_looked_at_further(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(7)
    cases = []
    for _ in range(1500):
        shape = tuple(rng.choice((1, 2, 3, 6, 8, 16)) for _ in range(rng.randint(1, 3)))
        cases.append((_random_layout(rng, len(shape)), _random_layout(rng, len(shape)), shape))
    short = [reshard_plans._new_plan(*case) for case in cases]
    monkeypatch.setattr(reshard_plans, "_is_certainly_best", lambda actions: False)
    assert [reshard_plans._new_plan(*case) for case in cases] == short


def test_no_less_is_moved_than_is_known_without_a_plan() -> None:
    rng, exact = Random(11), 0
    for _ in range(800):
        shape = tuple(rng.choice((1, 2, 3, 6, 8, 16)) for _ in range(rng.randint(1, 3)))
        move = TensorType(shape, FloatType("f32")), _random_layout(rng, len(shape)), _random_layout(rng, len(shape))
        least, moved = least_bytes_moved(*move), bytes_moved(*move)
        assert least <= moved
        assert bytes_moved_if_known(*move) == moved
        exact += least == moved > 0
    assert exact > 100
