# mypy: allow-untyped-calls, allow-untyped-defs, allow-any-generics, no-warn-return-any
"""Models of sequences, images, graphs and grids whose memory is held against XLA's; they join ``MEMORY_MODELS``."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.memory_models import (
    MEMORY_MODELS,
    Tree,
    adam,
    attended,
    attention,
    block,
    convolved,
    crossed,
    ints,
    layer,
    lowered,
    model,
    momentum,
    normed,
    of,
    sgd,
    stacked,
)

__all__ = ["MEMORY_MODELS"]

_WORDS, _WIDTH = 1024, 128


# --- transformers -----------------------------------------------------------------------------------------------------


def _language_model(layers: int = 2, *, through: Any = layer, loop: bool = False) -> tuple[Any, ...]:
    one = block(_WIDTH, 4)
    params = {"embed": of(_WORDS, _WIDTH), "layers": stacked(one, layers) if loop else [one] * layers}

    def loss(params: Tree, tokens: Any, targets: Any) -> Any:
        x = params["embed"][tokens]
        if loop:
            x = lax.scan(lambda x, p: (through(x, p), None), x, params["layers"])[0]
        else:
            for p in params["layers"]:
                x = through(x, p)
        return crossed(x @ params["embed"].T, targets)

    return loss, params, ints(8, 128), ints(8, 128)


@model
def transformer_with_adam() -> str:
    return adam(*_language_model())


@model
def transformer_without_donation() -> str:
    return sgd(*_language_model(3), donate=False)


@model
def transformer_with_remat() -> str:
    return adam(*_language_model(4, through=jax.checkpoint(layer)))


@model
def transformer_that_saves_products() -> str:
    policy = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
    return adam(*_language_model(3, through=jax.checkpoint(layer, policy=policy)))


@model
def transformer_in_a_loop() -> str:
    return adam(*_language_model(4, loop=True))


@model
def transformer_in_a_loop_with_remat() -> str:
    return adam(*_language_model(6, loop=True, through=jax.checkpoint(layer)))


@model
def transformer_with_silu() -> str:
    return momentum(*_language_model(2, through=partial(layer, act=jax.nn.silu)))


@model
def transformer_with_gradients_added_up() -> str:
    loss, params, tokens, _ = _language_model()

    def step(params: Tree, tokens: Any, targets: Any) -> Any:
        def one(total: Tree, batch: Any) -> Any:
            value, grads = jax.value_and_grad(loss)(params, *batch)
            return jax.tree.map(jnp.add, total, grads), value

        zeros = jax.tree.map(jnp.zeros_like, params)
        total, values = lax.scan(one, zeros, (tokens, targets))
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, total), jnp.mean(values)

    return lowered(step, params, ints(4, *tokens.shape), ints(4, *tokens.shape), donate=(0,))


@model
def transformer_for_inference() -> str:
    _, params, tokens, _ = _language_model(3)

    def run(params: Tree, tokens: Any) -> Any:
        x = params["embed"][tokens]
        for p in params["layers"]:
            x = layer(x, p)
        return x[:, -1] @ params["embed"].T

    return lowered(run, params, tokens)


@model
def transformer_for_inference_in_a_loop() -> str:
    _, params, tokens, _ = _language_model(4, loop=True)

    def run(params: Tree, tokens: Any) -> Any:
        x = lax.scan(lambda x, p: (layer(x, p), None), params["embed"][tokens], params["layers"])[0]
        return jax.nn.log_softmax(x @ params["embed"].T)

    return lowered(run, params, tokens)


@model
def transformer_with_adapters() -> str:
    one = block(_WIDTH, 4)
    small = {"a": of(_WIDTH, 8), "b": of(8, _WIDTH)}
    frozen = {"embed": of(_WORDS, _WIDTH), "layers": [one] * 3}

    def loss(params: Tree, frozen: Tree, tokens: Any, targets: Any) -> Any:
        x = frozen["embed"][tokens]
        for p, q in zip(frozen["layers"], params["layers"], strict=True):
            x = layer(x, p) + x @ q["a"] @ q["b"]
        return crossed(x @ frozen["embed"].T, targets)

    return sgd(loss, {"layers": [small] * 3}, frozen, ints(8, 128), ints(8, 128))


@model
def encoder_and_decoder() -> str:
    params = {
        "embed": of(_WORDS, _WIDTH),
        "enc": [block(_WIDTH, 4)] * 2,
        "dec": [block(_WIDTH, 4) | {"cross": attention(_WIDTH, 4)}] * 2,
    }

    def loss(params: Tree, given: Any, tokens: Any, targets: Any) -> Any:
        y = params["embed"][given]
        for p in params["enc"]:
            y = layer(y, p, causal=False, act=jax.nn.relu)
        x = params["embed"][tokens]
        for p in params["dec"]:
            x = layer(x + attended(x, y, p["cross"]), p, act=jax.nn.relu)
        return crossed(x @ params["embed"].T, targets)

    return adam(loss, params, ints(8, 64), ints(8, 64), ints(8, 64))


@model
def vision_transformer() -> str:
    params = {"stem": of(8, 8, 3, _WIDTH), "places": of(64, _WIDTH), "layers": [block(_WIDTH, 4)] * 2}
    params["head"] = of(_WIDTH, 100)

    def loss(params: Tree, images: Any, labels: Any) -> Any:
        dims = ("NHWC", "HWIO", "NHWC")
        x = lax.conv_general_dilated(images, params["stem"], (8, 8), "VALID", dimension_numbers=dims)
        x = x.reshape(x.shape[0], -1, x.shape[-1]) + params["places"]
        for p in params["layers"]:
            x = layer(x, p, causal=False)
        return crossed(jnp.mean(x, 1) @ params["head"], labels)

    return adam(loss, params, of(32, 64, 64, 3), ints(32))


@model
def linear_attention_in_chunks() -> str:
    params = {"wq": of(_WIDTH, 4, 32), "wk": of(_WIDTH, 4, 32), "wv": of(_WIDTH, 4, 32), "wo": of(4, 32, _WIDTH)}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        q, k, v = (jnp.einsum("cbsd,dhk->cbhsk", x, params[name]) for name in ("wq", "wk", "wv"))
        q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1
        mask = jnp.tril(jnp.ones((q.shape[3], q.shape[3])))

        def chunk(state: Any, given: Any) -> Any:
            q, k, v = given
            inside = jnp.einsum("bhsk,bhtk->bhst", q, k) * mask
            made = jnp.einsum("bhst,bhtv->bhsv", inside, v) + jnp.einsum("bhsk,bhkv->bhsv", q, state)
            return state + jnp.einsum("bhsk,bhsv->bhkv", k, v), made

        state = jnp.zeros((*q.shape[1:3], 32, 32))
        _, made = lax.scan(chunk, state, (q, k, v))
        return jnp.mean((jnp.einsum("cbhsv,hvd->cbsd", made, params["wo"]) - y) ** 2)

    return adam(loss, params, of(8, 8, 32, _WIDTH), of(8, 8, 32, _WIDTH))


@model
def experts_by_sorting() -> str:
    count, width = 8, _WIDTH
    params = {"router": of(width, count), "up": of(count, width, 256), "down": of(count, 256, width)}

    def run(params: Tree, x: Any) -> Any:
        shares, chosen = lax.top_k(jax.nn.softmax(x @ params["router"]), 1)
        order = jnp.argsort(chosen[:, 0])
        room = x.shape[0] // count
        given = x[order].reshape(count, room, width)
        made = jnp.einsum("ecf,efd->ecd", jax.nn.silu(jnp.einsum("ecd,edf->ecf", given, params["up"])), params["down"])
        return jnp.zeros_like(x).at[order].set(made.reshape(-1, width)) * shares

    return lowered(run, params, of(2048, width))


# --- decoding ---------------------------------------------------------------------------------------------------------


def _decoded(x: Any, p: Tree, keys: Any, values: Any, place: Any) -> Any:
    h = normed(x, p["scale1"])
    new = (jnp.einsum("bd,dhk->bhk", h, p[name])[:, None] for name in ("wk", "wv"))
    keys, values = (
        lax.dynamic_update_slice(old, one, (0, place, 0, 0)) for old, one in zip((keys, values), new, strict=True)
    )
    scores = jnp.einsum("bhk,bthk->bht", jnp.einsum("bd,dhk->bhk", h, p["wq"]), keys) * 32**-0.5
    scores = jnp.where(jnp.arange(keys.shape[1]) <= place, scores, -1e9)
    x = x + jnp.einsum("bht,bthk,hkd->bd", jax.nn.softmax(scores), values, p["wo"])
    return x + jax.nn.gelu(normed(x, p["scale2"]) @ p["up"]) @ p["down"], keys, values


@model
def decoding_of_many_tokens() -> str:
    params = {"embed": of(_WORDS, _WIDTH), "layers": [block(_WIDTH, 4)] * 2}
    cache = [{"keys": of(16, 256, 4, 32), "values": of(16, 256, 4, 32)}] * 2

    def run(params: Tree, cache: Tree, tokens: Any, begin: Any) -> Any:
        def one(place: Any, state: Any) -> Any:
            tokens, cache = state
            x, kept = params["embed"][tokens], []
            for p, old in zip(params["layers"], cache, strict=True):
                x, keys, values = _decoded(x, p, old["keys"], old["values"], place)
                kept.append({"keys": keys, "values": values})
            return jnp.argmax(x @ params["embed"].T, -1).astype(jnp.int32), kept

        return lax.fori_loop(begin, begin + 16, one, (tokens, cache))

    return lowered(run, params, cache, ints(16), ints(), donate=(1,))


@model
def decoding_through_stacked_layers() -> str:
    params = {"embed": of(_WORDS, _WIDTH), "layers": stacked(block(_WIDTH, 4), 4)}
    cache = {"keys": of(4, 16, 256, 4, 32), "values": of(4, 16, 256, 4, 32)}

    def run(params: Tree, cache: Tree, tokens: Any, place: Any) -> Any:
        def one(x: Any, given: Any) -> Any:
            p, keys, values = given
            x, keys, values = _decoded(x, p, keys, values, place)
            return x, (keys, values)

        x, kept = lax.scan(one, params["embed"][tokens], (params["layers"], cache["keys"], cache["values"]))
        return x @ params["embed"].T, {"keys": kept[0], "values": kept[1]}

    return lowered(run, params, cache, ints(16), ints(), donate=(1,))


@model
def decoding_of_one_token_without_donation() -> str:
    params = {"embed": of(_WORDS, _WIDTH), "layers": [block(_WIDTH, 4)] * 2}
    cache = [{"keys": of(16, 256, 4, 32), "values": of(16, 256, 4, 32)}] * 2

    def run(params: Tree, cache: Tree, tokens: Any, place: Any) -> Any:
        x, kept = params["embed"][tokens], []
        for p, old in zip(params["layers"], cache, strict=True):
            x, keys, values = _decoded(x, p, old["keys"], old["values"], place)
            kept.append({"keys": keys, "values": values})
        return x @ params["embed"].T, kept

    return lowered(run, params, cache, ints(16), ints())


@model
def prefill_of_a_cache() -> str:
    params = {"embed": of(_WORDS, _WIDTH), "layers": [block(_WIDTH, 4)] * 2}

    def run(params: Tree, tokens: Any) -> Any:
        x, kept = params["embed"][tokens], []
        for p in params["layers"]:
            h = normed(x, p["scale1"])
            kept.append([jnp.einsum("bsd,dhk->bshk", h, p[name]) for name in ("wk", "wv")])
            x = layer(x, p)
        return x[:, -1] @ params["embed"].T, kept

    return lowered(run, params, ints(8, 256))


@model
def weights_of_eight_bits() -> str:
    whole, back = of(256, 1024, dtype=jnp.int8), of(1024, 256, dtype=jnp.int8)
    params = {"layers": [{"up": whole, "scale": of(1024), "down": back, "scale2": of(256)}] * 3}

    def run(params: Tree, x: Any) -> Any:
        for p in params["layers"]:
            h = jax.nn.relu(x @ (p["up"].astype(jnp.float32) * p["scale"]))
            x = x + h @ (p["down"].astype(jnp.float32) * p["scale2"])
        return x

    return lowered(run, params, of(512, 256))


# --- recurrence -------------------------------------------------------------------------------------------------------


@model
def gated_recurrence() -> str:
    params = {"wx": of(64, 3 * 128), "wh": of(128, 3 * 128), "head": of(128, 32)}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        def cell(h: Any, x: Any) -> Any:
            a, b = x @ params["wx"], h @ params["wh"]
            r, z = jax.nn.sigmoid(a[:, :128] + b[:, :128]), jax.nn.sigmoid(a[:, 128:256] + b[:, 128:256])
            n = jnp.tanh(a[:, 256:] + r * b[:, 256:])
            h = (1 - z) * n + z * h
            return h, h

        _, made = lax.scan(cell, jnp.zeros((x.shape[1], 128)), x)
        return jnp.mean((made @ params["head"] - y) ** 2)

    return adam(loss, params, of(32, 64, 64), of(32, 64, 32))


@model
def two_ways_through_time() -> str:
    cell = {"wx": of(64, 4 * 64), "wh": of(64, 4 * 64)}
    params = {"forth": cell, "back": cell, "head": of(128, 16)}

    def loss(params: Tree, x: Any, labels: Any) -> Any:
        def through(p: Tree, back: bool) -> Any:
            def one(state: Any, x: Any) -> Any:
                h, c = state
                i, f, g, o = jnp.split(x @ p["wx"] + h @ p["wh"], 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            zero = jnp.zeros((x.shape[1], 64))
            return lax.scan(one, (zero, zero), x, reverse=back)[1]

        both = jnp.concatenate([through(params["forth"], False), through(params["back"], True)], -1)
        return crossed(both @ params["head"], labels)

    return sgd(loss, params, of(24, 64, 64), ints(24, 64))


@model
def state_space_by_a_parallel_scan() -> str:
    params = {"layers": [{"decay": of(_WIDTH), "up": of(_WIDTH, _WIDTH), "down": of(_WIDTH, _WIDTH)}] * 2}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        for p in params["layers"]:
            decay = jnp.broadcast_to(jax.nn.sigmoid(p["decay"]), x.shape)
            _, h = lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (decay, x @ p["up"]), axis=1)
            x = x + jax.nn.silu(h) @ p["down"]
        return jnp.mean((x - y) ** 2)

    return adam(loss, params, of(8, 128, _WIDTH), of(8, 128, _WIDTH))


@model
def policy_gradient() -> str:
    params = {"stem": of(32, 128), "layers": [{"up": of(128, 128)}] * 2, "head": of(128, 8), "worth": of(128)}

    def loss(params: Tree, seen: Any, done: Any, gained: Any) -> Any:
        h = jnp.tanh(seen @ params["stem"])
        for p in params["layers"]:
            h = jnp.tanh(h @ p["up"])
        logs, worth = jax.nn.log_softmax(h @ params["head"]), h @ params["worth"]
        picked = jnp.take_along_axis(logs, done[..., None], -1)[..., 0]

        def back(later: Any, given: Any) -> Any:
            gain, now, then = given
            later = gain + 0.99 * then - now + 0.95 * later
            return later, later

        then = jnp.concatenate([worth[1:], worth[-1:]])
        _, better = lax.scan(back, jnp.zeros(seen.shape[1]), (gained, worth, then), reverse=True)
        better = lax.stop_gradient(better)
        ratio = jnp.exp(picked - lax.stop_gradient(picked))
        clipped = jnp.minimum(ratio * better, jnp.clip(ratio, 0.8, 1.2) * better)
        return -jnp.mean(clipped) + 0.5 * jnp.mean((worth - better) ** 2) + 0.01 * jnp.mean(jnp.exp(logs) * logs)

    return adam(loss, params, of(32, 64, 32), ints(32, 64), of(32, 64))


# --- images -----------------------------------------------------------------------------------------------------------


def _batch_normed(x: Any, scale: Any) -> Any:
    mean, square = jnp.mean(x, (0, 1, 2)), jnp.mean(x * x, (0, 1, 2))
    return (x - mean) * lax.rsqrt(square - mean**2 + 1e-5) * scale


def _residual_network(*, trained: bool) -> str:
    sizes = (16, 32, 64)
    params = {"stem": of(3, 3, 3, 16), "layers": [], "head": of(64, 10)}
    for before, c in zip((16, *sizes), sizes, strict=False):
        one = {"one": of(3, 3, before, c), "two": of(3, 3, c, c), "skip": of(1, 1, before, c)}
        params["layers"].append(one | {"scale1": of(c), "scale2": of(c)})

    def run(params: Tree, images: Any) -> Any:
        x = convolved(images, params["stem"])
        for number, p in enumerate(params["layers"]):
            stride = 2 if number else 1
            h = jax.nn.relu(_batch_normed(convolved(x, p["one"], stride), p["scale1"]))
            h = _batch_normed(convolved(h, p["two"]), p["scale2"])
            x = jax.nn.relu(h + convolved(x, p["skip"], stride))
        return jnp.mean(x, (1, 2)) @ params["head"]

    if not trained:
        return lowered(run, params, of(32, 32, 32, 3))
    return momentum(lambda params, x, y: crossed(run(params, x), y), params, of(32, 32, 32, 3), ints(32))


@model
def residual_network() -> str:
    return _residual_network(trained=True)


@model
def residual_network_for_inference() -> str:
    return _residual_network(trained=False)


@model
def depthwise_convolutions() -> str:
    one = {"spread": of(7, 7, 1, 32), "scale": of(32), "up": of(32, 128), "down": of(128, 32)}
    params = {"stem": of(4, 4, 3, 32), "layers": [one] * 2, "head": of(32, 10)}

    def loss(params: Tree, images: Any, labels: Any) -> Any:
        x = convolved(images, params["stem"], 4)
        for p in params["layers"]:
            h = normed(convolved(x, p["spread"], feature_group_count=32), p["scale"])
            x = x + jax.nn.gelu(h @ p["up"]) @ p["down"]
        return crossed(jnp.mean(x, (1, 2)) @ params["head"], labels)

    return adam(loss, params, of(32, 64, 64, 3), ints(32))


@model
def dilated_convolutions_of_sound() -> str:
    params = {"layers": [{"gate": of(2, 32, 64), "down": of(1, 32, 32)}] * 4}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        for number, p in enumerate(params["layers"]):
            dims, wide = ("NHC", "HIO", "NHC"), 2**number
            h = lax.conv_general_dilated(x, p["gate"], (1,), [(wide, 0)], rhs_dilation=(wide,), dimension_numbers=dims)
            h = jnp.tanh(h[..., :32]) * jax.nn.sigmoid(h[..., 32:])
            x = x + lax.conv_general_dilated(h, p["down"], (1,), "SAME", dimension_numbers=dims)
        return jnp.mean((x - y) ** 2)

    return adam(loss, params, of(16, 512, 32), of(16, 512, 32))


@model
def diffusion_in_a_loop() -> str:
    params = {"stem": of(3, 3, 3, 32), "keep": of(3, 3, 32, 32), "head": of(3, 3, 32, 3), "time": of(1, 32)}

    def run(params: Tree, noise: Any) -> Any:
        def one(turn: Any, x: Any) -> Any:
            h = convolved(x, params["stem"]) + turn * params["time"]
            h = jax.nn.silu(convolved(jax.nn.silu(h), params["keep"]))
            return x - 0.1 * convolved(h, params["head"])

        return lax.fori_loop(0, 20, one, noise)

    return lowered(run, params, of(16, 32, 32, 3), donate=(1,))


@model
def pooled_convolutions() -> str:
    params = {"one": of(5, 5, 3, 16), "two": of(5, 5, 16, 32), "up": of(2048, 128), "head": of(128, 10)}

    def loss(params: Tree, images: Any, labels: Any) -> Any:
        x = images
        for name in ("one", "two"):
            x = jax.nn.relu(convolved(x, params[name]))
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.nn.relu(x.reshape(x.shape[0], -1) @ params["up"])
        return crossed(x @ params["head"], labels)

    return sgd(loss, params, of(64, 32, 32, 3), ints(64))


# --- grids and numbers ------------------------------------------------------------------------------------------------


@model
def operator_in_fourier_space() -> str:
    params = {"stem": of(3, 16), "layers": [{"real": of(16, 16, 8, 8), "imag": of(16, 16, 8, 8), "by": of(16, 16)}] * 2}
    params["head"] = of(16, 1)

    def loss(params: Tree, x: Any, y: Any) -> Any:
        x = x @ params["stem"]
        for p in params["layers"]:
            waves = jnp.fft.rfft2(x, axes=(1, 2))[:, :8, :8]
            waves = jnp.einsum("bxyc,cdxy->bxyd", waves, p["real"] + 1j * p["imag"])
            waves = jnp.pad(waves, ((0, 0), (0, 24), (0, 9), (0, 0)))
            x = jax.nn.gelu(jnp.fft.irfft2(waves, s=(32, 32), axes=(1, 2)) + x @ p["by"])
        return jnp.mean((x @ params["head"] - y) ** 2)

    return adam(loss, params, of(16, 32, 32, 3), of(16, 32, 32, 1))


@model
def heat_on_a_grid() -> str:
    def run(field: Any, walls: Any) -> Any:
        def one(_: Any, u: Any) -> Any:
            around = jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) + jnp.roll(u, 1, 2) + jnp.roll(u, -1, 2)
            return jnp.where(walls > 0, 0.0, u + 0.1 * (around - 4 * u))

        return lax.fori_loop(0, 50, one, field)

    return lowered(run, of(8, 256, 256), of(8, 256, 256), donate=(0,))


@model
def means_of_clusters() -> str:
    def run(points: Any, means: Any) -> Any:
        def one(means: Any, _: Any) -> Any:
            apart = jnp.sum((points[:, None] - means) ** 2, -1)
            nearest = jax.nn.one_hot(jnp.argmin(apart, -1), means.shape[0])
            return (nearest.T @ points) / (jnp.sum(nearest, 0)[:, None] + 1e-6), jnp.mean(jnp.min(apart, -1))

        return lax.scan(one, means, None, length=10)

    return lowered(run, of(8192, 32), of(16, 32))


@model
def messages_on_a_graph() -> str:
    params = {"stem": of(32, 64), "layers": [{"up": of(128, 128), "down": of(128, 64)}] * 2, "head": of(64, 8)}

    def loss(params: Tree, nodes: Any, sources: Any, targets: Any, labels: Any) -> Any:
        x = nodes @ params["stem"]
        for p in params["layers"]:
            sent = jax.nn.relu(jnp.concatenate([x[sources], x[targets]], -1) @ p["up"]) @ p["down"]
            x = x + jax.ops.segment_sum(sent, targets, x.shape[0])
        return crossed(x @ params["head"], labels)

    return adam(loss, params, of(1024, 32), ints(8192), ints(8192), ints(1024))


@model
def attention_on_a_graph() -> str:
    params = {"by": of(64, 4, 16), "one": of(4, 16), "other": of(4, 16), "head": of(64, 8)}

    def loss(params: Tree, nodes: Any, sources: Any, targets: Any, labels: Any) -> Any:
        x = jnp.einsum("nd,dhk->nhk", nodes, params["by"])
        score = jnp.sum(x * params["one"], -1)[sources] + jnp.sum(x * params["other"], -1)[targets]
        score = jnp.exp(jax.nn.leaky_relu(score))
        whole = jax.ops.segment_sum(score, targets, x.shape[0])
        share = score / (whole[targets] + 1e-6)
        got = jax.ops.segment_sum(share[..., None] * x[sources], targets, x.shape[0])
        return crossed(jax.nn.elu(got.reshape(-1, 64)) @ params["head"], labels)

    return adam(loss, params, of(1024, 64), ints(8192), ints(8192), ints(1024))
