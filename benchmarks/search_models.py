# mypy: allow-untyped-calls, allow-untyped-defs, allow-any-generics, no-warn-return-any
"""Training steps and a decoding step that strategies are searched for: lowered by JAX from types alone.

Parameters are dicts whose last names say what they are (``wq``, ``up``, ``embed``), in bf16; the optimizer is Adam with
clipped gradients, its moments in f32. Types suffice because nothing is run: strategies are judged by estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import jax
import jax.numpy as jnp
from jax import ShapeDtypeStruct, lax

_F32, _I32 = jnp.float32, jnp.int32
_ELEMENT: ContextVar[Any] = ContextVar("_ELEMENT", default=jnp.bfloat16)


@contextmanager
def elements(dtype: Any) -> Iterator[None]:
    """Makes models in ``dtype`` instead of bf16."""
    token = _ELEMENT.set(dtype)
    try:
        yield
    finally:
        _ELEMENT.reset(token)


def element() -> Any:
    """The type in which models are made."""
    return _ELEMENT.get()


def _of(*shape: int, dtype: Any = None) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(shape, element() if dtype is None else dtype)


def _stacked(layer: Any, count: int) -> Any:
    return jax.tree.map(lambda one: _of(count, *one.shape, dtype=one.dtype), layer)


def _lowered_training(loss: Callable[..., jax.Array], params: Any, *batch: Any) -> str:
    def step(params: Any, m: Any, v: Any, *batch: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, *batch)
        grads = jax.tree.map(lambda g: g.astype(_F32), grads)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
        grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (norm + 1e-6)), grads)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, v, grads)

        def updated(p: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
            wide = p.astype(_F32)
            return (wide - 1e-3 * (m / (jnp.sqrt(v) + 1e-8) + 0.1 * wide)).astype(p.dtype)

        return jax.tree.map(updated, params, m, v), m, v, value

    moments = jax.tree.map(lambda one: _of(*one.shape, dtype=_F32), params)
    return jax.jit(step, donate_argnums=(0, 1, 2)).lower(params, moments, moments, *batch).as_text(debug_info=True)


def _normed(x: jax.Array, scale: jax.Array, bias: jax.Array | None = None) -> jax.Array:
    wide = x.astype(_F32)
    if bias is not None:
        wide = wide - jnp.mean(wide, -1, keepdims=True)
    wide = wide * lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-6)
    found = wide.astype(x.dtype) * scale
    return found if bias is None else found + bias


def _crossed(logits: jax.Array, targets: jax.Array) -> jax.Array:
    wide = logits.astype(_F32)
    picked = jnp.take_along_axis(wide, targets[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(wide, -1) - picked)


def _attended(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    """Causal attention of grouped queries: q has [b, s, kv, group, d], k and v [b, t, kv, d]."""
    scores = jnp.einsum("bsgqd,btgd->bgqst", q, k).astype(_F32) * q.shape[-1] ** -0.5
    places = jnp.arange(scores.shape[-1])
    scores = jnp.where(places[:, None] >= places, scores, -1e9)
    return jnp.einsum("bgqst,btgd->bsgqd", jax.nn.softmax(scores, -1).astype(q.dtype), v)


def _through(layer: Any, x: jax.Array, layers: Any) -> jax.Array:
    """``x`` through all layers: a loop if they are stacked."""
    if isinstance(layers, dict):
        return lax.scan(lambda x, p: (layer(x, p), None), x, layers)[0]
    for one in layers:
        x = layer(x, one)
    return x


def gpt(
    layers: int,
    *,
    scan: bool = False,
    width: int = 1536,
    batch: int = 24,
    length: int = 1024,
    words: int = 50304,
) -> str:
    """Fused projections, biases, layer norms, an embedding that is also the head."""
    heads, wide = width // 64, 4 * width
    layer = {
        "wqkv": _of(width, 3, heads, 64),
        "bqkv": _of(3, heads, 64),
        "wo": _of(heads, 64, width),
        "up": _of(width, wide),
        "b_up": _of(wide),
        "down": _of(wide, width),
        "scale1": _of(width),
        "bias1": _of(width),
        "scale2": _of(width),
        "bias2": _of(width),
    }
    params = {
        "embed": _of(words, width),
        "positions": _of(length, width),
        "layers": _stacked(layer, layers) if scan else [layer] * layers,
    }

    def apply(x: jax.Array, p: Any) -> jax.Array:
        h = _normed(x, p["scale1"], p["bias1"])
        q, k, v = jnp.moveaxis(jnp.einsum("bsd,dchk->bschk", h, p["wqkv"]) + p["bqkv"], 2, 0)
        x = x + jnp.einsum("bshk,hkd->bsd", _attended(q[:, :, :, None], k, v)[:, :, :, 0], p["wo"])
        h = _normed(x, p["scale2"], p["bias2"])
        return x + jax.nn.gelu(h @ p["up"] + p["b_up"]) @ p["down"]

    def loss(params: Any, tokens: jax.Array, targets: jax.Array) -> jax.Array:
        x = params["embed"][tokens] + params["positions"]
        x = _through(jax.checkpoint(apply) if scan else apply, x, params["layers"])
        return _crossed(jnp.einsum("bsd,vd->bsv", x, params["embed"]), targets)

    return _lowered_training(loss, params, _of(batch, length, dtype=_I32), _of(batch, length, dtype=_I32))


def _llama_layer(width: int, heads: int, groups: int, wide: int) -> dict[str, Any]:
    return {
        "wq": _of(width, groups, heads // groups, 128),
        "wk": _of(width, groups, 128),
        "wv": _of(width, groups, 128),
        "wo": _of(groups, heads // groups, 128, width),
        "gate": _of(width, wide),
        "up": _of(width, wide),
        "down": _of(wide, width),
        "scale1": _of(width),
        "scale2": _of(width),
    }


def _turned(x: jax.Array) -> jax.Array:
    """Rotary embeddings of [b, s, …, d]."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[1])[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    angles = angles.reshape(x.shape[1], *[1] * (x.ndim - 3), half)
    one, other = jnp.split(x.astype(_F32), 2, -1)
    cosine, sine = jnp.cos(angles), jnp.sin(angles)
    return jnp.concatenate([one * cosine - other * sine, one * sine + other * cosine], -1).astype(x.dtype)


