"""Sorting by any comparator: a stable merge sort of all rows at once, whose every step is one pass of numpy.

A comparator that is one comparison of integers (or floats without NaN) is left to numpy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, is_float, wide
from pyshardy.interpreter.exact.numbers import COMPLEX, is_exact, is_nan, order_keys
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.comparison import case_of, total_order
from pyshardy.interpreter.operations.properties import integer
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import BlockArgument, Operation, Region


@evaluates("stablehlo.sort")
def sort(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """All operands in the order in which the comparator puts them along the dimension; equal ones keep their order."""
    dimension = integer(op, "dimension", -1)
    axis = dimension + operands[0].ndim if dimension < 0 else dimension + 1
    width = frame.width(operands, op.regions)
    spread = [np.broadcast_to(value, (width, *value.shape[1:])) for value in operands]
    rows = [np.moveaxis(value, axis, -1) for value in spread]
    order = _simple_order(op.regions[0], rows)
    if order is None:
        order = merge_sorted(frame, op.regions[0], rows)
    return [np.moveaxis(np.take_along_axis(value, order, axis=-1), -1, axis) for value in rows]


def _simple_order(region: Region, rows: Sequence[Array]) -> Array | None:
    """The order by numpy, if the comparator is one comparison of which numpy has the same idea."""
    (block,) = region.blocks
    op = block.first
    if op is None or op.name != "stablehlo.compare" or block.terminator.operands != list(op.results):
        return None
    first, second = op.operands
    if not isinstance(first, BlockArgument) or not isinstance(second, BlockArgument):
        return None
    if (
        first.owner is not block
        or second.owner is not block
        or {first.index, second.index}
        != {
            first.index // 2 * 2,
            first.index // 2 * 2 + 1,
        }
    ):
        return None
    direction = case_of(op, "comparison_direction")
    if direction not in ("LT", "GT"):
        return None
    keys = rows[first.index // 2]
    if is_exact(keys.dtype):
        if keys.dtype == COMPLEX or is_nan(keys).any():
            return None
        keys = order_keys(keys)
    elif is_float(keys.dtype):
        if case_of(op, "compare_type") == "TOTALORDER":
            keys = total_order(keys)
        elif np.isnan(wide(keys)).any():
            return None
    elif keys.dtype.kind == "c":
        return None
    return ordered(wide(keys), descending=(direction == "GT") == (first.index < second.index))


def ordered(keys: Array, *, descending: bool) -> Array:
    """The stable order along the last axis."""
    if not descending:
        return np.argsort(keys, axis=-1, kind="stable")
    # Backwards twice, so that equal keys keep their order.
    backwards = np.argsort(keys[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    order: Array = keys.shape[-1] - 1 - backwards
    return order


def merge_sorted(frame: Frame, region: Region, rows: Sequence[Array]) -> Array:
    """The stable order along the last axis by the comparator ``region``.

    Runs of 1, 2, 4, … are merged; each element finds its place in the neighbouring run by bisection, all at once.
    """
    shape = rows[0].shape
    size = shape[-1]
    order = np.broadcast_to(np.arange(size), shape).copy()
    place = np.arange(size)
    run = 1
    while run < size:
        sorted_rows = [np.take_along_axis(value, order, axis=-1) for value in rows]
        number = place // run
        own, block = number * run, number // 2 * 2 * run
        is_right = number % 2 == 1
        start = np.minimum(np.where(is_right, own - run, own + run), size)
        end = np.minimum(start + run, size)
        low = np.broadcast_to(start, shape).copy()
        high = np.broadcast_to(end, shape).copy()
        while (open_ := low < high).any():
            middle = np.minimum((low + high) // 2, size - 1)
            operands = []
            for value in sorted_rows:
                other = np.take_along_axis(value, middle, axis=-1)
                operands += [np.where(is_right, value, other), np.where(is_right, other, value)]
            (before,) = frame.apply(region, operands)
            # A left element goes behind those that are less, a right one also behind those that are equal.
            further = np.where(is_right, ~before, before) & open_
            low = np.where(further, middle + 1, low)
            high = np.where(open_ & ~further, middle, high)
        target = block + (place - own) + (low - start)
        # With numbers that compare with nothing (NaN) a place may stay empty: it keeps what it had.
        merged = order.copy()
        np.put_along_axis(merged, target, order, axis=-1)
        order = merged
        run *= 2
    return order


@evaluates("chlo.top_k")
def top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return largest(operands[0], integer(op, "k"))


def largest(values: Array, count: int) -> list[Array]:
    """The largest along the last dimension, in descending order, and where they stood; NaN counts as largest."""
    if is_exact(values.dtype):
        keys = order_keys(values)
    else:
        keys = total_order(values) if is_float(values.dtype) else wide(values)
    order = ordered(keys, descending=True)[..., :count]
    return [np.take_along_axis(values, order, axis=-1), order.astype(np.int32)]
