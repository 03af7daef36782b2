"""Maps a mesh to the links of hardware: the position of each device, and the links that a group uses.

The last axis of a mesh is the innermost: it fills the innermost level of links first, and an axis that is larger than
what is left of a level continues in the next one. In a torus the devices form the slice that is most like a cube, and
an axis takes whole dimensions of it where its size allows that, else a part of one. A hardware file may say otherwise
(``slice``, ``[axes]``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from math import gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from pyshardy.analysis.cost.hardware import Hardware, Links
from pyshardy.analysis.cost.hardware_files import HardwareProblem
from pyshardy.sharding.mesh import Mesh

if TYPE_CHECKING:
    import numpy as np

    Coordinates = np.ndarray[Any, np.dtype[np.int64]]


_FEW = 1024
"""So many devices are looked at one by one: numpy takes longer to begin."""


class Dimension(NamedTuple):
    """A direction in which devices lie beside each other: ``size`` parts in a level of links."""

    level: int
    size: int
    wraps: bool


class Ring(NamedTuple):
    """What a group occupies of a dimension: ``members`` devices, ``stride`` links from one to the next (the groups in
    between use the same links); it goes round or is a line. In a switched level only ``members`` matters."""

    members: int
    stride: int = 1
    wraps: bool = True


class GroupLinks(NamedTuple):
    """A group's part in one level of links: a ring for each dimension that it extends along."""

    links: Links
    rings: tuple[Ring, ...]

    @property
    def members(self) -> int:
        """How many parts of the level inside it joins."""
        return prod(ring.members for ring in self.rings)


class _Piece(NamedTuple):
    """A digit of a mesh axis that is laid along a dimension: ``coordinate // low % size``, times ``stride`` there."""

    axis: int
    low: int
    size: int
    dimension: int
    stride: int


