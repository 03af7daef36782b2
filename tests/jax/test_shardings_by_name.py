"""Shardings from outside: named by the paths of the function's trees, for a function that says nothing of a mesh."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from pyshardy import ShardingProblem

_STRATEGIES = {
    "mesh": {"data": 4, "model": 2},
    "shardings": {"x": ["data"]},
    "strategy": {"tensor": {"shardings": {"params/up": [[], "model"], "params/down": ["model"]}}},
}


def _step(params: Any, x: jax.Array) -> Any:
    def loss(params: Any) -> jax.Array:
        return jnp.mean((jnp.tanh(x @ params["up"]) @ params["down"]) ** 2)

    value, gradient = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - g, params, gradient), value


def _arguments() -> tuple[Any, jax.Array]:
    keys = jax.random.split(jax.random.key(0), 3)
    params = {"up": jax.random.normal(keys[0], (16, 64)), "down": jax.random.normal(keys[1], (64, 16))}
    return params, jax.random.normal(keys[2], (32, 16))


def _mesh() -> Any:
    return jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def test_a_strategy_by_name_shards_the_function_and_its_results_agree() -> None:
    params, x = _arguments()
    plan = pyshardy.jax.partition(_step, params, x, shardings=_STRATEGIES, strategy="tensor")
    assert {one.kind for one in plan.collectives} == {"all_reduce"}
    updated, value = jax.block_until_ready(plan.compile(_mesh())(params, x))
    assert updated["up"].sharding.spec == P(None, "model")
    expected, loss = _step(params, x)
    assert value == pytest.approx(float(loss), rel=1e-5)
    assert jnp.allclose(updated["down"], expected["down"], rtol=1e-4, atol=1e-5)


def test_the_decorator_takes_them_too() -> None:
    step = pyshardy.jax.jit(_step, mesh=_mesh(), shardings=_STRATEGIES, strategy="tensor")
    updated, _ = jax.block_until_ready(step(*_arguments()))
    assert updated["down"].sharding.spec == P("model", None)
    assert step._cache_size() == 1


def test_the_given_mesh_stands_instead_of_the_one_in_the_file() -> None:
    mesh = {"data": 2, "model": 4}
    plan = pyshardy.jax.partition(_step, *_arguments(), mesh=mesh, shardings=_STRATEGIES, strategy="tensor")
    assert plan.mesh is not None and dict(plan.mesh.sizes) == mesh


def test_what_the_function_does_not_have_is_named() -> None:
    wrong = {"mesh": {"data": 4}, "shardings": {"params/upp": ["data"]}}
    with pytest.raises(ShardingProblem, match="params/up"):
        pyshardy.jax.partition(_step, *_arguments(), shardings=wrong)
