# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""JAX programs whose interest is structure: loops, branches, calls, checkpoints, custom derivatives, vmap, meshes."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from tests.differential.jax_lowering import array, ints, lower, mesh, pin, program


@program
def scan_with_rematerialisation() -> str:
    over = mesh(data=2, model=2)

    def loss(weights: jax.Array, x: jax.Array) -> jax.Array:
        @jax.checkpoint
        def layer(carry: jax.Array, w: jax.Array) -> tuple[jax.Array, None]:
            return pin(jnp.sin(carry @ w), over, "data", "model"), None

        return jnp.sum(lax.scan(layer, x, weights)[0])

    return lower(jax.grad(loss), over, (array(5, 16, 16), array(8, 16)), (P(None, None, "model"), P("data")))


@program
def scan_collecting_outputs_in_reverse() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array, start: jax.Array) -> Any:
        def step(carry: jax.Array, row: jax.Array) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
            carry = carry * 0.5 + row
            return carry, (jnp.exp(carry), jnp.sum(carry))

        return lax.scan(step, start, x, reverse=True)

    return lower(run, over, (array(6, 8, 4), array(8, 4)), (P(None, "a"), P(None, "b")))


@program
def nested_loops() -> str:
    over = mesh(a=2, b=4)

    def run(x: jax.Array) -> jax.Array:
        def outer(i: jax.Array, x: jax.Array) -> jax.Array:
            return lax.fori_loop(0, 3, lambda j, y: y @ y + (i + j).astype(y.dtype), jnp.tanh(x))

        return lax.fori_loop(0, 4, outer, x)

    return lower(run, over, (array(8, 8),), (P("a", "b"),))


@program
def conditional_and_switch() -> str:
    over = mesh(a=2, b=2)

    def run(flag: jax.Array, index: jax.Array, x: jax.Array, w: jax.Array) -> jax.Array:
        y = lax.cond(flag, lambda x: x @ w, lambda x: jnp.flip(x, 0) * 2, x)
        return lax.switch(index, [jnp.sin, lambda y: y @ w.T, lambda y: pin(y, over, "b", None) - 1], y)

    return lower(
        run, over, (array(dtype=jnp.bool_), ints(), array(8, 16), array(16, 16)), (None, None, P("a"), P(None, "b"))
    )


@program
def conditional_backward() -> str:
    over = mesh(a=2, b=2)

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.sum(lax.cond(jnp.sum(x) > 0, lambda: jnp.tanh(x @ w), lambda: x @ (w * w)))

    return lower(jax.grad(loss), over, (array(16, 8), array(4, 16)), (P(None, "b"), P("a")))


@program
def one_function_called_with_different_shardings() -> str:
    over = mesh(a=2, b=4)

    @jax.jit
    def shared(x: jax.Array) -> jax.Array:
        return jnp.cumsum(x, axis=1) @ x.T

    def run(x: jax.Array, y: jax.Array) -> jax.Array:
        first = shared(pin(x, over, "a", None))
        second = shared(pin(y, over, None, "b"))
        return first + second + shared(first)

    return lower(run, over, (array(8, 8), array(8, 8)))


@program
def nested_calls_with_their_own_shardings() -> str:
    over = mesh(a=2, b=2, c=2)
    rows, columns = NamedSharding(over, P("a", None)), NamedSharding(over, P(None, ("b", "c")))

    @partial(jax.jit, in_shardings=(rows, columns), out_shardings=columns)
    def inner(x: jax.Array, w: jax.Array) -> jax.Array:
        return jnp.maximum(x @ w, 0)

    @partial(jax.jit, out_shardings=rows)
    def outer(x: jax.Array, w: jax.Array) -> jax.Array:
        return inner(inner(x, w), w)

    return lower(lambda x, w: outer(x, w) * 2 + inner(x, w), over, (array(16, 16), array(16, 16)))


@program
def checkpointed_layers() -> str:
    over = mesh(data=2, model=4)

    def loss(params: Any, x: jax.Array) -> jax.Array:
        layer = jax.checkpoint(lambda x, w: jax.nn.gelu(x @ w), policy=jax.checkpoint_policies.dots_saveable)
        for w in params:
            x = pin(layer(x, w), over, "data", "model")
        return jnp.mean(x)

    return lower(jax.grad(loss), over, ([array(32, 32)] * 3, array(8, 32)), ([P(None, "model")] * 3, P("data")))


