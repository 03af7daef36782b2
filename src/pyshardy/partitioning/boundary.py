"""The arguments and results of a partitioned program: their layouts, and the padding that these need.

``plan`` reports them; ``pyshardy.checking`` splits and compares values by them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pyshardy.emitting.layout import Layout, local_shape
from pyshardy.ir.types import TensorType, Type, element_width


class Boundary(NamedTuple):
    """An argument or result of the entry function: its global type, its layout, its shape on one device, and the bytes
    of padding on each device, which are the same for all, since shards are rounded up to one size."""

    type: Type
    layout: Layout
    local_shape: tuple[int, ...]
    padding: int


def boundaries(types: tuple[Type, ...], layouts: tuple[Layout, ...]) -> tuple[Boundary, ...]:
    """Arguments or results of these ``types`` in these ``layouts``."""
    return tuple(_boundary(type, layout) for type, layout in zip(types, layouts, strict=True))


@lru_cache(maxsize=1 << 12)
def _boundary(type: Type, layout: Layout) -> Boundary:
    if not isinstance(type, TensorType):
        return Boundary(type, layout, (), 0)
    local = local_shape(type.shape, layout)
    whole = filled = element_width(type.element)
    for size, count, part in zip(type.shape, layout.counts, local, strict=True):
        whole *= size
        filled *= part * count
    shards = 1
    for count in layout.counts:
        shards *= count
    return Boundary(type, layout, local, -(-(filled - whole) // (8 * shards)))
