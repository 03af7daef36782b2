"""Axis references: a full axis of a mesh, or a sub-axis of it, and their arithmetic.

The sub-axis ``"x":(m)k`` of an axis of size n views n as [m, k, n/(m·k)] and takes the middle part; m is its pre-size.
Source: Shardy's documentation, sharding representation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from pyshardy.ir.attribute import Attribute, plain_string, quoted
from pyshardy.sharding.mesh import Mesh


class AxisRef(Attribute):
    """The axis ``name``, or with ``pre`` and ``sub_size`` the sub-axis ``name:(pre)sub_size`` of it.

    >>> print(AxisRef("x", 2, 4).body_text)
    "x":(2)4
    """

    __slots__ = ("name", "next_pre", "pre", "sub_size")
    name: str
    pre: int
    """Product of the sizes of all sub-axes to the left; 1 for a full axis."""
    sub_size: int | None
    """None for a full axis."""
    next_pre: int
    """Pre-size of the sub-axis directly to the right; 0 for a full axis, which has none without a mesh."""

    def __new__(cls, name: str, pre: int = 1, sub_size: int | None = None) -> AxisRef:
        return cls._table[name, pre, sub_size]

    def _begin(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"the name of an axis is a string, got: {self.name!r}")
        self.name = plain_string(self.name)
        self.next_pre = 0 if self.sub_size is None else self.pre * self.sub_size

    @property
    def is_full(self) -> bool:
        return self.sub_size is None

    def size(self, mesh: Mesh) -> int:
        """Number of shards along this reference."""
        return mesh.sizes[self.name] if self.sub_size is None else self.sub_size

    def end(self, mesh: Mesh) -> int:
        """``pre`` times size."""
        return mesh.sizes[self.name] if self.sub_size is None else self.next_pre

    @property
    def sort_key(self) -> tuple[bytes, int, int]:
        """Orders references by name, then a full axis after the sub-axes with pre-size 1 and before the others."""
        name = self.name.encode("utf-8", "surrogateescape")
        return (name, 1, 1 << 63) if self.sub_size is None else (name, self.pre, self.sub_size)

    @property
    def body_text(self) -> str:
        return quoted(self.name) if self.sub_size is None else f"{quoted(self.name)}:({self.pre}){self.sub_size}"

    def _render(self) -> str:
        return f"#sdy<axis_ref{self.body_text}>"


def shard_count(axes: Iterable[AxisRef], mesh: Mesh | None) -> int:
    """Into how many shards ``axes`` split a dimension; ``mesh`` may be missing where there are no axes."""
    count = 1
    for axis in axes:
        assert mesh is not None
        count *= axis.size(mesh)
    return count


def contains(a: AxisRef, b: AxisRef) -> bool:
    """Whether ``b`` lies inside ``a`` (as intervals; a full axis lies in no sub-axis)."""
    if a.name != b.name:
        return False
    if a.sub_size is None:
        return True
    return b.sub_size is not None and a.pre <= b.pre and a.next_pre >= b.next_pre


def is_prefix(a: AxisRef, b: AxisRef) -> bool:
    """Whether ``a`` begins where ``b`` does and ends no later. It need not divide ``b`` (``can_coexist``)."""
    return contains(b, a) and a.pre == b.pre


def is_suffix(a: AxisRef, b: AxisRef, mesh: Mesh) -> bool:
    """Whether ``a`` is a minor part of ``b``, or all of it."""
    return contains(b, a) and a.end(mesh) == b.end(mesh)


def overlaps(a: AxisRef, b: AxisRef) -> bool:
    """Whether the two have devices' coordinates in common."""
    if a.name != b.name:
        return False
    if a.sub_size is None or b.sub_size is None:
        return True
    return a.pre < b.next_pre and b.pre < a.next_pre


def can_coexist(a: AxisRef, b: AxisRef) -> bool:
    """Whether one splitting of the axis expresses both."""
    if a.name != b.name or a.sub_size is None or b.sub_size is None:
        return True
    low_pre, high_pre = (a.pre, b.pre) if a.pre <= b.pre else (b.pre, a.pre)
    low_next, high_next = (a.next_pre, b.next_pre) if a.next_pre <= b.next_pre else (b.next_pre, a.next_pre)
    if low_next > high_pre:
        return low_next % high_pre == 0 and high_pre % low_pre == 0 and high_next % low_next == 0
    return high_pre % low_next == 0


def excludes(a: AxisRef, b: AxisRef) -> bool:
    """Whether no tensor can be sharded along both: they have devices' coordinates in common, or no one splitting of the
    axis expresses both."""
    return overlaps(a, b) or not can_coexist(a, b)


def is_factor(a: AxisRef, b: AxisRef) -> bool:
    """Whether ``a`` is one of the sub-axes of some splitting of ``b``."""
    return contains(b, a) and can_coexist(a, b)


