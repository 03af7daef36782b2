# mypy: allow-untyped-calls, allow-untyped-defs, allow-any-generics, no-warn-return-any
"""Models whose memory is held against XLA's, and that no rule of the memory model was made with: written afterwards.

They stand apart from ``memory_models``, so that what they say of other programs is not said by those.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.memory_models import (
    Tree,
    adam,
    attended,
    attention,
    block,
    convolved,
    crossed,
    entered_in,
    ints,
    layer,
    lowered,
    momentum,
    normed,
    of,
    sgd,
)

NOT_LOOKED_AT: dict[str, Callable[[], str]] = {}
"""The text of each model by name."""

_model = entered_in(NOT_LOOKED_AT)


@_model
def highway_network() -> str:
    params = {"layers": [{"up": of(256, 256), "gate": of(256, 256)}] * 5}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        for p in params["layers"]:
            gate = jax.nn.sigmoid(x @ p["gate"])
            x = gate * jax.nn.relu(x @ p["up"]) + (1 - gate) * x
        return jnp.mean((x - y) ** 2)

    return adam(loss, params, of(1024, 256), of(1024, 256))


@_model
def denoising_autoencoder() -> str:
    sizes = (784, 512, 256, 64, 256, 512, 784)
    params = {"layers": [{"up": of(a, b), "bias": of(b)} for a, b in pairwise(sizes)]}

    def loss(params: Tree, x: Any, noise: Any) -> Any:
        h = x + 0.1 * noise
        for p in params["layers"]:
            h = jax.nn.elu(h @ p["up"] + p["bias"])
        return jnp.mean((h - x) ** 2)

    return momentum(loss, params, of(512, 784), of(512, 784))


@_model
def classifier_with_smoothed_labels() -> str:
    params = {"layers": [{"up": of(128, 512), "down": of(512, 128), "scale": of(128)}] * 3, "head": of(128, 1024)}

    def loss(params: Tree, x: Any, labels: Any) -> Any:
        for p in params["layers"]:
            x = x + jax.nn.gelu(normed(x, p["scale"]) @ p["up"]) @ p["down"]
        logits = jax.nn.log_softmax(x @ params["head"])
        wanted = 0.9 * jax.nn.one_hot(labels, 1024) + 0.1 / 1024
        return -jnp.mean(jnp.sum(wanted * logits, -1))

    return adam(loss, params, of(1024, 128), ints(1024))


@_model
def triplets_of_images() -> str:
    params = {"stem": of(768, 256), "layers": [{"up": of(256, 512), "down": of(512, 256)}] * 2}

    def loss(params: Tree, anchors: Any, same: Any, other: Any) -> Any:
        def seen(x: Any) -> Any:
            x = x @ params["stem"]
            for p in params["layers"]:
                x = x + jnp.tanh(x @ p["up"]) @ p["down"]
            return x / jnp.linalg.norm(x, axis=-1, keepdims=True)

        a, b, c = seen(anchors), seen(same), seen(other)
        apart = jnp.sum((a - b) ** 2, -1) - jnp.sum((a - c) ** 2, -1)
        return jnp.mean(jax.nn.relu(apart + 0.2))

    return sgd(loss, params, of(512, 768), of(512, 768), of(512, 768))


@_model
def deep_sets() -> str:
    params = {"one": [of(32, 256), of(256, 256)], "two": [of(256, 256), of(256, 16)]}

    def loss(params: Tree, sets: Any, labels: Any) -> Any:
        x = sets
        for w in params["one"]:
            x = jax.nn.relu(x @ w)
        x = jnp.max(x, 1)
        return crossed(jax.nn.relu(x @ params["two"][0]) @ params["two"][1], labels)

    return adam(loss, params, of(128, 64, 32), ints(128))


@_model
def mixture_density_network() -> str:
    params = {"layers": [{"up": of(128, 256), "down": of(256, 128)}] * 2, "head": of(128, 3 * 32)}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        for p in params["layers"]:
            x = x + jnp.tanh(x @ p["up"]) @ p["down"]
        share, mean, width = jnp.split(x @ params["head"], 3, -1)
        logs = jax.nn.log_softmax(share) - 0.5 * ((y[:, None] - mean) * jnp.exp(-width)) ** 2 - width
        return -jnp.mean(jax.nn.logsumexp(logs, -1))

    return adam(loss, params, of(4096, 128), of(4096))


@_model
def transformer_with_parallel_blocks() -> str:
    params = {"embed": of(1024, 256), "layers": [block(256, 8)] * 2, "head": of(256, 1024)}

    def loss(params: Tree, tokens: Any, labels: Any) -> Any:
        x = params["embed"][tokens]
        for p in params["layers"]:
            h = normed(x, p["scale1"])
            x = x + attended(h, h, p, causal=True) + jax.nn.gelu(h @ p["up"]) @ p["down"]
        return crossed(x @ params["head"], labels)

    return adam(loss, params, ints(8, 128), ints(8, 128))


@_model
def transformer_with_biases_by_distance() -> str:
    params = {"embed": of(512, 128), "layers": [block(128, 4)] * 2, "slopes": of(4), "head": of(128, 512)}

    def loss(params: Tree, tokens: Any, labels: Any) -> Any:
        x = params["embed"][tokens]
        far = jnp.arange(256)[:, None] - jnp.arange(256)[None, :]
        for p in params["layers"]:
            h = normed(x, p["scale1"])
            q, k, v = (jnp.einsum("bsd,dhk->bhsk", h, p[name]) for name in ("wq", "wk", "wv"))
            scores = jnp.einsum("bhsk,bhtk->bhst", q, k) - params["slopes"][:, None, None] * jnp.abs(far)
            scores = jnp.where(far >= 0, scores, -1e9)
            x = x + jnp.einsum("bhst,bhtk,hkd->bsd", jax.nn.softmax(scores), v, p["wo"])
            x = x + jax.nn.relu(normed(x, p["scale2"]) @ p["up"]) @ p["down"]
        return crossed(x @ params["head"], labels)

    return sgd(loss, params, ints(8, 256), ints(8, 256))


@_model
def transformer_with_windows() -> str:
    params = {"embed": of(1024, 128), "layers": [block(128, 4)] * 2, "head": of(128, 1024)}

    def loss(params: Tree, tokens: Any, labels: Any) -> Any:
        x = params["embed"][tokens]
        for p in params["layers"]:
            parts = normed(x, p["scale1"]).reshape(8 * 4, 64, 128)
            x = x + attended(parts, parts, p, causal=True).reshape(x.shape)
            x = x + jax.nn.gelu(normed(x, p["scale2"]) @ p["up"]) @ p["down"]
        return crossed(x @ params["head"], labels)

    return adam(loss, params, ints(8, 256), ints(8, 256))


@_model
def masked_words() -> str:
    params = {"embed": of(2048, 128), "layers": [block(128, 4)] * 3}

    def loss(params: Tree, tokens: Any, places: Any, labels: Any) -> Any:
        x = params["embed"][tokens]
        for p in params["layers"]:
            x = layer(x, p, causal=False)
        picked = jnp.take_along_axis(x, places[..., None], 1)
        return crossed(picked @ params["embed"].T, labels)

    return adam(loss, params, ints(16, 128), ints(16, 20), ints(16, 20))


@_model
def preferences() -> str:
    params = {"embed": of(512, 128), "layers": [block(128, 4)] * 2, "head": of(128, 512)}

    def loss(params: Tree, frozen: Tree, better: Any, worse: Any) -> Any:
        def logs(p: Tree, tokens: Any) -> Any:
            x = p["embed"][tokens[:, :-1]]
            for one in p["layers"]:
                x = layer(x, one)
            found = jax.nn.log_softmax(x @ p["head"])
            return jnp.sum(jnp.take_along_axis(found, tokens[:, 1:, None], -1), (1, 2))

        won = logs(params, better) - logs(frozen, better)
        return -jnp.mean(jax.nn.log_sigmoid(0.1 * (won - logs(params, worse) + logs(frozen, worse))))

    return sgd(loss, params, params, ints(8, 129), ints(8, 129))


@_model
def teacher_and_student() -> str:
    params = {"stem": of(256, 128), "layers": [{"up": of(128, 256), "down": of(256, 128)}] * 2, "head": of(128, 256)}
    wise = {"stem": of(256, 512), "layers": [{"up": of(512, 1024), "down": of(1024, 512)}] * 2, "head": of(512, 256)}

    def loss(params: Tree, frozen: Tree, x: Any) -> Any:
        def seen(p: Tree) -> Any:
            h = x @ p["stem"]
            for one in p["layers"]:
                h = h + jax.nn.relu(h @ one["up"]) @ one["down"]
            return h @ p["head"]

        wanted = jax.nn.softmax(seen(frozen) / 2.0)
        return -jnp.mean(jnp.sum(wanted * jax.nn.log_softmax(seen(params) / 2.0), -1))

    return adam(loss, params, wise, of(1024, 256))


@_model
def gated_convolutions_of_text() -> str:
    params = {"embed": of(1024, 128), "kernels": [of(5, 128, 256)] * 3, "head": of(128, 1024)}

    def loss(params: Tree, tokens: Any, labels: Any) -> Any:
        x = params["embed"][tokens]
        for kernel in params["kernels"]:
            made = lax.conv_general_dilated(x, kernel, (1,), [(4, 0)], dimension_numbers=("NWC", "WIO", "NWC"))
            a, b = jnp.split(made, 2, -1)
            x = x + a * jax.nn.sigmoid(b)
        return crossed(x @ params["head"], labels)

    return adam(loss, params, ints(16, 128), ints(16, 128))


@_model
def squeezed_convolutions() -> str:
    params = {
        "stem": of(3, 3, 3, 32),
        "kernels": [{"kernel": of(3, 3, 32, 32), "up": of(32, 8), "down": of(8, 32)}] * 3,
        "head": of(32, 16),
    }

    def loss(params: Tree, images: Any, labels: Any) -> Any:
        x = convolved(images, params["stem"])
        for p in params["kernels"]:
            h = jax.nn.relu(convolved(x, p["kernel"]))
            share = jax.nn.sigmoid(jax.nn.relu(jnp.mean(h, (1, 2)) @ p["up"]) @ p["down"])
            x = x + h * share[:, None, None, :]
        return crossed(jnp.mean(x, (1, 2)) @ params["head"], labels)

    return momentum(loss, params, of(16, 32, 32, 3), ints(16))


@_model
def segmented_images() -> str:
    params = {"stem": of(3, 3, 3, 16), "kernels": [of(3, 3, 16, 16)] * 4, "head": of(1, 1, 16, 8)}

    def loss(params: Tree, images: Any, labels: Any) -> Any:
        x = convolved(images, params["stem"])
        for kernel in params["kernels"]:
            x = x + jax.nn.silu(convolved(x, kernel))
        return crossed(convolved(x, params["head"]), labels)

    return adam(loss, params, of(16, 32, 32, 3), ints(16, 32, 32))


@_model
def simple_recurrence() -> str:
    params = {"wx": of(64, 256), "wh": of(256, 256), "head": of(256, 64)}

    def loss(params: Tree, xs: Any, labels: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = jnp.tanh(x @ params["wx"] + h @ params["wh"])
            return h, h

        _, hs = lax.scan(step, jnp.zeros((32, 256), xs.dtype), jnp.swapaxes(xs, 0, 1))
        return crossed(hs @ params["head"], labels.T)

    return sgd(loss, params, of(32, 64, 64), ints(32, 64))


@_model
def gradients_of_each_example() -> str:
    params = {"layers": [{"up": of(64, 128), "down": of(128, 64)}] * 2}

    def run(params: Tree, x: Any, y: Any) -> Any:
        def loss(params: Tree, x: Any, y: Any) -> Any:
            for p in params["layers"]:
                x = x + jnp.tanh(x @ p["up"]) @ p["down"]
            return jnp.mean((x - y) ** 2)

        grads = jax.vmap(jax.grad(loss), (None, 0, 0))(params, x, y)
        norm = jnp.sqrt(sum(jnp.sum(g * g, (1, 2)) for g in jax.tree.leaves(grads)))
        share = jnp.minimum(1.0, 1.0 / norm)
        return jax.tree.map(lambda p, g: p - 0.1 * jnp.einsum("b,bij->ij", share, g) / 64, params, grads)

    return lowered(run, params, of(64, 64), of(64, 64), donate=(0,))


@_model
def power_iteration() -> str:
    def run(points: Any, first: Any) -> Any:
        def turn(_: int, v: Any) -> Any:
            v = points.T @ (points @ v)
            return v / jnp.linalg.norm(v, axis=0)

        return lax.fori_loop(0, 20, turn, first)

    return lowered(run, of(4096, 256), of(256, 8))


@_model
def nearest_neighbours() -> str:
    def run(points: Any, asked: Any) -> Any:
        apart = jnp.sum(asked**2, -1)[:, None] - 2 * asked @ points.T + jnp.sum(points**2, -1)
        near, which = lax.top_k(-apart, 8)
        return jnp.mean(points[which], 1), near

    return lowered(run, of(4096, 64), of(512, 64))


@_model
def kernel_regression() -> str:
    params = {"points": of(512, 32), "weights": of(512, 8), "width": of()}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        apart = jnp.sum((x[:, None, :] - params["points"][None]) ** 2, -1)
        found = jnp.exp(-apart * jnp.exp(params["width"])) @ params["weights"]
        return jnp.mean((found - y) ** 2)

    return momentum(loss, params, of(1024, 32), of(1024, 8))


@_model
def crossing_of_two_texts() -> str:
    params = {"embed": of(512, 128), "one": block(128, 4), "other": attention(128, 4), "head": of(128, 4)}

    def loss(params: Tree, first: Any, second: Any, labels: Any) -> Any:
        x, y = params["embed"][first], params["embed"][second]
        x = layer(x, params["one"], causal=False)
        x = x + attended(x, y, params["other"])
        return crossed(jnp.mean(x, 1) @ params["head"], labels)

    return adam(loss, params, ints(32, 64), ints(32, 128), ints(32))


@_model
def smoothed_path() -> str:
    def run(path: Any, wanted: Any) -> Any:
        def energy(path: Any) -> Any:
            apart = path[:, 1:] - path[:, :-1]
            return jnp.sum((path - wanted) ** 2) + 10 * jnp.sum(apart**2)

        def turn(path: Any, _: Any) -> Any:
            return path - 0.01 * jax.grad(energy)(path), energy(path)

        return lax.scan(turn, path, None, length=8)

    return lowered(run, of(64, 1024, 8), of(64, 1024, 8), donate=(0,))
