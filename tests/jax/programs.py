"""A small model for tests, meshes of virtual devices, and what XLA made of a program."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

Meshes = Any
Tree = Any

SPECS = ({"down": P("model", None), "up": P(None, "model")}, P("data", None))
"""Where the arguments of ``loss`` and ``step`` lie."""


def meshes(explicit: bool = False, **axes: int) -> Meshes:
    """A mesh of the virtual devices."""
    kind = AxisType.Explicit if explicit else AxisType.Auto
    return jax.make_mesh(tuple(axes.values()), tuple(axes), axis_types=(kind,) * len(axes))


def arguments() -> tuple[Tree, Any]:
    """Parameters and a batch for ``loss`` and ``step``, on no device in particular."""
    up, down, x = (
        np.asarray(jax.random.normal(jax.random.key(seed), shape))
        for seed, shape in enumerate([(16, 64), (64, 16), (32, 16)])
    )
    return {"down": down, "up": up}, x


def placed(mesh: Meshes) -> tuple[Tree, Any]:
    """The arguments where ``SPECS`` has them."""
    found: tuple[Tree, Any] = jax.tree.map(
        lambda value, spec: jax.device_put(value, NamedSharding(mesh, spec)), arguments(), SPECS
    )
    return found


def loss(params: Tree, x: Any) -> Any:
    """Two layers and a mean."""
    return jnp.mean((jnp.tanh(x @ params["up"]) @ params["down"]) ** 2)


def step(params: Tree, x: Any) -> Any:
    """One step of gradient descent: parameters and loss."""
    value, gradient = jax.value_and_grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value


def apart(a: Tree, b: Tree) -> float:
    """The largest difference between two trees of arrays."""
    differences = jax.tree.map(lambda x, y: float(np.max(np.abs(np.asarray(x) - np.asarray(y)))), a, b)
    return max(jax.tree.leaves(differences), default=0.0)


_COLLECTIVE = re.compile(r"= .*? (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\(")


def collectives_in(hlo: str) -> Counter[str]:
    """The collectives of a compiled program, by kind."""
    return Counter(_COLLECTIVE.findall(hlo))


def planned_collectives(plan: Any) -> Counter[str]:
    """Those of a plan, by the names of HLO."""
    return Counter(one.kind.replace("_", "-") for one in plan.collectives)
