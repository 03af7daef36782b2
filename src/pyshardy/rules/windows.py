"""Rules of the operations that slide a window over a tensor.

A dimension is plain if each window covers one element of it and none is left out or added: then it passes through. Base
and window dilation are not considered, as in Shardy.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    PERMUTATION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.properties import integer_elements, integers
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


def _windowed_dims(op: Operation) -> list[int]:
    """The dimensions that are not plain."""
    sizes, strides = integers(op, "window_dimensions"), integers(op, "window_strides")
    padding = integer_elements(op, "padding")
    return [
        dim
        for dim in range(len(result_shape(op)))
        if (sizes and sizes[dim] != 1) or (strides and strides[dim] != 1) or any(padding[2 * dim : 2 * dim + 2])
    ]


@sharding_rule("stablehlo.reduce_window")
def _reduce_window(op: Operation, conservative: bool) -> OpShardingRule:
    builder = RuleBuilder(op)
    builder.add_each(result_shape(op), PERMUTATION, where=_windowed_dims(op), blocked=conservative)
    return builder.build()


@sharding_rule("stablehlo.select_and_scatter")
def _select_and_scatter(op: Operation, conservative: bool) -> OpShardingRule:
    """Operands are the tensor that was reduced by windows, the source to scatter into it, and an initial value."""
    source = operand_shape(op, 1)
    windowed = _windowed_dims(op)
    builder = RuleBuilder(op)
    for dim, size in enumerate(result_shape(op)):
        if dim in windowed:
            builder.add([NULL, dim], [NULL], source[dim], NEED_REPLICATION, blocked=conservative)
            builder.add([dim, NULL], [dim], size, PERMUTATION, blocked=conservative)
        else:
            builder.add_same(dim, size)
    return builder.build()
