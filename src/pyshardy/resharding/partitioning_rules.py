"""The sharding rule by which an operation can be partitioned, which may differ from the rule by which shardings
propagate.

A custom rule on an operation with known semantics is ignored here, since it may be wrong. The custom rule of a custom
call is all that is known of it, so it is used, with its permutation factors replicated. Rules that users register count
like rules that the call carries. ``explicit_reshards`` and the passes of the partitioner use these rules where every
operation must run.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.dialects.stablehlo.attributes import ScatterDimensionNumbers
from pyshardy.ir.operation import Operation
from pyshardy.resharding.custom_call_rules import custom_call_rule
from pyshardy.rules.registry import CUSTOM_CALL, RuleTable
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule


def partitioning_rule(op: Operation, table: RuleTable) -> OpShardingRule | None:
    """The rule by which ``op`` can be partitioned; None if there is none."""
    if op.name == CUSTOM_CALL:
        carried = op.attributes.entries.get(SHARDING_RULE)
        believed = carried if isinstance(carried, OpShardingRule) else table.outside_rule(op)
        if believed is None:
            return custom_call_rule(op, table)
        return believed.replicating(believed.permutation_factors)
    rule = table.registered_rule(op)
    if rule is None:
        return table.rule(op)
    stricter = _STRICTER.get(op.name)
    return stricter(op, rule) if stricter is not None else rule


def _scatter(op: Operation, rule: OpShardingRule) -> OpShardingRule:
    """A dimension of the input that is neither indexed nor in the windows is written at its first element only, so it
    must be replicated."""
    numbers = op.properties.get("scatter_dimension_numbers")
    assert isinstance(numbers, ScatterDimensionNumbers)
    dims = set(numbers.inserted_window_dims).difference(numbers.scatter_dims_to_operand_dims)
    return rule.replicating({factor for dim in dims for factor in rule.operand_mappings[0][dim]}) if dims else rule


_STRICTER: dict[str, Callable[[Operation, OpShardingRule], OpShardingRule]] = {"stablehlo.scatter": _scatter}
"""Operations for which more factors are replicated than in propagation, because sharding them would change the
result."""
