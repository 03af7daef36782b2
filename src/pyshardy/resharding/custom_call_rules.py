"""The sharding rule by which a custom call can be partitioned, by target. Propagation may use another rule.

Elementwise targets may be sharded along every dimension, targets that work on matrices along the dimensions before the
two of the matrices, unknown targets not at all. ``partitioning_rules`` uses it.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.custom_call_targets import TARGETS, TargetKind, num_batch_dims
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, pointwise_rule, shape_of
from pyshardy.rules.properties import string
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.rule import OpShardingRule


def custom_call_rule(op: Operation, table: RuleTable) -> OpShardingRule:
    """A rule for ``op``, which may be sharded along its pass-through factors only."""
    kind = TARGETS.get(string(op, "call_target_name") or "", TargetKind(0))
    if kind & (TargetKind.PLACEMENT | TargetKind.ELEMENTWISE):
        found = pointwise_rule(op)
    elif kind & TargetKind.ON_MATRICES:
        found = batch_rule(op, len(operand_shape(op)) - 2)
    elif kind & TargetKind.TOP_K:
        found = batch_rule(op, len(operand_shape(op)) - 1)
    elif kind & TargetKind.APPROXIMATE_TOP_K:
        found = table.registered_rule(op)
        found = found.replicating(_not_in_results(found)) if found is not None else None
    else:
        found = batch_rule(op, num_batch_dims(op))
    return found if found is not None else _whole(op)


def batch_rule(op: Operation, count: int) -> OpShardingRule | None:
    """The rule by which ``op`` may be sharded along the first ``count`` dimensions of all operands and results that are
    no scalars; None if these dimensions differ."""
    shapes = [shape_of(one.type) or () for one in (*op.operands, *op.results)]
    batch = shapes[0][:count] if shapes else ()
    if count < 1 or any(shape[:count] != batch for shape in shapes if shape):
        return None
    builder = RuleBuilder(op)
    num_operands = len(op.operands)
    for dim, size in enumerate(batch):
        dims = [dim if shape else NULL for shape in shapes]
        builder.add(dims[:num_operands], dims[num_operands:], size)
    _add_whole_dims(builder, shapes, num_operands, count)
    return builder.build()


def _whole(op: Operation) -> OpShardingRule:
    builder = RuleBuilder(op)
    _add_whole_dims(builder, [shape_of(one.type) or () for one in (*op.operands, *op.results)], len(op.operands), 0)
    return builder.build()


def _add_whole_dims(builder: RuleBuilder, shapes: list[tuple[int, ...]], num_operands: int, first: int) -> None:
    for number, shape in enumerate(shapes):
        for dim in range(first, len(shape)):
            dims = [dim if index == number else NULL for index in range(len(shapes))]
            builder.add(dims[:num_operands], dims[num_operands:], shape[dim], NEED_REPLICATION)


def _not_in_results(rule: OpShardingRule) -> set[int]:
    made = {factor for mapping in rule.result_mappings for factors in mapping for factor in factors}
    return set(range(rule.num_factors)) - made
