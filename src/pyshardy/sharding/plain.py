"""Reads shardings from plain Python: ``("data", None)`` on ``{"data": 4, "model": 2}``; reports all mistakes at once.

The classes of ``tensor`` accept wrong shardings, too, because a program's text may hold them and the verifier reports
them. The functions here read what users write; ``Module.set_sharding`` uses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import EllipsisType

from pyshardy.ir.suggestions import nearest
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.mesh import LARGEST_INTEGER, Mesh
from pyshardy.sharding.tensor import CLOSED, OPEN, DimSharding, TensorSharding

DimSpec = str | AxisRef | DimSharding | Iterable[str | AxisRef] | EllipsisType | None
"""One dimension: an axis, several from major to minor, None for none, ``...`` for what propagation likes."""

Spec = TensorSharding | Iterable[DimSpec]
"""A sharding as people write it: a tuple as in a ``PartitionSpec``, the ``PartitionSpec`` itself, or the real thing."""


class ShardingProblem(ValueError):
    """A sharding that cannot be meant so; the message says what would be right."""


def some_of(names: Sequence[str], most: int = 4, separator: str = ", ") -> str:
    """The first ``most`` of ``names``, and the number of others, as text: ``a, b and 3 more``, or ``a; b; and 3
    more``."""
    rest = len(names) - most
    return separator.join(names[:most]) + (f"{separator.rstrip(', ')} and {rest} more" if rest > 0 else "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'data'?`` if one of ``known`` is near, else the empty string."""
    near = nearest(name, known)
    return f"; did you mean {near!r}?" if near is not None else ""


def tensor_sharding(
    mesh: Mesh | Mapping[str, int],
    spec: Spec,
    *,
    name: str | None = None,
    shape: Sequence[int] | None = None,
    replicated: Iterable[str | AxisRef] = (),
    unreduced: Iterable[str | AxisRef] = (),
    even: bool = False,
) -> TensorSharding:
    """The sharding ``spec`` on ``mesh``: the mesh itself stands in it, or ``name`` if that is what a program calls it.

    ``spec`` has an entry a dimension: the name of an axis, several from major to minor, None where the dimension is not
    split, ``...`` where propagation may split it; a ``PartitionSpec`` of JAX will do. With ``shape`` entries that are
    missing at the end are None, and more than the dimensions are an error; with ``even`` every dimension must divide.
    ``replicated`` and ``unreduced`` are axes that stay replicated, and over which the tensor is a sum of shards.

    Raises:
        ShardingProblem: an axis that the mesh does not have, one used twice, another number of dimensions, a dimension
            that does not divide.
        TypeError: an entry that is none of these.

    >>> print(tensor_sharding({"data": 4, "model": 2}, (("data", "model"), None), name="mesh"))
    #sdy.sharding<@mesh, [{"data", "model"}, {}]>
    >>> tensor_sharding({"x": 4, "model": 2}, ("modle", None))
    Traceback (most recent call last):
    pyshardy.sharding.plain.ShardingProblem: the mesh has no axis 'modle', only 'x' and 'model'; did you mean 'model'?
    """
    mesh = mesh if isinstance(mesh, Mesh) else Mesh(mesh)
    if isinstance(spec, TensorSharding):
        dims: list[DimSharding] = list(spec.dims)
        replicated, unreduced = spec.replicated, spec.unreduced
        operation = spec.reduction_op
    else:
        if isinstance(spec, str):
            raise TypeError(f"a sharding has an entry for each dimension: ({spec!r},) rather than {spec!r}")
        # A PartitionSpec has its entries in ``partitions``, and may have unreduced axes as a set.
        dims, operation = [_dimension(entry) for entry in getattr(spec, "partitions", spec)], "sum"
        terms = sorted(getattr(spec, "unreduced", ()), key=lambda axis: mesh.positions.get(axis, -1))
        unreduced = tuple(unreduced) or terms
    if shape is not None:
        dims = _of_rank(dims, len(shape))
    found = TensorSharding(mesh if name is None else name, dims, replicated, unreduced, operation)
    _check_axes(found, mesh)
    _check_priorities(found)
    if even and shape is not None:
        _check_sizes(found, mesh, shape)
    return found


