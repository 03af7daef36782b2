"""A PyTorch model trained on eight devices: ``torchax`` makes it a JAX function, pyshardy partitions its step.

The parameters keep the names of the module, and the rules for shardings go by them. PyTorch trains the same model
beside it, with the same losses. It needs no accelerator:

    pip install 'pyshardy[jax]' torch torchax
    python examples/pytorch.py
"""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
import torchax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax

WORDS, WIDTH, HEADS, HIDDEN, BATCH, LENGTH = 64, 32, 4, 128, 16, 8
RATE = 0.2

RULES = {
    r"linear1\.weight": P("model", None),
    r"linear1\.bias": P("model"),
    r"linear2\.weight": P(None, "model"),
    r"embedding\.weight": P(None, "model"),
}
"""Where the parameters lie whose names match; the others are whole on every device."""


class Classifier(torch.nn.Module):  # type: ignore[misc]
    """Two layers of a transformer encoder over words, and the kind of the sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(WORDS, WIDTH)
        layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, HIDDEN, dropout=0.0, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = torch.nn.Linear(WIDTH, 4)

    def forward(self, words: Any) -> Any:
        """The logits of each sequence."""
        return self.head(self.encoder(self.embedding(words)).mean(1))


def batch() -> tuple[Any, Any]:
    """Sequences of words and their kinds, as numpy arrays."""
    numbers = np.random.default_rng(0)
    return numbers.integers(0, WORDS, (BATCH, LENGTH), np.int32), numbers.integers(0, 4, BATCH, np.int32)


def train_with_torch(model: Any, steps: int) -> list[float]:
    """The losses of PyTorch's own gradient descent."""
    words, kinds = (torch.from_numpy(one).long() for one in batch())
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = torch.nn.functional.cross_entropy(model(words), kinds)
        value.backward()
        optimizer.step()
        losses.append(value.item())
    return losses


def spec(name: str) -> Any:
    """Where the parameter of this name lies."""
    return next((found for rule, found in RULES.items() if re.search(rule, name)), P())


def train_partitioned(model: Any, steps: int) -> tuple[list[float], Any]:
    """The losses of the same descent in JAX, partitioned, and the plan of a step."""
    params, apply = torchax.extract_jax(model)
    words, kinds = batch()

    def loss(params: Any, words: Any, kinds: Any) -> Any:
        logits = jax.nn.log_softmax(apply(params, (words,)))
        return -jnp.take_along_axis(logits, kinds[:, None], 1).mean()

    def step(params: Any, words: Any, kinds: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(params, words, kinds)
        return jax.tree.map(lambda p, g: p - RATE * g, params, gradient), value

    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    specs = {name: spec(name) for name in params}
    data = P("data")
    plan = pyshardy.jax.partition(
        step, params, words, kinds, mesh=mesh, in_shardings=(specs, data, data), out_shardings=(specs, P())
    )
    run, losses = plan.compile(), []
    for _ in range(steps):
        params, value = jax.block_until_ready(run(params, words, kinds))
        losses.append(float(value))
    return losses, plan


def main(steps: int = 5) -> None:
    """Trains twice and prints both curves."""
    jax.config.update("jax_num_cpu_devices", 8)
    torch.manual_seed(0)
    model = Classifier()
    losses, plan = train_partitioned(model, steps)
    print(repr(plan))
    for boundary, argument in zip(plan.arguments, plan.source.arguments(), strict=True):
        if argument.name.startswith("params['encoder.layers.0.linear"):
            print(argument.name, argument.shape, "on each device", boundary.local_shape)
    print("step  pyshardy   pytorch")
    for number, (ours, theirs) in enumerate(zip(losses, train_with_torch(model, steps), strict=True)):
        print(f"{number:4}  {ours:8.5f}  {theirs:8.5f}")


if __name__ == "__main__":
    main()
