# mypy: allow-untyped-calls, allow-untyped-decorators, allow-any-generics, no-warn-return-any
"""How the JAX programs of these tests become module text: abstract meshes, shapes, specs, and the table of programs.

Needs no devices. `jax_models.py` and its siblings fill `PROGRAMS`; `jax_programs.py` loads them all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import AbstractMesh, AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

PROGRAMS: dict[str, Callable[[], str]] = {}
_WITH_LOCATIONS: ContextVar[bool] = ContextVar("_WITH_LOCATIONS", default=False)


def text_with_locations(make: Callable[[], str]) -> str:
    """Returns the module text that a program's function makes, with JAX's locations."""
    token = _WITH_LOCATIONS.set(True)
    try:
        return make()
    finally:
        _WITH_LOCATIONS.reset(token)


def program(make: Callable[[], str]) -> Callable[[], str]:
    """Registers a function without arguments that returns module text, under its own name. The text is made once for
    each of the settings that it depends on."""

    @cache
    def text(with_locations: bool, shardy: bool) -> str:
        return make()

    @wraps(make)
    def made() -> str:
        return text(_WITH_LOCATIONS.get(), jax.config.jax_use_shardy_partitioner)

    PROGRAMS[make.__name__] = made
    return made


def mesh(explicit: bool = False, **axes: int) -> AbstractMesh:
    """Returns an abstract mesh with the given axis sizes; `explicit` makes all axes explicit in JAX's sense."""
    kind = AxisType.Explicit if explicit else AxisType.Auto
    return AbstractMesh(tuple(axes.values()), tuple(axes), axis_types=(kind,) * len(axes))


def array(*shape: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    """Returns an abstract array, f32 unless said otherwise."""
    return jax.ShapeDtypeStruct(shape, dtype)


def ints(*shape: int) -> jax.ShapeDtypeStruct:
    """Returns an abstract i32 array."""
    return array(*shape, dtype=jnp.int32)


def pin(x: jax.Array, over: AbstractMesh, *spec: Any) -> jax.Array:
    """Constrains `x` to `P(*spec)` on the mesh `over`."""
    return jax.lax.with_sharding_constraint(x, NamedSharding(over, P(*spec)))


def lower(
    function: Callable[..., Any], over: AbstractMesh, arguments: Any, in_specs: Any = None, out_specs: Any = None
) -> str:
    """Lowers `function` and returns its module text.

    Args:
      function: what to jit.
      over: the mesh of all specs.
      arguments: a tuple of (trees of) abstract arrays.
      in_specs: a tuple of (trees of) `PartitionSpec`s or None (unspecified), as for `jax.jit`.
      out_specs: likewise for the results.
    """

    def named(specs: Any) -> Any:
        return jax.tree.map(
            lambda spec: None if spec is None else NamedSharding(over, spec),
            specs,
            is_leaf=lambda leaf: leaf is None or isinstance(leaf, P),
        )

    jitted = jax.jit(function, in_shardings=named(in_specs), out_shardings=named(out_specs))
    with jax.sharding.use_abstract_mesh(over):
        return jitted.trace(*arguments).lower(lowering_platforms=("cpu",)).as_text(debug_info=_WITH_LOCATIONS.get())
