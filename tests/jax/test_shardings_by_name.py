"""Shardings from outside: named by the paths of the function's trees, whatever the function itself says of a mesh."""

from __future__ import annotations

import jax
import pytest
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from pyshardy import ShardingProblem
from tests.jax.programs import SPECS, Meshes, apart, arguments, collectives_in, planned_collectives, step

_STRATEGIES = {
    "mesh": {"data": 4, "model": 2},
    "shardings": {"x": ["data"]},
    "strategy": {
        "tensor": {"shardings": {"params/up": [[], "model"], "params/down": ["model"], "result/0/up": [[], "model"]}},
        "zero": {"shardings": {"params/**": ["data"], "result/0/**": ["data"]}},
    },
}


def test_a_strategy_by_name_shards_the_function_and_its_results_agree(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), shardings=_STRATEGIES, strategy="tensor")
    assert {one.kind for one in plan.collectives} == {"all_reduce"}
    found = jax.block_until_ready(plan.compile(mesh)(*arguments()))
    assert found[0]["up"].sharding.spec == P(None, "model")
    assert apart(found, step(*arguments())) < 1e-4


def test_they_stand_instead_of_what_the_function_says_and_xla_adds_nothing(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(
        step,
        *arguments(),
        mesh=mesh,
        shardings=_STRATEGIES,
        strategy="zero",
        in_shardings=SPECS,
        out_shardings=(SPECS[0], P()),
    )
    run = plan.compile()
    assert [one.spec[0] for one in run.in_shardings] == ["data", "data", "data"]
    assert collectives_in(run.lower(*arguments()).compile().as_text()) <= planned_collectives(plan)
    found = jax.block_until_ready(run(*arguments()))
    assert found[0]["down"].sharding.spec[0] == "data"
    assert apart(found, step(*arguments())) < 1e-4


def test_the_decorator_takes_them_too(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(step, mesh=mesh, shardings=_STRATEGIES, strategy="tensor")
    found = jax.block_until_ready(run(*arguments()))
    assert found[0]["up"].sharding.spec == P(None, "model")
    assert run._cache_size() == 1


def test_the_given_mesh_stands_instead_of_the_one_in_the_file() -> None:
    sizes = {"data": 2, "model": 4}
    plan = pyshardy.jax.partition(step, *arguments(), mesh=sizes, shardings=_STRATEGIES, strategy="tensor")
    assert plan.mesh is not None and dict(plan.mesh.sizes) == sizes


def test_what_the_function_does_not_have_is_named() -> None:
    wrong = {"mesh": {"data": 4}, "shardings": {"params/upp": ["data"]}}
    with pytest.raises(ShardingProblem, match="params/up"):
        pyshardy.jax.partition(step, *arguments(), shardings=wrong)
