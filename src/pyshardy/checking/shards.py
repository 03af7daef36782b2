"""The shards of whole arrays: which part each device has, and what it gets as its argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.partitioning.boundary import Boundary
from pyshardy.partitioning.devices import index_of_place
from pyshardy.partitioning.layout import Layout

_PADDING = 113


def pieces(layout: Layout, shape: tuple[int, ...], local: tuple[int, ...], devices: int) -> Iterator[tuple[slice, ...]]:
    """The part of a tensor that each device has, by device id."""
    mesh = layout.mesh
    ids = mesh.device_ids if mesh is not None else ()
    places = [0] * devices
    for place in range(devices):
        places[ids[place] if ids else place] = place
    for place in places:
        piece = []
        for axes, size, part in zip(layout.dims, shape, local, strict=True):
            index = index_of_place(place, mesh, axes) if mesh is not None else 0
            piece.append(slice(min(size, index * part), min(size, (index + 1) * part)))
        yield tuple(piece)


def shards_of(value: Array, boundary: Boundary, devices: int) -> Array:
    """The shards of ``value`` that the devices get, stacked; a single one if all get the same. Of a sum over devices
    the first has the value, the others nothing."""
    layout = boundary.layout
    if layout.mesh is None:
        return value[None]
    shards = np.full((devices, *boundary.local_shape), _padding_of(value.dtype), value.dtype)
    for device, piece in enumerate(pieces(layout, value.shape, boundary.local_shape, devices)):
        part = value[piece]
        shards[device, ...][tuple(slice(size) for size in part.shape)] = part
    if layout.unreduced:
        ids = layout.mesh.device_ids or range(devices)
        for place in range(devices):
            if index_of_place(place, layout.mesh, layout.unreduced):
                shards[ids[place]] = _nothing(layout.reduction, value.dtype)
    return shards


def _padding_of(dtype: np.dtype[Any]) -> Any:
    if dtype == np.bool_:
        return True
    return np.asarray(_PADDING).astype(dtype)


def _nothing(reduction: str, dtype: np.dtype[Any]) -> Any:
    """What changes no result of ``reduction``."""
    if reduction in ("sum", "product"):
        return np.asarray(reduction == "product").astype(dtype)
    if np.issubdtype(dtype, np.bool_):
        return reduction == "min"
    is_integer = np.issubdtype(dtype, np.integer)
    least, largest = (np.iinfo(dtype).min, np.iinfo(dtype).max) if is_integer else (-np.inf, np.inf)
    return np.asarray(largest if reduction == "min" else least).astype(dtype)
