"""Keras 3 on JAX: the variables of a model and its optimizer by their paths, trained with the stateless functions."""

import os
from collections import OrderedDict
from typing import Any

os.environ["KERAS_BACKEND"] = "jax"
import jax
import keras
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax

jax.config.update("jax_num_cpu_devices", 8)
X, Y = jax.random.normal(jax.random.key(1), (32, 16)), jax.numpy.arange(32) % 10
RULES = {"net/up/kernel": P(None, "model"), "net/up/bias": P("model"), "net/down/kernel": P("model", None)}
keras.utils.set_random_seed(0)
up, down = keras.layers.Dense(64, "relu", name="up"), keras.layers.Dense(10, name="down")
model = keras.Sequential([keras.Input((16,)), up, keras.layers.BatchNormalization(), down], name="net")
(optimizer := keras.optimizers.Adam(0.01)).build(model.trainable_variables)
groups = model.trainable_variables, model.non_trainable_variables, optimizer.variables
state = [OrderedDict((one.path, one.value) for one in group) for group in groups]


def step(state: Any, x: Any, y: Any) -> Any:
    def loss(weights: Any) -> Any:
        logits, others = model.stateless_call(weights, list(state[1].values()), x, training=True)
        return keras.losses.sparse_categorical_crossentropy(y, logits, from_logits=True).mean(), others

    (value, others), gradient = jax.value_and_grad(loss, has_aux=True)(weights := list(state[0].values()))
    weights, moments = optimizer.stateless_apply(list(state[2].values()), gradient, weights)
    return [OrderedDict(zip(*both, strict=True)) for both in zip(state, (weights, others, moments), strict=True)], value


with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)):
    specs = [OrderedDict((path, RULES.get(path, P())) for path in group) for group in state]
    run = pyshardy.jax.jit(step, in_shardings=(specs, P("data"), P("data")), out_shardings=(specs, P()))
    for _ in range(3):
        state, value = jax.block_until_ready(run(state, X, Y))
        print(f"{value:.5f}")
