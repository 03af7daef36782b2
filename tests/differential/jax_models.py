# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""JAX programs that are small models: attention, mixture of experts, convolutions, recurrences, optimizers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, ints, lower, mesh, pin, program


def _attention(x: jax.Array, weights: dict[str, jax.Array], heads: int) -> jax.Array:
    batch, length, width = x.shape
    split = (batch, length, heads, width // heads)
    q, k, v = (jnp.reshape(x @ weights[name], split) for name in ("q", "k", "v"))
    logits = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(width / heads)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(logits), v)
    return mixed.reshape(batch, length, width) @ weights["o"]


_ATTENTION_SHAPES = {name: array(64, 64) for name in ("q", "k", "v", "o")}
_ATTENTION_SPECS = {"q": P(None, "model"), "k": P(None, "model"), "v": P(None, "model"), "o": P("model", None)}


@program
def attention_with_reshaped_heads() -> str:
    over = mesh(data=2, model=4)
    return lower(
        lambda x, w: _attention(x, w, 8),
        over,
        (array(4, 32, 64), _ATTENTION_SHAPES),
        (P("data"), _ATTENTION_SPECS),
        P("data"),
    )


@program
def attention_backward() -> str:
    over = mesh(data=2, model=4)

    def loss(w: Any, x: jax.Array) -> jax.Array:
        return jnp.sum(jnp.tanh(_attention(x, w, 8)))

    return lower(
        jax.grad(loss), over, (_ATTENTION_SHAPES, array(4, 32, 64)), (_ATTENTION_SPECS, P("data")), _ATTENTION_SPECS
    )


@program
def transformer_with_sequence_parallelism() -> str:
    over = mesh(data=2, model=2, sequence=2)

    def block(x: jax.Array, w: Any) -> jax.Array:
        x = pin(x, over, "data", "sequence", None)
        x = x + _attention(x, w["attention"], 4)
        x = pin(x, over, "data", "sequence", None)
        hidden = pin(jax.nn.silu(x @ w["gate"]) * (x @ w["up"]), over, "data", "sequence", "model")
        return x + hidden @ w["down"]

    shapes = {"attention": _ATTENTION_SHAPES, "gate": array(64, 128), "up": array(64, 128), "down": array(128, 64)}
    return lower(block, over, (array(4, 32, 64), shapes), (P("data", "sequence"), None))


