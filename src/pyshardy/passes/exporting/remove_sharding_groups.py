"""The pass ``sdy-remove-sharding-groups``: removes sharding groups, which only propagation needs."""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass


def remove_sharding_groups(root: Operation, context: Context) -> bool:
    """Erases every ``sdy.sharding_group`` in ``root``; whether there were any."""
    groups = operation_index(root, context).named("sdy.sharding_group")
    for op in groups:
        rewriting.erase(op)
    return bool(groups)


@register_pass("sdy-remove-sharding-groups", on="builtin.module", notes_changes=True)
class RemoveShardingGroups(Pass):
    """Removes the sharding groups, which only propagation reads."""

    def apply(self, op: Operation, context: Context) -> bool:
        return remove_sharding_groups(op, context)