class Fabric:
    """``mesh`` on ``hardware``.

    Raises:
        HardwareProblem: the links do not join so many devices, or an axis does not fit where the file puts it.
    """

    def __init__(self, hardware: Hardware, mesh: Mesh) -> None:
        self.hardware = hardware
        self.mesh = mesh
        self.dimensions: list[Dimension] = []
        self._pieces: list[_Piece] = []
        for level, parts in enumerate(self._by_level()):
            links = hardware.links[level]
            if links.is_torus:
                self._lay_on_torus(level, links, parts)
            elif parts:
                number, stride = len(self.dimensions), 1
                self.dimensions.append(Dimension(level, prod(size for _, _, size in parts), False))
                for axis, low, size in parts:
                    self._pieces.append(_Piece(axis, low, size, number, stride))
                    stride *= size

    def _by_level(self) -> list[list[tuple[int, int, int]]]:
        """For each level the parts of axes in it, the innermost first: axis, place value in the axis, size."""
        links = self.hardware.links
        left = [one.capacity for one in links]
        found: list[list[tuple[int, int, int]]] = [[] for _ in links]
        for number, axis in reversed(list(enumerate(self.mesh.axes))):
            wanted = self.hardware.axes.get(axis.name)
            levels = {name.partition(".")[0] if name not in _names(links) else name for name in wanted or ()}
            low, rest = 1, axis.size
            for level, one in enumerate(links):
                if rest == 1 or (wanted is not None and one.name not in levels):
                    continue
                room = left[level]
                size = rest if room is None or rest <= room else gcd(rest, room)
                if size > 1:
                    found[level].append((number, low, size))
                    low, rest = low * size, rest // size
                    left[level] = None if room is None else room // size
            if rest > 1:
                raise HardwareProblem(self._too_large(axis.name, axis.size, wanted))
        return found

    def _too_large(self, axis: str, size: int, wanted: Sequence[str] | None) -> str:
        name, mesh = self.hardware.name, self.mesh.body_text
        if wanted is not None:
            return f"{name}: axis {axis!r} of size {size} does not fit into {', '.join(wanted)}, where [axes] puts it"
        if not self.hardware.links:
            missing = "the hardware has none: describe them in [[links]]"
            return f"{name}: a mesh {mesh} needs links between devices, but {missing}"
        room = prod(one.capacity or 1 for one in self.hardware.links)
        return (
            f"{name}: the mesh {mesh} does not fit: links join {room} devices; one more level in [[links]] joins more"
        )

    def _lay_on_torus(self, level: int, links: Links, parts: Sequence[tuple[int, int, int]]) -> None:
        if not parts:
            return
        count = prod(size for _, _, size in parts)
        shape = links.slice or _most_like_a_cube(count, links.dimensions)
        if shape is None:
            raise HardwareProblem(
                f"{self.hardware.name}: {count} devices are no slice of {links.name}, whose dimensions are at most "
                f"{'x'.join(map(str, links.dimensions))}"
            )
        first = len(self.dimensions)
        self.dimensions += [Dimension(level, size, links.wraps(size)) for size in shape]
        left = list(shape)
        for axis, low, size in parts:
            named = self._named_dimensions(axis, links, len(shape))
            for dimension, taken in self._shares(axis, size, shape, left, named):
                self._pieces.append(_Piece(axis, low, taken, first + dimension, shape[dimension] // left[dimension]))
                left[dimension] //= taken
                low *= taken

    def _named_dimensions(self, axis: int, links: Links, count: int) -> list[int]:
        """The dimensions that the file gives to the axis; all if it says nothing."""
        wanted = self.hardware.axes.get(self.mesh.axes[axis].name, ())
        named = [number for number in range(count) if f"{links.name}.{number}" in wanted]
        return named or list(range(count))

    def _shares(
        self, axis: int, size: int, shape: Sequence[int], left: Sequence[int], allowed: Sequence[int]
    ) -> list[tuple[int, int]]:
        """How much of which dimensions ``size`` steps of an axis take."""
        untouched = [number for number in allowed if left[number] == shape[number] > 1]
        for count in range(1, len(untouched) + 1):
            for chosen in combinations(reversed(untouched), count):
                if prod(shape[number] for number in chosen) == size:
                    return [(number, shape[number]) for number in chosen]
        dividing = [number for number in allowed if left[number] % size == 0]
        if dividing:
            return [(min(dividing, key=lambda number: left[number]), size)]
        found: list[tuple[int, int]] = []
        for number in sorted(allowed, key=lambda one: -gcd(size, left[one])):
            share = gcd(size, left[number])
            if share > 1:
                found.append((number, share))
                size //= share
        if size > 1:
            name = self.mesh.axes[axis].name
            torus = "x".join(map(str, shape))
            raise HardwareProblem(
                f"{self.hardware.name}: axis {name!r} of the mesh {self.mesh.body_text} does not divide into the slice "
                f"{torus}: say another one, slice = […]"
            )
        return found

    # --- where devices are --------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> Coordinates | None:
        """For each device its place in the mesh; None where they are the same."""
        import numpy as np

        ids = self.mesh.device_ids
        return np.argsort(np.asarray(ids)) if ids else None

    def coordinates(self, devices: object) -> Coordinates:
        """Where ``devices`` (an array of their ids) sit: a last axis with a coordinate for each dimension."""
        import numpy as np

        places = np.asarray(devices, dtype=np.int64)
        if self._places is not None:
            places = self._places[places]
        found = np.zeros((*places.shape, len(self.dimensions)), dtype=np.int64)
        stride = 1
        for number, axis in reversed(list(enumerate(self.mesh.axes))):
            coordinate = places // stride % axis.size
            stride *= axis.size
            for piece in self._pieces:
                if piece.axis == number:
                    found[..., piece.dimension] += coordinate // piece.low % piece.size * piece.stride
        return found

    def reaches(self, devices: Sequence[int]) -> tuple[GroupLinks, ...]:
        """What the group ``devices`` looks like, the innermost level first; without levels in which it is one part. A
        group that fills no box counts as the box around it."""
        rings: dict[int, list[Ring]] = {}
        for present, dimension in zip(self._present(devices), self.dimensions, strict=True):
            if len(present) > 1:
                rings.setdefault(dimension.level, []).append(_ring(sorted(present), dimension))
        return tuple(GroupLinks(self.hardware.links[level], tuple(found)) for level, found in sorted(rings.items()))

    def links_of(self, devices: Sequence[int]) -> frozenset[int]:
        """The links that a group of ``devices`` uses, as numbers: those of one dimension of a torus, or of a level that
        is none, are one."""
        return self._links_along(len(present) > 1 for present in self._present(devices))

    def _present(self, devices: Sequence[int]) -> list[set[int]]:
        """For each dimension the coordinates that ``devices`` have."""
        few = self.coordinates_of_few(devices)
        if few is None:
            return [set(row) for row in self.coordinates(list(devices)).T.tolist()]
        return [{at[number] for at in few} for number in range(len(self.dimensions))]

    def coordinates_of_few(self, devices: Sequence[int]) -> list[list[int]] | None:
        """Where ``devices`` sit, one by one; None if they are many, or do not sit in their order."""
        if len(devices) > _FEW or self.mesh.device_ids:
            return None
        sizes = [axis.size for axis in self.mesh.axes]
        below = [prod(sizes[number + 1 :]) for number in range(len(sizes))]
        found = []
        for device in devices:
            at = [0] * len(self.dimensions)
            for axis, low, size, dimension, stride in self._pieces:
                at[dimension] += device // below[axis] % sizes[axis] // low % size * stride
            found.append(at)
        return found

    def links_of_pairs(self, pairs: Sequence[tuple[int, int]]) -> frozenset[int]:
        """The links that what goes from the first to the second device of each pair uses."""
        few = self.coordinates_of_few([device for pair in pairs for device in pair]) if pairs else None
        if few is not None:
            differing = [[a != b for a, b in zip(*ends, strict=True)] for ends in zip(few[::2], few[1::2], strict=True)]
            return self._links_along(map(any, zip(*differing, strict=True)))
        ends = self.coordinates(list(pairs))
        return self._links_along((ends[:, 0] != ends[:, 1]).any(axis=0))

    def _links_along(self, is_used: Iterable[object]) -> frozenset[int]:
        return frozenset(number for number, used in enumerate(is_used) if used)

    def axis_text(self, name: str) -> str:
        """Where an axis of the mesh lies, for a person: ``ICI 4x4 of 4x4x8``."""
        number = self.mesh.positions[name]
        found = []
        for level, links in enumerate(self.hardware.links):
            here = [one for one in self._pieces if one.axis == number and self.dimensions[one.dimension].level == level]
            if here and links.is_torus:
                found.append(f"{links.name} {' and '.join(map(self._extent_text, here))}")
            elif here:
                found.append(f"{links.name} {prod(one.size for one in here)}")
        return ", ".join(found) or "one device"

    def _extent_text(self, piece: _Piece) -> str:
        dimension = self.dimensions[piece.dimension]
        if piece.size == dimension.size:
            return f"{'ring' if dimension.wraps else 'line'} of {piece.size}"
        return f"{piece.size} of {dimension.size}" + (f", {piece.stride} apart" if piece.stride > 1 else "")


def _names(links: Iterable[Links]) -> set[str]:
    return {one.name for one in links}


def _ring(present: list[int], dimension: Dimension) -> Ring:
    """What the coordinates ``present`` occupy of a dimension."""
    count = len(present)
    steps = {after - before for before, after in pairwise(present)}
    if len(steps) == 1:
        stride = steps.pop()
        return Ring(count, stride, dimension.wraps and count * stride == dimension.size)
    # Uneven: as many links lie between its ends, and are shared, on average.
    return Ring(count, -(-(present[-1] - present[0] + 1) // count), False)


def _most_like_a_cube(count: int, limits: Sequence[int]) -> tuple[int, ...] | None:
    """The sizes with product ``count``, within ``limits``, whose sum is least; None if there are none."""
    order = sorted(range(len(limits)), key=lambda number: limits[number])
    ranked = [limits[number] for number in order]
    found = min(_shapes(count, ranked), key=lambda shape: (sum(shape), shape), default=None)
    if found is None:
        return None
    sizes = dict(zip(order, sorted(found), strict=True))
    return tuple(sizes[number] for number in range(len(limits)))


def _shapes(count: int, limits: Sequence[int], least: int = 1) -> Iterator[tuple[int, ...]]:
    """All ascending sizes with product ``count``, within ascending ``limits``, from ``least`` on."""
    if len(limits) == 1:
        if least <= count <= limits[0]:
            yield (count,)
        return
    for size in range(least, limits[0] + 1):
        # Those behind it are no smaller.
        if size ** len(limits) > count:
            return
        if count % size == 0:
            for rest in _shapes(count // size, limits[1:], size):
                yield size, *rest
