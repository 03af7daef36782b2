"""Rules of custom calls, by target. (Those of decompositions are in ``linear_algebra``.)

``rules.registry`` warns about targets that are in no table.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.custom_call_targets import TargetKind, targets
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    RuleBuilder,
    operand_shape,
    pointwise_rule,
    result_shape,
    shape_of,
)
from pyshardy.rules.registry import custom_call_rule
from pyshardy.sharding.rule import OpShardingRule


@custom_call_rule(*targets(TargetKind.POINTWISE_RULE))
def _pointwise(op: Operation, conservative: bool) -> OpShardingRule | None:
    return pointwise_rule(op)


@custom_call_rule(*targets(TargetKind.NO_RULE))
def _opaque(op: Operation, conservative: bool) -> OpShardingRule | None:
    return None


@custom_call_rule("X64Combine", looks_around=True)
def _x64_combine(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Pointwise, but the state of a random number generator stays whole."""
    users = (user for result in op.results[:1] for user in result.users)
    if any(user.name == "stablehlo.rng_bit_generator" for user in users):
        return RuleBuilder(op).add_same(0, result_shape(op)[0], NEED_REPLICATION, blocked=True).build()
    return pointwise_rule(op)


@custom_call_rule("mhlo.topk")
def top_k(op: Operation, conservative: bool) -> OpShardingRule | None:
    """The dimension that is searched is needed whole."""
    if (len(op.operands), len(op.results)) != (1, 2) or not _same_rank(op):
        return None
    builder = RuleBuilder(op)
    builder.add_each_differing(operand_shape(op), result_shape(op), NEED_REPLICATION, blocked=True)
    return builder.build()


@custom_call_rule("ApproxTopK", "PartialReduce")
def _approximate_topk(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Operands are values, their indices and two initial values; results are the best values and their indices."""
    if (len(op.operands), len(op.results)) != (4, 2) or not _same_rank(op):
        return None
    builder = RuleBuilder(op)
    for dim, (size, found) in enumerate(zip(operand_shape(op), result_shape(op), strict=True)):
        if size == found:
            builder.add_same(dim, size)
        else:
            builder.add([dim, dim], [NULL, NULL], size)
            builder.add([], [dim, dim], found, NEED_REPLICATION, blocked=True)
    return builder.build()


def _same_rank(op: Operation) -> bool:
    """Whether all operands and results that are not scalars have the rank of operand 0."""
    ranks = {len(shape_of(value.type) or ()) for value in (*op.operands, *op.results)}
    return ranks <= {0, len(operand_shape(op))} and len(result_shape(op)) == len(operand_shape(op))
