"""Flax linen and Optax: shardings as ``nn.with_partitioning`` says them, and a ``TrainState`` that is donated."""

from typing import Any

import flax.linen as nn
import jax
import optax
from flax.training.train_state import TrainState
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax

jax.config.update("jax_num_cpu_devices", 8)
UP, DOWN = (nn.with_partitioning(nn.initializers.lecun_normal(), axes) for axes in [(None, "model"), ("model", None)])
MODEL = nn.Sequential([nn.Dense(64, kernel_init=UP), nn.relu, nn.LayerNorm(), nn.Dense(10, kernel_init=DOWN)])
X, Y = jax.random.normal(jax.random.key(1), (32, 16)), jax.numpy.arange(32) % 10


def initial() -> Any:
    return TrainState.create(
        apply_fn=MODEL.apply, params=MODEL.init(jax.random.key(0), X)["params"], tx=optax.adam(0.01)
    )


def step(state: Any, x: Any, y: Any) -> Any:
    def loss(params: Any) -> Any:
        return optax.softmax_cross_entropy_with_integer_labels(state.apply_fn({"params": params}, x), y).mean()

    value, gradient = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=gradient), value


with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)):
    specs = nn.get_partition_spec(jax.eval_shape(initial))
    state = pyshardy.jax.jit(initial, out_shardings=specs)()
    run = pyshardy.jax.jit(
        step, in_shardings=(specs, P("data"), P("data")), out_shardings=(specs, P()), donate_argnums=0
    )
    for _ in range(3):
        state, value = jax.block_until_ready(run(state, X, Y))
        print(f"{value:.5f}")
