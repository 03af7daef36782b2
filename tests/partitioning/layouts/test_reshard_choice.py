"""Reshard routes by seconds: links decide between permutes, all-to-alls and gathers."""

from __future__ import annotations

import pytest

from pyshardy import hardware, parse, partition
from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.analysis.cost.timed_plan import KnownTimes
from pyshardy.emitting.layout import Layout
from pyshardy.ir.types import F32, TensorType
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan, reshard_routes
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh

MESH = Mesh({"x": 4, "y": 4, "z": 2})
OTHER = Mesh({"a": 4, "b": 8})


def layout(*dims: str, mesh: Mesh = MESH) -> Layout:
    return Layout(mesh, [tuple(AxisRef(name) for name in names) for names in dims])


def choice(name: str) -> ReshardChoice:
    return ReshardChoice(MESH, action_seconds(KnownTimes(hardware(name)).collectives(MESH)))


def way(name: str, source: Layout, target: Layout, size: int) -> list[str]:
    found = choice(name).plan(source, target, TensorType((size, size), F32))
    return [type(action).__name__ for _, action in found.actions]


@pytest.mark.parametrize("name", ["v5e", "v5p"])
def test_a_small_tensor_is_gathered_next_door_on_a_torus_where_a_permute_goes_far(name: str) -> None:
    source, target = layout("z", ""), layout("x", "")
    assert [type(one).__name__ for _, one in reshard_plan(source, target, (64, 64)).actions] == [
        "TakeShard",
        "CollectivePermute",
    ]
    assert way(name, source, target, 64) == ["AllGather", "TakeShard"]


def test_bytes_decide_for_a_large_one() -> None:
    assert way("v5p", layout("z", ""), layout("x", ""), 16384) == ["TakeShard", "CollectivePermute"]


def test_all_to_alls_on_a_torus_are_quicker_than_a_permute_that_crosses_it() -> None:
    source, target = layout("", "x"), layout("z", "y")
    assert [type(one).__name__ for _, one in reshard_plan(source, target, (1024, 1024)).actions] == [
        "TakeShard",
        "CollectivePermute",
    ]
    assert way("v5p", source, target, 1024) == ["TakeShard", "AllToAll", "AllToAll", "AllGather"]
    assert way("h100", source, target, 1024) == ["TakeShard", "CollectivePermute"]


def test_a_permute_behind_a_switch_is_quicker_than_the_second_of_two_all_to_alls() -> None:
    source, target = layout("", "x"), layout("xy", "z")
    routes = {name: way(name, source, target, 1024) for name in ("v5p", "h100")}
    assert routes == {
        "v5p": ["TakeShard", "AllToAll", "AllToAll"],
        "h100": ["TakeShard", "CollectivePermute", "AllToAll"],
    }


@pytest.mark.parametrize(("source", "target"), [(layout("x", ""), layout("", "x")), (layout("x", "y"), layout("", ""))])
def test_a_collective_alone_and_gathers_are_not_weighed(source: Layout, target: Layout) -> None:
    assert reshard_routes(source, target, (64, 64)) == (reshard_plan(source, target, (64, 64)),)


def test_the_first_way_is_that_of_fewest_elements() -> None:
    routes = reshard_routes(layout("z", ""), layout("x", ""), (64, 64))
    assert len(routes) > 1 and routes[0].elements == min(one.elements for one in routes)


def test_a_run_knows_which_permutes_it_avoids() -> None:
    found, type = choice("v5p"), TensorType((64, 64), F32)
    found.plan(layout("z", ""), layout("x", ""), type)
    assert found.avoids_permutes and not found.avoids_permutes_in_a_row
    assert not found.of_another_run().avoids_permutes
    found.plan(layout("x", ""), layout("z", ""), type)
    assert found.avoids_permutes_in_a_row


def test_permutes_in_a_row_become_one_so_that_other_routes_may_not_save_anything() -> None:
    """The array is reversed by a permute. A reshard that begins with one costs nothing besides; to gather next door
    and slice, the quickest route by itself, would."""
    text = """
    sdy.mesh @mesh = <["a"=2, "b"=4]>
    func.func @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
        -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {
      %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<16x32xf32>
      return %0 : tensor<16x32xf32>
    }
    """
    plan = partition(parse(text), hardware="v5e")
    assert [one.kind for one in plan.collectives] == ["collective_permute"]
    assert plan.cost("v5e").step_seconds.expected <= partition(parse(text)).cost("v5e").step_seconds.expected


def test_tensors_on_another_mesh_are_left_alone() -> None:
    source, target = layout("a", "", mesh=OTHER), layout("b", "", mesh=OTHER)
    found = choice("v5p")
    assert found.plan(source, target, TensorType((64, 64), F32)) == reshard_plan(source, target, (64, 64))
    assert not found.avoids_permutes
