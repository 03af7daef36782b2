"""The pass ``sdy-drop-sharding-rules``: removes from every operation the rule by which it propagated.

Rules that the user wrote as ``custom`` stay. The pass runs after propagation.
"""

from __future__ import annotations

from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule


def drop_sharding_rules(op: Operation, context: Context) -> bool:
    """Removes the sharding rules of ``op`` and of everything in it, except custom ones; whether there were any."""
    changed = False
    known = {EMPTY_DICTIONARY: EMPTY_DICTIONARY}
    for nested in operation_index(op, context).operations:
        attributes = nested.attributes
        new = known.get(attributes)
        if new is None:
            new = known[attributes] = _without_rule(attributes)
        if new is not attributes:
            nested.attributes = new
            changed = True
    return changed


def _without_rule(attributes: DictionaryAttr) -> DictionaryAttr:
    rule = attributes.entries.get(SHARDING_RULE)
    return attributes.without(SHARDING_RULE) if isinstance(rule, OpShardingRule) and not rule.is_custom else attributes


@register_pass("sdy-drop-sharding-rules", on="func.func")
class DropShardingRules(Pass):
    """Removes the sharding rules of all operations, except custom ones."""

    def apply(self, op: Operation, context: Context) -> bool:
        return drop_sharding_rules(op, context)
