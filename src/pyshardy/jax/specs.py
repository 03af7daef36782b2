"""Converts meshes and ``PartitionSpec``s of users to shardings of JAX, and layouts of a plan to ``PartitionSpec``s.

Users give ``P("data", None)`` and a mesh, JAX wants a ``NamedSharding``; a plan has layouts, and the callable wants
shardings of concrete devices. ``lowering`` uses the first conversion, ``jax_plan`` and ``partitioned`` the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import jax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import Mesh as ConcreteMesh
from jax.sharding import PartitionSpec as P

from pyshardy.jax.problems import JaxProblem
from pyshardy.partitioning.boundary import Boundary
from pyshardy.sharding.plain import ShardingProblem, tensor_sharding

Entry = str | tuple[str, ...] | None
Spec = tuple[Entry, ...]
"""What a ``PartitionSpec`` holds, an entry a dimension."""


def as_mesh(mesh: Any) -> Any:
    """``mesh`` as a mesh of JAX, from one of JAX or from sizes by name, ``{"data": 4, "model": 2}``; None stays None.

    Raises:
        JaxProblem: it is none of these.
    """
    if isinstance(mesh, Mapping):
        return AbstractMesh(tuple(mesh.values()), tuple(mesh))
    if mesh is None or isinstance(mesh, AbstractMesh | ConcreteMesh):
        return mesh
    raise JaxProblem(
        f"mesh= is a jax.sharding.Mesh, an AbstractMesh, or the sizes of the axes ({{'data': 4, 'model': 2}}), "
        f"not {mesh!r} of type {type(mesh).__name__}"
    )


def platform_of(mesh: Any) -> str:
    """The platform to lower for: that of the mesh's devices, else JAX's default."""
    device = mesh.devices.flat[0] if mesh is not None else None
    platform: str = device.platform if device is not None else jax.default_backend()
    if platform != "gpu":
        return platform
    version = getattr(getattr(device or jax.devices()[0], "client", None), "platform_version", "")
    return "rocm" if "rocm" in version.lower() else "cuda"


def named_shardings(specs: Any, mesh: Any, what: str) -> Any:
    """``specs``, a tree as ``jax.jit`` takes it, with each ``PartitionSpec`` as a ``NamedSharding`` on ``mesh``.

    ``what`` is what messages call the tree.

    Raises:
        JaxProblem: an axis that the mesh does not have, or one that stands twice; there is no mesh.
    """

    def named(path: Any, spec: Any) -> Any:
        if not isinstance(spec, P):
            return spec
        where = what + jax.tree_util.keystr(path)
        try:
            tensor_sharding(dict(mesh.shape), spec)
        except ShardingProblem as problem:
            raise JaxProblem(f"{where} = {spec}: {problem}") from None
        return NamedSharding(mesh, spec)

    return jax.tree_util.tree_map_with_path(named, specs, is_leaf=lambda one: one is None or isinstance(one, P))


def check_fit(specs: Any, mesh: Any, leaves: Any, name_of: Any, what: str) -> None:
    """Holds each ``PartitionSpec`` (on ``mesh``) or ``NamedSharding`` of the prefix ``specs`` to the tensors below it
    in ``leaves``. ``name_of`` says of a path in ``leaves`` what its tensor is called.

    Raises:
        JaxProblem: a sharding has more entries than its tensor has dimensions, or a dimension does not divide.
    """

    def is_leaf(one: Any) -> bool:
        return one is None or isinstance(one, P | NamedSharding)

    def check(path: Any, spec: Any, below: Any) -> None:
        sizes = spec.mesh.shape if isinstance(spec, NamedSharding) else mesh.shape if mesh is not None else {}
        spec = spec.spec if isinstance(spec, NamedSharding) else spec
        if not isinstance(spec, P):
            return
        where = f"{what}{jax.tree_util.keystr(path)} = {spec}"
        for rest, leaf in jax.tree_util.tree_flatten_with_path(below)[0]:
            _check_one(spec, sizes, getattr(leaf, "shape", ()), where, name_of((*path, *rest)))

    if is_leaf(specs):
        check((), specs, leaves)
        return
    try:
        jax.tree_util.tree_map_with_path(check, specs, leaves, is_leaf=is_leaf)
    except (TypeError, ValueError) as error:
        if isinstance(error, JaxProblem):
            raise
        # Trees that do not fit: JAX says so, with both.


def _check_one(spec: Any, sizes: Mapping[str, int], shape: Any, where: str, name: str) -> None:
    rank = len(shape)
    if len(spec) > rank:
        raise JaxProblem(
            f"{where} has {len(spec)} entries, and {name} has {rank} dimension{'' if rank == 1 else 's'}: at most one "
            "entry for each dimension is expected"
        )
    for number, (entry, size) in enumerate(zip(spec, shape, strict=False)):
        axes = entry if isinstance(entry, tuple) else (entry,)
        shards = prod(sizes.get(axis, 1) for axis in axes if isinstance(axis, str))
        if size % shards:
            raise JaxProblem(
                f"{where} cuts dimension {number} of {name} into {shards} shards, and its {size} elements do not divide"
                ": shard another dimension, or pad the tensor"
            )


def spec_of(boundary: Boundary) -> Spec | None:
    """The entries of the ``PartitionSpec`` that says where an argument or result lies; None if no such says it: parts
    of axes, sums that are not added up, or shards of different sizes."""
    layout = boundary.layout
    shape = getattr(boundary.type, "shape", None)
    if shape is None or layout.unreduced or any(not axis.is_full for axis in layout.axes()):
        return None
    if any(size % count for size, count in zip(shape, layout.counts, strict=True)):
        return None
    entries: list[Entry] = []
    for axes in layout.dims:
        names = tuple(axis.name for axis in axes)
        entries.append(None if not names else names[0] if len(names) == 1 else names)
    return tuple(entries)


def sharding_for(spec: Spec | None, mesh: Any) -> Any:
    """The sharding of JAX on ``mesh``; None stays None."""
    return None if spec is None else NamedSharding(mesh, P(*spec))
