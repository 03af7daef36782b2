"""The pass ``sdy-drop-sharding-rules``: removes from every operation the rule by which it propagated.

Stands behind propagation; rules that the user wrote as ``custom`` stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule


def drop_sharding_rules(op: Operation) -> None:
    """Removes the sharding rules of ``op`` and of everything in it, except custom ones."""
    for nested in op.walk():
        rule = nested.attributes.entries.get(SHARDING_RULE)
        if isinstance(rule, OpShardingRule) and not rule.is_custom:
            nested.attributes = nested.attributes.without(SHARDING_RULE)


@register_pass(
    "sdy-drop-sharding-rules",
    on="func.func",
    class_name="DropShardingRulesPass",
    summary="Removes the sharding rules of all operations, except custom ones.",
)
@dataclass(frozen=True)
class DropShardingRules(Pass):
    """Removes the sharding rules of all operations, except custom ones."""

    def apply(self, op: Operation, context: Context) -> None:
        drop_sharding_rules(op)
