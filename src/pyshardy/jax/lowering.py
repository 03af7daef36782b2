"""Lowers a function and its arguments to a program: ``jax.jit`` with the given shardings, traced and lowered.

No array is needed, and no device if the mesh is abstract.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, NamedSharding
from jax.sharding import Mesh as ConcreteMesh

from pyshardy.jax.call_form import CallForm, by_position, call_form
from pyshardy.jax.host_callbacks import HostCallback, equations, host_callbacks, refuse
from pyshardy.jax.specs import check_fit, named_shardings, platform_of

SHARDINGS = ("in_shardings", "out_shardings")
OPTIONS = (*SHARDINGS, "donate_argnums", "donate_argnames", "static_argnums", "static_argnames", "keep_unused")
"""The options of ``jax.jit`` that mean something for a plan."""


@dataclass(frozen=True)
class Lowering:
    """A function lowered for one call: the ``jax.jit`` of it, the shapes of the call (which hold no arrays), what JAX
    made of them, the concrete mesh if there is one, the mesh that was given, and the platform."""

    jitted: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    form: CallForm
    traced: Any
    lowered: Any
    mesh: Any
    given_mesh: Any
    platform: str
    callbacks: list[HostCallback]

    @property
    def name(self) -> str:
        """What the function is called."""
        return str(getattr(self.jitted, "__name__", "function"))


def lower(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], options: dict[str, Any], mesh: Any, platform: Any
) -> Lowering:
    """Lowers ``function`` for the call; ``options`` are those of ``jax.jit`` that were given.

    Raises:
        JaxProblem: a sharding that cannot be meant so, ordered host callbacks.
    """
    jitted = jitted_for(function, options, mesh)
    if "in_shardings" in options:
        # With shardings JAX takes nothing by name.
        args, kwargs = by_position(jitted, args, kwargs)
    form = call_form(jitted, (options.get("static_argnums"), options.get("static_argnames")), args, kwargs)
    args = tuple(one if index in form.statics else shapes_of(one) for index, one in enumerate(args))
    kwargs = {name: one if name in form.statics else shapes_of(one) for name, one in kwargs.items()}
    if "in_shardings" in options:
        dynamic, _ = form.dynamic(args, kwargs)
        of_first = jax.tree_util.SequenceKey(0)
        check_fit(options["in_shardings"], mesh, dynamic, lambda path: form.name((of_first, *path)), "in_shardings")
        if mesh is not None and any(one == AxisType.Explicit for one in mesh.axis_types):
            # There the sharding is a part of the type that the function is traced with.
            placed = iter(_placed(named_shardings(options["in_shardings"], mesh, "in_shardings"), dynamic))
            args = tuple(one if index in form.statics else next(placed) for index, one in enumerate(args))
    concrete = _concrete_mesh(mesh, args, kwargs, jitted, options)
    platform = platform or platform_of(concrete)
    with under(mesh):
        traced = jitted.trace(*args, **kwargs)
        found = host_callbacks(traced.jaxpr)
        if any(one.ordered for one in found):
            # Those cannot even be lowered for several devices.
            refuse(found)
        lowered = traced.lower(lowering_platforms=(platform,))
    concrete = concrete or _mesh_inside(traced.jaxpr)
    return Lowering(jitted, args, kwargs, form, traced, lowered, concrete, mesh, platform, found)


def _placed(shardings: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """``args`` with the ``shardings`` that are asked for, where the shapes have none."""

    def placed(sharding: Any, below: Any) -> Any:
        def one(leaf: Any) -> Any:
            if not isinstance(leaf, jax.ShapeDtypeStruct) or leaf.sharding is not None:
                return leaf
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding, weak_type=leaf.weak_type)

        return jax.tree.map(one, below) if isinstance(sharding, NamedSharding) else below

    def is_leaf(one: Any) -> bool:
        return one is None or isinstance(one, NamedSharding)

    if is_leaf(shardings):
        return tuple(placed(shardings, one) for one in args)
    found: tuple[Any, ...] = tuple(jax.tree.map(placed, shardings, args, is_leaf=is_leaf))
    return found


def jitted_for(function: Any, options: dict[str, Any], mesh: Any) -> Any:
    """``function`` under ``jax.jit``, if it is not already and no options are given.

    Raises:
        JaxProblem: a ``PartitionSpec`` does not fit ``mesh``.
    """
    if not options and hasattr(function, "trace") and hasattr(function, "lower"):
        return function
    named = dict(options)
    if mesh is not None:
        named |= {what: named_shardings(options[what], mesh, what) for what in SHARDINGS if what in options}
    return jax.jit(function, **named)


def shapes_of(tree: Any) -> Any:
    """``tree`` with shapes for arrays: a plan keeps nobody's arrays alive. Shardings over a mesh are kept."""

    def shape_of(leaf: Any) -> Any:
        if isinstance(leaf, jax.core.Tracer):
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, weak_type=leaf.aval.weak_type)
        if isinstance(leaf, jax.Array):
            kept = isinstance(leaf.sharding, NamedSharding) and getattr(leaf, "committed", True)
            sharding = leaf.sharding if kept else None
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding, weak_type=leaf.aval.weak_type)
        if isinstance(leaf, np.ndarray):
            return jax.ShapeDtypeStruct(leaf.shape, jax.dtypes.canonicalize_dtype(leaf.dtype))
        return leaf

    return jax.tree.map(shape_of, tree)


@contextmanager
def under(mesh: Any) -> Iterator[None]:
    """JAX with ``mesh`` as the one that ``PartitionSpec``s in a function mean."""
    with ExitStack() as stack:
        if mesh is not None and not isinstance(mesh, AbstractMesh):
            of_devices = jax.set_mesh if hasattr(jax, "set_mesh") else getattr(jax.sharding, "use_mesh", nullcontext)
            try:
                stack.enter_context(of_devices(mesh))
            except ValueError:
                # Inside of another function that is being traced there are no devices.
                mesh = mesh.abstract_mesh
        if isinstance(mesh, AbstractMesh):
            # Before there was such a context, shardings with meshes do all the same.
            stack.enter_context(getattr(jax.sharding, "use_abstract_mesh", nullcontext)(mesh))
        yield


def _concrete_mesh(mesh: Any, args: Any, kwargs: Any, jitted: Any, options: dict[str, Any]) -> Any:
    """The mesh of devices that the call names: given, of an argument, of a sharding asked for, or the surrounding."""
    if mesh is not None:
        return mesh if isinstance(mesh, ConcreteMesh) else None
    known = getattr(jitted, "_jit_info", None)
    asked = [options.get(what) for what in SHARDINGS]
    asked += [getattr(known, "in_shardings_leaves", ()), getattr(known, "out_shardings_leaves", ())]
    shardings = [getattr(leaf, "sharding", None) for leaf in jax.tree.leaves((args, kwargs))] + jax.tree.leaves(asked)
    for sharding in shardings:
        found = getattr(sharding, "mesh", None)
        if isinstance(found, ConcreteMesh) and not found.empty:
            return found
    try:
        surrounding = jax.sharding.get_mesh()
    except (AttributeError, ValueError):
        return None
    return surrounding if isinstance(surrounding, ConcreteMesh) and not surrounding.empty else None


def _mesh_inside(jaxpr: Any) -> Any:
    """The first mesh of devices that a constraint or a ``shard_map`` in the function names."""
    for eqn in equations(jaxpr):
        for value in (*eqn.params.values(), getattr(eqn.params.get("sharding"), "mesh", None)):
            if isinstance(value, ConcreteMesh) and not value.empty:
                return value
    return None
