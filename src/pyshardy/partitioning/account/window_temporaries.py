"""What XLA's CPU backend writes to memory besides the results of operations over windows.

The gradient of max pooling becomes a reduction over windows of elements with their indices, and a scatter to the
indices selected. The indices of all elements, one 32-bit integer for each dimension, are written to memory. A long
cumulative sum is done in two steps: the operand is copied in parts, summed in each part, and then over the parts.

A convolution of several groups of examples, as in the gradient of a depthwise kernel, is done for all pairs of groups;
of these the pairs of a group with itself are selected.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.rules.properties import integers

_POOLING_GRADIENT, _REDUCTION = "stablehlo.select_and_scatter", "stablehlo.reduce_window"
WITH_WINDOWS = frozenset({_POOLING_GRADIENT, _REDUCTION})
"""The operations over windows that may need temporary buffers."""
_INDEX_BYTES = 4
_LONGEST_WINDOW = 16
"""A longer cumulative sum is done in two steps."""


def window_temporaries(op: Operation, size: Callable[[Value], int]) -> list[tuple[Value, int]]:
    """The buffers that exist only while ``op`` runs, each as the operand that it is made from and its bytes; none for
    operations without windows. ``size`` gives the bytes of a value."""
    if op.name == _POOLING_GRADIENT:
        return _indices_of_pooling(op, size)
    if op.name == _REDUCTION and _is_cumulative(op):
        return [(op.operands[0], size(op.results[0]))]
    return []


def group_temporaries(op: Operation, size: Callable[[Value], int]) -> int:
    """The bytes of each of the two buffers that a convolution of several groups of examples writes besides its result:
    the convolution of all pairs of groups, and of these the selected ones. 0 for other convolutions."""
    groups = op.properties.get("batch_group_count")
    return groups.value * size(op.results[0]) if isinstance(groups, IntegerAttr) and groups.value > 1 else 0


def _indices_of_pooling(op: Operation, size: Callable[[Value], int]) -> list[tuple[Value, int]]:
    """The indices of all elements that ``op`` selects from, with the elements and indices that it selects, as
    additional bytes of its operand. The indices are freed before the result is allocated, so its bytes are
    subtracted."""
    operand, source = op.operands[0], op.operands[1]
    type, selected = operand.type, source.type
    if not isinstance(type, TensorType) or not isinstance(selected, TensorType):
        return []
    indices = _INDEX_BYTES * len(type.shape)
    additional = indices * (prod(type.shape) + prod(selected.shape)) + size(source) - size(op.results[0])
    return [(operand, max(additional, 0))]


def _is_cumulative(op: Operation) -> bool:
    """Whether ``op`` is a cumulative sum along a long dimension."""
    type, windows = op.results[0].type, integers(op, "window_dimensions")
    if not isinstance(type, TensorType) or len(windows) != len(type.shape):
        return False
    long = [(window, size) for window, size in zip(windows, type.shape, strict=True) if window > 1]
    return len(long) == 1 and long[0][0] == long[0][1] > _LONGEST_WINDOW