def overlap(a: AxisRef, b: AxisRef) -> AxisRef | None:
    """What the two have in common; None if nothing, or if they cannot coexist."""
    if a.name != b.name:
        return None
    if a.sub_size is None:
        return b
    if b.sub_size is None:
        return a
    pre, end = max(a.pre, b.pre), min(a.next_pre, b.next_pre)
    return AxisRef(a.name, pre, end // pre) if end > pre and can_coexist(a, b) else None


def prefix_without_overlap(a: AxisRef, b: AxisRef) -> AxisRef | None:
    """The major part of ``a`` before ``b`` starts; None if nothing is left, or if they cannot coexist."""
    if a.name != b.name:
        return a
    if not can_coexist(a, b):
        return None
    if not overlaps(a, b):
        return a
    return AxisRef(a.name, a.pre, b.pre // a.pre) if a.pre < b.pre else None


def suffix_without_overlap(a: AxisRef, b: AxisRef, mesh: Mesh) -> AxisRef | None:
    """The minor part of ``a`` after ``b`` ends; None if nothing is left, or if they cannot coexist."""
    if not can_coexist(a, b):
        return None
    if not overlaps(a, b):
        return a
    start, end = b.end(mesh), a.end(mesh)
    return AxisRef(a.name, start, end // start) if end > start else None


def prefix_without_any(a: AxisRef, others: Iterable[AxisRef]) -> AxisRef | None:
    """The largest major part of ``a`` that is free of all ``others``."""
    left: AxisRef | None = a
    for other in others:
        if left is None:
            return None
        if other.name == left.name:
            left = prefix_without_overlap(left, other)
    return left


def greatest_common_prefix(a: AxisRef, b: AxisRef) -> AxisRef | None:
    """The longer of both that is a prefix of both."""
    if not can_coexist(a, b):
        return None
    if is_prefix(a, b):
        return a
    return b if is_prefix(b, a) else None


def can_merge(a: AxisRef, b: AxisRef) -> bool:
    """Whether ``b`` continues the sub-axis ``a`` directly."""
    return a.name == b.name and a.sub_size is not None and b.sub_size is not None and a.next_pre == b.pre


def merge(a: AxisRef, b: AxisRef, mesh: Mesh) -> AxisRef:
    """Both as one reference, the full axis if they cover it."""
    assert a.sub_size is not None and b.sub_size is not None
    size = a.sub_size * b.sub_size
    return AxisRef(a.name) if size == mesh.sizes[a.name] else AxisRef(a.name, a.pre, size)


def append_or_merge(axes: list[AxisRef], new: AxisRef, mesh: Mesh) -> None:
    """Appends ``new``, or merges it into the last element if it continues that."""
    if axes and can_merge(axes[-1], new):
        axes[-1] = merge(axes[-1], new, mesh)
    else:
        axes.append(new)


def mesh_order(axis: AxisRef, mesh: Mesh) -> tuple[int, int, int]:
    """Sorts references by the position of their name in the mesh, then by place; unknown names come last."""
    position = mesh.positions.get(axis.name, len(mesh.axes))
    return (position, 1, 1 << 63) if axis.sub_size is None else (position, axis.pre, axis.sub_size)


def sort_and_merge(axes: Iterable[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """The references in mesh order, neighbours merged."""
    merged: list[AxisRef] = []
    for axis in sorted(axes, key=lambda one: mesh_order(one, mesh)):
        append_or_merge(merged, axis, mesh)
    return merged


def first_overlapping(axis: AxisRef, ordered: Sequence[AxisRef]) -> int | None:
    """Index of an element of ``ordered`` (by ``sort_key``, without overlaps) that overlaps ``axis``."""
    index = bisect_left(ordered, axis.sort_key, key=lambda one: one.sort_key)
    if index > 0 and overlaps(axis, ordered[index - 1]):
        return index - 1
    if index < len(ordered) and overlaps(axis, ordered[index]):
        return index
    return None


def difference(axes: Sequence[AxisRef], removed: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """``axes`` minus ``removed``, in the order of ``axes``, split where needed."""
    ordered = sorted(removed, key=lambda one: one.sort_key)
    left: list[AxisRef] = []
    for axis in axes:
        rest: AxisRef | None = axis
        while rest is not None:
            index = first_overlapping(rest, ordered)
            if index is None:
                left.append(rest)
                break
            prefix = prefix_without_overlap(rest, ordered[index])
            if prefix is not None:
                left.append(prefix)
            rest = suffix_without_overlap(rest, ordered[index], mesh)
    return left


def axes_text(axes: Iterable[AxisRef]) -> str:
    """``{"a", "b":(1)2}``."""
    return "{" + ", ".join(axis.body_text for axis in axes) + "}"
