"""Twenty steps of a small transformer on eight devices, partitioned by pyshardy and by JAX: the same losses.

Batch over ``data``, heads and hidden dimension over ``model``, Adam, states donated. It needs no accelerator:

    python examples/jax_training.py
    python examples/jax_training.py losses.png      # both curves as a picture; needs matplotlib
"""

# mypy: allow-untyped-calls, no-warn-return-any
from __future__ import annotations

import sys
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import pyshardy.jax

LAYERS, BATCH, LENGTH, WIDTH, HEADS, HIDDEN, WORDS = 2, 16, 32, 64, 4, 256, 128
RATE = 3e-3

LAYER = {
    "query": P(None, "model", None),
    "key": P(None, "model", None),
    "value": P(None, "model", None),
    "out": P("model", None, None),
    "up": P(None, "model"),
    "down": P("model", None),
}
PARAMS = {"embedding": P(None, None), "layers": [LAYER] * LAYERS}
STATE = {"params": PARAMS, "mean": PARAMS, "square": PARAMS, "step": P()}


def initial_params(key: jax.Array) -> Any:
    """Parameters as ``PARAMS`` has them, drawn from a normal distribution."""
    head = WIDTH // HEADS
    shapes = {
        "query": (WIDTH, HEADS, head),
        "key": (WIDTH, HEADS, head),
        "value": (WIDTH, HEADS, head),
        "out": (HEADS, head, WIDTH),
        "up": (WIDTH, HIDDEN),
        "down": (HIDDEN, WIDTH),
    }
    tree = {"embedding": (WORDS, WIDTH), "layers": [shapes] * LAYERS}
    flat, structure = jax.tree.flatten(tree, is_leaf=lambda one: isinstance(one, tuple))
    keys = jax.random.split(key, len(flat))
    drawn = [jax.random.normal(one, shape) / WIDTH**0.5 for one, shape in zip(keys, flat, strict=True)]
    return jax.tree.unflatten(structure, drawn)


def initial_state(key: jax.Array) -> Any:
    """Parameters and Adam's means, as ``STATE`` has them."""
    params = initial_params(key)
    zeros = partial(jax.tree.map, jnp.zeros_like)
    return {"params": params, "mean": zeros(params), "square": zeros(params), "step": jnp.zeros((), jnp.int32)}


def normalized(x: jax.Array) -> jax.Array:
    """Each position with mean zero and variance one."""
    centred = x - x.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def attention(layer: Any, x: jax.Array) -> jax.Array:
    """Causal attention."""
    query, key, value = (jnp.einsum("btd,dhk->bthk", x, layer[name]) for name in ("query", "key", "value"))
    scores = jnp.einsum("bthk,bshk->bhts", query, key) / query.shape[-1] ** 0.5
    seen = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9))
    return jnp.einsum("bhts,bshk,hkd->btd", weights, value, layer["out"])


def loss(params: Any, words: jax.Array) -> jax.Array:
    """How badly each word is guessed from those before it."""
    x = params["embedding"][words[:, :-1]]
    for layer in params["layers"]:
        x = x + attention(layer, normalized(x))
        x = x + jax.nn.gelu(normalized(x) @ layer["up"]) @ layer["down"]
    logits = normalized(x) @ params["embedding"].T
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), words[:, 1:, None], axis=-1).mean()


def step(state: Any, words: jax.Array) -> tuple[Any, jax.Array]:
    """One step of Adam: the new state, and the loss before it."""
    value, gradient = jax.value_and_grad(loss)(state["params"], words)
    count = state["step"] + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradient)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g**2, state["square"], gradient)
    rate = RATE * jnp.sqrt(1 - 0.99**count) / (1 - 0.9**count)
    params = jax.tree.map(lambda p, m, s: p - rate * m / (jnp.sqrt(s) + 1e-8), state["params"], mean, square)
    return {"params": params, "mean": mean, "square": square, "step": count}, value


def batches(steps: int) -> list[jax.Array]:
    """Sequences that count upwards, each from another word, in strides of one to four."""
    made = []
    for seed in range(steps):
        first, stride = jax.random.split(jax.random.key(seed))
        start = jax.random.randint(first, (BATCH, 1), 0, WORDS)
        strides = jax.random.randint(stride, (BATCH, 1), 1, 5)
        made.append((start + strides * jnp.arange(LENGTH + 1)) % WORDS)
    return made


def train(run: Any, mesh: Any, steps: int) -> list[float]:
    """The losses of ``steps`` steps of ``run``."""
    shardings = jax.tree.map(partial(NamedSharding, mesh), STATE)
    state = jax.device_put(initial_state(jax.random.key(0)), shardings)
    losses = []
    for words in batches(steps):
        state, value = run(state, jax.device_put(words, NamedSharding(mesh, P("data"))))
        losses.append(float(value))
    return losses


def draw(curves: tuple[list[float], list[float]], path: str) -> None:
    """Both curves in one picture.

    Raises:
        SystemExit: matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        sys.exit("a picture needs matplotlib: pip install matplotlib, or leave the file out")
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    for curve, name, style in zip(curves, ("pyshardy", "jax.jit"), ("-", "o"), strict=True):
        axes.plot(curve, style, label=name)
    axes.set(xlabel="step", ylabel="loss", title="a transformer on 8 devices")
    axes.legend()
    figure.savefig(path)


def main(picture: str | None = None, steps: int = 20) -> None:
    """Trains twice, prints both curves, and draws them in a file ``picture``, if one is named."""
    jax.config.update("jax_num_cpu_devices", 8)
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    specs = (STATE, P("data"))
    ours = pyshardy.jax.jit(step, mesh=mesh, in_shardings=specs, out_shardings=(STATE, P()), donate_argnums=0)
    named = jax.tree.map(partial(NamedSharding, mesh), (specs, (STATE, P())))
    theirs = jax.jit(step, in_shardings=named[0], out_shardings=named[1], donate_argnums=0)
    curves = train(ours, mesh, steps), train(theirs, mesh, steps)
    print(repr(ours.plans[0]))
    print("step  pyshardy       jax")
    for number, (one, other) in enumerate(zip(*curves, strict=True)):
        print(f"{number:4}  {one:8.5f}  {other:8.5f}")
    apart = max(abs(one - other) for one, other in zip(*curves, strict=True))
    print(f"the curves are at most {apart:.1e} apart; {ours._cache_size()} program compiled")
    if picture is not None:
        draw(curves, picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
