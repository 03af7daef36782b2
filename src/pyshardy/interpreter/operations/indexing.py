"""Gather and scatter: windows at the positions in a tensor of indices.

A gather moves its windows inside the operand; a scatter drops every element that falls outside, and combines those with
the same position in the order of the updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from pyshardy.interpreter.element_types import Array, narrow, wide
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.properties import integers, uniform_integers
from pyshardy.interpreter.operations.reductions import simple_reducer
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import BlockArgument, Operation, Region


@evaluates("stablehlo.gather")
def gather(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, GatherDimensionNumbers)
    return [gathered(operands[0], operands[1], numbers, integers(op, "slice_sizes"))]


@evaluates("stablehlo.dynamic_gather")
def dynamic_gather(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, GatherDimensionNumbers)
    return [gathered(operands[0], operands[1], numbers, uniform_integers(operands[2]))]


def gathered(values: Array, indices: Array, numbers: GatherDimensionNumbers, sizes: Sequence[int]) -> Array:
    """The windows of ``sizes`` of ``values`` at ``indices``, both with the axis of lanes."""
    rank = len(sizes)
    starts = _vectors_last(indices, numbers.index_vector_dim)
    batch = starts.shape[1:-1]
    lanes = max(len(values), len(starts))
    windowed = numbers.window_dims(rank)
    # Dimensions whose window is the whole are not indexed, the others stand in front of them.
    whole = [d for d in windowed if sizes[d] == values.shape[1 + d]]
    indexed = [d for d in range(rank) if d not in whole]
    moving = [d for d in windowed if d not in whole]
    places = [(np.arange(lanes) % len(values)).reshape(-1, *(1,) * (len(batch) + len(moving)))]
    for dimension in indexed:
        start = _starts(starts, dimension, numbers.start_index_map)
        if dimension in numbers.operand_batching_dims:
            which = numbers.start_indices_batching_dims[numbers.operand_batching_dims.index(dimension)]
            start = _along_batch(batch, which, numbers.index_vector_dim)
        start = np.clip(start, 0, values.shape[1 + dimension] - sizes[dimension])
        start = start.reshape(*start.shape, *(1,) * len(moving))
        if dimension in moving:
            offsets = np.arange(sizes[dimension])
            start = start + offsets.reshape(*(-1 if dimension == other else 1 for other in moving))
        places.append(start)
    picked = values.transpose(0, *(1 + d for d in indexed), *(1 + d for d in whole))[tuple(places)]
    if len(places) == 1:
        picked = np.broadcast_to(picked, (lanes, *picked.shape[1:]))
    full_batch = (lanes, *batch, *(sizes[d] for d in moving))
    picked = np.broadcast_to(picked, (*full_batch, *picked.shape[len(full_batch) :]))
    # Now lanes x batch x moving windows x whole windows; the result wants its offset dimensions among the batch.
    layout = [*moving, *whole]
    order = [0]
    batch_places = iter(range(1, 1 + len(batch)))
    for dimension in range(len(batch) + len(windowed)):
        if dimension in numbers.offset_dims:
            window = windowed[numbers.offset_dims.index(dimension)]
            order.append(1 + len(batch) + layout.index(window))
        else:
            order.append(next(batch_places))
    return picked.transpose(order)


def _vectors_last(indices: Array, index_vector_dim: int) -> Array:
    """Index vectors along the last dimension, as signed integers; one of size 1 is added where none is meant."""
    signed = wide(indices)
    # Beyond the largest i64 nothing is inside any tensor.
    signed = np.minimum(signed, 2**62).astype(np.int64) if signed.dtype == np.uint64 else signed.astype(np.int64)
    if index_vector_dim == indices.ndim - 1:
        return signed[..., None]
    return np.moveaxis(signed, 1 + index_vector_dim, -1)


def _starts(vectors: Array, dimension: int, index_map: Sequence[int]) -> Array:
    """lanes x batch: the start along a dimension of the operand."""
    if dimension not in index_map:
        return np.zeros((1,) * (vectors.ndim - 1), np.int64)
    return vectors[..., index_map.index(dimension)]


def _along_batch(batch: Sequence[int], which: int, index_vector_dim: int) -> Array:
    """lanes x batch: the coordinate along dimension ``which`` of the indices."""
    place = which - (which > index_vector_dim)
    line = np.arange(batch[place])
    return line.reshape(1, *(-1 if other == place else 1 for other in range(len(batch))))


@evaluates("stablehlo.scatter")
def scatter(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    numbers = op.properties.get("scatter_dimension_numbers")
    assert isinstance(numbers, ScatterDimensionNumbers)
    count = (len(operands) - 1) // 2
    inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
    region = op.regions[0]
    width = frame.width(operands, (region,))
    inputs, updates = ([np.broadcast_to(v, (width, *v.shape[1:])) for v in group] for group in (inputs, updates))
    arguments = region.blocks[0].arguments
    inputs = [converted(v, frame.array_type(a.type)) for v, a in zip(inputs, arguments[:count], strict=True)]
    updates = [converted(v, frame.array_type(a.type)) for v, a in zip(updates, arguments[count:], strict=True)]
    positions, inside = _positions(inputs[0].shape, indices, updates[0].shape, numbers)
    flat = [value.copy().reshape(-1) for value in inputs]
    new = [value.reshape(-1)[inside] for value in updates]
    combine_at(frame, region, flat, positions[inside], new, prod(inputs[0].shape[1:]))
    return [value.reshape(old.shape) for value, old in zip(flat, inputs, strict=True)]


def _positions(
    shape: Sequence[int], indices: Array, updates: Sequence[int], numbers: ScatterDimensionNumbers
) -> tuple[Array, Array]:
    """For each element of the updates (flat) the flat position in the input, and whether it is inside."""
    rank, update_rank, lanes = len(shape) - 1, len(updates) - 1, updates[0]
    vectors = _vectors_last(indices, numbers.index_vector_dim)
    batch = vectors.shape[1:-1]
    scatter_dims = [d for d in range(update_rank) if d not in numbers.update_window_dims]
    windowed = numbers.window_dims(rank)
    position = np.arange(lanes).reshape(-1, *(1,) * update_rank)
    inside = np.ones((1,) * (1 + update_rank), np.bool_)
    for dimension in range(rank):
        start = _starts(vectors, dimension, numbers.scatter_dims_to_operand_dims)
        if dimension in numbers.input_batching_dims:
            which = numbers.scatter_indices_batching_dims[numbers.input_batching_dims.index(dimension)]
            start = _along_batch(batch, which, numbers.index_vector_dim)
        spread = [1] * update_rank
        for place, size in zip(scatter_dims, start.shape[1:], strict=True):
            spread[place] = size
        place_in_input = start.reshape(len(start), *spread)
        if dimension in windowed:
            window = numbers.update_window_dims[windowed.index(dimension)]
            offsets = np.arange(updates[1 + window])
            place_in_input = place_in_input + offsets.reshape(
                *(-1 if other == window else 1 for other in range(update_rank))
            )
        size = shape[1 + dimension]
        inside = inside & (place_in_input >= 0) & (place_in_input < size)
        position = position * size + place_in_input
    full = tuple(updates)
    return np.broadcast_to(position, full).reshape(-1), np.broadcast_to(inside, full).reshape(-1)


def combine_at(
    frame: Frame, region: Region, values: list[Array], positions: Array, updates: list[Array], per_lane: int
) -> None:
    """Writes ``updates`` into the flat ``values`` at ``positions``, in their order, by the body."""
    if not len(positions):
        return
    count = len(values)
    returned = region.blocks[0].terminator.operands
    arguments = region.blocks[0].arguments
    if all(isinstance(value, BlockArgument) and value in arguments[count:] for value in returned):
        for value, source in zip(values, returned, strict=True):
            assert isinstance(source, BlockArgument)
            value[positions] = updates[source.index - count]
        return
    ufunc = simple_reducer(region, values[0].dtype)
    if ufunc is not None:
        compute = wide(values[0])
        ufunc.at(compute, positions, wide(updates[0]))
        if compute is not values[0]:
            values[0][...] = narrow(compute, values[0].dtype)
        return
    order = np.argsort(positions, kind="stable")
    ordered = positions[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    turns = np.r_[first[1:], len(ordered)] - first
    lanes = max(1, len(values[0]) // per_lane)
    for turn in range(int(turns.max())):
        # One update for each place that has so many.
        chosen = order[first[turns > turn] + turn]
        where = positions[chosen]
        lane = where // per_lane if lanes > 1 else None
        old = [value[where] for value in values]
        new = _body(frame, region, [*old, *(update[chosen] for update in updates)], lane)
        for value, result in zip(values, new, strict=True):
            value[where] = narrow(result, value.dtype)


def _body(frame: Frame, region: Region, operands: Sequence[Array], lane: Array | None) -> list[Array]:
    """The body on flat arrays whose elements belong to the lanes ``lane`` (None: to all alike)."""
    size = len(operands[0])
    devices = frame.devices[lane] if lane is not None else np.repeat(frame.devices[:1], size)
    inner = Frame(frame.machine, size, devices, parent=frame, index=lane)
    return [np.broadcast_to(value, (size,)) for value in inner.run(region.blocks[0], list(operands))]
