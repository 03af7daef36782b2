"""Represents layouts by numbers of atoms, on which the search for a sequence of collectives works.

An atom is a piece of a mesh axis that no layout in question splits. Two layouts whose axes cannot be split into common
pieces have no atoms. ``optimal_sequence`` converts layouts to atoms and the result back to axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import AxisRef, append_or_merge
from pyshardy.sharding.mesh import Mesh

AtomLayout = tuple[tuple[int, ...], ...]
"""A layout with numbers of atoms in place of axes."""

_MOST_ATOMS = 7
"""Pieces are split down to prime sizes only while there are no more atoms than this: each atom multiplies the number of
layouts."""


class Atoms:
    """The atoms of a mesh: first those of the axes of some layouts, then all others; ``sizes`` by number."""

    __slots__ = ("_axes", "_mesh", "_numbers", "sizes")

    def __init__(self, mesh: Mesh, axes: Sequence[AxisRef]) -> None:
        """Splits ``axes`` of ``mesh`` into atoms.

        Raises:
            ValueError: two of them cannot be split into common pieces.
        """
        self._mesh = mesh
        self._axes: list[AxisRef] = []
        self._numbers: dict[AxisRef, tuple[int, ...]] = {}
        others = [AxisRef(axis.name) for axis in mesh.axes if axis.size > 1]
        used = _pieces(mesh, axes)
        unused = {name: found for name, found in _pieces(mesh, others).items() if name not in used}
        pieces = _split_further(used) | _split(unused)
        self.sizes = [size for found in pieces.values() for _, size in found]
        for name, found in pieces.items():
            for pre, size in found:
                self._axes.append(AxisRef(name) if len(found) == 1 else AxisRef(name, pre, size))

    def numbers(self, axes: Iterable[AxisRef]) -> tuple[int, ...]:
        """The atoms of ``axes``, in order."""
        found: list[int] = []
        for axis in axes:
            if axis not in self._numbers:
                start, end = axis.pre, axis.end(self._mesh)
                inside = (start <= one.pre and one.end(self._mesh) <= end for one in self._axes)
                same_name = (one.name == axis.name for one in self._axes)
                both = zip(inside, same_name, strict=True)
                self._numbers[axis] = tuple(number for number, (fits, same) in enumerate(both) if fits and same)
            found += self._numbers[axis]
        return tuple(found)

    def layout(self, layout: Layout) -> AtomLayout:
        """``layout`` in atoms."""
        return tuple(map(self.numbers, layout))

    def axes(self, numbers: Iterable[int]) -> list[AxisRef]:
        """The axes that consist of the atoms ``numbers``, with neighbouring atoms merged."""
        merged: list[AxisRef] = []
        for number in numbers:
            append_or_merge(merged, self._axes[number], self._mesh)
        return merged


def _pieces(mesh: Mesh, axes: Sequence[AxisRef]) -> dict[str, list[tuple[int, int]]]:
    """For each mesh axis the pieces, as pre-size and size, into which ``axes`` split it."""
    cuts: dict[str, set[int]] = {}
    for axis in axes:
        cuts.setdefault(axis.name, {1, mesh.sizes[axis.name]}).update((axis.pre, axis.end(mesh)))
    pieces: dict[str, list[tuple[int, int]]] = {}
    for name, found in cuts.items():
        bounds = sorted(found)
        if any(high % low for low, high in pairwise(bounds)):
            raise ValueError(f"axes cut {name!r} in ways that do not fit together")
        pieces[name] = [(low, high // low) for low, high in pairwise(bounds)] or [(1, 1)]
    return pieces


def _split_further(pieces: dict[str, list[tuple[int, int]]]) -> dict[str, list[tuple[int, int]]]:
    primes = _split(pieces)
    return primes if sum(map(len, primes.values())) <= _MOST_ATOMS else pieces


def _split(pieces: dict[str, list[tuple[int, int]]]) -> dict[str, list[tuple[int, int]]]:
    return {name: [part for pre, size in found for part in _prime_parts(pre, size)] for name, found in pieces.items()}


def _prime_parts(pre: int, size: int) -> list[tuple[int, int]]:
    if size == 1:
        return [(pre, 1)]
    parts: list[tuple[int, int]] = []
    factor = 2
    while size > 1:
        if size % factor:
            factor += 1
            continue
        parts.append((pre, factor))
        pre *= factor
        size //= factor
    return parts