@program
def custom_derivative() -> str:
    over = mesh(a=4, b=2)

    @jax.custom_vjp
    def clipped(x: jax.Array) -> jax.Array:
        return jnp.sin(x)

    clipped.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (jnp.clip(g, -1, 1) * jnp.cos(x),))

    return lower(
        jax.grad(lambda x, w: jnp.sum(clipped(x @ w))), over, (array(8, 16), array(16, 8)), (P("a"), P(None, "b"))
    )


@program
def vmapped_functions() -> str:
    over = mesh(a=2, b=2)

    def one(x: jax.Array, w: jax.Array, i: jax.Array) -> jax.Array:
        picked = lax.dynamic_index_in_dim(x, i, keepdims=False)
        return jnp.sort(picked @ w) + jnp.linalg.norm(picked)

    return lower(
        jax.vmap(jax.vmap(one, (0, None, 0)), (0, 0, None)),
        over,
        (array(4, 6, 5, 8), array(4, 8, 8), ints(6)),
        (P("a", "b"), P("a", None, "b"), P("b")),
    )


@program
def vmapped_loop() -> str:
    over = mesh(a=2, b=2)

    def newton(x: jax.Array) -> jax.Array:
        return lax.while_loop(lambda y: jnp.abs(y * y - x) > 1e-3, lambda y: 0.5 * (y + x / y), x)

    return lower(jax.vmap(newton), over, (array(16),), (P("a"),), P(("a", "b")))


@program
def two_meshes_in_one_program() -> str:
    first, second = mesh(a=2, b=4), mesh(x=8)

    def run(x: jax.Array, y: jax.Array) -> jax.Array:
        x = lax.with_sharding_constraint(x + y, NamedSharding(first, P("a", "b")))
        x = jnp.sin(x)
        return lax.with_sharding_constraint(x, NamedSharding(second, P("x"))) @ y.T

    return lower(run, first, (array(8, 16), array(8, 16)), (P("a"), None))


@program
def the_same_axes_in_another_order() -> str:
    over = mesh(a=2, b=4)

    def run(x: jax.Array) -> jax.Array:
        x = pin(x, over, ("a", "b"), None)
        x = jnp.exp(x)
        x = pin(x, over, ("b", "a"), None)
        return pin(x.T, over, "b", "a")

    return lower(run, over, (array(16, 8),), None, P("a", "b"))


@program
def unconstrained_dimensions() -> str:
    over = mesh(a=2, b=4)
    free = P.UNCONSTRAINED

    def run(x: jax.Array, w: jax.Array) -> jax.Array:
        x = pin(x @ w, over, free, "b")
        return pin(jnp.transpose(x.reshape(2, 4, 16), (1, 2, 0)), over, free, free, "a")

    return lower(run, over, (array(8, 16), array(16, 16)), (P("a"), None))


@program
def explicit_axes() -> str:
    over = mesh(explicit=True, a=2, b=4)

    def run(x: jax.Array, w: jax.Array) -> jax.Array:
        y = jnp.einsum("ij,jk->ik", x, w, out_sharding=P("a", "b"))
        return jax.sharding.reshard(jnp.tanh(y), P(None, "b")) + 1

    shapes = tuple(
        jax.ShapeDtypeStruct(shape, jnp.float32, sharding=NamedSharding(over, spec))
        for shape, spec in (((8, 16), P("a", None)), ((16, 32), P(None, "b")))
    )
    return lower(run, over, shapes)


@program
def optimization_barriers_and_several_results() -> str:
    over = mesh(a=2, b=2)

    def run(x: jax.Array, y: jax.Array) -> Any:
        x, y = lax.optimization_barrier((jnp.exp(x), y * 2))
        return x + y, x, x, jnp.sum(y)

    return lower(run, over, (array(8, 8), array(8, 8)), (P("a"), P(None, "b")), (P("a"), None, P(None, "b"), None))
