# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""JAX programs with `shard_map`: hand-written collectives, partly manual meshes, nesting, gradients through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, lower, mesh, program


def _manual(
    function: Callable[..., Any], over: AbstractMesh, in_specs: Any, out_specs: Any, axes: set[str] | None = None
) -> Callable[..., Any]:
    names = set(over.axis_names) if axes is None else axes
    return jax.shard_map(function, mesh=over, in_specs=in_specs, out_specs=out_specs, axis_names=names, check_vma=False)


@program
def all_collectives_by_hand() -> str:
    over = mesh(a=2, b=4)

    def local(x: jax.Array) -> Any:
        total = lax.psum(x, "a")
        largest = lax.pmax(x, ("a", "b"))
        gathered = lax.all_gather(x, "b", axis=1, tiled=True)
        scattered = lax.psum_scatter(gathered, "b", scatter_dimension=1, tiled=True)
        turned = lax.ppermute(x, "b", [(i, (i + 1) % 4) for i in range(4)])
        swapped = lax.all_to_all(x, "b", split_axis=0, concat_axis=1, tiled=True)
        where = lax.axis_index("a") + lax.axis_index("b")
        return total + largest + scattered + turned + where.astype(x.dtype), swapped

    run = _manual(local, over, (P("a", "b"),), (P("a", "b"), P(("a", "b"), None)))
    return lower(run, over, (array(16, 32),), (P("a"),))


@program
def manual_over_some_axes() -> str:
    over = mesh(data=2, model=2, expert=2)

    def local(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.psum(jnp.tanh(x @ w), "model")

    manual = _manual(local, over, (P(None, "model"), P("model", None)), P(), {"model"})
    return lower(
        lambda x, w: manual(x * 2, w) @ w.T,
        over,
        (array(8, 16), array(16, 32)),
        (P("data"), P(None, "expert")),
        P("data"),
    )


@program
def nested_manual_computations() -> str:
    over = mesh(a=2, b=2, c=2)

    def inner(x: jax.Array) -> jax.Array:
        return lax.psum(x, "b") * 2

    def outer(x: jax.Array) -> jax.Array:
        x = lax.all_gather(x, "a", tiled=True)
        within = jax.sharding.get_abstract_mesh()
        return jnp.sin(_manual(inner, within, P(None, "b"), P(), {"b"})(x))

    run = _manual(outer, over, P("a", None), P(), {"a"})
    return lower(run, over, (array(8, 16),), (P("a", ("b", "c")),))


@program
def gradient_through_a_manual_computation() -> str:
    over = mesh(data=2, model=4)

    def local(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.psum(jnp.sum((x @ lax.all_gather(w, "model", axis=1, tiled=True)) ** 2), ("data", "model"))

    loss = _manual(local, over, (P("data"), P(None, "model")), P())
    return lower(jax.grad(lambda w, x: loss(x, w)), over, (array(16, 32), array(8, 16)), (P(None, "model"), P("data")))


@program
def ring_attention() -> str:
    over = mesh(data=2, sequence=4)

    def local(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
        ring = [(i, (i + 1) % 4) for i in range(4)]

        def step(_: int, state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            numerator, denominator, k, v = state
            weights = jnp.exp(jnp.einsum("bqd,bkd->bqk", q, k))
            numerator = numerator + jnp.einsum("bqk,bkd->bqd", weights, v)
            denominator = denominator + jnp.sum(weights, -1)
            return numerator, denominator, lax.ppermute(k, "sequence", ring), lax.ppermute(v, "sequence", ring)

        state = (jnp.zeros_like(q), jnp.zeros(q.shape[:2]), k, v)
        numerator, denominator, _, _ = lax.fori_loop(0, 4, step, state)
        return numerator / denominator[..., None]

    spec = P("data", "sequence")
    run = _manual(local, over, (spec, spec, spec), spec)
    return lower(lambda x: run(x, x * 2, jnp.cos(x)), over, (array(4, 32, 16),), (spec,), spec)


@program
def pipeline_of_stages() -> str:
    over = mesh(stage=4, data=2)

    def local(weights: jax.Array, x: jax.Array) -> jax.Array:
        def step(state: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
            state = jnp.tanh(state @ weights[0])
            return lax.ppermute(state, "stage", [(i, (i + 1) % 4) for i in range(4)]), state

        return lax.scan(step, x, None, length=4)[0]

    run = _manual(local, over, (P("stage"), P()), P("stage"), {"stage"})
    return lower(run, over, (array(4, 16, 16), array(8, 16)), (P("stage"), P("data")))


@program
def manual_computation_inside_a_scan() -> str:
    over = mesh(data=2, model=2)
    manual = _manual(
        lambda x, w: lax.psum_scatter(x @ w, "model", scatter_dimension=1, tiled=True),
        over,
        (P(None, "model"), P("model", None)),
        P(None, "model"),
        {"model"},
    )

    def run(x: jax.Array, weights: jax.Array) -> jax.Array:
        return lax.scan(lambda x, w: (jnp.sin(manual(x, w)), None), x, weights)[0]

    return lower(run, over, (array(8, 16), array(3, 16, 16)), (P("data"), P(None, "model")))
