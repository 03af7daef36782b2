"""Rules of the operations that cut out, insert, pad or concatenate along dimensions."""

from __future__ import annotations

from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation, Value
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    PASS_THROUGH,
    PERMUTATION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.properties import integer
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import FactorKind, OpShardingRule


@sharding_rule("stablehlo.pad", "stablehlo.slice")
def _pad_or_slice(op: Operation, conservative: bool) -> OpShardingRule:
    builder = RuleBuilder(op)
    builder.add_each_differing(operand_shape(op), result_shape(op), PERMUTATION, blocked=conservative)
    return builder.build()


@sharding_rule("stablehlo.dynamic_slice")
def _dynamic_slice(op: Operation, conservative: bool) -> OpShardingRule:
    builder = RuleBuilder(op)
    builder.add_each_differing(operand_shape(op), result_shape(op), NEED_REPLICATION, blocked=True)
    return builder.build()


@sharding_rule("stablehlo.dynamic_update_slice", looks_around=True)
def _dynamic_update_slice(op: Operation, conservative: bool) -> OpShardingRule:
    """A dimension that is updated in part is needed whole by the update, unless its place is a constant."""
    operand, update = operand_shape(op, 0), operand_shape(op, 1)
    kind = PASS_THROUGH if all(map(_is_constant, op.operands[2:])) else NEED_REPLICATION
    builder = RuleBuilder(op)
    for dim, (size, update_size) in enumerate(zip(operand, update, strict=True)):
        if size == update_size:
            builder.add_same(dim, size)
        else:
            builder.add([dim, NULL], [dim], size)
            builder.add([NULL, dim], [NULL], update_size, kind)
    return builder.build()


def _is_constant(value: Value) -> bool:
    producer = value.defining_op
    return producer is not None and (bool(producer.traits & CONSTANT_LIKE) or producer.name == "sdy.constant")


@sharding_rule("stablehlo.concatenate", looks_around=True)
def _concatenate(op: Operation, conservative: bool) -> OpShardingRule:
    dimension = integer(op, "dimension", 0)
    builder = RuleBuilder(op)
    if conservative:
        builder.add_each(result_shape(op), skip=(dimension,))
    else:
        builder.add_each(result_shape(op), _concatenation_kind(op.operands), where=(dimension,))
    return builder.build()


def _concatenation_kind(operands: list[Value]) -> FactorKind:
    """Joining slices (all of them, or of one tensor that may itself stand among them) only shifts data."""
    sources = [_sliced_from(value) for value in operands]
    sliced = [source is not value for source, value in zip(sources, operands, strict=True)]
    if all(sliced) or (any(sliced) and all(source is sources[0] for source in sources)):
        return PERMUTATION
    return NEED_REPLICATION


def _sliced_from(value: Value) -> Value:
    producer = value.defining_op
    return producer.operands[0] if producer is not None and producer.name == "stablehlo.slice" else value
