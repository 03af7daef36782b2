"""A JAX function becomes a plan, and the plan a function that computes the same."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from pyshardy import Plan
from tests.jax.programs import (
    SPECS,
    Meshes,
    apart,
    arguments,
    collectives_in,
    meshes,
    placed,
    planned_collectives,
    step,
)


def test_a_step_computes_what_jax_computes(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    assert apart(run(*placed(mesh)), jax.jit(step)(*arguments())) < 1e-4


def test_results_lie_where_the_plan_has_them(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS)
    params, value = plan.compile()(*placed(mesh))
    assert params["up"].sharding.is_equivalent_to(NamedSharding(mesh, P(None, "model")), 2)
    assert value.sharding.is_fully_replicated
    assert plan.results[1].local_shape == params["up"].addressable_shards[0].data.shape == (16, 32)


def test_xla_adds_no_collective(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS)
    found = collectives_in(plan.compile().lower(*placed(mesh)).compile().as_text())
    assert found.total() > 0
    assert found <= planned_collectives(plan)


@pytest.mark.parametrize("replica_groups", ["list", "mesh-axes"])
def test_both_forms_of_replica_groups_run(mesh: Meshes, replica_groups: str) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS, replica_groups=replica_groups)
    assert apart(plan.compile()(*placed(mesh)), jax.jit(step)(*arguments())) < 1e-4


def test_a_second_call_traces_nothing(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    params, x = placed(mesh)
    for _ in range(3):
        params, _ = jax.block_until_ready(run(params, x))
    assert run._cache_size() == 1


def test_donated_arguments_give_their_memory(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS, donate_argnums=0).compile()
    params, x = placed(mesh)
    assert "input_output_alias" in run.lower(params, x).compile().as_text()
    jax.block_until_ready(run(params, x))
    assert params["up"].is_deleted() and not x.is_deleted()


def test_a_plan_is_a_plan_with_names_of_the_tree(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS)
    assert isinstance(plan, Plan) and plan.devices == 8
    assert repr(plan).startswith("<JaxPlan of step: manual program of @main for 8 devices")
    assert [one.name for one in plan.source.arguments()] == ["params['down']", "params['up']", "x"]
    assert plan.check().agrees
    assert "params['up']" in plan.report()


def test_a_jitted_function_keeps_its_own_options(mesh: Meshes) -> None:
    named = jax.tree.map(partial(NamedSharding, mesh), SPECS)
    run = pyshardy.jax.partition(jax.jit(step, in_shardings=named, donate_argnums=0), *arguments()).compile()
    params, x = placed(mesh)
    assert apart(jax.block_until_ready(run(params, x)), jax.jit(step)(*arguments())) < 1e-4
    assert params["up"].is_deleted()


def test_arrays_say_where_they_lie(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(step, *placed(mesh)).compile()
    assert run.in_shardings[1].is_equivalent_to(NamedSharding(mesh, P(None, "model")), 2)
    assert apart(run(*placed(mesh)), jax.jit(step)(*arguments())) < 1e-4


@pytest.mark.slow
def test_a_surrounding_mesh_gives_specs_their_meaning(mesh: Meshes) -> None:
    with jax.set_mesh(mesh):
        run = pyshardy.jax.partition(step, *arguments(), in_shardings=SPECS).compile()
    assert apart(run(*placed(mesh)), jax.jit(step)(*arguments())) < 1e-4


def test_specs_inside_of_the_function_mean_the_mesh_too(mesh: Meshes) -> None:
    def f(x: Any) -> Any:
        return jax.lax.with_sharding_constraint(x * 2, P("model"))

    x = np.ones((8, 4), np.float32)
    found = pyshardy.jax.partition(f, x, mesh=mesh).compile()(x)
    assert found.sharding.is_equivalent_to(NamedSharding(mesh, P("model")), 2)


def test_another_mesh_of_the_same_axes_will_do(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(step, *arguments(), mesh={"data": 4, "model": 2}, in_shardings=SPECS)
    turned = jax.sharding.Mesh(mesh.devices[::-1], mesh.axis_names)
    for one in (mesh, turned):
        assert apart(plan.compile(one)(*placed(one)), jax.jit(step)(*arguments())) < 1e-4
    assert plan.compile(turned) is plan.compile(turned)


def test_trees_names_keys_statics_and_unused_arguments_stay(mesh: Meshes) -> None:
    def f(x: Any, times: int, unused: Any, *, more: Any, key: Any, turn: bool = True) -> Any:
        drawn = jax.random.uniform(key, (4,))
        return {"scaled": x * times + more["a"], "none": None, "drawn": -drawn if turn else drawn, "key": key}

    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    given = {"more": {"a": x, "b": None}, "key": jax.random.key(3), "turn": False}
    plan = pyshardy.jax.partition(
        f, x, 3, x, **given, mesh=mesh, static_argnums=1, static_argnames="turn", in_shardings=None
    )
    run = plan.compile()
    assert run.runnable.names == ("x", "unused", "key", "more['a']")
    for found in (run(x, 3, x, **given), run(x, times=3, unused=x, **given)):
        assert found["none"] is None and found["key"].dtype == given["key"].dtype
        assert apart(found["scaled"], x * 3 + x) == 0
        assert apart(found["drawn"], jax.random.uniform(given["key"], (4,))) == 0


def test_explicit_meshes_type_what_is_traced() -> None:
    mesh = meshes(explicit=True, data=4, model=2)
    x = np.ones((8, 4), np.float32)
    run = pyshardy.jax.partition(lambda x: jnp.tanh(x) * 2, x, mesh=mesh, in_shardings=P("data")).compile()
    assert run(x).sharding == NamedSharding(mesh, P("data", None))


def test_a_program_without_shardings_runs_on_all_devices_of_its_mesh(mesh: Meshes) -> None:
    x = np.ones((8, 4), np.float32)
    plan = pyshardy.jax.partition(jnp.sin, x, mesh=mesh)
    assert plan.devices == 8 and apart(plan.compile()(x), np.sin(x)) < 1e-6


def test_arguments_without_a_sharding_lie_as_planned(mesh: Meshes) -> None:
    x = np.ones((8, 4), np.float32)
    plan = pyshardy.jax.partition(jnp.add, x, x, mesh=mesh, in_shardings=(P("data"), None))
    assert plan.arguments[1].local_shape == (2, 4)
    assert plan.compile().in_shardings[1].is_equivalent_to(NamedSharding(mesh, P("data")), 2)


def test_without_a_mesh_there_is_one_device() -> None:
    x = np.ones((8, 4), np.float32)
    plan = pyshardy.jax.partition(jnp.sin, x)
    assert plan.devices == 1 and apart(plan.compile()(x), np.sin(x)) < 1e-6


def test_what_is_manual_or_calls_lapack_stays_so(mesh: Meshes) -> None:
    def f(x: Any) -> Any:
        mixed = jax.shard_map(lambda a: jax.lax.psum(a, "data"), mesh=mesh, in_specs=P("data"), out_specs=P())(x)
        return jnp.linalg.cholesky(mixed @ mixed.T + jnp.eye(4) * 9)

    x = np.asarray(jax.random.normal(jax.random.key(0), (16, 8)))
    run = pyshardy.jax.partition(f, x, mesh=mesh, in_shardings=P("data")).compile()
    assert apart(run(x), jax.jit(f)(x)) < 1e-5
