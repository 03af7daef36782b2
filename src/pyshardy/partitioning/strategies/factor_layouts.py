"""How the axes of a dimension are distributed over the factors of that dimension, and merged again.

Pure functions for the search for strategies and for reshapes. A dimension with several factors is sharded along them
from major to minor, so a minor factor has axes only if those before it are sharded down to single elements. Propagation
distributes axes in another way (``propagation.projection``): it keeps axes that fit no factor, so as to report them.
Here every shard has to be a connected range of elements, and all have one size; otherwise there is no layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.emitting.layout import Axes
from pyshardy.sharding.axes import AxisRef, excludes, shard_count
from pyshardy.sharding.mesh import Mesh

Assignment = tuple[Axes, ...]
"""The axes of each factor."""


def has_conflict(assignment: Iterable[Axes]) -> bool:
    """Whether two factors, or two dimensions, have axes that overlap."""
    seen: list[AxisRef] = []
    for axes in assignment:
        if any_overlap(axes, seen):
            return True
        seen += axes
    return False


def any_overlap(axes: Axes, taken: Sequence[AxisRef]) -> bool:
    """Whether one of ``axes`` cannot be used beside those in ``taken``."""
    return any(excludes(axis, other) for axis in axes for other in taken)


def distribute_axes(axes: Sequence[AxisRef], sizes: Sequence[int], mesh: Mesh) -> tuple[list[Axes], list[AxisRef]]:
    """``axes`` distributed over parts of these ``sizes``, each filled before the next, and the axes that are left.
    Distribution stops at an axis whose size neither divides the rest of the part nor is divided by it."""
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


def merge_axes(factors: Sequence[int], assignment: Assignment, sizes: Sequence[int], mesh: Mesh) -> Axes | None:
    """The axes of a dimension with these ``factors``; None if its shards would not be connected ranges of elements."""
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
