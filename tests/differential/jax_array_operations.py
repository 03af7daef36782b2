# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""JAX programs that exercise one family of array operations each: linear algebra, sorting, indexing, random numbers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, ints, lower, mesh, pin, program


@program
def associative_scan() -> str:
    over = mesh(a=2, b=2)

    def run(decay: jax.Array, x: jax.Array) -> jax.Array:
        def join(p: tuple[jax.Array, jax.Array], q: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            return p[0] * q[0], p[1] * q[0] + q[1]

        return lax.associative_scan(join, (decay, x), axis=1)[1]

    return lower(run, over, (array(4, 16, 8), array(4, 16, 8)), (P("a"), P("a", None, "b")))


@program
def sorting_and_top_k() -> str:
    over = mesh(a=2, b=4)

    def run(x: jax.Array, keys: jax.Array) -> Any:
        order = jnp.argsort(keys, axis=-1)
        keys, values = lax.sort((keys, x), dimension=1, num_keys=1)
        best, where = lax.top_k(x, 4)
        return order, keys, values, best, where, jnp.median(x, axis=0)

    return lower(run, over, (array(8, 32), ints(8, 32)), (P("a", "b"), P("a")))


@program
def fourier_transforms() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array) -> Any:
        spectrum = jnp.fft.rfft2(x)
        return jnp.fft.irfft2(spectrum * 0.5), jnp.abs(jnp.fft.fft(x, axis=-1))

    return lower(run, over, (array(4, 8, 16),), (P("a", "b"),), P("a"))


@program
def convolution_by_fourier_transform() -> str:
    over = mesh(a=4, b=2)

    def run(signal: jax.Array, kernel: jax.Array) -> jax.Array:
        return jnp.fft.irfft(jnp.fft.rfft(signal, 64) * jnp.fft.rfft(kernel, 64), 64)[..., :32]

    return lower(run, over, (array(8, 32), array(1, 32)), (P("a", "b"), P(None, "b")))


@program
def cholesky_solve() -> str:
    over = mesh(a=2, b=2)

    def run(m: jax.Array, y: jax.Array) -> jax.Array:
        factor = jnp.linalg.cholesky(m @ jnp.swapaxes(m, -1, -2) + jnp.eye(8))
        z = lax.linalg.triangular_solve(factor, y, left_side=True, lower=True)
        return lax.linalg.triangular_solve(factor, z, left_side=True, lower=True, transpose_a=True)

    return lower(run, over, (array(4, 8, 8), array(4, 8, 6)), (P("a", "b"), P("a", None, "b")))


@program
def qr_decomposition() -> str:
    over = mesh(a=2, b=2)

    def run(m: jax.Array) -> Any:
        q, r = jnp.linalg.qr(m)
        return q, r, jnp.swapaxes(q, -1, -2) @ m

    return lower(run, over, (array(4, 16, 8),), (P("a", "b"),))


@program
def symmetric_eigenvalues() -> str:
    over = mesh(a=2, b=2)

    def run(m: jax.Array) -> Any:
        values, vectors = jnp.linalg.eigh(m + jnp.swapaxes(m, -1, -2))
        return values, vectors @ jnp.swapaxes(vectors, -1, -2)

    return lower(run, over, (array(4, 8, 8),), (P("a", None, "b"),))


@program
def singular_values_and_solve() -> str:
    over = mesh(a=2, b=2)

    def run(m: jax.Array, y: jax.Array) -> Any:
        return jnp.linalg.svd(m, compute_uv=False), jnp.linalg.solve(m, y), jnp.linalg.det(m)

    return lower(run, over, (array(4, 8, 8), array(4, 8, 2)), (P("a"), P("a", None, "b")))


@program
def random_numbers() -> str:
    over = mesh(a=2, b=4)

    def run(seed: jax.Array, shape_like: jax.Array) -> Any:
        key = jax.random.wrap_key_data(seed)
        k1, k2, k3 = jax.random.split(key, 3)
        normal = pin(jax.random.normal(k1, shape_like.shape), over, "a", "b")
        chosen = jax.random.categorical(k2, shape_like, axis=-1)
        return normal * shape_like, chosen, jax.random.permutation(k3, 32)

    return lower(run, over, (array(2, dtype=jnp.uint32), array(8, 32)), (None, P("a")))


@program
def random_bits_by_the_generator_operation() -> str:
    over = mesh(a=2, b=4)

    def run(state: jax.Array) -> Any:
        state, bits = lax.rng_bit_generator(state, (8, 16), dtype=jnp.uint32)
        return state, pin(bits, over, "a", "b").astype(jnp.float32) / 2.0**32

    return lower(run, over, (array(4, dtype=jnp.uint32),))


@program
def embedding_and_its_gradient() -> str:
    over = mesh(data=2, model=4)

    def loss(table: jax.Array, ids: jax.Array, target: jax.Array) -> jax.Array:
        return jnp.mean((table[ids] - target) ** 2)

    return lower(
        jax.grad(loss),
        over,
        (array(64, 32), ints(8, 16), array(8, 16, 32)),
        (P("model"), P("data"), P("data")),
        P("model"),
    )


