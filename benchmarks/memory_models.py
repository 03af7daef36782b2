# mypy: allow-untyped-calls, allow-untyped-defs, allow-any-generics, no-warn-return-any
"""Models of many kinds whose memory is held against XLA's: lowered by JAX from types alone, small, but no toys.

Each is a function of ``params``, what an optimizer keeps (``m``, ``v``), and data; ``MEMORY_MODELS`` has the text of
each by name. ``memory_programs`` shards them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import ShapeDtypeStruct, lax

from benchmarks.search_models import element

Tree = Any


def of(*shape: int, dtype: Any = None) -> ShapeDtypeStruct:
    """An abstract array, of the type of ``search_models.elements`` unless said otherwise."""
    return ShapeDtypeStruct(shape, element() if dtype is None else dtype)


def ints(*shape: int) -> ShapeDtypeStruct:
    """An abstract array of i32."""
    return of(*shape, dtype=jnp.int32)


def lowered(step: Callable[..., Any], *arguments: Any, donate: tuple[int, ...] = ()) -> str:
    """The text of ``step`` on abstract arguments."""
    return jax.jit(step, donate_argnums=donate).lower(*arguments).as_text(debug_info=True)


# --- optimizers -------------------------------------------------------------------------------------------------------


def sgd(loss: Callable[..., Any], params: Tree, *data: Any, donate: bool = True) -> str:
    """A step of gradient descent."""

    def step(params: Tree, *data: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, *data)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    return lowered(step, params, *data, donate=(0,) if donate else ())


def momentum(loss: Callable[..., Any], params: Tree, *data: Any, donate: bool = True) -> str:
    """A step with momentum and weight decay."""

    def step(params: Tree, m: Tree, *data: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, *data)
        m = jax.tree.map(lambda m, g, p: 0.9 * m + g + 1e-4 * p, m, grads, params)
        return jax.tree.map(lambda p, m: p - 0.1 * m, params, m), m, value

    return lowered(step, params, params, *data, donate=(0, 1) if donate else ())


def adam(loss: Callable[..., Any], params: Tree, *data: Any, donate: bool = True) -> str:
    """A step of Adam with clipped gradients."""

    def step(params: Tree, m: Tree, v: Tree, *data: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, *data)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
        grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (norm + 1e-6)), grads)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, v, grads)
        return jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), params, m, v), m, v, value

    return lowered(step, params, params, params, *data, donate=(0, 1, 2) if donate else ())


def muon(loss: Callable[..., Any], params: Tree, *data: Any) -> str:
    """Gradients whose singular values are brought to 1 by iterations of Newton and Schulz."""

    def turned(g: jax.Array) -> jax.Array:
        if g.ndim != 2:
            return g
        x = g / (jnp.linalg.norm(g) + 1e-7)
        for _ in range(4):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return x

    def step(params: Tree, m: Tree, *data: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, *data)
        m = jax.tree.map(lambda m, g: 0.95 * m + g, m, grads)
        return jax.tree.map(lambda p, m: p - 0.02 * turned(m), params, m), m, value

    return lowered(step, params, params, *data, donate=(0, 1))


# --- parts ------------------------------------------------------------------------------------------------------------


def normed(x: jax.Array, scale: jax.Array) -> jax.Array:
    """Layer norm over the last dimension."""
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def crossed(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """The mean cross entropy."""
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1))


def attended(x: jax.Array, y: jax.Array, p: Tree, *, causal: bool = False) -> jax.Array:
    """Attention of ``x`` to ``y``."""
    q, k, v = (jnp.einsum("bsd,dhk->bshk", one, p[name]) for one, name in ((x, "wq"), (y, "wk"), (y, "wv")))
    scores = jnp.einsum("bshk,bthk->bhst", q, k) * q.shape[-1] ** -0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    return jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(scores), v, p["wo"])


def attention(width: int, heads: int) -> Tree:
    """Parameters of attention."""
    size = width // heads
    wide = of(width, heads, size)
    return {"wq": wide, "wk": wide, "wv": wide, "wo": of(heads, size, width)}


def block(width: int, heads: int, wide: int | None = None) -> Tree:
    """Parameters of a layer of a transformer."""
    wide = wide or 4 * width
    more = {"up": of(width, wide), "down": of(wide, width), "scale1": of(width), "scale2": of(width)}
    return attention(width, heads) | more


def layer(x: jax.Array, p: Tree, *, causal: bool = True, act: Any = jax.nn.gelu) -> jax.Array:
    """A layer of a transformer."""
    h = normed(x, p["scale1"])
    x = x + attended(h, h, p, causal=causal)
    return x + act(normed(x, p["scale2"]) @ p["up"]) @ p["down"]


def stacked(tree: Tree, count: int) -> Tree:
    """``count`` of each in one array."""
    return jax.tree.map(lambda one: of(count, *one.shape, dtype=one.dtype), tree)


def convolved(x: jax.Array, kernel: jax.Array, stride: int = 1, **more: Any) -> jax.Array:
    """A convolution of images."""
    dims = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=dims, **more)


MEMORY_MODELS: dict[str, Callable[[], str]] = {}
"""The text of each model by name."""


def entered_in(models: dict[str, Callable[[], str]]) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """A decorator that enters a model in ``models`` under its name."""

    def enter(make: Callable[[], str]) -> Callable[[], str]:
        models[make.__name__] = make
        return make

    return enter


model = entered_in(MEMORY_MODELS)


# --- perceptrons ------------------------------------------------------------------------------------------------------


def _perceptron(act: Any = jax.nn.relu, layers: int = 4) -> tuple[Any, ...]:
    params = {"layers": [{"up": of(256, 1024), "down": of(1024, 256)}] * layers}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        for p in params["layers"]:
            x = x + act(x @ p["up"]) @ p["down"]
        return jnp.mean((x - y) ** 2)

    return loss, params, of(512, 256), of(512, 256)


@model
def perceptron_with_sgd() -> str:
    return sgd(*_perceptron())


@model
def perceptron_without_donation() -> str:
    return adam(*_perceptron(), donate=False)


@model
def perceptron_with_silu_and_momentum() -> str:
    return momentum(*_perceptron(jax.nn.silu))


@model
def perceptron_with_muon() -> str:
    return muon(*_perceptron(jnp.tanh, 2))


@model
def perceptron_for_inference() -> str:
    loss, params, x, _ = _perceptron(jax.nn.gelu, 6)
    del loss

    def run(params: Tree, x: Any) -> Any:
        for p in params["layers"]:
            x = x + jax.nn.gelu(x @ p["up"]) @ p["down"]
        return x

    return lowered(run, params, x)


@model
def perceptron_with_dropout() -> str:
    params = {"layers": [{"up": of(256, 512), "down": of(512, 256), "b_up": of(512)}] * 3}

    def loss(params: Tree, x: Any, y: Any, key: Any) -> Any:
        for number, p in enumerate(params["layers"]):
            h = jax.nn.relu(x @ p["up"] + p["b_up"])
            keep = jax.random.bernoulli(jax.random.fold_in(key, number), 0.9, h.shape)
            x = x + jnp.where(keep, h / 0.9, 0.0) @ p["down"]
        return jnp.mean((x - y) ** 2)

    key = of(2, dtype=jnp.uint32)
    return adam(loss, params, of(512, 256), of(512, 256), key)


@model
def ensemble_by_vmap() -> str:
    params = {"up": of(8, 64, 256), "down": of(8, 256, 16)}

    def loss(params: Tree, x: Any, y: Any) -> Any:
        made = jax.vmap(lambda p: jnp.tanh(x @ p["up"]) @ p["down"])(params)
        return jnp.mean((made - y) ** 2)

    return adam(loss, params, of(512, 64), of(512, 16))


@model
def variational_autoencoder() -> str:
    params = {"enc": {"up": of(784, 512), "mean": of(512, 32), "log": of(512, 32)}, "dec": {"up": of(32, 512)}}
    params["dec"]["down"] = of(512, 784)

    def loss(params: Tree, x: Any, noise: Any) -> Any:
        h = jax.nn.relu(x @ params["enc"]["up"])
        mean, log = h @ params["enc"]["mean"], h @ params["enc"]["log"]
        z = mean + jnp.exp(0.5 * log) * noise
        made = jax.nn.sigmoid(jax.nn.relu(z @ params["dec"]["up"]) @ params["dec"]["down"])
        kept = -jnp.sum(x * jnp.log(made + 1e-6) + (1 - x) * jnp.log(1 - made + 1e-6), -1)
        return jnp.mean(kept - 0.5 * jnp.sum(1 + log - mean**2 - jnp.exp(log), -1))

    return adam(loss, params, of(512, 784), of(512, 32))


@model
def physics_informed_network() -> str:
    params = {"layers": [{"up": of(128, 128), "b_up": of(128)}] * 3, "stem": of(2, 128), "head": of(128)}

    def loss(params: Tree, points: Any) -> Any:
        def u(point: Any) -> Any:
            h = jnp.tanh(point @ params["stem"])
            for p in params["layers"]:
                h = jnp.tanh(h @ p["up"] + p["b_up"])
            return h @ params["head"]

        def residual(point: Any) -> Any:
            return jnp.trace(jax.hessian(u)(point)) + jnp.sin(u(point))

        return jnp.mean(jax.vmap(residual)(points) ** 2)

    return adam(loss, params, of(1024, 2))


@model
def radiance_field() -> str:
    params = {"stem": of(39, 128), "layers": [{"up": of(128, 128)}] * 3, "head": of(128, 4)}

    def loss(params: Tree, points: Any, colours: Any) -> Any:
        waves = points[..., None, :] * 2.0 ** jnp.arange(6)[:, None]
        flat = (*points.shape[:-1], 18)
        h = jnp.concatenate([points, jnp.sin(waves).reshape(flat), jnp.cos(waves).reshape(flat)], -1) @ params["stem"]
        for p in params["layers"]:
            h = jax.nn.relu(h @ p["up"])
        made = h @ params["head"]
        alpha = 1 - jnp.exp(-jax.nn.softplus(made[..., 3]))
        through = jnp.cumprod(1 - alpha + 1e-6, -1)
        seen = jnp.sum((alpha * through)[..., None] * jax.nn.sigmoid(made[..., :3]), -2)
        return jnp.mean((seen - colours) ** 2)

    return adam(loss, params, of(256, 32, 3), of(256, 3))


@model
def recommender() -> str:
    params = {"embed": of(8, 4096, 32), "bottom": {"up": of(13, 256), "down": of(256, 32)}, "top": of(68, 256)}
    params["head"] = of(256, 1)

    def loss(params: Tree, dense: Any, sparse: Any, clicked: Any) -> Any:
        bottom = jax.nn.relu(dense @ params["bottom"]["up"]) @ params["bottom"]["down"]
        looked = jnp.stack([params["embed"][i][sparse[:, i]] for i in range(8)], 1)
        all = jnp.concatenate([bottom[:, None], looked], 1)
        pairs = jnp.einsum("bik,bjk->bij", all, all)
        rows, columns = jnp.triu_indices(9, 1)
        joined = jnp.concatenate([bottom, pairs[:, rows, columns]], -1)
        made = (jax.nn.relu(joined @ params["top"]) @ params["head"])[:, 0]
        return jnp.mean(jnp.logaddexp(0.0, made) - clicked * made)

    return sgd(loss, params, of(2048, 13), ints(2048, 8), of(2048))


@model
def contrast_of_two_towers() -> str:
    tower = {"up": of(256, 512), "down": of(512, 128)}
    params = {"one": tower, "other": tower, "warmth": of()}

    def loss(params: Tree, images: Any, texts: Any) -> Any:
        def sent(p: Tree, x: Any) -> Any:
            x = jax.nn.gelu(x @ p["up"]) @ p["down"]
            return x / jnp.linalg.norm(x, axis=-1, keepdims=True)

        logits = sent(params["one"], images) @ sent(params["other"], texts).T * jnp.exp(params["warmth"])
        places = jnp.arange(logits.shape[0])
        return (crossed(logits, places) + crossed(logits.T, places)) / 2

    return adam(loss, params, of(1024, 256), of(1024, 256))
