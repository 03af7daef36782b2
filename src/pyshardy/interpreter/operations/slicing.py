"""Slices, pads and concatenations; dynamic starts are clamped to fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, wide
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.properties import integer, integers, uniform_integers
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation


@evaluates("stablehlo.slice")
def static_slice(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    bounds = (integers(op, name) for name in ("start_indices", "limit_indices", "strides"))
    return [operands[0][(slice(None), *map(slice, *bounds))]]


@evaluates("stablehlo.real_dynamic_slice")
def real_dynamic_slice(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    bounds = (uniform_integers(operand) for operand in operands[1:])
    return [operands[0][(slice(None), *map(slice, *bounds))]]


@evaluates("stablehlo.dynamic_slice")
def dynamic_slice(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    values, *starts = operands
    sizes = integers(op, "slice_sizes")
    first = _clamped_starts(values, starts, sizes)
    if len(first) == 1:
        window = (slice(int(start), int(start) + size) for start, size in zip(first[0], sizes, strict=True))
        return [values[(slice(None), *window)]]
    return [values[_windows(first, values, sizes)]]


@evaluates("stablehlo.dynamic_update_slice")
def dynamic_update_slice(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    values, update, *starts = operands
    sizes = update.shape[1:]
    first = _clamped_starts(values, starts, sizes)
    lanes = max(len(values), len(update), len(first))
    result = np.broadcast_to(values, (lanes, *values.shape[1:])).copy()
    if len(first) == 1:
        window = (slice(int(start), int(start) + size) for start, size in zip(first[0], sizes, strict=True))
        result[(slice(None), *window)] = update
    else:
        result[_windows(first, result, sizes)] = update
    return [result]


def _clamped_starts(values: Array, starts: Sequence[Array], sizes: Sequence[int]) -> Array:
    """The starts (lanes x dimensions) between 0 and what leaves room for the slice."""
    if not starts:
        return np.zeros((1, 0), np.int64)
    listed = np.stack(aligned([wide(start) for start in starts]), axis=-1)
    room = np.array([whole - size for whole, size in zip(values.shape[1:], sizes, strict=True)])
    if listed.dtype.kind == "u":
        return np.minimum(listed.astype(np.uint64), room.astype(np.uint64)).astype(np.int64)
    return np.clip(listed.astype(np.int64), 0, room)


def _windows(first: Array, values: Array, sizes: Sequence[int]) -> tuple[Array, ...]:
    """Index arrays for a window that starts elsewhere in each lane."""
    rank = len(sizes)
    places = []
    for dimension, size in enumerate(sizes):
        line = first[:, dimension, None] + np.arange(size)
        places.append(line.reshape(len(first), *(size if other == dimension else 1 for other in range(rank))))
    lanes = np.arange(len(first)).reshape(-1, *(1,) * rank)
    return (lanes % len(values), *places)


@evaluates("stablehlo.pad")
def pad(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return [padded(operands[0], operands[1], *(integers(op, name) for name in names))]


@evaluates("stablehlo.dynamic_pad")
def dynamic_pad(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [padded(operands[0], operands[1], *map(uniform_integers, operands[2:]))]


def padded(values: Array, filling: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    """``values`` with ``filling`` (a scalar a lane) around and between its elements; negative amounts cut off."""
    if not any((*low, *high, *interior)):
        return values
    lanes = max(len(values), len(filling))
    spread = [max(0, size + (size - 1) * gap) for size, gap in zip(values.shape[1:], interior, strict=True)]
    shape = [max(0, size + before + after) for size, before, after in zip(spread, low, high, strict=True)]
    result = np.empty_like(values, order="C", shape=(lanes, *shape))
    result[...] = filling.reshape(len(filling), *(1,) * len(shape))
    source, target = [slice(None)], [slice(None)]
    for size, before, gap, whole in zip(values.shape[1:], low, interior, shape, strict=True):
        step = gap + 1
        # The first element that is not cut off below, and the first that is beyond the end.
        first = -(before // step) if before < 0 else 0
        last = min(size, -((before - whole) // step))
        if first >= last:
            return result
        source.append(slice(first, last))
        start = before + first * step
        target.append(slice(start, start + (last - 1 - first) * step + 1, step))
    result[tuple(target)] = values[tuple(source)]
    return result


@evaluates("stablehlo.concatenate")
def concatenate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return [np.concatenate(aligned(operands), axis=1 + integer(op, "dimension"))]


@evaluates("stablehlo.torch_index_select")
def torch_index_select(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Rows of dimension ``dim`` by their number, separately for each index of the batch dimensions."""
    values, index = aligned(operands)
    dimension, batch = integer(op, "dim"), integer(op, "batch_dims")
    shape = (*values.shape[1 : 1 + dimension], *index.shape[1 + batch :], *values.shape[2 + dimension :])
    result = np.empty_like(values, order="C", shape=(len(values), *shape))
    for place in np.ndindex(len(values), *index.shape[1 : 1 + batch]):
        # Numbers beyond the ends are those of the end, as for a gather.
        result[place] = np.take(values[place], wide(index[place]), axis=dimension - batch, mode="clip")
    return [result]