@program
def gathers_and_scatters() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array, i: jax.Array, j: jax.Array) -> Any:
        rows = x[i]
        cells = x[i, j]
        along = jnp.take_along_axis(x, j[:, None] % 8, axis=1)
        added = x.at[i].add(rows)
        largest = x.at[:, j].max(0.5)
        counts = jax.ops.segment_sum(cells, i, num_segments=16)
        return rows, along, added, largest, counts

    return lower(run, over, (array(16, 8), ints(16), ints(16)), (P("a", "b"), P("a"), P("b")))


@program
def cumulative_operations() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array) -> Any:
        return jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x, axis=0, reverse=True), lax.cumlogsumexp(x, axis=1)

    return lower(run, over, (array(16, 8),), (P("a", "b"),), P("a", "b"))


@program
def einsum_zoo() -> str:
    over = mesh(a=2, b=2, c=2)

    def run(x: jax.Array, y: jax.Array, z: jax.Array) -> Any:
        return (
            jnp.einsum("ijk,kl->ijl", x, y),
            jnp.einsum("ijk,ijk->ij", x, x),
            jnp.einsum("ijk,jil->kl", x, z),
            jnp.einsum("ijk->kji", x),
            jnp.einsum("ii->i", y),
            jnp.einsum("ijk,kl,jil->j", x, y, z),
            jnp.einsum("kl,mn->kmln", y, y),
            jnp.einsum("ijk->", x),
        )

    return lower(
        run, over, (array(4, 6, 8), array(8, 8), array(6, 4, 8)), (P("a", None, "b"), P("b", "c"), P(None, "a", "c"))
    )


@program
def complex_numbers() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array, y: jax.Array) -> Any:
        z = lax.complex(x, y)
        w = jnp.exp(1j * x) @ z.conj().T
        return jnp.real(w), jnp.imag(w), jnp.abs(z), jnp.angle(z)

    return lower(run, over, (array(8, 8), array(8, 8)), (P("a"), P(None, "b")))


@program
def slices_pads_and_concatenations() -> str:
    over = mesh(a=2, b=4)

    def run(x: jax.Array, i: jax.Array) -> Any:
        rolled = jnp.roll(x, 3, axis=0)
        halves = jnp.concatenate([x[:, 8:], -x[:, :8]], axis=1)
        padded = jnp.pad(x, ((1, 1), (0, 2)), mode="edge")
        window = lax.dynamic_slice(x, (i, jnp.int32(0)), (4, 16))
        stacked = jnp.stack([rolled, halves])
        return (
            stacked[:, ::2],
            padded[::-1],
            lax.dynamic_update_slice(x, window * 2, (jnp.int32(1), i)),
            jnp.tile(x, (2, 3)),
        )

    return lower(run, over, (array(16, 16), ints()), (P("a", "b"), None))


@program
def reshapes_that_split_and_merge() -> str:
    over = mesh(a=2, b=2, c=2)

    def run(x: jax.Array) -> Any:
        split = x.reshape(4, 4, 6, 4)
        merged = jnp.swapaxes(split, 1, 2).reshape(24, 16)
        return split, merged, merged.reshape(-1), x.reshape(6, 64), x[None, :, :, None].squeeze(0)

    return lower(run, over, (array(16, 24),), (P(("a", "b"), "c"),))


@program
def reductions() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array) -> Any:
        return (
            jnp.sum(x, 0),
            jnp.max(x, (1, 2)),
            jnp.argmax(x, 1),
            jnp.argmin(x, -1),
            jnp.all(x > 0),
            jnp.std(x, 2, keepdims=True),
            jax.nn.logsumexp(x, 1),
            jnp.prod(x, 2),
        )

    return lower(run, over, (array(4, 8, 6),), (P("a", "b"),))


@program
def integers_bits_and_quantisation() -> str:
    over = mesh(a=4, b=2)

    def run(x: jax.Array, w: jax.Array) -> Any:
        scale = jnp.max(jnp.abs(w), axis=0) / 127
        quantised = jnp.clip(jnp.round(w / scale), -128, 127).astype(jnp.int8)
        product = lax.dot_general(
            x.astype(jnp.int8), quantised, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32
        )
        bits = lax.bitcast_convert_type(x, jnp.uint32)
        return product * scale, (bits >> 3) ^ lax.population_count(bits), lax.bitcast_convert_type(x, jnp.uint16)

    return lower(run, over, (array(16, 32), array(32, 8)), (P("a"), P(None, "b")))


@program
def finite_differences_on_a_grid() -> str:
    over = mesh(x=2, y=4)

    def run(u: jax.Array) -> jax.Array:
        def step(_: jax.Array, u: jax.Array) -> jax.Array:
            inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
            return u.at[1:-1, 1:-1].add(0.1 * inner)

        return lax.fori_loop(0, 10, step, u)

    return lower(run, over, (array(16, 32),), (P("x", "y"),), P("x", "y"))
