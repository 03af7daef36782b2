"""Expected times of large training steps against what others have published, with the sources.

``python -m benchmarks.published`` builds each model abstractly: a Llama with grouped queries, its layers scanned and
rematerialised, weights of 32 bits computed with in 16, Adam; parameters and batch sharded over all chips (FSDP), as the
recipes of the published runs do. Attention counts as one kernel. What the sources do not say, the sequences of a chip,
is assumed, and stands in the table.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.sharding import AbstractMesh, AxisType
from jax.sharding import PartitionSpec as P

import pyshardy.jax

FSDP = "fsdp"
TIERS = "MaxText documentation, reference/models/tiering"
RECIPES = "MaxText, getting_started/Run_Llama2"


class Model(NamedTuple):
    """The sizes of a Llama."""

    layers: int
    width: int
    hidden: int
    heads: int
    kv_heads: int
    words: int


LLAMA2_70B = Model(80, 8192, 28672, 64, 8, 32000)
LLAMA31_70B = Model(80, 8192, 28672, 64, 8, 128256)
LLAMA31_8B = Model(32, 4096, 14336, 32, 8, 128256)
LLAMA31_405B = Model(126, 16384, 53248, 128, 8, 128256)


class Row(NamedTuple):
    """A published run: chips, sequences of a chip (assumed) and their length, its share of the peak (MFU), and the
    tokens a second of a chip, 0 where only the former is published."""

    name: str
    model: Model
    hardware: str
    chips: int
    sequences: int
    length: int
    use: float
    tokens: float
    source: str


ROWS = [
    Row("Llama 2 70B", LLAMA2_70B, "v5p", 512, 2, 4096, 0.654, 692, TIERS),
    Row("Llama 2 70B", LLAMA2_70B, "v4", 64, 4, 4096, 0.57, 0, RECIPES),
    Row("Llama 2 70B", LLAMA2_70B, "v5p", 64, 4, 4096, 0.65, 0, RECIPES),
    Row("Llama 2 70B", LLAMA2_70B, "v5e", 256, 1, 4096, 0.57, 0, RECIPES),
    Row("Llama 2 70B", LLAMA2_70B, "v6e", 256, 2, 4096, 0.438, 900, TIERS),
    Row("Llama 3.1 8B", LLAMA31_8B, "v6e", 256, 3, 8192, 0.4546, 7207, TIERS),
    Row("Llama 3.1 70B", LLAMA31_70B, "v6e", 256, 2, 8192, 0.5033, 960, TIERS),
    Row("Llama 3.1 405B", LLAMA31_405B, "v6e", 256, 1, 8192, 0.3855, 123, TIERS),
]


def parameters(model: Model) -> Any:
    """Shapes of the weights; those of layers have the layer in front."""
    head = model.width // model.heads

    def of(*shape: int) -> Any:
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    n = model.layers
    return {
        "embed": of(model.words, model.width),
        "unembed": of(model.width, model.words),
        "layers": {
            "q": of(n, model.width, model.heads, head),
            "k": of(n, model.width, model.kv_heads, head),
            "v": of(n, model.width, model.kv_heads, head),
            "o": of(n, model.heads, head, model.width),
            "gate": of(n, model.width, model.hidden),
            "up": of(n, model.width, model.hidden),
            "down": of(n, model.hidden, model.width),
            "norm1": of(n, model.width),
            "norm2": of(n, model.width),
        },
        "norm": of(model.width),
    }


SPECS = {
    "embed": P(None, FSDP),
    "unembed": P(FSDP),
    "layers": {
        **{name: P(None, FSDP) for name in ("q", "k", "v", "gate", "up")},
        "o": P(None, None, None, FSDP),
        "down": P(None, None, FSDP),
        "norm1": P(),
        "norm2": P(),
    },
    "norm": P(),
}


def normed(x: Any, scale: Any) -> Any:
    """Divided by the root of the mean square, in 32 bits."""
    wide = x.astype(jnp.float32)
    wide = wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype)


def rotated(x: Any) -> Any:
    """Turned by its place in the sequence, in halves."""
    half = x.shape[-1] // 2
    angle = jnp.arange(x.shape[1])[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    sine, cosine = (f(angle)[None, :, None].astype(x.dtype) for f in (jnp.sin, jnp.cos))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cosine - b * sine, a * sine + b * cosine], -1)


def layer(x: Any, p: Any) -> Any:
    """Attention with grouped queries, and a gated feed-forward part."""
    p = jax.tree.map(lambda one: one.astype(jnp.bfloat16), p)
    h = normed(x, p["norm1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", h, p[name]) for name in ("q", "k", "v"))
    q, k = rotated(q), rotated(k)
    groups = q.shape[2] // k.shape[2]
    q = q.reshape(*q.shape[:2], k.shape[2], groups, q.shape[3])
    scores = jnp.einsum("bsgmk,btgk->bgmst", q, k).astype(jnp.float32) / q.shape[-1] ** 0.5
    length = x.shape[1]
    mask = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e30)).astype(x.dtype)
    made = jnp.einsum("bgmst,btgk->bsgmk", weights, v).reshape(*x.shape[:2], -1, v.shape[-1])
    x = x + jnp.einsum("bshk,hkd->bsd", made, p["o"])
    h = normed(x, p["norm2"])
    return x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]


def loss(params: Any, tokens: Any) -> Any:
    """The mean surprise of the next token."""
    x = params["embed"].astype(jnp.bfloat16)[tokens]
    body = jax.checkpoint(lambda x, p: (layer(x, p), None))
    x, _ = jax.lax.scan(body, x, params["layers"])
    logits = (normed(x, params["norm"]) @ params["unembed"].astype(jnp.bfloat16)).astype(jnp.float32)
    targets = jnp.roll(tokens, -1, 1)
    return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, targets[..., None], -1)[..., 0])


def step(state: Any, tokens: Any) -> Any:
    """A step of Adam."""
    params, mean, square, count = state
    value, gradient = jax.value_and_grad(loss)(params, tokens)
    count = count + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.95 * s + 0.05 * g * g, square, gradient)
    params = jax.tree.map(lambda p, m, s: p - 3e-4 * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
    return (params, mean, square, count), value


def cost_of(row: Row) -> Any:
    """The cost of the step that ``row`` is about."""
    mesh = AbstractMesh((row.chips,), (FSDP,), axis_types=(AxisType.Auto,))
    params = parameters(row.model)
    state = (params, params, params, jax.ShapeDtypeStruct((), jnp.int32))
    tokens = jax.ShapeDtypeStruct((row.chips * row.sequences, row.length), jnp.int32)
    specs = (SPECS, SPECS, SPECS, P())
    plan = pyshardy.jax.partition(
        step, state, tokens, mesh=mesh, in_shardings=(specs, P(FSDP)), out_shardings=(specs, P()), donate_argnums=0
    )
    return plan.cost(pyshardy.hardware(row.hardware, attention="fused"))


def published_tokens(row: Row) -> float:
    """Tokens a second of a chip; where only the utilisation is published, by the usual count of operations of a token:
    six for each weight of a product, and twelve times layers, width and length for attention."""
    if row.tokens:
        return row.tokens
    m = row.model
    head = m.width // m.heads
    own = m.width * (2 * m.heads + 2 * m.kv_heads) * head + 3 * m.width * m.hidden
    operations = 6 * (m.layers * own + m.words * m.width) + 12 * m.layers * m.width * row.length
    return row.use * pyshardy.hardware(row.hardware).chip.flops["bf16"] / operations


def main() -> int:
    """Prints the table as Markdown."""
    print("| model | chips | sequences of a chip | tokens a second of a chip, bounds | expected | published | ratio |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for row in ROWS:
        cost = cost_of(row)
        slow, fast, expected = (row.sequences * row.length / one for one in cost.step_seconds)
        published = published_tokens(row)
        given = f"{published:.0f}" + ("" if row.tokens else f" (MFU {row.use:.0%})")
        print(
            f"| {row.name} | {row.chips} {row.hardware} | {row.sequences} of {row.length} | {slow:.0f} to {fast:.0f} | "
            f"{expected:.0f} | {given} | {expected / published:.2f} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