@program
def bfloat16_mixed_precision_step() -> str:
    over = mesh(data=4, model=2)

    def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        out = x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    def step(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        return w - 0.01 * jax.grad(loss)(w, x, y)

    return lower(step, over, (array(32, 64), array(16, 32), array(16, 64)), (P(None, "model"), P("data"), P("data")))


@program
def mixture_of_experts() -> str:
    over = mesh(data=2, expert=4)

    def layer(x: jax.Array, gate: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
        weights, chosen = lax.top_k(jax.nn.softmax(x @ gate), 2)
        dispatch = jnp.einsum("tk,tke->te", weights, jax.nn.one_hot(chosen, 8))
        routed = pin(jnp.einsum("te,td->etd", dispatch, x), over, "expert", "data", None)
        hidden = jax.nn.relu(jnp.einsum("etd,edf->etf", routed, up))
        return jnp.einsum("etf,efd->td", hidden, down)

    return lower(
        layer,
        over,
        (array(64, 32), array(32, 8), array(8, 32, 64), array(8, 64, 32)),
        (P("data"), P(), P("expert"), P("expert")),
        P("data"),
    )


@program
def mixture_of_experts_backward_with_capacity() -> str:
    over = mesh(data=2, expert=2, model=2)

    def loss(up: jax.Array, x: jax.Array, gate: jax.Array) -> jax.Array:
        choice = jnp.argmax(x @ gate, axis=-1)
        mask = jax.nn.one_hot(choice, 4)
        position = jnp.cumsum(mask, axis=0) * mask
        slots = jax.nn.one_hot(position.astype(jnp.int32), 16) * mask[..., None]
        routed = jnp.einsum("tec,td->ecd", slots, x)
        return jnp.sum(jnp.einsum("ecd,edf->ecf", routed, up) ** 2)

    return lower(
        jax.grad(loss),
        over,
        (array(4, 32, 64), array(48, 32), array(32, 4)),
        (P("expert", None, "model"), P("data"), None),
    )


def _convolve(x: jax.Array, kernel: jax.Array, stride: int = 1, **options: Any) -> jax.Array:
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=numbers, **options)


@program
def residual_convolutions_with_batch_norm() -> str:
    over = mesh(data=4, model=2)

    def block(x: jax.Array, k1: jax.Array, k2: jax.Array, scale: jax.Array) -> jax.Array:
        y = _convolve(x, k1)
        mean = jnp.mean(y, axis=(0, 1, 2))
        variance = jnp.var(y, axis=(0, 1, 2))
        y = jax.nn.relu((y - mean) * lax.rsqrt(variance + 1e-5) * scale)
        return jax.nn.relu(x + _convolve(y, k2))

    return lower(
        block,
        over,
        (array(8, 16, 16, 8), array(3, 3, 8, 16), array(3, 3, 16, 8), array(16)),
        (P("data"), P(None, None, None, "model"), P(None, None, "model", None), P("model")),
    )


@program
def strided_grouped_and_transposed_convolutions() -> str:
    over = mesh(data=2, rows=2, model=2)

    def run(x: jax.Array, depthwise: jax.Array, dilated: jax.Array, up: jax.Array) -> jax.Array:
        y = _convolve(x, depthwise, 2, feature_group_count=8)
        y = _convolve(y, dilated, 1, rhs_dilation=(2, 2))
        return lax.conv_transpose(y, up, (2, 2), "SAME")

    return lower(
        run,
        over,
        (array(4, 16, 16, 8), array(3, 3, 1, 8), array(3, 3, 8, 12), array(2, 2, 12, 4)),
        (P("data", "rows"), None, P(None, None, None, "model"), None),
        P("data", "rows"),
    )


@program
def pooling_backward() -> str:
    over = mesh(data=2, rows=4)

    def loss(x: jax.Array) -> jax.Array:
        largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        average = lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9
        return jnp.sum(largest**2) + jnp.sum(average**2)

    return lower(jax.grad(loss), over, (array(4, 16, 16, 8),), (P("data", "rows"),), P("data", "rows"))


@program
def lstm_over_time() -> str:
    over = mesh(data=4, model=2)

    def run(inputs: jax.Array, w: jax.Array, u: jax.Array, b: jax.Array) -> jax.Array:
        def step(carry: tuple[jax.Array, jax.Array], x: jax.Array) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
            hidden, cell = carry
            gates = x @ w + hidden @ u + b
            i, f, g, o = jnp.split(gates, 4, axis=-1)
            cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
            hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
            return (hidden, cell), hidden

        start = (jnp.zeros((8, 32)), jnp.zeros((8, 32)))
        return lax.scan(step, start, inputs)[1]

    return lower(
        run,
        over,
        (array(10, 8, 16), array(16, 128), array(32, 128), array(128)),
        (P(None, "data"), P(None, "model"), P(None, "model"), P("model")),
        P(None, "data"),
    )


@program
def decoding_with_a_cache() -> str:
    over = mesh(data=2, model=4)

    def generate(tokens: jax.Array, embed: jax.Array, wq: jax.Array, wkv: jax.Array, cache: jax.Array) -> Any:
        def step(state: Any) -> Any:
            position, token, cache, out = state
            x = embed[token]
            query = (x @ wq).reshape(4, 4, 8)
            new = (x @ wkv).reshape(4, 1, 4, 8)
            cache = lax.dynamic_update_slice(cache, new, (0, position, 0, 0))
            logits = jnp.einsum("bhd,bshd->bhs", query, cache)
            visible = jnp.arange(16) <= position
            weights = jax.nn.softmax(jnp.where(visible, logits, -1e9))
            mixed = jnp.einsum("bhs,bshd->bhd", weights, cache).reshape(4, 32)
            token = jnp.argmax(mixed @ embed.T, axis=-1).astype(jnp.int32)
            out = lax.dynamic_update_slice(out, token[:, None], (0, position))
            return position + 1, token, cache, out

        start = (jnp.int32(0), tokens, cache, jnp.zeros((4, 16), jnp.int32))
        return lax.while_loop(lambda state: state[0] < 16, step, start)[2:]

    return lower(
        generate,
        over,
        (ints(4), array(64, 32), array(32, 32), array(32, 32), array(4, 16, 4, 8)),
        (P("data"), None, P(None, "model"), P(None, "model"), P("data", None, "model", None)),
    )


@program
def adam_with_clipping_and_weight_decay() -> str:
    over = mesh(fsdp=4, model=2)
    shapes = {"a": array(64, 32), "b": array(32), "c": array(8, 16, 4)}
    specs = {"a": P("fsdp", "model"), "b": P("model"), "c": P(None, "fsdp", None)}

    def update(params: Any, gradients: Any, first: Any, second: Any, count: jax.Array) -> Any:
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
        scale = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
        gradients = jax.tree.map(lambda g: g * scale, gradients)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradients)
        count = count + 1
        bias = 1 - 0.9 ** count.astype(jnp.float32)
        params = jax.tree.map(
            lambda p, m, v: p - 1e-3 * (m / bias / (jnp.sqrt(v) + 1e-8) + 0.1 * p), params, first, second
        )
        return params, first, second, count

    return lower(
        update,
        over,
        (shapes, shapes, shapes, shapes, ints()),
        (specs, specs, specs, specs, None),
        (specs,) * 3 + (None,),
    )


@program
def layer_norm_and_dropout() -> str:
    over = mesh(data=2, model=2)

    def run(x: jax.Array, scale: jax.Array, key: jax.Array) -> jax.Array:
        mean = jnp.mean(x, -1, keepdims=True)
        normal = (x - mean) / jnp.sqrt(jnp.var(x, -1, keepdims=True) + 1e-6) * scale
        keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.9, x.shape)
        return jnp.where(keep, normal / 0.9, 0.0)

    shapes = (array(8, 16, 32), array(32), array(2, dtype=jnp.uint32))
    return lower(run, over, shapes, (P("data", None, "model"), P("model"), None))


@program
def cross_entropy_over_a_sharded_vocabulary() -> str:
    over = mesh(data=2, model=4)

    def loss(logits: jax.Array, labels: jax.Array) -> jax.Array:
        largest = jnp.max(logits, axis=-1, keepdims=True)
        shifted = logits - lax.stop_gradient(largest)
        total = jnp.log(jnp.sum(jnp.exp(shifted), axis=-1))
        picked = jnp.take_along_axis(shifted, labels[:, None], axis=-1)[:, 0]
        return jnp.mean(total - picked)

    return lower(
        jax.value_and_grad(loss),
        over,
        (array(16, 128), ints(16)),
        (P("data", "model"), P("data")),
        (P(), P("data", "model")),
    )
