# mypy: allow-untyped-calls, no-warn-return-any
"""Programs that JAX exports with symbolic sizes run on arrays of any size, against JAX's own results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array

RNG = np.random.default_rng(3)
MATRIX = RNG.normal(size=(4, 6)).astype(np.float32)
SQUARES = RNG.normal(size=(2, 3, 3)).astype(np.float32)
IMAGE = RNG.normal(size=(2, 6, 6, 2)).astype(np.float32)
WORDS = np.array([1, 2, 3, 4], np.uint32)


def sums_of_windows(a: jax.Array) -> Any:
    return lax.reduce_window(a, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 1, 1), "SAME")


def bits(words: jax.Array, a: jax.Array) -> Any:
    return lax.rng_bit_generator(words, a.shape)


def positive(a: jax.Array) -> jax.Array:
    return a @ a.swapaxes(-1, -2) + jnp.eye(a.shape[-1])


PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[str, Array]]]] = {
    "sizes_as_numbers": (lambda a: a.sum(0) / a.shape[0] + jnp.arange(a.shape[1]), [("b, c", MATRIX)]),
    "padding": (lambda a: jnp.pad(a, ((1, 2), (0, a.shape[0]))), [("b, c", MATRIX)]),
    "running_sums": (lambda a: jnp.cumsum(a, 0), [("b, c", MATRIX)]),
    "windows": (sums_of_windows, [("b, h, h, 2", IMAGE)]),
    "largest": (lambda a: lax.top_k(a, a.shape[1] // 2), [("b, c", MATRIX)]),
    "random_bits": (bits, [("4,", WORDS), ("b, c", MATRIX)]),
    "factor": (lambda a: jnp.linalg.cholesky(positive(a)), [("b, n, n", SQUARES)]),
    "orthogonal": (lambda a: jnp.abs(jnp.linalg.qr(a)[0]), [("b, 3, 3", SQUARES)]),
    "singular_values": (lambda a: jnp.linalg.svd(a)[1], [("b, m, n", SQUARES)]),
    "eigenvalues": (lambda a: jnp.linalg.eigh(positive(a))[0], [("b, n, n", SQUARES)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_exported_programs(name: str) -> None:
    function, arguments = PROGRAMS[name]
    scope = export.SymbolicScope()
    types = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), value.dtype) for shape, value in arguments]
    values = [value for _, value in arguments]
    text = export.export(jax.jit(function))(*types).mlir_module()
    expected = [np.asarray(one) for one in jax.tree.leaves(jax.jit(function)(*values))]
    for ours, theirs in zip(run(parse(text), values), expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
