"""Orbax: a state that lies as the plan has it, saved after three steps, restored to the same devices, trained on."""

import tempfile
from typing import Any

import jax
import optax
import orbax.checkpoint as ocp
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P
from jax.tree_util import tree_map_with_path

import pyshardy.jax

jax.config.update("jax_num_cpu_devices", 8)
X, OPTIMIZER = jax.random.normal(jax.random.key(1), (32, 16)), optax.adam(0.01)
SPECS = {"up": P(None, "model"), "down": P("model", None)}


def initial() -> Any:
    up, down = jax.random.split(jax.random.key(0))
    params = {"up": jax.random.normal(up, (16, 64)) / 4, "down": jax.random.normal(down, (64, 16)) / 8}
    return params, OPTIMIZER.init(params)


def step(state: Any, x: Any) -> Any:
    params, moments = state
    value, gradient = jax.value_and_grad(lambda p: ((jax.nn.gelu(x @ p["up"]) @ p["down"] - x) ** 2).mean())(params)
    updates, moments = OPTIMIZER.update(gradient, moments)
    return (optax.apply_updates(params, updates), moments), value


with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)):
    specs = tree_map_with_path(lambda path, _: SPECS.get(getattr(path[-1], "key", ""), P()), jax.eval_shape(initial))
    state = pyshardy.jax.jit(initial, out_shardings=specs)()
    run = pyshardy.jax.jit(step, in_shardings=(specs, P("data")), out_shardings=(specs, P()))
    for number in range(6):
        if number == 3:
            with tempfile.TemporaryDirectory() as folder, ocp.StandardCheckpointer() as checkpointer:
                checkpointer.save(f"{folder}/state", state)
                checkpointer.wait_until_finished()
                state = checkpointer.restore(f"{folder}/state", jax.tree.map(ocp.utils.to_shape_dtype_struct, state))
        state, value = jax.block_until_ready(run(state, X))
        print(f"{value:.5f}")
