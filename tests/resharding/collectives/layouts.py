"""Layouts to reshard between: all of a small mesh, and random ones of a larger mesh."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from random import Random

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import AxisRef, append_or_merge
from pyshardy.sharding.mesh import Mesh


@cache
def _splittings(size: int) -> tuple[tuple[int, ...], ...]:
    """All ways to write ``size`` as a product of factors above 1, in every order."""
    if size == 1:
        return ((),)
    return tuple(
        (factor, *rest) for factor in range(2, size + 1) if size % factor == 0 for rest in _splittings(size // factor)
    )


def _pieces(name: str, factors: tuple[int, ...]) -> list[AxisRef]:
    if len(factors) < 2:
        return [AxisRef(name)]
    pieces, pre = [], 1
    for factor in factors:
        pieces.append(AxisRef(name, pre, factor))
        pre *= factor
    return pieces


def all_layouts(mesh: Mesh, rank: int) -> list[Layout]:
    """Every layout of ``rank`` dimensions on ``mesh``, sub-axes included."""
    found: dict[Layout, None] = {}
    for splitting in product(*(_splittings(axis.size) for axis in mesh.axes)):
        pool = [
            piece for axis, factors in zip(mesh.axes, splitting, strict=True) for piece in _pieces(axis.name, factors)
        ]
        for count in range(len(pool) + 1):
            for order in permutations(pool, count):
                for layout in _distributions(order, rank, mesh):
                    found[layout] = None
    return list(found)


def _distributions(order: tuple[AxisRef, ...], rank: int, mesh: Mesh) -> Iterator[Layout]:
    for cuts in combinations_with_replacement(range(len(order) + 1), rank - 1):
        bounds = (0, *cuts, len(order))
        yield tuple(_merged(order[bounds[dim] : bounds[dim + 1]], mesh) for dim in range(rank))


def _merged(axes: tuple[AxisRef, ...], mesh: Mesh) -> tuple[AxisRef, ...]:
    merged: list[AxisRef] = []
    for axis in axes:
        append_or_merge(merged, axis, mesh)
    return tuple(merged)


def random_layout(random: Random, mesh: Mesh, rank: int, *, sub_axes: float) -> Layout:
    """Axes of ``mesh``, split with probability ``sub_axes``, in random dimensions; half of the time all of them."""
    pool = []
    for axis in mesh.axes:
        factors = random.choice(_splittings(axis.size)) if random.random() < sub_axes else (axis.size,)
        pool += _pieces(axis.name, factors)
    random.shuffle(pool)
    if random.random() < 0.5:
        del pool[random.randint(0, len(pool)) :]
    dims: list[list[AxisRef]] = [[] for _ in range(rank)]
    for piece in pool:
        dims[random.randrange(rank)].append(piece)
    return tuple(_merged(tuple(axes), mesh) for axes in dims)


def random_mesh(random: Random, sizes: tuple[int, ...], devices: int) -> Mesh:
    """A mesh of up to ``devices`` devices with axis sizes of ``sizes``, its devices in order."""
    axes: dict[str, int] = {}
    for name in "abcde"[: random.randint(1, 5)]:
        fitting = [size for size in sizes if size <= devices]
        if not fitting:
            break
        axes[name] = random.choice(fitting)
        devices //= axes[name]
    return Mesh(axes)


def shuffled(random: Random, mesh: Mesh) -> Mesh:
    """``mesh`` with its devices in another order."""
    ids = list(range(mesh.total_size))
    random.shuffle(ids)
    return Mesh(mesh.axes, ids)
