# mypy: allow-untyped-calls, allow-untyped-defs, allow-any-generics, no-warn-return-any
"""Building blocks of models and what XLA's CPU backend allocates for each, as lines of JSON.

A process of its own: XLA is told to order operations so that they need little memory, as it does for accelerators.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED"

import jax
import jax.numpy as jnp
from jax import ShapeDtypeStruct, lax

F32, I32, U32 = jnp.float32, jnp.int32, jnp.uint32


def of(*shape: int, dtype: Any = F32) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(shape, dtype)


def gradient(f: Callable[..., jax.Array], *numbers: int) -> Callable[..., Any]:
    return jax.grad(lambda *operands: jnp.sum(f(*operands) ** 2), numbers)


def convolved(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pooled(x: Any, kernel: Any) -> Any:
    return lax.reduce_window(convolved(x, kernel), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def averaged(x: Any, kernel: Any) -> Any:
    return lax.reduce_window(convolved(x, kernel), 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def normed(x: Any, kernel: Any) -> Any:
    y = convolved(x, kernel)
    return (y - y.mean((0, 1, 2))) * lax.rsqrt(y.var((0, 1, 2)) + 1e-5)


def crossed(x: Any, words: Any, targets: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ words.T), targets[..., None], -1))


def crossed_with_one_hot(x: Any, words: Any, targets: Any) -> Any:
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ words.T) * jax.nn.one_hot(targets, words.shape[0]), -1))


def turned(x: Any) -> Any:
    half = x.shape[-1] // 2
    angle = jnp.arange(x.shape[1])[None, :, None, None] * 10000.0 ** (-jnp.arange(half) / half)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1)


def routed(x: Any, router: Any, up: Any, down: Any) -> Any:
    chosen = jnp.argmax(jax.nn.softmax(x @ router), -1)
    places = jax.nn.one_hot(jnp.arange(x.shape[0]) % 32, 32)
    to = jax.nn.one_hot(chosen, router.shape[1])[..., None] * places[:, None, :]
    h = jnp.einsum("ecf,efw->ecw", jax.nn.relu(jnp.einsum("ecw,ewf->ecf", jnp.einsum("nec,nw->ecw", to, x), up)), down)
    return jnp.einsum("nec,ecw->nw", to, h)


def noisy(x: Any, key: Any) -> Any:
    return x + jax.random.normal(jax.random.wrap_key_data(key), x.shape)


def moved(x: Any) -> Any:
    return jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1) + jnp.roll(x, 1, 2) + jnp.roll(x, -1, 2)


def layer_normed(x: Any, scale: Any, shift: Any) -> Any:
    apart = x - x.mean(-1, keepdims=True)
    return apart * lax.rsqrt((apart * apart).mean(-1, keepdims=True) + 1e-5) * scale + shift


def rms_normed(x: Any, scale: Any) -> Any:
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


def normed_after(x: Any, up: Any, down: Any, scale: Any, shift: Any) -> Any:
    for _ in range(2):
        x = layer_normed(x + jnp.tanh(x @ up) @ down, scale, shift)
    return x


def normed_before(x: Any, up: Any, down: Any, scale: Any, shift: Any) -> Any:
    for _ in range(2):
        x = x + jnp.tanh(layer_normed(x, scale, shift) @ up) @ down
    return x


def rms_normed_before(x: Any, up: Any, down: Any, scale: Any) -> Any:
    for _ in range(2):
        x = x + jax.nn.silu(rms_normed(x, scale) @ up) @ down
    return x


def clipped_for_each_example(up: Any, down: Any, x: Any, y: Any) -> Any:
    def loss(up: Any, down: Any, x: Any, y: Any) -> Any:
        return jnp.mean((jnp.tanh(x @ up) @ down - y) ** 2)

    found = jax.vmap(jax.grad(loss, (0, 1)), (None, None, 0, 0))(up, down, x, y)
    share = jnp.minimum(1, 1 / jnp.sqrt(sum(jnp.sum(one * one, (1, 2)) for one in found)))
    return [jnp.einsum("b,bij->ij", share, one) for one in found]


def near(x: Any, y: Any) -> Any:
    apart = x[:, None] - y[None]
    return jnp.exp(-jnp.sum(apart * apart, -1)) @ y


def smoothed(x: Any, head: Any, labels: Any) -> Any:
    wanted = 0.9 * jax.nn.one_hot(labels, head.shape[1]) + 0.1 / head.shape[1]
    return -jnp.mean(jnp.sum(wanted * jax.nn.log_softmax(x @ head), -1))


def of_length_one(x: Any, weights: Any) -> Any:
    made = x @ weights
    return made / jnp.linalg.norm(made, axis=-1, keepdims=True)


def answered(x: Any, up: Any, down: Any, head: Any) -> Any:
    return jax.nn.softmax(jax.nn.gelu(x @ up) @ down) @ head


def crossed_with_its_embeddings(words: Any, inputs: Any, targets: Any) -> Any:
    return crossed(words[inputs], words, targets)


def with_dropout(x: Any, up: Any, down: Any, key: Any) -> Any:
    for at in range(2):
        y = jax.nn.relu(x @ up)
        kept = jax.random.bernoulli(jax.random.fold_in(jax.random.wrap_key_data(key), at), 0.9, y.shape)
        x = x + jnp.where(kept, y / 0.9, 0.0) @ down
    return x


X, WIDE, DEEP = of(8, 64, 64), of(64, 256), of(256, 64)
ROWS, EVEN, SCALE = of(512, 64), of(64, 64), of(64)
WORDS, TARGETS = of(512, 64), of(8, 64, dtype=I32)
IMAGES, KERNEL = of(4, 32, 32, 16), of(3, 3, 16, 16)
BLOCKS: dict[str, tuple[Callable[..., Any], *tuple[Any, ...]]] = {
    "perceptron": (gradient(lambda x, a, b: jax.nn.gelu(x @ a) @ b, 0, 1, 2), X, WIDE, DEEP),
    "cross entropy": (crossed, X, WORDS, TARGETS),
    "gradient of cross entropy": (jax.grad(crossed, (0, 1)), X, WORDS, TARGETS),
    "cross entropy with one-hot": (jax.grad(crossed_with_one_hot, (0, 1)), X, WORDS, TARGETS),
    "convolutions": (
        gradient(lambda x, a, b: convolved(jax.nn.relu(convolved(x, a)), b), 0, 1, 2), IMAGES, KERNEL, KERNEL
    ),
    "normed convolution": (gradient(normed, 0, 1), IMAGES, KERNEL),
    "maximum in windows": (gradient(pooled, 0, 1), IMAGES, KERNEL),
    "mean in windows": (gradient(averaged, 0, 1), IMAGES, KERNEL),
    "rotary embedding": (lambda x: turned(x) * 2, of(8, 64, 2, 128)),
    "rotary embedding of short rows": (lambda x: turned(x) * 2, of(8, 64, 2, 64)),
    "rolls": (moved, of(8, 64, 128)),
    "routing": (routed, of(256, 64), of(64, 8), of(8, 64, 128), of(8, 128, 64)),
    "noise": (noisy, X, of(2, dtype=U32)),
    "sorted places": (lambda x: jnp.argsort(x, -1) * 2, X),
    "cumulative sum": (lambda x: jnp.cumsum(x, 1) * 2, X),
    "lookup": (lambda e, i: jnp.exp(e)[i], WORDS, TARGETS),
    "graph": (
        jax.grad(lambda x, i, j, w: jnp.sum(jax.ops.segment_sum(jax.nn.relu(x[i] @ w), j, 256) ** 2), (0, 3)),
        of(256, 64), of(1024, dtype=I32), of(1024, dtype=I32), of(64, 64),
    ),
    "layer norm": (lambda x, a, g, b, w: layer_normed(x @ a, g, b) @ w, X, EVEN, SCALE, SCALE, EVEN),
    "gradient of layer norm": (
        gradient(lambda x, a, g, b, w: layer_normed(x @ a, g, b) @ w, 0, 1, 2, 3, 4), X, EVEN, SCALE, SCALE, EVEN
    ),
    "norms after": (gradient(normed_after, 0, 1, 2, 3, 4), X, WIDE, DEEP, SCALE, SCALE),
    "norms before": (gradient(normed_before, 0, 1, 2, 3, 4), X, WIDE, DEEP, SCALE, SCALE),
    "rms norms before": (gradient(rms_normed_before, 0, 1, 2, 3), X, WIDE, DEEP, SCALE),
    "gradients of each example": (clipped_for_each_example, WIDE, DEEP, of(32, 64), of(32, 64)),
    "gradient of distances": (gradient(near, 0, 1), of(128, 32), of(256, 32)),
    "smoothed labels": (jax.grad(smoothed, (0, 1)), ROWS, WIDE, of(512, dtype=I32)),
    "vectors of length one": (gradient(of_length_one, 0, 1), ROWS, WIDE),
    "probabilities": (gradient(lambda x, w: jax.nn.softmax(x @ w), 0, 1), ROWS, WIDE),
    "cross entropy with its embeddings": (jax.grad(crossed_with_its_embeddings), WORDS, TARGETS, TARGETS),
    "dropout": (gradient(with_dropout, 0, 1, 2), ROWS, WIDE, DEEP, of(2, dtype=U32)),
    "answers without gradients": (answered, ROWS, WIDE, DEEP, WIDE),
}  # fmt: skip


def main() -> None:
    for name, (f, *operands) in BLOCKS.items():
        lowered = jax.jit(f).lower(*operands)
        memory = lowered.compile().memory_analysis()
        assert memory is not None
        total = memory.argument_size_in_bytes + memory.output_size_in_bytes + memory.temp_size_in_bytes
        print(json.dumps({"name": name, "text": lowered.as_text(), "bytes": total}))


if __name__ == "__main__":
    main()
