"""Splits and shortens axes: where another list of axes begins or ends, to fit a number of shards, or at the minor end
of a dimension.

``sharding.axes`` has the operations on single axes; ``collective_sequence`` plans with these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.sharding.axes import (
    AxisRef,
    can_coexist,
    contains,
    first_overlapping,
    greatest_common_prefix,
    overlap,
    overlaps,
    prefix_without_overlap,
    suffix_without_overlap,
)
from pyshardy.sharding.mesh import Mesh

Layout = tuple[tuple[AxisRef, ...], ...]
"""The axes of each dimension of a tensor, from major to minor."""


def by_name(axes: Iterable[AxisRef]) -> list[AxisRef]:
    """``axes`` in the order that ``first_overlapping`` expects."""
    return sorted(axes, key=lambda axis: axis.sort_key)


def aligned(axes: Iterable[AxisRef], others: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """``axes`` split so that each part is one of ``others``, lies inside one, or overlaps none.

    ``others`` are sorted ``by_name``. Parts that no splitting of the axis can express together stay whole.
    """
    parts: list[AxisRef] = []
    for axis in axes:
        index = first_overlapping(axis, others)
        rest: AxisRef | None = axis
        while rest is not None and index is not None and index < len(others):
            other = others[index]
            if contains(other, rest) or not overlaps(other, rest) or not can_coexist(other, rest):
                break
            parts.extend(part for part in (prefix_without_overlap(rest, other), overlap(rest, other)) if part)
            rest = suffix_without_overlap(rest, other, mesh)
            index += 1
        if rest is not None:
            parts.append(rest)
    return parts


def split_to_fit(axis: AxisRef, capacity: int, mesh: Mesh) -> tuple[AxisRef | None, AxisRef | None, int]:
    """The major part of ``axis`` that fits into ``capacity`` shards, what is left of it, and the capacity left.

    There is no such part if neither size divides the other.
    """
    size = axis.size(mesh)
    if capacity <= 1 or (size % capacity and capacity % size):
        return None, axis, capacity
    if capacity >= size:
        return axis, None, capacity // size
    return AxisRef(axis.name, axis.pre, capacity), AxisRef(axis.name, axis.pre * capacity, size // capacity), 1


def remove_minor(axes: list[AxisRef], removed: Iterable[AxisRef]) -> None:
    """Removes ``removed`` from the minor end of ``axes``, splitting an axis that was merged with others."""
    for axis in reversed(list(removed)):
        prefix = prefix_without_overlap(axes.pop(), axis)
        if prefix is not None:
            axes.append(prefix)


def common_prefix(a: Sequence[AxisRef], b: Sequence[AxisRef]) -> list[AxisRef]:
    """The axes with which both lists begin; the last one may be a prefix of an axis."""
    common: list[AxisRef] = []
    for one, other in zip(a, b, strict=False):
        shared = one if one is other else greatest_common_prefix(one, other)
        if shared is not None:
            common.append(shared)
        if one is not other:
            break
    return common


def axes_after_prefix(axes: Sequence[AxisRef], prefix: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """The axes of ``axes`` after ``prefix``, with which it begins."""
    if not prefix:
        return list(axes)
    count = len(prefix)
    split, last = axes[count - 1], prefix[-1]
    rest = None if split is last else suffix_without_overlap(split, last, mesh)
    return [*([rest] if rest is not None else []), *axes[count:]]


def rest_after(axes: Sequence[AxisRef], begin: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """The axes of ``axes`` after ``begin``; none if it does not begin with these."""
    prefix = common_prefix(axes, begin)
    return axes_after_prefix(axes, prefix, mesh) if tuple(prefix) == tuple(begin) else []
