"""A partitioned function inside of JAX's transformations, and beside another one."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import Meshes, apart, collectives_in, meshes, planned_collectives

X = np.asarray(jax.random.normal(jax.random.key(0), (16, 16)))
W = np.asarray(jax.random.normal(jax.random.key(1), (16, 16)))


def layer(x: Any, w: Any) -> Any:
    """A layer whose product is summed over devices."""
    return jnp.tanh(x @ w)


def plan_of(mesh: Meshes, rows: str, columns: str) -> pyshardy.jax.JaxPlan:
    """The layer with its contracted dimension along ``columns``."""
    return pyshardy.jax.partition(layer, X, W, mesh=mesh, in_shardings=(P(rows, columns), P(columns)))


def test_inside_jit_no_collective_is_added(mesh: Meshes) -> None:
    plan = plan_of(mesh, "data", "model")
    run = plan.compile()

    def doubled(x: Any, w: Any) -> Any:
        return run(x, w) * 2

    outer = jax.jit(doubled, in_shardings=run.in_shardings)
    assert apart(outer(X, W), layer(X, W) * 2) < 1e-5
    assert collectives_in(outer.lower(X, W).compile().as_text()) <= planned_collectives(plan)


def test_a_scan_of_steps(mesh: Meshes) -> None:
    run = plan_of(mesh, "data", "model").compile()

    def scanned(function: Any) -> Any:
        return jax.jit(lambda x, w: jax.lax.scan(lambda c, _: (function(c, w), None), x, None, length=3)[0])

    assert apart(scanned(run)(X, W), scanned(layer)(X, W)) < 1e-4


def test_a_checkpoint_around_it(mesh: Meshes) -> None:
    run = plan_of(mesh, "data", "model").compile()

    def gradient(function: Any) -> Any:
        return jax.grad(lambda x: jax.checkpoint(function)(x, W).sum())(X)

    assert apart(gradient(run), gradient(layer)) < 1e-4


def test_shapes_without_a_run(mesh: Meshes) -> None:
    found = jax.eval_shape(plan_of(mesh, "data", "model").compile(), X, W)
    assert (found.shape, found.dtype) == ((16, 16), np.float32)


def test_under_a_mesh_of_the_surroundings(mesh: Meshes) -> None:
    run = plan_of(mesh, "data", "model").compile()
    with jax.set_mesh(mesh):
        assert apart(run(X, W), layer(X, W)) < 1e-5


def test_two_programs_with_different_meshes_in_one_function(mesh: Meshes) -> None:
    one, two = plan_of(mesh, "data", "model").compile(), plan_of(meshes(a=2, b=4), "a", "b").compile()
    assert apart(jax.jit(lambda x, w: one(x, w) + two(x, w))(X, W), 2 * layer(X, W)) < 1e-5


def test_two_programs_with_the_same_mesh_in_one_function(mesh: Meshes) -> None:
    one, two = plan_of(mesh, "data", "model").compile(), plan_of(mesh, "model", "data").compile()
    assert apart(jax.jit(lambda x, w: one(two(x, w), w))(X, W), layer(layer(X, W), W)) < 1e-5


def test_the_decorator_inside_of_jit(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(layer, mesh=mesh, in_shardings=(P("data", "model"), P("model")))
    assert apart(jax.jit(lambda x, w: run(x, w) * 2)(X, W), layer(X, W) * 2) < 1e-5


def test_a_call_inside_of_shard_map_says_where_it_belongs(mesh: Meshes) -> None:
    run = plan_of(mesh, "data", "model").compile()
    inside = jax.shard_map(lambda x, w: run(x, w), mesh=mesh, in_specs=P(), out_specs=P())
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"layer is partitioned over the whole mesh .* inside of jax\.sh"):
        inside(X, W)


def test_a_batch_of_calls_says_what_to_batch(mesh: Meshes) -> None:
    run = plan_of(mesh, "data", "model").compile()
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"partition jax\.vmap\(f\) instead"):
        jax.vmap(run, in_axes=(0, None))(np.stack([X, X]), W)