def _dimension(entry: DimSpec) -> DimSharding:
    if entry is None:
        return CLOSED
    if isinstance(entry, DimSharding):
        return entry
    # JAX has an object of a class of its own for what it does not constrain.
    if entry is ... or type(entry).__name__ == "UnconstrainedSingleton":
        return OPEN
    if isinstance(entry, str | AxisRef):
        return DimSharding((entry,))
    if isinstance(entry, Iterable):
        listed = tuple(entry)
        if all(isinstance(one, str | AxisRef) for one in listed):
            return DimSharding(listed)
    raise TypeError(
        f"an entry of a sharding is the name of an axis, a tuple of names, None or ..., not {entry!r} "
        f"of type {type(entry).__name__}"
    )


def _of_rank(dims: list[DimSharding], rank: int) -> list[DimSharding]:
    if len(dims) > rank:
        entries = "1 entry" if len(dims) == 1 else f"{len(dims)} entries"
        raise ShardingProblem(
            f"the sharding has {entries} for a tensor with {rank} dimension{'' if rank == 1 else 's'}: "
            "one for each dimension is expected"
        )
    return dims + [CLOSED] * (rank - len(dims))


def _check_axes(sharding: TensorSharding, mesh: Mesh) -> None:
    places = [(f"dimension {index}", axis) for index, dim in enumerate(sharding.dims) for axis in dim.axes]
    places += [("the replicated axes", axis) for axis in sharding.replicated]
    places += [("the unreduced axes", axis) for axis in sharding.unreduced]
    for number, (place, axis) in enumerate(places):
        size = mesh.sizes.get(axis.name)
        if size is None:
            near = did_you_mean(axis.name, mesh.sizes)
            raise ShardingProblem(f"the mesh has no axis {axis.name!r}, {_axes_of(mesh)}{near}")
        if axis.sub_size is not None and (not 2 <= axis.sub_size < size or size % axis.next_pre):
            raise ShardingProblem(f"axis {axis.name!r} of size {size} has no part {axis.body_text}")
        for other_place, other in places[:number]:
            if overlaps(axis, other):
                where = f"twice in {place}" if place == other_place else f"in {other_place} and in {place}"
                raise ShardingProblem(f"axis {axis.name!r} stands {where}: an axis serves one purpose in a sharding")


def _check_priorities(sharding: TensorSharding) -> None:
    for index, dim in enumerate(sharding.dims):
        priority: object = dim.priority
        if priority is None:
            continue
        if not isinstance(priority, int) or isinstance(priority, bool) or not 0 <= priority <= LARGEST_INTEGER:
            raise ShardingProblem(
                f"the priority of dimension {index} is a whole number from 0, for the most urgent, to "
                f"{LARGEST_INTEGER}, not {priority!r}"
            )
        if dim.is_closed and not dim.axes:
            raise ShardingProblem(
                f"dimension {index} has a priority, and neither axes nor room for any: nothing of it propagates"
            )


def _axes_of(mesh: Mesh) -> str:
    if not mesh.sizes:
        return "no axes at all"
    *others, last = map(repr, mesh.sizes)
    return f"only {', '.join(others)} and {last}" if others else f"only {last}"


def uneven_dimension(sharding: TensorSharding, mesh: Mesh, shape: Sequence[int]) -> str | None:
    """Which dimension of a tensor with ``shape`` does not divide, and by what; None if all do."""
    for index, (dim, size) in enumerate(zip(sharding.dims, shape, strict=True)):
        shards = dim.sharded_size(mesh)
        if size >= 0 and size % shards:
            axes = ", ".join(f"{axis.name!r} of size {axis.size(mesh)}" for axis in dim.axes)
            return f"dimension {index} has {size} elements, which do not divide into {shards} shards ({axes})"
    return None


def _check_sizes(sharding: TensorSharding, mesh: Mesh, shape: Sequence[int]) -> None:
    problem = uneven_dimension(sharding, mesh, shape)
    if problem is not None:
        raise ShardingProblem(
            f"{problem}: shard another dimension, or pad the tensor; with even=False it is sharded all the same, the "
            "last shards being shorter"
        )
