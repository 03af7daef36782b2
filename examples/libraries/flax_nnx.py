"""Flax NNX and Optax: a module with batch statistics and dropout, split into its graph and one ``nnx.State``."""

from typing import Any

import jax
import optax
from flax import nnx
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax

jax.config.update("jax_num_cpu_devices", 8)
UP, DOWN = (nnx.with_partitioning(nnx.initializers.lecun_normal(), axes) for axes in [(None, "model"), ("model", None)])
X, Y = jax.random.normal(jax.random.key(1), (32, 16)), jax.numpy.arange(32) % 10


class Net(nnx.Module):  # type: ignore[misc]
    def __init__(self, rngs: Any) -> None:
        self.up, self.norm = nnx.Linear(16, 64, kernel_init=UP, rngs=rngs), nnx.BatchNorm(64, rngs=rngs)
        self.dropout, self.down = nnx.Dropout(0.1, rngs=rngs), nnx.Linear(64, 10, kernel_init=DOWN, rngs=rngs)

    def __call__(self, x: Any) -> Any:
        return self.down(self.dropout(self.norm(nnx.relu(self.up(x)))))


def step(state: Any, x: Any, y: Any) -> Any:
    (net, optimizer), entropy = nnx.merge(graph, state), optax.softmax_cross_entropy_with_integer_labels
    value, gradient = nnx.value_and_grad(lambda net: entropy(net(x), y).mean())(net)
    optimizer.update(net, gradient)
    return nnx.state((net, optimizer)), value


with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)):
    graph, state = nnx.split(((net := Net(nnx.Rngs(0))), nnx.Optimizer(net, optax.adam(0.01), wrt=nnx.Param)))
    specs = nnx.get_partition_spec(state)
    run = pyshardy.jax.jit(step, in_shardings=(specs, P("data"), P("data")), out_shardings=(specs, P()))
    for _ in range(3):
        state, value = jax.block_until_ready(run(state, X, Y))
        print(f"{value:.5f}")
