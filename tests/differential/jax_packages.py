# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""JAX programs as packages write them: a GPT-2 step with dropout, a decoder lowered from PyTorch, an adaptive solver of
differential equations; and arrays whose elements move onto another layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, ints, lower, mesh, program

# --- GPT-2, its optimizer's state sharded -----------------------------------------------------------------------------


def _dropped(x: jax.Array, key: jax.Array) -> jax.Array:
    return lax.select(jax.random.bernoulli(key, 0.9, x.shape), x / 0.9, jnp.zeros_like(x))


def _layer_norm(x: jax.Array, weights: Any) -> jax.Array:
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(x * x, -1, keepdims=True) - mean * mean
    return (x - mean) * (lax.rsqrt(variance + 1e-5) * weights["scale"]) + weights["bias"]


def _dense(x: jax.Array, weights: Any) -> jax.Array:
    return x @ weights["kernel"].T + weights["bias"]


def _gpt2(params: Any, tokens: jax.Array, key: jax.Array) -> jax.Array:
    batch, length = tokens.shape
    keys = jax.random.split(key, 4)
    x = params["tokens"][tokens] + params["places"][None, :length]
    x = _dropped(x, keys[0])
    fused = _dense(_layer_norm(x, params["norm1"]), params["qkv"])
    q, k, v = (one.reshape(batch, length, 4, -1) for one in jnp.split(fused, 3, axis=2))
    visible = jnp.tril(jnp.ones((length, length), bool))[None, None]
    logits = jnp.einsum("bqhd,bkhd->bhqk", q / jnp.sqrt(q.shape[-1]), k)
    weights = jax.nn.softmax(jnp.where(visible, logits, -1e9))
    mixed = jnp.einsum("bhqk,bkhd->bqhd", _dropped(weights, keys[1]), v).reshape(x.shape)
    x = x + _dropped(_dense(mixed, params["out"]), keys[2])
    hidden = jax.nn.gelu(_dense(_layer_norm(x, params["norm2"]), params["up"]))
    x = x + _dropped(_dense(hidden, params["down"]), keys[3])
    return x @ params["tokens"].T


@program
def gpt2_step_with_dropout_and_a_sharded_optimizer() -> str:
    over, width, vocabulary, length = mesh(data=4), 32, 96, 16

    def dense(into: int, of: int) -> Any:
        return {"kernel": array(into, of), "bias": array(into)}

    norm = {"scale": array(width), "bias": array(width)}
    shapes = {
        "tokens": array(vocabulary, width),
        "places": array(length, width),
        "norm1": norm,
        "norm2": norm,
        "qkv": dense(3 * width, width),
        "out": dense(width, width),
        "up": dense(4 * width, width),
        "down": dense(width, 4 * width),
    }
    state = jax.tree.map(lambda one: P("data", *[None] * (len(one.shape) - 1)), shapes)
    whole = jax.tree.map(lambda one: P(), shapes)

    def step(params: Any, first: Any, second: Any, tokens: jax.Array, key: jax.Array) -> Any:
        def loss(params: Any) -> jax.Array:
            logits = _gpt2(params, tokens, jax.random.wrap_key_data(key))[:, :-1]
            labels = jax.nn.one_hot(tokens[:, 1:], vocabulary)
            return -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(logits), -1))

        value, gradients = jax.value_and_grad(loss)(params)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradients)
        params = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), params, first, second)
        return params, first, second, value

    arguments = (shapes, shapes, shapes, ints(8, length), array(2, dtype=jnp.uint32))
    specs = (whole, state, state)
    return lower(step, over, arguments, (*specs, P("data"), P()), (*specs, P()))


# --- a decoder as PyTorch writes it -----------------------------------------------------------------------------------


def _linear(x: jax.Array, weights: jax.Array) -> jax.Array:
    """Rows are outputs, and the product is one of matrices."""
    return (x.reshape(-1, x.shape[-1]) @ weights.T).reshape(*x.shape[:-1], -1)


