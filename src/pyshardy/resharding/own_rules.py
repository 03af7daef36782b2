"""The rule by which an operation can be partitioned, whatever rule it carries for propagation.

A custom rule may say anything of an operation whose meaning is known; only of custom calls nobody knows better. Asked by
``explicit_reshards``, and by the passes of the partitioner, where every operation must run in the end.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.registry import CUSTOM_CALL, RuleTable
from pyshardy.sharding.rule import OpShardingRule


def own_rule(op: Operation, table: RuleTable) -> OpShardingRule | None:
    """The registered rule of ``op``; the one that it carries if it is a custom call or has no other."""
    registered = None if op.name == CUSTOM_CALL else table.registered_rule(op)
    return registered if registered is not None else table.rule(op)
