"""Which operations are elementwise: propagation treats their operands and results alike, and visits them first.

This is a property of the operation, not of its rule: all_reduce has a pointwise rule and is not elementwise.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import operand_shape, result_shape


def _always(op: Operation) -> bool:
    return True


def _keeps_shape(op: Operation) -> bool:
    return operand_shape(op) == result_shape(op)


_ELEMENTWISE_BESIDES_TRAIT: dict[str, Callable[[Operation], bool]] = {
    "sdy.propagation_barrier": _always,
    "sdy.reshard": _always,
    "sdy.sharding_constraint": _always,
    "stablehlo.bitcast_convert": _keeps_shape,
}


def is_elementwise(op: Operation) -> bool:
    """Whether each element of the results depends only on the elements at the same place in the operands.

    The trait of the operation's definition says so; the ``sdy`` operations that pass a value through and a
    ``bitcast_convert`` that keeps the shape are elementwise too.
    """
    besides = _ELEMENTWISE_BESIDES_TRAIT.get(op.name)
    return besides(op) if besides is not None else bool(op.traits & ELEMENTWISE)
