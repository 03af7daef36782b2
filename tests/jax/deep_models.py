"""Training steps of deep models as JAX lowers them, unrolled, with the shardings of several strategies."""

# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp

from pyshardy import parse

_BATCH, _LENGTH, _WIDTH, _HEADS, _WORDS = 16, 32, 64, 4, 128
STRATEGIES: dict[str, Mapping[str, Any]] = {
    "data parallel": {"mesh": {"data": 8}, "shardings": {"**": [], "tokens": ["data"]}},
    "both": {
        "mesh": {"data": 4, "model": 2},
        "shardings": {
            "**": [],
            "tokens": ["data"],
            "**/query": ["data", "model"],
            "**/key": ["data", "model"],
            "**/value": ["data", "model"],
            "**/up*": ["data", "model"],
            "**/out": ["model", "data"],
            "**/down": ["model", "data"],
            "**/bias": {"spec": ["model"], "optional": True},
        },
    },
}
FILTERS: Mapping[str, Any] = {
    "mesh": {"data": 4, "model": 2},
    "shardings": {
        "**": [],
        "parameters/first": [[], [], [], "data"],
        "momentum/first": [[], [], [], "model"],
        "*/layers/*/filter_2": [[], [], "data", "model"],
        "*/layers/*/scale_2": ["model"],
        "norms/*/variance_1": ["model"],
        "result/*/layers/*/filter_1": [[], [], "model", "data"],
        "result/*/layers/*/scale_1": ["data"],
        "result/*/*/variance_1": ["model"],
    },
}
"""Shardings of ``resnet`` that do not fit each other well."""


def gpt(layers: int) -> str:
    """A GPT that ties its embedding, with layer norm, some biases, and Adam."""
    layer = {
        **{name: _tensor(_WIDTH, _WIDTH) for name in ("query", "key", "value", "out")},
        **{name: _tensor(_WIDTH) for name in ("scale_1", "shift_1", "scale_2", "shift_2")},
        "up": _tensor(_WIDTH, 4 * _WIDTH),
        "bias": _tensor(4 * _WIDTH),
        "down": _tensor(4 * _WIDTH, _WIDTH),
    }

    def block(weights: Any, x: Any) -> Any:
        x = x + _attention(weights, _layer_norm(x, weights["scale_1"], weights["shift_1"]))
        hidden = jax.nn.gelu(_layer_norm(x, weights["scale_2"], weights["shift_2"]) @ weights["up"] + weights["bias"])
        return x + hidden @ weights["down"]

    def logits(parameters: Any, tokens: Any) -> Any:
        x = parameters["words"][tokens]
        for weights in parameters["layers"]:
            x = block(weights, x)
        return x @ parameters["words"].T

    return _step(logits, {"words": _tensor(_WORDS, _WIDTH), "layers": [layer] * layers})


def llama(layers: int) -> str:
    """A Llama whose layers are computed again on the way back (``jax.checkpoint``), with Adam."""
    layer = {
        **{name: _tensor(_WIDTH, _WIDTH) for name in ("query", "key", "value", "out")},
        **{name: _tensor(_WIDTH) for name in ("norm_1", "norm_2")},
        **{name: _tensor(_WIDTH, 3 * _WIDTH) for name in ("up_1", "up_2")},
        "down": _tensor(3 * _WIDTH, _WIDTH),
    }

    @jax.checkpoint
    def block(weights: Any, x: Any) -> Any:
        x = x + _attention(weights, _rms_norm(x, weights["norm_1"]))
        hidden = _rms_norm(x, weights["norm_2"])
        return x + (jax.nn.silu(hidden @ weights["up_1"]) * (hidden @ weights["up_2"])) @ weights["down"]

    def logits(parameters: Any, tokens: Any) -> Any:
        x = parameters["words"][tokens]
        for weights in parameters["layers"]:
            x = block(weights, x)
        return x @ parameters["last"]

    ends = {"words": _tensor(_WORDS, _WIDTH), "last": _tensor(_WIDTH, _WORDS)}
    return _step(logits, {**ends, "layers": [layer] * layers})


