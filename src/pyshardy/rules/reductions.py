"""Rules of the operations that combine the elements along whole dimensions, and of batch normalisation."""

from __future__ import annotations

from itertools import count

from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NULL, REDUCTION, RuleBuilder, operand_shape
from pyshardy.rules.properties import integer, integers
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.reduce")
def _reduce(op: Operation, conservative: bool) -> OpShardingRule:
    """Operands are n inputs, then n initial values, which are scalars."""
    reduced = integers(op, "dimensions")
    num_inputs = len(op.results)
    result_dims = count()
    builder = RuleBuilder(op)
    for dim, size in enumerate(operand_shape(op)):
        if dim in reduced:
            builder.add([dim] * num_inputs, (), size, REDUCTION)
        else:
            builder.add([dim] * num_inputs, [next(result_dims)] * num_inputs, size)
    return builder.build()


@sharding_rule("stablehlo.batch_norm_inference")
def _batch_norm_inference(op: Operation, conservative: bool) -> OpShardingRule:
    """Scale, offset, mean and variance have the feature dimension alone."""
    feature = integer(op, "feature_index", 0)
    builder = RuleBuilder(op)
    for dim, size in enumerate(operand_shape(op)):
        builder.add([dim, *[0 if dim == feature else NULL] * 4], [dim], size)
    return builder.build()
