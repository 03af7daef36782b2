"""Reductions with any body: by numpy's own where the body is one operation, else as a tree of pairs.

A reducer's body must be associative, so that pairs may be combined in any grouping; their order is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from pyshardy.interpreter.element_types import Array, DType, is_complex, narrow, wide
from pyshardy.interpreter.exact.reducers import Reducer, combining
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.conversion import converted
from pyshardy.interpreter.operations.properties import integers
from pyshardy.interpreter.quantization import quantization
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation, Region

_UFUNCS: dict[str, np.ufunc] = {
    "stablehlo.add": np.add,
    "stablehlo.multiply": np.multiply,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
}


def simple_reducer(region: Region, dtype: DType) -> np.ufunc | Reducer | None:
    """The function of arrays of ``dtype`` for a body that is one commutative operation on its two arguments."""
    (block,) = region.blocks
    op = block.first
    if op is None or len(block.arguments) != 2 or op.next_op is not block.terminator:
        return None
    if block.terminator.operands != list(op.results) or set(op.operands) != set(block.arguments):
        return None
    if quantization(op.results[0].type) is not None:
        return None
    ufunc = _UFUNCS.get(op.name)
    return None if ufunc is None else combining(ufunc, dtype)


@evaluates("stablehlo.reduce")
def reduce(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    dimensions = integers(op, "dimensions")
    half = len(operands) // 2
    return reduced(frame, op.regions[0], operands[:half], operands[half:], [1 + one for one in dimensions])


def reduced(
    frame: Frame, region: Region, inputs: Sequence[Array], initial: Sequence[Array], axes: Sequence[int]
) -> list[Array]:
    """``inputs`` reduced over ``axes`` (counted with the axis of lanes), beginning with ``initial``."""
    inputs = _in_types_of_body(frame, region, inputs)
    initial = _in_types_of_body(frame, region, initial)
    rank = inputs[0].ndim - len(axes)
    starts = [value.reshape(len(value), *(1,) * (rank - 1)) for value in initial]
    ufunc = simple_reducer(region, inputs[0].dtype)
    if ufunc is not None and len(inputs) == 1:
        total = fold_by(ufunc, inputs[0], tuple(axes))
        if total is None:
            kept = [size for axis, size in enumerate(inputs[0].shape) if axis not in axes]
            lanes = max(kept[0], len(starts[0]))
            return [np.broadcast_to(starts[0], (lanes, *kept[1:]))]
        return [narrow(ufunc(wide(starts[0]), wide(total)), inputs[0].dtype)]
    width = frame.width([*inputs, *initial], (region,))
    inputs = [np.broadcast_to(value, (width, *value.shape[1:])) for value in inputs]
    kept_axes = [axis for axis in range(inputs[0].ndim) if axis not in axes]
    count = int(np.prod([inputs[0].shape[axis] for axis in axes], dtype=np.int64))
    kept = [inputs[0].shape[axis] for axis in kept_axes]
    rows = [value.transpose(*axes, *kept_axes).reshape(count, *kept) for value in inputs]
    spread = [np.broadcast_to(start, (max(len(start), kept[0]), *kept[1:])) for start in starts]
    if not count:
        return spread
    return frame.apply(region, [*spread, *fold(rows, lambda a, b: frame.apply(region, [*a, *b]))])


def _in_types_of_body(frame: Frame, region: Region, values: Sequence[Array]) -> list[Array]:
    arguments = region.blocks[0].arguments
    return [
        converted(value, frame.array_type(argument.type)) for value, argument in zip(values, arguments, strict=False)
    ]


def fold_by(ufunc: np.ufunc | Reducer, values: Array, axes: int | tuple[int, ...]) -> Array | None:
    """``values`` combined over ``axes``, or None if there is nothing to combine. Short floats are added up in f32."""
    if not values.size:
        return None
    if isinstance(ufunc, Reducer):
        return cast(Array, ufunc.reduce(values, axes))
    compute = wide(values)
    if ufunc is np.add and compute.dtype == np.float16:
        compute = compute.astype(np.float32)
    if ufunc in (np.maximum, np.minimum) and is_complex(compute.dtype):
        return np.asarray(ufunc.reduce(compute, axis=axes))
    if ufunc in (np.add, np.multiply):
        total: Array = ufunc.reduce(compute, axis=axes, dtype=compute.dtype)
    else:
        total = ufunc.reduce(compute, axis=axes)
    return narrow(total, values.dtype)


def fold(rows: Sequence[Array], combine: Callable[[list[Array], list[Array]], list[Array]]) -> list[Array]:
    """Combines the entries along the first axis of each of ``rows``, neighbours first."""
    current = list(rows)
    while (count := len(current[0])) > 1:
        even = count - count % 2
        pairs = combine(
            [_lanes_first(value[0:even:2]) for value in current], [_lanes_first(value[1:even:2]) for value in current]
        )
        merged = [np.moveaxis(value, 1, 0) for value in pairs]
        if even < count:
            merged = [np.concatenate([new, old[even:]]) for new, old in zip(merged, current, strict=True)]
        current = merged
    return [value[0] for value in current]


def _lanes_first(values: Array) -> Array:
    """From entries x lanes x … to lanes x entries x …, as bodies are applied."""
    return np.moveaxis(values, 0, 1)


@evaluates("stablehlo.map")
def map_elements(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return frame.apply(op.regions[0], operands)