def _llama_block(x: jax.Array, p: Any) -> jax.Array:
    h = _normed(x, p["scale1"])
    q = _turned(jnp.einsum("bsd,dgqk->bsgqk", h, p["wq"]))
    k, v = _turned(jnp.einsum("bsd,dgk->bsgk", h, p["wk"])), jnp.einsum("bsd,dgk->bsgk", h, p["wv"])
    x = x + jnp.einsum("bsgqk,gqkd->bsd", _attended(q, k, v), p["wo"])
    h = _normed(x, p["scale2"])
    return x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]


def llama(
    layers: int,
    *,
    scan: bool = False,
    width: int = 2048,
    batch: int = 16,
    length: int = 2048,
    words: int = 32000,
) -> str:
    """Grouped queries, rotary embeddings, gated perceptrons; layers are computed again in the backward pass."""
    layer = _llama_layer(width, width // 128, max(1, width // 512), 11 * width // 4)
    params = {
        "embed": _of(words, width),
        "layers": _stacked(layer, layers) if scan else [layer] * layers,
        "scale": _of(width),
        "head": _of(width, words),
    }

    def loss(params: Any, tokens: jax.Array, targets: jax.Array) -> jax.Array:
        x = _through(jax.checkpoint(_llama_block), params["embed"][tokens], params["layers"])
        return _crossed(_normed(x, params["scale"]) @ params["head"], targets)

    return _lowered_training(loss, params, _of(batch, length, dtype=_I32), _of(batch, length, dtype=_I32))


def experts(
    layers: int,
    *,
    count: int = 16,
    width: int = 1024,
    batch: int = 32,
    length: int = 512,
    words: int = 32000,
) -> str:
    """Attention, then experts: each token goes to its best two, as far as they have room."""
    layer = _llama_layer(width, width // 128, width // 128, 2 * width)
    for name, shape in (("gate", (width, 2 * width)), ("up", (width, 2 * width)), ("down", (2 * width, width))):
        layer[name] = _of(count, *shape)
    layer["router"] = _of(width, count)
    params = {"embed": _of(words, width), "layers": [layer] * layers, "head": _of(width, words)}
    room = 4 * length // count

    def apply(x: jax.Array, p: Any) -> jax.Array:
        h = _normed(x, p["scale1"])
        q = jnp.einsum("bsd,dgqk->bsgqk", h, p["wq"])
        k, v = jnp.einsum("bsd,dgk->bsgk", h, p["wk"]), jnp.einsum("bsd,dgk->bsgk", h, p["wv"])
        x = x + jnp.einsum("bsgqk,gqkd->bsd", _attended(q, k, v), p["wo"])
        h = _normed(x, p["scale2"])
        shares = jax.nn.softmax((h @ p["router"]).astype(_F32), -1)
        sent: jax.Array = jnp.zeros(())
        taken: jax.Array = jnp.zeros(())
        first = jax.nn.one_hot(jnp.argmax(shares, -1), count)
        second = jax.nn.one_hot(jnp.argmax(shares - 2 * first, -1), count)
        for chosen in (first, second):
            place = (jnp.cumsum(chosen, 1) + taken) * chosen - 1
            sent = sent + jax.nn.one_hot(place, room) * (shares * chosen)[..., None]
            taken = jnp.sum(chosen, 1, keepdims=True)
        given = jnp.einsum("bsd,bsec->ebcd", h, (sent > 0).astype(element()))
        inside = jax.nn.silu(jnp.einsum("ebcd,edf->ebcf", given, p["gate"]))
        inside = inside * jnp.einsum("ebcd,edf->ebcf", given, p["up"])
        made = jnp.einsum("ebcf,efd->ebcd", inside, p["down"])
        return x + jnp.einsum("ebcd,bsec->bsd", made, sent.astype(element()))

    def loss(params: Any, tokens: jax.Array, targets: jax.Array) -> jax.Array:
        return _crossed(_through(apply, params["embed"][tokens], params["layers"]) @ params["head"], targets)

    return _lowered_training(loss, params, _of(batch, length, dtype=_I32), _of(batch, length, dtype=_I32))


def mixer(layers: int, *, width: int = 768, batch: int = 256) -> str:
    """Perceptrons over patches and over channels in turns."""
    patches, inside, wide = 196, 384, 4 * width
    layer = {
        "patches1": _of(patches, inside),
        "patches2": _of(inside, patches),
        "up": _of(width, wide),
        "down": _of(wide, width),
        "scale1": _of(width),
        "scale2": _of(width),
    }
    params = {"stem": _of(768, width), "layers": [layer] * layers, "head": _of(width, 1000)}

    def apply(x: jax.Array, p: Any) -> jax.Array:
        h = jnp.swapaxes(_normed(x, p["scale1"]), 1, 2)
        x = x + jnp.swapaxes(jax.nn.gelu(h @ p["patches1"]) @ p["patches2"], 1, 2)
        return x + jax.nn.gelu(_normed(x, p["scale2"]) @ p["up"]) @ p["down"]

    def loss(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
        x = _through(apply, images @ params["stem"], params["layers"])
        return _crossed(jnp.mean(x, 1) @ params["head"], labels)

    return _lowered_training(loss, params, _of(batch, patches, 768), _of(batch, dtype=_I32))


def graph(layers: int, *, nodes: int = 131072, edges: int = 1048576, width: int = 128) -> str:
    """Messages along edges, added up at nodes."""
    layer = {"up": _of(2 * width, 4 * width), "down": _of(4 * width, width), "join": _of(2 * width, width)}
    params = {"stem": _of(64, width), "layers": [layer] * layers, "head": _of(width, 16)}

    def loss(params: Any, features: jax.Array, sources: jax.Array, targets: jax.Array, labels: jax.Array) -> jax.Array:
        def apply(x: jax.Array, p: Any) -> jax.Array:
            sent = jax.nn.silu(jnp.concatenate([x[sources], x[targets]], -1) @ p["up"]) @ p["down"]
            got = jax.ops.segment_sum(sent, targets, nodes)
            return x + jax.nn.silu(jnp.concatenate([x, got], -1) @ p["join"])

        return _crossed(_through(apply, features @ params["stem"], params["layers"]) @ params["head"], labels)

    ends = _of(edges, dtype=_I32)
    return _lowered_training(loss, params, _of(nodes, 64), ends, ends, _of(nodes, dtype=_I32))


def unet(levels: int, *, channels: int = 64, batch: int = 64, size: int = 64) -> str:
    """Convolutions down and up again, joined at each level."""

    def kernel(given: int, made: int) -> ShapeDtypeStruct:
        return _of(3, 3, given, made)

    sizes = [channels * 2**level for level in range(levels + 1)]
    params = {
        "stem": kernel(3, channels),
        "down": [{"keep": kernel(c, c), "widen": kernel(c, 2 * c)} for c in sizes[:-1]],
        "up": [{"narrow": kernel(2 * c, c), "join": kernel(2 * c, c)} for c in sizes[-2::-1]],
        "head": kernel(channels, 3),
    }

    def convolved(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
        dims = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=dims)

    def loss(params: Any, images: jax.Array, wanted: jax.Array) -> jax.Array:
        x, kept = convolved(images, params["stem"]), []
        for p in params["down"]:
            kept.append(jax.nn.silu(convolved(x, p["keep"])))
            x = jax.nn.silu(convolved(kept[-1], p["widen"], 2))
        for p, before in zip(params["up"], reversed(kept), strict=True):
            x = jnp.repeat(jnp.repeat(convolved(x, p["narrow"]), 2, 1), 2, 2)
            x = jax.nn.silu(convolved(jnp.concatenate([x, before], -1), p["join"]))
        return jnp.mean(jnp.square((convolved(x, params["head"]) - wanted).astype(_F32)))

    return _lowered_training(loss, params, _of(batch, size, size, 3), _of(batch, size, size, 3))


def decode(
    layers: int,
    *,
    width: int = 4096,
    batch: int = 64,
    length: int = 4096,
    words: int = 128256,
) -> str:
    """One token more for each sequence, with a cache of keys and values."""
    groups = width // 512
    layer = _llama_layer(width, width // 128, groups, 7 * width // 2)
    params = {"embed": _of(words, width), "layers": [layer] * layers, "scale": _of(width), "head": _of(width, words)}
    cache = [{"keys": _of(batch, length, groups, 128), "values": _of(batch, length, groups, 128)}] * layers

    def step(params: Any, cache: Any, tokens: jax.Array, place: jax.Array) -> Any:
        x, kept = params["embed"][tokens], []
        for p, before in zip(params["layers"], cache, strict=True):
            h = _normed(x, p["scale1"])
            new = {"keys": jnp.einsum("bd,dgk->bgk", h, p["wk"]), "values": jnp.einsum("bd,dgk->bgk", h, p["wv"])}
            at = (0, place, 0, 0)
            kept.append({name: lax.dynamic_update_slice(before[name], new[name][:, None], at) for name in new})
            q = jnp.einsum("bd,dgqk->bgqk", h, p["wq"])
            scores = jnp.einsum("bgqk,btgk->bgqt", q, kept[-1]["keys"]).astype(_F32) * 128**-0.5
            shares = jax.nn.softmax(jnp.where(jnp.arange(length) <= place, scores, -1e9), -1).astype(element())
            x = x + jnp.einsum("bgqt,btgk,gqkd->bd", shares, kept[-1]["values"], p["wo"])
            h = _normed(x, p["scale2"])
            x = x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]
        logits = _normed(x, params["scale"]) @ params["head"]
        return jnp.argmax(logits, -1).astype(_I32), kept

    given = (params, cache, _of(batch, dtype=_I32), _of(dtype=_I32))
    return jax.jit(step, donate_argnums=(1,)).lower(*given).as_text(debug_info=True)


MODELS: dict[str, Callable[[], str]] = {
    "GPT, 2 layers": lambda: gpt(2),
    "GPT, 32 layers": lambda: gpt(32),
    "GPT, 32 in a loop": lambda: gpt(32, scan=True, batch=32),
    "Llama, 2 layers": lambda: llama(2),
    "Llama, 32 layers": lambda: llama(32),
    "Llama, 32 in a loop": lambda: llama(32, scan=True, width=4096, batch=64, length=4096),
    "experts, 2 layers": lambda: experts(2),
    "64 experts, 8 layers": lambda: experts(8, count=64, batch=64),
    "mixer, 4 layers": lambda: mixer(4),
    "graph network, 3 layers": lambda: graph(3),
    "UNet, 3 levels": lambda: unet(3),
    "decode, 2 layers": lambda: decode(2),
    "decode, 32 layers": lambda: decode(32),
}
"""The programs by name."""
