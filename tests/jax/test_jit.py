"""``pyshardy.jax.jit`` stands where ``jax.jit`` stands."""

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
from tests.jax.programs import SPECS, Meshes, apart, arguments, placed, step


def test_a_loop_of_steps_is_planned_once(mesh: Meshes) -> None:
    ours = pyshardy.jax.jit(step, mesh=mesh, in_shardings=SPECS, donate_argnums=0)
    theirs = jax.jit(step)
    (params, x), (expected, _) = placed(mesh), arguments()
    for _ in range(4):
        params, value = jax.block_until_ready(ours(params, x))
        expected, wanted = theirs(expected, arguments()[1])
        assert apart(value, wanted) < 1e-3
    assert len(ours.plans) == 1 and ours._cache_size() == 1


def test_a_decorator_with_and_without_options(mesh: Meshes) -> None:
    @pyshardy.jax.jit
    def plain(x: Any) -> Any:
        """Doubles."""
        return x * 2

    @pyshardy.jax.jit(mesh=mesh, in_shardings=P("data"))
    def sharded(x: Any) -> Any:
        return x * 2

    assert plain.__name__ == "plain" and plain.__doc__ == "Doubles."
    x = np.ones((8, 4), np.float32)
    assert apart(plain(x), sharded(x)) == 0
    assert sharded(x).sharding.is_equivalent_to(NamedSharding(mesh, P("data")), 2)


def test_each_shape_and_static_value_has_its_plan(mesh: Meshes) -> None:
    @partial(pyshardy.jax.jit, mesh=mesh, in_shardings=P("data"), static_argnames="times")
    def scaled(x: Any, times: int = 2) -> Any:
        return x * times

    x = np.ones((8, 4), np.float32)
    for rows, times in [(8, 2), (4, 2), (8, 3), (4, 2), (8, 2)]:
        assert apart(scaled(x[:rows], times=times), times * x[:rows]) == 0
    assert len(scaled.plans) == 3


def test_arguments_that_lie_elsewhere_are_planned_anew(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(jnp.sin, mesh=mesh)
    x = np.ones((8, 4), np.float32)
    for spec in (P("data"), P("model"), P("data")):
        given = jax.device_put(x, NamedSharding(mesh, spec))
        assert run(given).sharding.is_equivalent_to(given.sharding, 2)
    assert len(run.plans) == 2


def test_a_plan_before_the_first_call(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(step, mesh=mesh, in_shardings=SPECS)
    plan = run.plan(*jax.tree.map(lambda one: jax.ShapeDtypeStruct(one.shape, one.dtype), arguments()))
    assert plan.devices == 8 and not run.plans


def test_a_mistake_in_the_options_is_found_at_once(mesh: Meshes) -> None:
    with pytest.raises(pyshardy.jax.JaxProblem, match=r"in_shardings\[0\] = .*no axis 'dat'.*did you mean 'data'"):
        pyshardy.jax.jit(step, mesh=mesh, in_shardings=(P("dat"), P()))


def test_a_method_is_bound(mesh: Meshes) -> None:
    class Model:
        rate = 3.0

        @pyshardy.jax.jit(mesh=mesh, static_argnums=0)
        def scaled(self, x: Any) -> Any:
            return x * self.rate

    x = np.ones((8, 4), np.float32)
    assert apart(Model().scaled(x), 3 * x) == 0


def test_the_program_of_a_call_can_be_read(mesh: Meshes) -> None:
    run = pyshardy.jax.jit(step, mesh=mesh, in_shardings=SPECS)
    assert "sdy.manual_computation" in run.lower(*placed(mesh)).as_text()


def test_an_option_that_there_is_not(mesh: Meshes) -> None:
    with pytest.raises(TypeError, match=r"no option 'in_sharding'; did you mean 'in_shardings'\?"):
        pyshardy.jax.jit(step, mesh=mesh, in_sharding=SPECS)