def _rms_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    return scale * (x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6))


def _turned(x: jax.Array, cosine: jax.Array, sine: jax.Array) -> jax.Array:
    half = x.shape[-1] // 2
    return x * cosine + jnp.concatenate([-x[..., half:], x[..., :half]], -1) * sine


def _decoder(params: Any, tokens: jax.Array) -> jax.Array:
    (batch, length), heads, shared, size = tokens.shape, 8, 4, 8
    x = params["tokens"][tokens]
    angles = jnp.arange(length)[:, None] / 1e4 ** (jnp.arange(0, size, 2) / size)
    angles = jnp.concatenate([angles, angles], -1)[None, None]
    mask = jnp.where(jnp.tril(jnp.ones((length, length), bool)), 0.0, -1e9)[None, None]

    def in_heads(x: jax.Array, count: int) -> jax.Array:
        return x.reshape(batch, length, count, size).transpose(0, 2, 1, 3)

    def repeated(x: jax.Array) -> jax.Array:
        x = jnp.broadcast_to(x[:, :, None], (batch, shared, heads // shared, length, size))
        return x.reshape(batch * heads, length, size)

    for layer in params["layers"]:
        h = _rms_norm(x, layer["norm1"])
        q = _turned(in_heads(_linear(h, layer["q"]), heads), jnp.cos(angles), jnp.sin(angles))
        k = _turned(in_heads(_linear(h, layer["k"]), shared), jnp.cos(angles), jnp.sin(angles))
        v = in_heads(_linear(h, layer["v"]), shared)
        logits = q.reshape(batch * heads, length, size) @ repeated(k).transpose(0, 2, 1)
        weights = jax.nn.softmax(logits.reshape(batch, heads, length, length) / jnp.sqrt(size) + mask)
        mixed = weights.reshape(batch * heads, length, length) @ repeated(v)
        mixed = mixed.reshape(batch, heads, length, size).transpose(0, 2, 1, 3).reshape(batch, length, -1)
        x = x + _linear(mixed, layer["o"])
        h = _rms_norm(x, layer["norm2"])
        x = x + _linear(jax.nn.silu(_linear(h, layer["gate"])) * _linear(h, layer["up"]), layer["down"])
    return _linear(_rms_norm(x, params["norm"]), params["head"])


def _lowered_decoder(*, whole: str | None) -> str:
    """The program on 2 x 4 devices: weights sharded by columns and rows; along the axis ``whole``, too."""
    out, into = P("model", whole), P(whole, "model")
    shapes = {
        "norm1": array(64),
        "norm2": array(64),
        "q": array(64, 64),
        "k": array(32, 64),
        "v": array(32, 64),
        "o": array(64, 64),
        "gate": array(96, 64),
        "up": array(96, 64),
        "down": array(64, 96),
    }
    specs = {"norm1": P(), "norm2": P(), "q": out, "k": out, "v": out, "o": into, "gate": out, "up": out, "down": into}
    params = {"tokens": array(128, 64), "layers": [shapes, shapes], "norm": array(64), "head": array(128, 64)}
    layouts = {"tokens": P("model"), "layers": [specs, specs], "norm": P(), "head": P("model")}
    return lower(_decoder, mesh(data=2, model=4), (params, ints(4, 16)), (layouts, P("data")))


@program
def decoder_from_pytorch() -> str:
    return _lowered_decoder(whole=None)


@program
def decoder_from_pytorch_with_all_weights_sharded() -> str:
    return _lowered_decoder(whole="data")


# --- an adaptive solver -----------------------------------------------------------------------------------------------

_STAGES = ((), (1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9))
_ERROR = (-5 / 72, 1 / 12, 1 / 9, -1 / 8)


def _solved(field: Callable[[jax.Array], jax.Array], start: jax.Array, times: tuple[float, ...]) -> Any:
    """Runge-Kutta of order 3 with steps as long as the error allows, and the state at ``times``."""

    def norm(x: jax.Array) -> jax.Array:
        return jnp.sqrt(jnp.mean(x * x))

    def step(state: Any) -> Any:
        time, y, slope, size, index, saved, turns = state
        slopes = [slope]
        for row in _STAGES[1:]:
            slopes.append(field(y + size * sum(a * k for a, k in zip(row, slopes, strict=False) if a)))
        new = y + size * sum(a * k for a, k in zip(_STAGES[-1], slopes, strict=False))
        error = norm(size * sum(e * k for e, k in zip(_ERROR, slopes, strict=True)) / (1e-3 + 1e-2 * jnp.abs(y)))
        kept = error < 1
        after = jnp.where(kept, time + size, time)

        def is_passed(pair: Any) -> jax.Array:
            at = jnp.asarray(times)[jnp.minimum(pair[0], len(times) - 1)]
            return kept & (pair[0] < len(times)) & (at <= after)

        def save(pair: Any) -> Any:
            share = (jnp.asarray(times)[pair[0]] - time) / size
            return pair[0] + 1, pair[1].at[pair[0]].set((1 - share) * y + share * new)

        index, saved = lax.while_loop(is_passed, save, (index, saved))
        y, slope = jnp.where(kept, new, y), jnp.where(kept, slopes[-1], slope)
        size = jnp.minimum(size * jnp.clip(0.9 * error ** (-1 / 3), 0.2, 5.0), times[-1] - after + 1e-3)
        return after, y, slope, size, index, saved, turns + 1

    slope = field(start)
    first = 0.01 * norm(start) / (norm(slope) + 1e-3)
    saved = jnp.zeros((len(times), *start.shape))
    state = (jnp.float32(0), start, slope, first, jnp.int32(0), saved, jnp.int32(0))
    state = lax.while_loop(lambda state: (state[0] < times[-1]) & (state[6] < 64), step, state)
    return state[5], state[6]


@program
def adaptive_solver_of_differential_equations() -> str:
    def run(start: jax.Array, up: jax.Array, bias: jax.Array, down: jax.Array) -> Any:
        return _solved(lambda y: jnp.tanh(y @ up + bias) @ down - y, start, (0.25, 0.5, 1.0))

    shapes = (array(16, 8), array(8, 32), array(32), array(32, 8))
    specs = (P("data"), P(None, "model"), P("model"), P(None, "model"))
    return lower(run, mesh(data=4, model=2), shapes, specs)


@program
def adaptive_solver_on_a_grid() -> str:
    def run(start: jax.Array) -> Any:
        return _solved(lambda u: jnp.roll(u, 1) + jnp.roll(u, -1) - 2 * u, start, (0.5, 1.0))

    return lower(run, mesh(x=8), (array(64),), (P("x"),))


# --- elements on their way to another layout --------------------------------------------------------------------------


def _moved(function: Callable[[jax.Array], Any], before: Any, after: Any) -> str:
    return lower(function, mesh(a=2, b=4), (array(16, 32),), (before,), after)


@program
def a_rotation_of_a_reversed_array() -> str:
    return _moved(lambda x: jnp.rot90(jnp.flip(x)), P("a", "b"), P("a", "b"))


@program
def an_array_reversed_onto_other_axes() -> str:
    return _moved(jnp.flip, P("a"), P("b"))


@program
def an_array_rolled_onto_its_other_dimension() -> str:
    return _moved(lambda x: jnp.roll(x, 3, 0), P("b"), P(None, "b"))


@program
def neighbours_added_up_onto_another_dimension() -> str:
    def stencil(x: jax.Array) -> jax.Array:
        return jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) - 2 * x

    return _moved(stencil, P(("a", "b")), P(None, ("a", "b")))


@program
def differences_onto_other_axes() -> str:
    return _moved(lambda x: jnp.diff(x, axis=1, prepend=0.0), P("a", "b"), P("b", "a"))
