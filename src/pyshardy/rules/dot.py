"""Rules of the dot products: batching and free dimensions pass through, contracting ones are reduced."""

from __future__ import annotations

from itertools import count

from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NULL, REDUCTION, RuleBuilder, operand_shape
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.dot_general")
def _dot_general(op: Operation, conservative: bool) -> OpShardingRule | None:
    numbers = op.properties.get("dot_dimension_numbers")
    if not isinstance(numbers, DotDimensionNumbers):
        return None
    lhs, rhs = operand_shape(op, 0), operand_shape(op, 1)
    builder = RuleBuilder(op)
    result_dims = count()
    for left, right in zip(numbers.lhs_batching, numbers.rhs_batching, strict=True):
        builder.add([left, right], [next(result_dims)], lhs[left])
    for dim in _free_dims(len(lhs), numbers.lhs_batching, numbers.lhs_contracting):
        builder.add([dim, NULL], [next(result_dims)], lhs[dim])
    for dim in _free_dims(len(rhs), numbers.rhs_batching, numbers.rhs_contracting):
        builder.add([NULL, dim], [next(result_dims)], rhs[dim])
    for left, right in zip(numbers.lhs_contracting, numbers.rhs_contracting, strict=True):
        builder.add([left, right], [NULL], lhs[left], REDUCTION)
    return builder.build()


def _free_dims(rank: int, batching: tuple[int, ...], contracting: tuple[int, ...]) -> list[int]:
    return [dim for dim in range(rank) if dim not in batching and dim not in contracting]


@sharding_rule("stablehlo.dot")
def _dot(op: Operation, conservative: bool) -> OpShardingRule:
    """A product of vectors and matrices: the last dimension of the left contracts with the first of the right."""
    lhs, rhs = operand_shape(op, 0), operand_shape(op, 1)
    contracting = len(lhs) - 1
    builder = RuleBuilder(op)
    if len(lhs) == 2:
        builder.add([0, NULL], [0], lhs[0])
    if len(rhs) == 2:
        builder.add([NULL, 1], [contracting], rhs[1])
    return builder.add([contracting, 0], [NULL], rhs[0], REDUCTION).build()
