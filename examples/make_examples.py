"""Writes the example programs of this directory: small real models, lowered by JAX with the shardings of their users.

The texts are committed, so nobody needs JAX to read or use them; this script is how they were made (jax 0.10.2) and how
to make others:

    python make_examples.py                                 # all examples, into this directory, with locations
    python make_examples.py --layers 32 --out big      # transformers and residual_mlp of 32 unrolled layers, without

No devices are needed: the meshes are abstract.
"""

# mypy: allow-untyped-calls, allow-any-generics, no-warn-return-any
from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

Params = Mapping[str, Any]
_WITH_LOCATIONS = ContextVar("_WITH_LOCATIONS", default=True)


def _mesh(**axes: int) -> AbstractMesh:
    return AbstractMesh(tuple(axes.values()), tuple(axes))


def _lower(function: Callable[..., Any], arguments: Any, in_specs: Any, out_specs: Any, mesh: AbstractMesh) -> str:
    def named(specs: Any) -> Any:
        return jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda leaf: isinstance(leaf, P))

    jitted = jax.jit(function, in_shardings=named(in_specs), out_shardings=named(out_specs))
    text = jitted.trace(*arguments).lower(lowering_platforms=("cpu",)).as_text(debug_info=_WITH_LOCATIONS.get())
    return text.replace(f"{Path(__file__).resolve().parents[1]}/", "")


def _array(*shape: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


def _ids(*shape: int) -> jax.ShapeDtypeStruct:
    return _array(*shape, dtype=jnp.int32)


# --- a two-layer perceptron: the smallest program where data and model parallelism meet ---


def mlp() -> str:
    """One SGD step of a two-layer perceptron, batch over `data`, hidden dimension over `model`."""
    mesh = _mesh(data=4, model=2)

    def loss(params: Params, inputs: jax.Array, targets: jax.Array) -> jax.Array:
        hidden = jax.nn.relu(inputs @ params["w_in"] + params["b_in"])
        hidden = lax.with_sharding_constraint(hidden, NamedSharding(mesh, P("data", "model")))
        return jnp.mean((hidden @ params["w_out"] + params["b_out"] - targets) ** 2)

    def step(params: Params, inputs: jax.Array, targets: jax.Array) -> tuple[Params, jax.Array]:
        value, gradient = jax.value_and_grad(loss)(params, inputs, targets)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value

    params = {"w_in": _array(128, 512), "b_in": _array(512), "w_out": _array(512, 16), "b_out": _array(16)}
    specs = {"w_in": P(None, "model"), "b_in": P("model"), "w_out": P("model", None), "b_out": P()}
    return _lower(step, (params, _array(64, 128), _array(64, 16)), (specs, P("data"), P("data")), (specs, P()), mesh)


# --- a decoder-only transformer, trained with Adam ---

_VOCABULARY, _WIDTH, _HEADS, _HEAD, _HIDDEN, _BATCH, _SEQUENCE = 1024, 256, 8, 32, 1024, 16, 64


def _transformer_shapes(layers: int) -> Params:
    layer = {
        "ln1": _array(_WIDTH),
        "qkv": _array(_WIDTH, 3, _HEADS, _HEAD),
        "out": _array(_HEADS, _HEAD, _WIDTH),
        "ln2": _array(_WIDTH),
        "up": _array(_WIDTH, _HIDDEN),
        "down": _array(_HIDDEN, _WIDTH),
    }
    return {"embed": _array(_VOCABULARY, _WIDTH), "layers": [dict(layer) for _ in range(layers)], "ln": _array(_WIDTH)}


def _layer_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return centred * lax.rsqrt(variance + 1e-6) * scale


def _attention(x: jax.Array, qkv: jax.Array, out: jax.Array) -> jax.Array:
    query, key, value = jnp.moveaxis(jnp.einsum("bsd,dthk->btshk", x, qkv), 1, 0)
    logits = jnp.einsum("bqhk,bshk->bhqs", query, key) / jnp.sqrt(float(_HEAD))
    causal = jnp.tril(jnp.ones((_SEQUENCE, _SEQUENCE), bool))
    weights = jax.nn.softmax(jnp.where(causal, logits, -1e9), axis=-1)
    return jnp.einsum("bqhk,hkd->bqd", jnp.einsum("bhqs,bshk->bqhk", weights, value), out)


def _mlp_block(x: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
    return jax.nn.gelu(x @ up) @ down


def _transformer_loss(
    params: Params, tokens: jax.Array, targets: jax.Array, pin: Callable[[jax.Array], jax.Array]
) -> jax.Array:
    x = pin(params["embed"][tokens])
    for layer in params["layers"]:
        x = pin(x + _attention(_layer_norm(x, layer["ln1"]), layer["qkv"], layer["out"]))
        x = pin(x + _mlp_block(_layer_norm(x, layer["ln2"]), layer["up"], layer["down"]))
    logits = jnp.einsum("bsd,vd->bsv", _layer_norm(x, params["ln"]), params["embed"])
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)
    return -jnp.mean(picked)


def _adam(param: jax.Array, gradient: jax.Array, mean: jax.Array, square: jax.Array) -> tuple[jax.Array, ...]:
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.99 * square + 0.01 * gradient * gradient
    return param - 1e-3 * mean / (jnp.sqrt(square) + 1e-8), mean, square


def _transformer_step(layers: int, mesh: AbstractMesh, specs: Params, activation: P, batch: P) -> str:
    def pin(x: jax.Array) -> jax.Array:
        return lax.with_sharding_constraint(x, NamedSharding(mesh, activation))

    def step(params: Params, mean: Params, square: Params, tokens: jax.Array, targets: jax.Array) -> Any:
        value, gradient = jax.value_and_grad(_transformer_loss)(params, tokens, targets, pin)
        updated = jax.tree.map(_adam, params, gradient, mean, square)
        params, mean, square = jax.tree.transpose(jax.tree.structure(params), jax.tree.structure((0, 0, 0)), updated)
        return params, mean, square, value

    shapes = _transformer_shapes(layers)
    tokens = _ids(_BATCH, _SEQUENCE)
    return _lower(
        step,
        (shapes, shapes, shapes, tokens, tokens),
        (specs, specs, specs, batch, batch),
        (specs, specs, specs, P()),
        mesh,
    )


def transformer_megatron(layers: int = 2) -> str:
    """One Adam step, batch over `data`, heads and hidden dimension over `model` (Megatron)."""
    layer = {
        "ln1": P(),
        "qkv": P(None, None, "model", None),
        "out": P("model", None, None),
        "ln2": P(),
        "up": P(None, "model"),
        "down": P("model", None),
    }
    specs = {"embed": P("model", None), "layers": [dict(layer) for _ in range(layers)], "ln": P()}
    return _transformer_step(layers, _mesh(data=4, model=2), specs, P("data", None, None), P("data", None))


def transformer_fsdp(layers: int = 2) -> str:
    """One Adam step, batch and every parameter over the one axis `fsdp` (fully sharded data parallelism)."""
    layer = {
        "ln1": P("fsdp"),
        "qkv": P("fsdp", None, None, None),
        "out": P(None, None, "fsdp"),
        "ln2": P("fsdp"),
        "up": P("fsdp", None),
        "down": P(None, "fsdp"),
    }
    specs = {"embed": P(None, "fsdp"), "layers": [dict(layer) for _ in range(layers)], "ln": P("fsdp")}
    return _transformer_step(layers, _mesh(fsdp=8), specs, P("fsdp", None, None), P("fsdp", None))


def residual_mlp(layers: int = 2) -> str:
    """One SGD step of a transformer without attention: layer norms and perceptrons, Megatron-sharded."""
    mesh = _mesh(data=4, model=2)

    def loss(params: Sequence[Params], x: jax.Array) -> jax.Array:
        for layer in params:
            x = x + _mlp_block(_layer_norm(x, layer["ln2"]), layer["up"], layer["down"])
        return jnp.mean(x * x)

    def step(params: Sequence[Params], x: jax.Array) -> Any:
        gradient = jax.grad(loss)(params, x)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)

    specs = [{"ln2": P(), "up": P(None, "model"), "down": P("model", None)} for _ in range(layers)]
    shapes = [{name: layer[name] for name in specs[0]} for layer in _transformer_shapes(layers)["layers"]]
    return _lower(step, (shapes, _array(_BATCH, _SEQUENCE, _WIDTH)), (specs, P("data")), specs, mesh)


