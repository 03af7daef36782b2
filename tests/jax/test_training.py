"""The training example: twenty steps of a transformer with JAX's own losses, in one program."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import Any

import jax
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import Meshes, collectives_in, planned_collectives


def example() -> Any:
    """The module of the example."""
    path = Path(__file__).parents[2] / "examples" / "jax_training.py"
    spec = importlib.util.spec_from_file_location("jax_training", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_twenty_steps_have_the_losses_of_jax(mesh: Meshes) -> None:
    training = example()
    specs = (training.STATE, P("data"))
    outputs = (training.STATE, P())
    ours = pyshardy.jax.jit(training.step, mesh=mesh, in_shardings=specs, out_shardings=outputs, donate_argnums=0)
    named = jax.tree.map(partial(NamedSharding, mesh), (specs, outputs))
    theirs = jax.jit(training.step, in_shardings=named[0], out_shardings=named[1], donate_argnums=0)
    assert training.train(ours, mesh, 20) == pytest.approx(training.train(theirs, mesh, 20), abs=1e-4)
    assert len(ours.plans) == 1 and ours._cache_size() == 1


@pytest.mark.slow
def test_xla_takes_the_program_of_a_step_as_it_is(mesh: Meshes) -> None:
    training = example()
    state, words = training.initial_state(jax.random.key(0)), training.batches(1)[0]
    specs = (training.STATE, P("data"))
    plan = pyshardy.jax.partition(training.step, state, words, mesh=mesh, in_shardings=specs, donate_argnums=0)
    placed = jax.tree.map(lambda one, spec: jax.device_put(one, NamedSharding(mesh, spec)), (state, words), specs)
    compiled = plan.compile().lower(*placed).compile().as_text()
    found, planned = collectives_in(compiled), planned_collectives(plan)
    assert found <= planned and found.total() > 0
    print(f"{planned.total()} collectives planned, {found.total()} in the program of XLA")
    assert "input_output_alias" in compiled
