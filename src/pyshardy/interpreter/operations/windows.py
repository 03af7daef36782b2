"""Reductions over windows: reduce_window, and select_and_scatter, its transpose."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, cast

import numpy as np

from pyshardy.interpreter.element_types import Array, narrow, wide
from pyshardy.interpreter.exact.numbers import ExactArray
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.comparison import case_of, compared
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.indexing import combine_at
from pyshardy.interpreter.operations.properties import integers, pairs
from pyshardy.interpreter.operations.reductions import reduced, simple_reducer
from pyshardy.interpreter.operations.slicing import padded
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation, Region


@evaluates("stablehlo.reduce_window")
def reduce_window(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Each window reduced; what is beyond the edges and between dilated elements counts as the initial value."""
    half = len(operands) // 2
    sizes = integers(op, "window_dimensions")
    ones = (1,) * len(sizes)
    window = Window(
        sizes,
        integers(op, "window_strides", ones),
        integers(op, "base_dilations", ones),
        integers(op, "window_dilations", ones),
        pairs(op, "padding", len(sizes)),
    )
    return windows_reduced(frame, op.regions[0], operands[:half], operands[half:], window)


class Window(NamedTuple):
    """How windows lie on an array: one number a dimension in each list, two in ``padding``."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    base_dilations: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]


def windows_reduced(
    frame: Frame, region: Region, operands: Sequence[Array], starts: Sequence[Array], window: Window
) -> list[Array]:
    """Each window of ``operands`` reduced by ``region``, beginning with ``starts``."""
    arguments = region.blocks[0].arguments
    inputs, initial = (
        [converted(value, frame.array_type(a.type)) for value, a in zip(part, arguments, strict=False)]
        for part in (operands, starts)
    )
    sizes, strides, dilations = window.sizes, window.strides, window.dilations
    interior = tuple(step - 1 for step in window.base_dilations)
    low, high = zip(*window.padding, strict=True) if sizes else ((), ())
    whole = [padded(value, start, low, high, interior) for value, start in zip(inputs, initial, strict=True)]
    counts = window_counts(whole[0].shape[1:], sizes, strides, dilations)
    ufunc = simple_reducer(region, inputs[0].dtype)
    if ufunc is not None and len(whole) == 1 and prod(sizes) <= 4 * prod(counts):
        start = wide(initial[0]).reshape(-1, *(1,) * len(sizes))
        values = wide(whole[0])
        lanes = max(len(values), len(start))
        total = np.broadcast_to(start, (lanes, *counts)).astype(start.dtype)
        for place in np.ndindex(*sizes):
            ufunc(total, values[_at(place, counts, strides, dilations)], out=total)
        return [narrow(total, inputs[0].dtype)]
    views = [_windows(value, counts, sizes, strides, dilations) for value in whole]
    return reduced(frame, region, views, initial, range(1 + len(sizes), 1 + 2 * len(sizes)))


def window_counts(
    shape: Sequence[int], sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    """The number of windows along each dimension."""
    return [
        max(0, (have - ((size - 1) * dilation + 1)) // stride + 1)
        for have, size, stride, dilation in zip(shape, sizes, strides, dilations, strict=True)
    ]


def _at(
    place: Sequence[int], counts: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> tuple[slice, ...]:
    """The elements that stand at ``place`` of all windows."""
    cuts = (
        slice(one * dilation, one * dilation + max(0, count - 1) * stride + (count > 0), stride)
        for one, count, stride, dilation in zip(place, counts, strides, dilations, strict=True)
    )
    return (slice(None), *cuts)


def _windows(
    values: Array, counts: Sequence[int], sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Array:
    """A view of lanes x windows x places in the window."""
    if isinstance(values, ExactArray):
        planes = (_windows(plane, counts, sizes, strides, dilations) for plane in (values.value, values.residue))
        return cast(Array, ExactArray(*planes))
    steps = values.strides[1:]
    between = [step * stride for step, stride in zip(steps, strides, strict=True)]
    inside = [step * dilation for step, dilation in zip(steps, dilations, strict=True)]
    return np.lib.stride_tricks.as_strided(
        values, (len(values), *counts, *sizes), (values.strides[0], *between, *inside), writeable=False
    )


@evaluates("stablehlo.select_and_scatter")
def select_and_scatter(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Each window of the operand selects one of its elements, where the window's source is scattered to."""
    values, source, initial = operands
    rank = values.ndim - 1
    ones = (1,) * rank
    sizes, strides = integers(op, "window_dimensions", ones), integers(op, "window_strides", ones)
    low, high = zip(*pairs(op, "padding", rank), strict=True) if rank else ((), ())
    lanes = frame.width(operands, op.regions)
    values, source = (np.broadcast_to(value, (lanes, *value.shape[1:])) for value in (values, source))
    counts = source.shape[1:]
    shape = values.shape[1:]
    zero, none = np.zeros_like(values, shape=(1,)), (0,) * rank
    edged = padded(values, zero, low, high, none)
    inside = padded(np.ones((1, *shape), np.bool_), np.zeros(1, np.bool_), low, high, none)
    numbers = np.arange(prod(shape)).reshape(1, *shape)
    places = padded(numbers, np.zeros(1, np.int64), low, high, none)
    chosen = np.zeros_like(values, order="C", shape=(lanes, *counts))
    where = np.zeros((lanes, *counts), np.int64)
    found = np.zeros((lanes, *counts), np.bool_)
    for place in np.ndindex(*sizes):
        at = _at(place, counts, strides, ones)
        candidate = edged[at]
        keeps = _selects(frame, op.regions[0], chosen, candidate)
        takes = inside[at] & ~(found & keeps)
        chosen = np.where(takes, candidate, chosen)
        where = np.where(takes, places[at], where)
        found = found | inside[at]
    start = initial.reshape(-1, *(1,) * rank)
    result = np.broadcast_to(start, (lanes, *shape)).copy()
    flat = result.reshape(-1)
    positions = (where + (np.arange(lanes) * prod(shape)).reshape(-1, *ones)).reshape(-1)
    mask = found.reshape(-1)
    combine_at(frame, op.regions[1], [flat], positions[mask], [source.reshape(-1)[mask]], prod(shape))
    return [flat.reshape(result.shape)]


def _selects(frame: Frame, region: Region, chosen: Array, candidate: Array) -> Array:
    """Whether the element chosen so far stays."""
    (block,) = region.blocks
    op = block.first
    if op is not None and op.name == "stablehlo.compare":
        (returned,) = block.terminator.operands
        if returned is op.results[0] and op.operands == block.arguments:
            return compared(chosen, candidate, case_of(op, "comparison_direction"), case_of(op, "compare_type"))
    (keeps,) = frame.apply(region, [chosen, candidate])
    return keeps