def resnet(layers: int) -> str:
    """Residual convolutions with batch norm in training, whose moving averages are returned, and momentum."""
    channels = 16
    norms = [{name: _tensor(channels) for name in ("mean_1", "variance_1", "mean_2", "variance_2")}] * layers
    layer = {
        **{name: _tensor(3, 3, channels, channels) for name in ("filter_1", "filter_2")},
        **{name: _tensor(channels) for name in ("scale_1", "shift_1", "scale_2", "shift_2")},
    }
    parameters = {"first": _tensor(3, 3, 3, channels), "layers": [layer] * layers, "last": _tensor(channels, 10)}

    def convolved(x: Any, weights: Any) -> Any:
        return jax.lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def normed(x: Any, weights: Any, before: Any, which: int) -> Any:
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        kept = {
            f"mean_{which}": 0.9 * before[f"mean_{which}"] + 0.1 * mean,
            f"variance_{which}": 0.9 * before[f"variance_{which}"] + 0.1 * variance,
        }
        scale = weights[f"scale_{which}"] * jax.lax.rsqrt(variance + 1e-5)
        return (x - mean) * scale + weights[f"shift_{which}"], kept

    def loss(parameters: Any, norms: Any, images: Any, labels: Any) -> Any:
        x, found = convolved(images, parameters["first"]), []
        for weights, before in zip(parameters["layers"], norms, strict=True):
            hidden, one = normed(convolved(x, weights["filter_1"]), weights, before, 1)
            hidden, other = normed(convolved(jax.nn.relu(hidden), weights["filter_2"]), weights, before, 2)
            x = jax.nn.relu(x + hidden)
            found.append({**one, **other})
        chances = jax.nn.log_softmax(x.mean((1, 2)) @ parameters["last"])
        return -(chances * labels).sum(-1).mean(), found

    def step(parameters: Any, momentum: Any, norms: Any, images: Any, labels: Any) -> Any:
        (value, norms), gradient = jax.value_and_grad(loss, has_aux=True)(parameters, norms, images, labels)
        momentum = jax.tree.map(lambda one, other: 0.9 * one + other, momentum, gradient)
        return jax.tree.map(lambda one, other: one - 0.1 * other, parameters, momentum), momentum, norms, value

    given = parameters, parameters, norms, _tensor(16, 16, 16, 3), _tensor(16, 10)
    return jax.jit(step).lower(*given).as_text(debug_info=True)


def sharded(text: str, strategy: Mapping[str, Any]) -> str:
    """The program with the shardings of a strategy."""
    module = parse(text)
    module.apply_shardings(strategy)
    return str(module)


def _tensor(*shape: int, type: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, type)


def _layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


def _rms_norm(x: Any, scale: Any) -> Any:
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


def _attention(weights: Any, x: Any) -> Any:
    shape = _BATCH, _LENGTH, _HEADS, _WIDTH // _HEADS
    query, key, value = ((x @ weights[name]).reshape(shape) for name in ("query", "key", "value"))
    scores = jnp.einsum("bshd,bthd->bhst", query, key) / (_WIDTH // _HEADS) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((_LENGTH, _LENGTH), bool)), scores, -1e9)
    mixed = jnp.einsum("bhst,bthd->bshd", jax.nn.softmax(scores, -1), value)
    return mixed.reshape(_BATCH, _LENGTH, _WIDTH) @ weights["out"]


def _step(logits: Callable[[Any, Any], Any], parameters: Any) -> str:
    """The text of a step of Adam."""

    def loss(parameters: Any, tokens: Any) -> Any:
        chances = jax.nn.log_softmax(logits(parameters, tokens), -1)
        return -jnp.take_along_axis(chances[:, :-1], tokens[:, 1:, None], -1).mean()

    def step(parameters: Any, mean: Any, square: Any, tokens: Any) -> Any:
        found, gradient = jax.value_and_grad(loss)(parameters, tokens)
        mean = jax.tree.map(lambda one, other: 0.9 * one + 0.1 * other, mean, gradient)
        square = jax.tree.map(lambda one, other: 0.999 * one + 0.001 * other * other, square, gradient)
        parameters = jax.tree.map(
            lambda one, mean, square: one - 1e-3 * mean / (jnp.sqrt(square) + 1e-8), parameters, mean, square
        )
        return parameters, mean, square, found

    tokens = _tensor(_BATCH, _LENGTH, type=jnp.int32)
    return jax.jit(step).lower(parameters, parameters, parameters, tokens).as_text(debug_info=True)
