"""``jit(strategy="auto")`` and ``pyshardy.jax.search``: a strategy is found, and the function runs so."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy
import pyshardy.jax
from pyshardy.searching import search as whole_search
from tests.jax.programs import apart, arguments, meshes, placed, step

SLOW: dict[str, Any] = {
    "name": "slow chip",
    "chip": {"memory": 1e9, "bandwidth": 1e9, "flops": {"f32": 1e8}},
    "links": [{"name": "bus", "topology": "switched", "bandwidth": 1e9, "latency": 1e-6}],
}
"""Work is worth sharing on it, even that of a small program."""
AUTO: dict[str, Any] = {"strategy": "auto", "hardware": SLOW, "search_seconds": 2}


def scaled(w: Any, x: Any, times: int = 2) -> Any:
    """One layer: each row by itself."""
    return jnp.tanh(x @ w) * times


def call(rows: int = 64) -> tuple[Any, Any]:
    """Arguments of ``scaled``."""
    return np.ones((8, 8), np.float32) / 8, np.linspace(0, 1, rows * 8, dtype=np.float32).reshape(rows, 8)


def test_training_steps_with_a_strategy_that_was_found_are_those_of_jax() -> None:
    mesh = meshes(data=4)
    ours = pyshardy.jax.jit(step, mesh=mesh, donate_argnums=0, **AUTO)
    theirs = jax.jit(step)
    (params, x), (expected, _) = arguments(), arguments()
    found = ours.found(params, x)
    for _ in range(3):
        params, value = jax.block_until_ready(ours(params, x))
        expected, wanted = theirs(expected, x)
        assert apart(value, wanted) < 1e-3
    assert apart(params, expected) < 1e-3
    assert len(ours.plans) == 1
    assert found.mesh == {"data": 4}
    assert any("data" in one.sharding.spec for one in params.values())


def test_it_runs_as_with_the_shardings_that_were_found() -> None:
    mesh = meshes(data=2)
    auto = pyshardy.jax.jit(scaled, mesh=mesh, **AUTO)
    found = auto.found(*call())
    given = pyshardy.jax.jit(scaled, mesh=mesh, shardings=found.tables)
    assert auto.plan(*call()).arguments == given.plan(*call()).arguments
    assert auto(*call()).sharding.is_equivalent_to(given(*call()).sharding, 2)
    assert "data" in jax.tree.leaves(tuple(auto.plan(*call()).compile().in_shardings[1].spec))


def test_each_kind_of_call_is_searched_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    search_strategy = whole_search.search_strategy

    def counted(*args: Any, **options: Any) -> Any:
        searched.append(args)
        return search_strategy(*args, **options)

    monkeypatch.setattr("pyshardy.api.search.search_strategy", counted)
    mesh = meshes(data=2)
    run = pyshardy.jax.jit(scaled, mesh=mesh, static_argnames="times", **AUTO)
    elsewhere = jax.device_put(call()[1], NamedSharding(mesh, P(None, "data")))
    for w, x in (call(), call(), call(32), call(), (call()[0], elsewhere)):
        assert apart(run(w, x), scaled(w, x)) < 1e-6
    assert len(searched) == 2
    assert apart(run(*call(), times=3), scaled(*call(), times=3)) < 1e-6
    assert len(searched) == 3


def test_arguments_that_lie_elsewhere_are_brought_to_where_the_strategy_has_them() -> None:
    mesh = meshes(data=4, model=2)
    run = pyshardy.jax.jit(step, mesh=mesh, **AUTO)
    found = jax.block_until_ready(run(*placed(mesh)))
    assert apart(found, step(*arguments())) < 1e-3
    again = jax.block_until_ready(run(found[0], arguments()[1]))
    assert apart(again, step(step(*arguments())[0], arguments()[1])) < 1e-3


def test_what_in_shardings_ask_for_is_kept() -> None:
    mesh = meshes(data=2)
    run = pyshardy.jax.jit(scaled, mesh=mesh, in_shardings=(P("data"), None), **AUTO)
    run(*call())
    assert run.plan(*call()).compile().in_shardings[0].spec[0] == "data"


def test_search_finds_a_mesh_and_donates() -> None:
    found = pyshardy.jax.search(step, *arguments(), hardware=SLOW, devices=4, donate_argnums=0, seconds=2)
    assert isinstance(found, pyshardy.SearchResult)
    assert int(np.prod(list(found.mesh.values()))) == 4
    plan = pyshardy.jax.partition(step, *arguments(), shardings=found.shardings)
    assert plan.devices == 4


def test_search_takes_a_mesh_shapes_static_values_and_the_options_of_a_search() -> None:
    w, x = (jax.ShapeDtypeStruct(one.shape, one.dtype) for one in call())
    told: list[tuple[int, int]] = []
    found = pyshardy.jax.search(
        scaled,
        w,
        x,
        3,
        hardware=SLOW,
        mesh={"data": 2},
        static_argnums=2,
        seconds=2,
        objective="memory",
        keep={"mesh": {"data": 2}, "shardings": {"w": [[], "data"]}},
        progress=lambda done, most: told.append((done, most)),
    )
    assert found.mesh == {"data": 2} and told
    assert found.tables["shardings"]["w"] == [[], "data"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "fsdp"}, r'strategy=\'fsdp\' is one of those in shardings=.* strategy="auto" searches$'),
        ({"strategy": "auto"}, r'needs|say what the function runs on, as hardware="v5p"'),
        ({"hardware": "v5p"}, r'^hardware= is for a search: give strategy="auto" with it$'),
        ({"search_seconds": 3}, r'^search_seconds= is for a search: give strategy="auto" with it$'),
        ({**AUTO, "shardings": {}}, r"^shardings= say how tensors lie.*give one of both$"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pyshardy.jax.JaxProblem, match=message):
        pyshardy.jax.jit(scaled, mesh={"data": 2}, **options)


def test_a_search_without_a_mesh_and_on_other_hardware() -> None:
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"searches on a mesh, and scaled has none: give mesh=$"):
        pyshardy.jax.jit(scaled, **AUTO)(*call())
    with pytest.raises(ValueError, match="v5q"):
        pyshardy.jax.jit(scaled, mesh=meshes(data=2), strategy="auto", hardware="v5q")(*call())
    with pytest.raises(ValueError, match="how many devices there are is not said"):
        pyshardy.jax.search(scaled, *call(), hardware="v5p")
    with pytest.raises(ValueError, match="the hardware is 8 devices, and devices= says 4"):
        pyshardy.jax.search(scaled, *call(), hardware="v5px8", devices=4)


def test_only_a_search_has_found_something() -> None:
    run = pyshardy.jax.jit(scaled, mesh={"data": 2})
    with pytest.raises(pyshardy.jax.JaxProblem, match="no strategy of scaled is searched for"):
        run.found(*call())


def test_partition_says_that_a_strategy_needs_shardings() -> None:
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"pyshardy\.jax\.search finds one$"):
        pyshardy.jax.partition(scaled, *call(), mesh={"data": 2}, strategy="auto")


def test_a_decorator_with_a_strategy_to_be_found() -> None:
    @partial(pyshardy.jax.jit, mesh=meshes(data=2), **AUTO)
    def doubled(x: Any) -> Any:
        return x * 2

    assert apart(doubled(call()[1]), 2 * call()[1]) == 0
