"""Equinox and Optax: a module's arrays and the optimizer's state, sharded by their names."""

from typing import Any

import equinox as eqx
import jax
import optax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P
from jax.tree_util import keystr, tree_map_with_path

import pyshardy.jax

jax.config.update("jax_num_cpu_devices", 8)
X, Y = jax.random.normal(jax.random.key(1), (32, 16)), jax.numpy.arange(32) % 10
OPTIMIZER = optax.adam(0.01)
RULES = {"layers[0].weight": P("model", None), "layers[0].bias": P("model"), "layers[1].weight": P(None, "model")}
params, static = eqx.partition(eqx.nn.MLP(16, 10, 64, 1, key=jax.random.key(0)), eqx.is_inexact_array)
state = params, OPTIMIZER.init(params)


def step(state: Any, x: Any, y: Any) -> Any:
    def loss(params: Any) -> Any:
        logits = jax.vmap(eqx.combine(params, static))(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    params, moments = state
    value, gradient = eqx.filter_value_and_grad(loss)(params)
    updates, moments = OPTIMIZER.update(gradient, moments, params)
    return (eqx.apply_updates(params, updates), moments), value


with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)):
    specs = tree_map_with_path(
        lambda path, _: next((rule for name, rule in RULES.items() if keystr(path).endswith(name)), P()), state
    )
    run = pyshardy.jax.jit(step, in_shardings=(specs, P("data"), P("data")), out_shardings=(specs, P()))
    for _ in range(3):
        state, value = jax.block_until_ready(run(state, X, Y))
        print(f"{value:.5f}")
