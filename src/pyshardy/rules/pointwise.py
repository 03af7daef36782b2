"""Rules of the operations that work on one element at a time. (``elementwise`` says which count as that elsewhere.)

Registers with ``rules.registry``.
"""

from __future__ import annotations

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

_STABLEHLO = """
    abs add and atan2 cbrt ceil compare complex convert cosine count_leading_zeros divide exponential
    exponential_minus_one floor imag is_finite log log_plus_one logistic maximum minimum multiply negate not or popcnt
    power real reduce_precision remainder round_nearest_afz round_nearest_even rsqrt shift_left shift_right_arithmetic
    shift_right_logical sign sine sqrt subtract tan tanh xor
    all_reduce collective_permute cross-replica-sum
"""

NAMES = (*(f"stablehlo.{name}" for name in _STABLEHLO.split()), "sdy.sharding_constraint")
"""The operations with a pointwise rule. (Custom calls with one stand in ``custom_calls``.)"""


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
