"""Cuts whole arrays into shards: the part of each device, and its argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from pyshardy.emitting.devices import index_of_place, replica_groups
from pyshardy.emitting.layout import Layout
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import (
    COMPLEX,
    ExactArray,
    as_kind,
    from_doubles,
    is_exact,
    is_void,
    scalar,
    void,
)
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.partitioning.boundary import Boundary

_LARGEST_PADDING = 113


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


def shards_of(value: Array, boundary: Boundary, devices: int, generator: np.random.Generator | None = None) -> Array:
    """The shards of ``value``, a tensor of global shape, that the devices get, stacked along dimension 0 by device id:
    (devices, *local shape), or (1, *global shape) if the layout of ``boundary`` has no mesh. Of partial sums the first
    device of each group has the value, the others the neutral element. Padding is drawn by ``generator``."""
    layout = boundary.layout
    if layout.mesh is None:
        return value[None]
    if isinstance(value, ExactArray) and is_void(value.value) and not layout.unreduced:
        residue = shards_of(value.residue, boundary, devices, generator)
        return cast(Array, ExactArray(void(residue), residue))
    shape = (devices, *boundary.local_shape)
    shards: Array
    if boundary.padding:
        shards = _padding(value, shape, np.random.default_rng(0) if generator is None else generator)
    else:
        shards = np.empty_like(value, order="C", shape=shape)
    for device, piece in enumerate(pieces(layout, value.shape, boundary.local_shape, devices)):
        part = value[piece]
        place: Any = (device, *(slice(size) for size in part.shape))
        shards[place] = part
    if layout.unreduced:
        ids = layout.mesh.device_ids or range(devices)
        for place in range(devices):
            if index_of_place(place, layout.mesh, layout.unreduced):
                shards[ids[place]] = _neutral_element(layout.reduction, value)
    return shards


def spread_partial_sums(shards: Array, layout: Layout, generator: np.random.Generator) -> Array:
    """Partial sums with the same total, but with terms on all devices."""
    dtype = shards.dtype
    if not layout.unreduced or layout.mesh is None or layout.reduction != "sum" or dtype == np.bool_:
        return shards
    add: Any = combining(np.add, dtype)
    spread: Any = shards.copy()
    for group in replica_groups(layout.mesh, layout.unreduced):
        for device in group[:-1]:
            drawn = np.asarray(generator.integers(-_LARGEST_PADDING, _LARGEST_PADDING, shards.shape[1:]))
            for member, term in ((device, drawn), (group[-1], -drawn)):
                place = slice(member, member + 1)
                numbers: Any = as_kind(from_doubles(term.astype(np.float64)), dtype) if is_exact(dtype) else term
                spread[place] = add(spread[place], numbers[None] if is_exact(dtype) else term[None].astype(dtype))
    return cast(Array, spread)


def _padding(value: Array, shape: tuple[int, ...], generator: np.random.Generator) -> Any:
    """Random padding of the element type of ``value``; no result may depend on it."""
    dtype = value.dtype
    if is_exact(dtype):
        drawn = generator.uniform(-_LARGEST_PADDING, _LARGEST_PADDING, (2, *shape))
        return from_doubles(drawn[0] + 1j * drawn[1] if dtype == COMPLEX else drawn[0])
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(np.bool_)
    if dtype.kind == "u":
        return generator.integers(0, _LARGEST_PADDING, shape).astype(dtype)
    return generator.integers(-_LARGEST_PADDING, _LARGEST_PADDING, shape).astype(dtype)


def _neutral_element(reduction: str, value: Array) -> Any:
    """The neutral element of ``reduction``."""
    dtype = value.dtype
    if is_exact(dtype):
        number = {"sum": 0.0, "product": 1.0, "min": np.inf, "max": -np.inf}[reduction]
        return as_kind(scalar(number), dtype)[0]
    if reduction in ("sum", "product", "or", "xor"):
        return np.asarray(reduction == "product").astype(dtype)
    if reduction == "and":
        return np.invert(np.zeros((), dtype))
    if np.issubdtype(dtype, np.bool_):
        return reduction == "min"
    is_integer = np.issubdtype(dtype, np.integer)
    least, largest = (np.iinfo(dtype).min, np.iinfo(dtype).max) if is_integer else (-np.inf, np.inf)
    return np.asarray(largest if reduction == "min" else least).astype(dtype)
