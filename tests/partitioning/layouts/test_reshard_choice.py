"""Ways of tensors to other layouts by seconds: links decide between permutes, all-to-alls and gathers."""

from __future__ import annotations

import pytest

from pyshardy import hardware
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.emitting.layout import Layout
from pyshardy.ir.types import F32, TensorType
from pyshardy.partitioning.layouts import reshard_choice
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan, reshard_routes
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh

MESH = Mesh({"x": 4, "y": 4, "z": 2})
OTHER = Mesh({"a": 4, "b": 8})


def layout(*dims: str, mesh: Mesh = MESH) -> Layout:
    return Layout(mesh, [tuple(AxisRef(name) for name in names) for names in dims])


def choice(name: str, *, decides: bool = True) -> ReshardChoice:
    return ReshardChoice(MESH, action_seconds(Fabric(hardware(name), MESH)), decides=decides)


def way(name: str, source: Layout, target: Layout, size: int) -> list[str]:
    found = choice(name).plan(source, target, TensorType((size, size), F32))
    return [type(action).__name__ for _, action in found.actions]


@pytest.mark.parametrize("name", ["v5e", "v5p"])
def test_a_small_tensor_is_gathered_next_door_on_a_torus_where_a_permute_goes_far(name: str) -> None:
    source, target = layout("z", ""), layout("x", "")
    assert [type(one).__name__ for _, one in reshard_plan(source, target, (64, 64)).actions] == ["Slice", "Permute"]
    assert way(name, source, target, 64) == ["Gather", "Slice"]


def test_bytes_decide_for_a_large_one() -> None:
    assert way("v5p", layout("z", ""), layout("x", ""), 16384) == ["Slice", "Permute"]


def test_all_to_alls_on_a_torus_are_quicker_than_a_permute_that_crosses_it() -> None:
    source, target = layout("", "x"), layout("z", "y")
    assert [type(one).__name__ for _, one in reshard_plan(source, target, (1024, 1024)).actions] == ["Slice", "Permute"]
    assert way("v5p", source, target, 1024) == ["Slice", "Exchange", "Exchange", "Gather"]
    assert way("h100", source, target, 1024) == ["Slice", "Permute"]


def test_a_permute_behind_a_switch_is_quicker_than_the_second_of_two_all_to_alls() -> None:
    source, target = layout("", "x"), layout("xy", "z")
    routes = {name: way(name, source, target, 1024) for name in ("v5p", "h100")}
    assert routes == {"v5p": ["Slice", "Exchange", "Exchange"], "h100": ["Slice", "Permute", "Exchange"]}


@pytest.mark.parametrize(("source", "target"), [(layout("x", ""), layout("", "x")), (layout("x", "y"), layout("", ""))])
def test_a_collective_alone_and_gathers_are_not_weighed(source: Layout, target: Layout) -> None:
    assert reshard_routes(source, target, (64, 64)) == (reshard_plan(source, target, (64, 64)),)


def test_the_first_way_is_that_of_fewest_elements() -> None:
    routes = reshard_routes(layout("z", ""), layout("x", ""), (64, 64))
    assert len(routes) > 1 and routes[0].elements == min(one.elements for one in routes)


def test_a_run_that_does_not_decide_notes_what_would_be_saved() -> None:
    source, target, type = layout("z", ""), layout("x", ""), TensorType((64, 64), F32)
    noting = choice("v5p", decides=False)
    assert noting.plan(source, target, type) == reshard_plan(source, target, (64, 64))
    once = noting.saved
    noting.plan(source, target, type)
    assert once > 0 and noting.saved == 2 * once
    other = noting.of_another_run(decides=True)
    assert other.saved == 0 and other.plan(source, target, type) != reshard_plan(source, target, (64, 64))


def test_other_ways_are_looked_for_when_somebody_asks_what_they_save(monkeypatch: pytest.MonkeyPatch) -> None:
    source, target, type = layout("z", ""), layout("x", ""), TensorType((64, 64), F32)
    noting = choice("v5p", decides=False)
    with monkeypatch.context() as patch:
        patch.setattr(reshard_choice, "reshard_routes", None)
        assert noting.plan(source, target, type) == reshard_plan(source, target, (64, 64))
    assert noting.saved > 0


def test_tensors_on_another_mesh_are_left_alone() -> None:
    source, target = layout("a", "", mesh=OTHER), layout("b", "", mesh=OTHER)
    found = choice("v5p")
    assert found.plan(source, target, TensorType((64, 64), F32)) == reshard_plan(source, target, (64, 64))
    assert not found.saved
