"""Rules of the StableHLO collectives that change dimensions or have a root, as they occur in manual computations."""

from __future__ import annotations

from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
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
from pyshardy.rules.properties import integer
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.all_gather")
def _all_gather(op: Operation, conservative: bool) -> OpShardingRule:
    return _rule_changing(op, integer(op, "all_gather_dim", 0))


@sharding_rule("stablehlo.reduce_scatter")
def _reduce_scatter(op: Operation, conservative: bool) -> OpShardingRule:
    return _rule_changing(op, integer(op, "scatter_dimension", 0))


@sharding_rule("stablehlo.all_to_all")
def _all_to_all(op: Operation, conservative: bool) -> OpShardingRule:
    return _rule_changing(op, integer(op, "split_dimension", 0), integer(op, "concat_dimension", 0))


@sharding_rule("stablehlo.collective_broadcast", "stablehlo.collective_reduce")
def _rooted(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Each result is like its operand; the place of the root is needed whole."""
    if len(op.operands) == 1:
        return pointwise_rule(op)
    builder = RuleBuilder(op)
    count = len(op.operands)
    for index, operand in enumerate(op.operands):
        for dim, size in enumerate(shape_of(operand.type) or ()):
            dims = [dim if other == index else NULL for other in range(count)]
            if index < len(op.results):
                builder.add(dims, dims[: len(op.results)], size)
            else:
                builder.add(dims, [NULL] * len(op.results), size, NEED_REPLICATION)
    return builder.build()


_OWN_RULES = frozenset({"all_gather", "all_to_all", "collective_broadcast", "collective_reduce", "reduce_scatter"})


@sharding_rule("stablehlo.cross-replica-sum", *(f"stablehlo.{name}" for name in COLLECTIVE_KINDS.keys() - _OWN_RULES))
def _others(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Pointwise; a dimension that changes its size is needed whole."""
    before, after = (operand_shape(op), result_shape(op)) if op.operands and op.results else ((), ())
    changed = [dim for dim, (size, other) in enumerate(zip(before, after, strict=False)) if size != other]
    return _rule_changing(op, *changed) if changed and len(before) == len(after) else pointwise_rule(op)


def _rule_changing(op: Operation, *dims: int) -> OpShardingRule:
    """The changed dimensions are needed whole, before and after; sizes are those of operand 0 and result 0."""
    before, after = operand_shape(op), result_shape(op)
    builder = RuleBuilder(op).add_each(before, skip=dims)
    for dim in dict.fromkeys(dims):
        builder.add_operands(dim, before[dim], NEED_REPLICATION)
        builder.add_results(dim, after[dim], NEED_REPLICATION)
    return builder.build()