# --- the same idea as a loop over stacked layers ---


def scan_layers() -> str:
    """Gradient of a residual network whose layers are stacked and scanned, Megatron-sharded."""
    mesh = _mesh(data=2, model=4)

    def loss(params: Params, x: jax.Array) -> jax.Array:
        def layer(carry: jax.Array, weights: Params) -> tuple[jax.Array, None]:
            hidden = jnp.tanh(carry @ weights["up"])
            hidden = lax.with_sharding_constraint(hidden, NamedSharding(mesh, P("data", "model")))
            return carry + hidden @ weights["down"], None

        out, _ = lax.scan(layer, x, params)
        return jnp.mean(out**2)

    params = {"up": _array(6, 64, 256), "down": _array(6, 256, 64)}
    specs = {"up": P(None, None, "model"), "down": P(None, "model", None)}
    return _lower(jax.value_and_grad(loss), (params, _array(32, 64)), (specs, P("data")), (P(), specs), mesh)


# --- images: batch and height sharded ---


def convolution() -> str:
    """Loss and gradient of convolution, bias, relu, max pooling and a linear head, over batch and image rows."""
    mesh = _mesh(data=2, rows=4)

    def loss(params: Params, images: jax.Array, labels: jax.Array) -> jax.Array:
        x = lax.conv_general_dilated(
            images, params["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = jax.nn.relu(x + params["bias"])
        x = lax.with_sharding_constraint(x, NamedSharding(mesh, P("data", "rows")))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        logits = jnp.mean(x, axis=(1, 2)) @ params["head"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, 10), axis=-1))

    params = {"kernel": _array(3, 3, 3, 16), "bias": _array(16), "head": _array(16, 10)}
    specs = {"kernel": P(), "bias": P(), "head": P()}
    return _lower(
        jax.value_and_grad(loss),
        (params, _array(8, 32, 32, 3), _ids(8)),
        (specs, P("data", "rows"), P("data")),
        (P(), specs),
        mesh,
    )


