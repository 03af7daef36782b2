"""Axes of factors: how the axes of a dimension fall to the factors that make it, and back.

Pure functions that the search for strategies and the reshapes share. A dimension with several factors is split along
them from major to minor, so a minor one only has axes once those before it are split down to single elements.
Propagation projects axes otherwise (``propagation.projection``): it may leave axes that fit nowhere for the user to
hear of; here shards must be connected pieces of equal size, or there is no such layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.emitting.layout import Axes
from pyshardy.sharding.axes import AxisRef, can_coexist, overlaps, shard_count
from pyshardy.sharding.mesh import Mesh

Assignment = tuple[Axes, ...]
"""The axes of each factor."""


def has_conflict(assignment: Iterable[Axes]) -> bool:
    """Whether two factors, or two dimensions, want the same devices."""
    seen: list[AxisRef] = []
    for axes in assignment:
        if any_overlap(axes, seen):
            return True
        seen += axes
    return False


def any_overlap(axes: Axes, taken: Sequence[AxisRef]) -> bool:
    """Whether some of ``axes`` cannot be used beside those that are ``taken``."""
    return any(overlaps(axis, other) or not can_coexist(axis, other) for axis in axes for other in taken)


def dealt(axes: Sequence[AxisRef], sizes: Sequence[int], mesh: Mesh) -> tuple[list[Axes], list[AxisRef]]:
    """``axes`` dealt out to parts of these ``sizes``, each filled before the next begins, and what is left of them:
    dealing ends where nothing divides."""
    parts: list[Axes] = [()] * len(sizes)
    waiting = list(reversed(axes))
    for part, size in enumerate(sizes):
        rest = size
        taken: list[AxisRef] = []
        while waiting and rest > 1:
            axis = waiting.pop()
            count = axis.size(mesh)
            if rest % count == 0:
                taken.append(axis)
                rest //= count
            elif count % rest == 0:
                taken.append(AxisRef(axis.name, axis.pre, rest))
                waiting.append(AxisRef(axis.name, axis.pre * rest, count // rest))
                rest = 1
            else:
                waiting.append(axis)
                break
        parts[part] = tuple(taken)
        if rest > 1:
            break
    return parts, waiting[::-1]


def joined(factors: Sequence[int], assignment: Assignment, sizes: Sequence[int], mesh: Mesh) -> Axes | None:
    """The axes of a dimension with several factors; None if its shards would not be connected pieces."""
    axes_of_dim: list[AxisRef] = []
    full = True
    for factor in factors:
        axes = assignment[factor]
        if not axes:
            full = full and sizes[factor] == 1
            continue
        count = shard_count(axes, mesh)
        if not full or sizes[factor] % count:
            return None
        axes_of_dim += axes
        full = count == sizes[factor]
    return tuple(axes_of_dim)
