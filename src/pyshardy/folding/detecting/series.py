"""Series: which operations of a function belong to which layer.

``linked_series`` makes series of the repeats of a function; ``certifying.constant_copies`` adds others for copies of
constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pyshardy.ir.operation import Operation


class Home(NamedTuple):
    """What an operation belongs to: the number of its ``series``, and its ``layer`` there."""

    series: int
    layer: int


OperationsByLayer = Mapping[tuple[int, int], Sequence[Operation]]
"""The operations of each layer of each series in a function, in their order, by their home. Layers have their full
numbers."""


class Series(NamedTuple):
    """The operations of a function from number ``begin`` up to (excluding) ``end``: repeats of ``period`` operations,
    one a layer.

    In a plain series layers follow each other upward (``direction`` is 1) or downward (-1): the first repeat is of
    layer ``base``, the next of layer ``base + direction``.

    In a *sorted* series the layers stand in the order of their names, so that ``Block_10`` follows ``Block_1``. Then
    ``order[repeat]`` is the layer of each repeat, ``base`` the lowest layer, ``repeat_of[layer - base]`` the repeat of
    each layer, and ``direction`` is 1. ``order`` and ``repeat_of`` are empty in plain series."""

    begin: int
    period: int
    end: int
    base: int
    direction: int
    order: tuple[int, ...] = ()
    repeat_of: tuple[int, ...] = ()

    def in_order(self, order: Sequence[int]) -> Series:
        """The sorted series with these repeats; ``order`` has the layer of each, no layer twice and none left out."""
        base = min(order)
        repeats = sorted(range(len(order)), key=order.__getitem__)
        return Series(self.begin, self.period, self.end, base, 1, tuple(order), tuple(repeats))

    def layer(self, number: int) -> int:
        """The layer of operation ``number`` of the function."""
        repeat = (number - self.begin) // self.period
        return self.order[repeat] if self.order else self.base + self.direction * repeat

    def begin_of(self, layer: int) -> int:
        """The number of the first operation of ``layer``."""
        if self.repeat_of:
            return self.begin + self.repeat_of[layer - self.base] * self.period
        return self.begin + (layer - self.base) * self.direction * self.period

    def counterpart(self, number: int, layers: int) -> int | None:
        """The number of the counterpart of operation ``number`` in the layer that is ``layers`` above (negative:
        below); None if there is no such layer."""
        if not self.repeat_of:
            other = number + layers * self.direction * self.period
            return other if self.begin <= other < self.end else None
        layer = self.layer(number) + layers
        if not 0 <= layer - self.base < len(self.repeat_of):
            return None
        return self.begin_of(layer) + (number - self.begin) % self.period

    def layers(self) -> range:
        """The layers, from the lowest to the highest."""
        if self.order:
            return range(self.base, self.base + len(self.order))
        ends = self.base, self.layer(self.end - 1)
        return range(min(ends), max(ends) + 1)
