"""Programs of many kinds, and their gradients, come back from their plans with JAX's own results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import PartitionSpec as P

import pyshardy.jax
from tests.jax.programs import Meshes, apart, collectives_in, planned_collectives
from tests.sampling import sampled

X = np.asarray(jax.random.normal(jax.random.key(0), (16, 8)))
INDICES = np.asarray(jax.random.randint(jax.random.key(1), (16,), 0, 8))
IMAGES = np.asarray(jax.random.normal(jax.random.key(2), (8, 16, 16, 4)))
KERNEL = np.asarray(jax.random.normal(jax.random.key(3), (3, 3, 4, 8)))
ROWS, BOTH, WHOLE = P("data"), P("data", "model"), P()

Program = tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]


def _turned(x: Any) -> Any:
    return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.tanh(c[1] @ c[1].T @ c[1])), (0, x))[1]


def _convolved(images: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


WITH_GRADIENTS: dict[str, Program] = {
    "sort": (lambda x: jnp.sort(x, 0), (X,), (ROWS,)),
    "cumulative sum": (lambda x: jnp.cumsum(x, 0), (X,), (ROWS,)),
    "scan": (lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(8), x), (X,), (ROWS,)),
    "branches": (lambda x, i: lax.cond(i[0] > 3, jnp.sin, lambda x: x @ (x.T @ x), x), (X, INDICES), (BOTH, WHOLE)),
    "gather": (lambda x, i: x[i], (X, INDICES), (BOTH, ROWS)),
    "scatter": (lambda x, i: x.at[i].add(1.0), (X, INDICES), (BOTH, ROWS)),
    "convolution": (_convolved, (IMAGES, KERNEL), (BOTH, WHOLE)),
    "random numbers": (lambda x: x + jax.random.normal(jax.random.key(7), x.shape), (X,), (BOTH,)),
    "roll": (lambda x: jnp.roll(x, 3, 0), (X,), (ROWS,)),
    "uneven inside": (lambda x: jnp.sin(x[:13, :5]) @ jnp.ones((5, 3)), (X,), (BOTH,)),
    "solve": (lambda x: jnp.linalg.solve(x.T @ x + jnp.eye(8), x.T), (X,), (BOTH,)),
    "error function": (lambda x: jax.scipy.special.erf(x) + jnp.arcsinh(x), (X,), (BOTH,)),
    "constant": (lambda x: x + np.arange(128, dtype=np.float32).reshape(16, 8), (X,), (BOTH,)),
}
FORWARD: dict[str, Program] = {
    "top k": (lambda x: lax.top_k(x, 3), (X,), (BOTH,)),
    "argmax": (lambda x: jnp.argmax(x, 0), (X,), (BOTH,)),
    "while": (_turned, (X,), (BOTH,)),
    "complex": (lambda x: (x + 1j * x) @ (x.T - 2j), (X,), (BOTH,)),
    "qr": (lambda x: jnp.linalg.qr(x)[1], (X,), (ROWS,)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WITH_GRADIENTS, *FORWARD])
def test_results_are_those_of_jax(name: str, mesh: Meshes) -> None:
    f, args, specs = (WITH_GRADIENTS | FORWARD)[name]
    plan = pyshardy.jax.partition(f, *args, mesh=mesh, in_shardings=specs)
    run = plan.compile()
    assert apart(jax.block_until_ready(run(*args)), jax.jit(f)(*args)) < 1e-4
    assert collectives_in(run.lower(*args).compile().as_text()) <= planned_collectives(plan)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WITH_GRADIENTS, 2))
def test_gradients_are_those_of_jax(name: str, mesh: Meshes) -> None:
    f, (x, *rest), specs = WITH_GRADIENTS[name]
    run = pyshardy.jax.partition(f, x, *rest, mesh=mesh, in_shardings=specs).compile()

    def gradient(function: Any) -> Any:
        return jax.jit(jax.grad(lambda x: sum(jnp.sum(jnp.sin(one)) for one in jax.tree.leaves(function(x, *rest)))))

    assert apart(jax.block_until_ready(gradient(run)(x)), gradient(f)(x)) < 1e-3