# --- hand-written collectives ---


def shard_map() -> str:
    """A matrix product whose parts are gathered and summed by hand over `model`, inside an automatic program."""
    mesh = _mesh(data=2, model=4)

    def local(x: jax.Array, w_in: jax.Array, w_out: jax.Array) -> jax.Array:
        everything = lax.all_gather(x, "model", axis=1, tiled=True)
        hidden = jax.nn.relu(everything @ w_in)
        rotated = lax.ppermute(hidden, "model", [(i, (i + 1) % 4) for i in range(4)])
        return lax.psum_scatter(rotated @ w_out, "model", scatter_dimension=1, tiled=True)

    def run(x: jax.Array, w_in: jax.Array, w_out: jax.Array) -> jax.Array:
        x = jnp.sin(x)
        manual = jax.shard_map(
            local,
            mesh=mesh,
            in_specs=(P(None, "model"), P(None, "model"), P("model", None)),
            out_specs=P(None, "model"),
            axis_names={"model"},
            check_vma=False,
        )
        return jnp.cos(manual(x, w_in, w_out))

    return _lower(
        run,
        (_array(16, 64), _array(64, 128), _array(128, 64)),
        (P("data", "model"), P(None, "model"), P("model", None)),
        P("data", "model"),
        mesh,
    )


# --- three strategies on one mesh, one after the other ---

_BATCH_FIRST, _MEGATRON_SECOND, _ZERO_LAST = 0, 1, 2


def priorities() -> str:
    """One SGD step with momentum of two gated layers: batch over `data` (priority 0), hidden dimension over `model`
    (Megatron, priority 1), parameters and momentum over `data` too (ZeRO, priority 2)."""

    def layer(x: jax.Array, weights: Params) -> jax.Array:
        return (jnp.tanh(x @ weights["gate"]) * (x @ weights["up"])) @ weights["down"]

    def loss(params: Any, inputs: jax.Array, targets: jax.Array) -> jax.Array:
        return jnp.mean((layer(layer(inputs, params[0]), params[1]) - targets) ** 2)

    def step(params: Any, momentum: Any, inputs: jax.Array, targets: jax.Array) -> Any:
        value, gradient = jax.value_and_grad(loss)(params, inputs, targets)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
        return jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum), momentum, value

    params = [{"gate": _array(64, 256), "up": _array(64, 256), "down": _array(256, 64)}] * 2
    specs = [{"gate": P("data", "model"), "up": P("data", "model"), "down": P("model", "data")}] * 2
    inputs = _array(32, 64)
    text = _lower(
        step,
        (params, params, inputs, inputs),
        (specs, specs, P("data"), P("data")),
        (specs, specs, P()),
        _mesh(data=4, model=2),
    )
    weight, batch = {"data": _ZERO_LAST, "model": _MEGATRON_SECOND}, {"data": _BATCH_FIRST}
    weights = [weight] * 12
    return _with_priorities(text, [*weights, batch, batch, *weights, {}])


def _with_priorities(text: str, priorities: Sequence[Mapping[str, int]]) -> str:
    """Gives dimensions of the main function's arguments and results, in this order, the priorities of their axes; JAX
    has no way to write them."""
    start = text.index("func.func public @main")
    end = text.index("\n", start)
    pending = iter(priorities)

    def one(sharding: re.Match[str]) -> str:
        found = next(pending)
        return re.sub(r'\{"(\w+)"\}', lambda dim: f"{dim[0]}p{found[dim[1]]}", sharding[0])

    signature = re.sub(r"#sdy\.sharding<[^>]*>", one, text[start:end])
    return text[:start] + signature + text[end:]


DEEP: dict[str, Callable[[int], str]] = {
    "transformer_megatron": transformer_megatron,
    "transformer_fsdp": transformer_fsdp,
    "residual_mlp": residual_mlp,
}
EXAMPLES: dict[str, Callable[[], str]] = {
    "mlp": mlp,
    "transformer_megatron": transformer_megatron,
    "transformer_fsdp": transformer_fsdp,
    "scan_layers": scan_layers,
    "convolution": convolution,
    "shard_map": shard_map,
    "priorities": priorities,
}


def main() -> None:
    """Writes the examples, or with `--layers` those with layers, with that many of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, help="write only those with layers, with this many of them, unrolled")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="directory to write to")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.layers is None:
        texts = {name: make() for name, make in EXAMPLES.items()}
    else:
        _WITH_LOCATIONS.set(False)
        texts = {f"{name}_{options.layers}": make(options.layers) for name, make in DEEP.items()}
    for name, text in texts.items():
        (options.out / f"{name}.mlir").write_text(text)


if __name__ == "__main__":
    main()
