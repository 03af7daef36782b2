"""The rule of the random bit generator. (``stablehlo.rng`` has none.)"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, result_shape
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.rng_bit_generator")
def _rng_bit_generator(op: Operation, conservative: bool) -> OpShardingRule:
    """The state, in and out, stays whole; the bits shard freely."""
    builder = RuleBuilder(op)
    for dim, size in enumerate(operand_shape(op)):
        builder.add([dim], [dim, NULL], size, NEED_REPLICATION, blocked=True)
    for dim, size in enumerate(result_shape(op, 1)):
        builder.add([NULL], [NULL, dim], size)
    return builder.build()
