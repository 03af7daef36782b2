"""Meshes: named axes over devices.

A mesh views ``total_size`` devices as an array with one dimension for each axis; ``device_ids`` give their order when
it is not 0, 1, 2, ….
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from math import prod

from pyshardy.ir.attribute import Attribute, plain_string, quoted

LARGEST_INTEGER = 2**63 - 1
"""The largest size, number of devices and priority that a program can be written with."""


class MeshAxis(Attribute):
    """One axis of a mesh: name and size (at least 1)."""

    __slots__ = ("name", "size")
    name: str
    size: int

    def __new__(cls, name: str, size: int) -> MeshAxis:
        return cls._table[name, size]

    def _begin(self) -> None:
        name, size = self.name, self.size
        if not isinstance(name, str):
            raise TypeError(f"the name of an axis is a string, got: {name!r}")
        if not hasattr(size, "__index__"):
            raise TypeError(f"axis size must be an integer, got: {size!r} for axis {quoted(name)}")
        if size < 1:
            raise ValueError(f"axis size must be at least 1, got: {size}")
        self.name, self.size = plain_string(name), operator.index(size)

    @property
    def body_text(self) -> str:
        return f"{quoted(self.name)}={self.size}"

    def _render(self) -> str:
        return f"#sdy<mesh_axis{self.body_text}>"


class Mesh(Attribute):
    """A mesh from axes (a mapping or pairs of name and size) and device ids.

    Device ids in iota order are dropped: ``Mesh({"x": 2}, [0, 1]) is Mesh({"x": 2})``. A mesh without axes and ids is
    empty; one with a single id and no axes is maximal.

    Raises:
        ValueError: a size below 1, a name twice, device ids that are no permutation.

    >>> print(Mesh({"data": 2, "model": 4}))
    #sdy.mesh<["data"=2, "model"=4]>
    """

    __slots__ = ("axes", "device_ids", "positions", "sizes", "total_size")
    axes: tuple[MeshAxis, ...]
    device_ids: tuple[int, ...]
    sizes: dict[str, int]
    positions: dict[str, int]
    total_size: int

    def __new__(
        cls,
        axes: Mapping[str, int] | Iterable[MeshAxis | tuple[str, int]] = (),
        device_ids: Iterable[int] = (),
    ) -> Mesh:
        pairs = axes.items() if isinstance(axes, Mapping) else axes
        listed = tuple(one if isinstance(one, MeshAxis) else MeshAxis(*one) for one in pairs)
        return cls._table[listed, cls._checked_ids(listed, tuple(device_ids))]

    def _begin(self) -> None:
        self.sizes = {axis.name: axis.size for axis in self.axes}
        self.positions = {axis.name: index for index, axis in enumerate(self.axes)}
        self.total_size = prod(self.sizes.values())

    @staticmethod
    def _checked_ids(axes: tuple[MeshAxis, ...], ids: tuple[int, ...]) -> tuple[int, ...]:
        for one in ids:
            if one < 0:
                raise ValueError(f"device id must be non-negative, got: {one}")
        if not axes:
            if len(ids) > 1:
                raise ValueError("axes is empty and device_ids has more than one element")
            return ids
        seen = set()
        for axis in axes:
            if axis.name in seen:
                raise ValueError(f"duplicate axis name: {quoted(axis.name)}")
            seen.add(axis.name)
        if not ids:
            return ids
        total = prod(axis.size for axis in axes)
        if total != len(ids):
            raise ValueError(
                f"total product of axis sizes must match total number of device ids, got: {total} != {len(ids)}"
            )
        iota = range(total)
        if all(one == index for index, one in enumerate(ids)):
            return ()
        ordered = sorted(ids)
        if any(one != index for index, one in zip(iota, ordered, strict=True)):
            listed = ", ".join(map(str, ordered))
            raise ValueError(f"sorted device ids must be iota(product(axes)), got: {listed}")
        return ids

    @property
    def is_empty(self) -> bool:
        """No axes and no device ids."""
        return not self.axes and not self.device_ids

    @property
    def is_maximal(self) -> bool:
        """No axes and exactly one device id."""
        return not self.axes and len(self.device_ids) == 1

    def equals(self, other: Mesh, *, ignore_device_ids: bool = False) -> bool:
        """Whether both are the same mesh; without device ids, whether axes and maximality agree."""
        if self is other:
            return True
        return ignore_device_ids and self.axes == other.axes and self.is_maximal == other.is_maximal

    @property
    def body_text(self) -> str:
        axes = ", ".join(axis.body_text for axis in self.axes)
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"<[{axes}]{ids}>"

    def _render(self) -> str:
        return f"#sdy.mesh{self.body_text}"
