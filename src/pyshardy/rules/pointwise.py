"""Rules of the operations that work on one element at a time. (``elementwise`` lists the elementwise operations.)"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.ir.opdef import ELEMENTWISE, NO_SHARDING_RULE
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    RuleBuilder,
    operand_shape,
    pointwise_rule,
    result_shape,
)
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule

_WITH_SCALARS = ("stablehlo.clamp", "stablehlo.select")
NAMES = (
    *(
        name
        for name, row in DIALECT.definitions.items()
        if row.traits & ELEMENTWISE and not row.traits & NO_SHARDING_RULE and name not in _WITH_SCALARS
    ),
    "sdy.sharding_constraint",
)
"""The operations with a pointwise rule, besides custom calls (``custom_calls``) and collectives (``collectives``)."""


@sharding_rule(*NAMES)
def pointwise(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Dimension d of every operand and result has factor d."""
    return pointwise_rule(op)


@sharding_rule("stablehlo.select")
def _select(op: Operation, conservative: bool) -> OpShardingRule:
    return RuleBuilder(op).add_each(result_shape(op)).build()


@sharding_rule("stablehlo.clamp")
def _clamp(op: Operation, conservative: bool) -> OpShardingRule:
    return RuleBuilder(op).add_each(operand_shape(op, 1)).build()


@sharding_rule("stablehlo.bitcast_convert")
def _bitcast_convert(op: Operation, conservative: bool) -> OpShardingRule:
    """Between element types of different width one side has an extra last dimension, the parts of an element."""
    source, target = operand_shape(op), result_shape(op)
    builder = RuleBuilder(op).add_each(min(source, target, key=len))
    if len(target) > len(source):
        builder.add([NULL], [len(source)], target[-1], NEED_REPLICATION)
    elif len(source) > len(target):
        builder.add([len(target)], [NULL], source[-1], NEED_REPLICATION)
    return builder.build()
