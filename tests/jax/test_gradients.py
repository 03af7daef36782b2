"""Gradients of a partitioned function are partitioned by us, of any order."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import SPECS, Meshes, apart, arguments, collectives_in, loss, placed, planned_collectives


@pytest.mark.slow
def test_a_gradient_is_the_one_of_jax_and_lies_where_the_argument_lies(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS).compile()
    value, found = jax.value_and_grad(run)(*placed(mesh))
    expected, gradient = jax.value_and_grad(loss)(*arguments())
    assert apart(value, expected) < 1e-4 and apart(found, gradient) < 1e-4
    assert found["up"].sharding.is_equivalent_to(NamedSharding(mesh, P(None, "model")), 2)


def test_the_program_of_a_gradient_is_the_planned_one(mesh: Meshes) -> None:
    plan = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS)
    gradient = plan.vjp()
    assert repr(gradient).startswith("<JaxPlan of vjp_of_loss: manual program of @main for 8 devices")
    lowered = jax.jit(jax.value_and_grad(plan.compile())).lower(*placed(mesh))
    assert lowered.as_text().count("sdy.manual_computation") == 2
    found = collectives_in(lowered.compile().as_text())
    assert found <= planned_collectives(plan) + planned_collectives(gradient)


@pytest.mark.slow
def test_a_gradient_of_a_gradient(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(loss, *arguments(), mesh=mesh, in_shardings=SPECS).compile()

    def size(function: Any) -> Any:
        return lambda params, x: sum(jnp.sum(g**2) for g in jax.tree.leaves(jax.grad(function)(params, x)))

    assert apart(jax.grad(size(run))(*placed(mesh)), jax.grad(size(loss))(*arguments())) < 1e-3


@pytest.mark.slow
def test_integers_among_the_arguments_have_no_gradient(mesh: Meshes) -> None:
    def picked(table: Any, index: Any) -> Any:
        return jnp.sum(table[index] ** 2), index + 1

    table, index = np.arange(32, dtype=np.float32).reshape(8, 4), np.array([1, 3, 5])
    run = pyshardy.jax.partition(picked, table, index, mesh=mesh, in_shardings=(P("data"), None)).compile()
    found = jax.grad(lambda t: run(t, index)[0])(table)
    assert apart(found, jax.grad(lambda t: picked(t, index)[0])(table)) == 0


def test_the_decorator_has_gradients(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(loss, mesh=mesh, in_shardings=SPECS)
    assert apart(jax.grad(run)(*placed(mesh)), jax.grad(loss)(*arguments())) < 1e-4


def test_forward_mode_is_refused_at_once(mesh: Meshes) -> None:
    run = pyshardy.jax.partition(jnp.sin, np.ones(8, np.float32), mesh=mesh).compile()
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(run, (np.ones(8, np.float32),), (np.ones(8, np.float32),))
