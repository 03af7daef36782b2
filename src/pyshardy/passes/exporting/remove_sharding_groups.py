"""The pass ``sdy-remove-sharding-groups``: groups have done their work once propagation is over.

Stands in the export pipeline; ``importing`` and propagation used the groups.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass


def remove_sharding_groups(root: Operation) -> None:
    """Erases every ``sdy.sharding_group`` in ``root``."""
    for op in root.walk():
        if op.name == "sdy.sharding_group":
            rewriting.erase(op)


@register_pass(
    "sdy-remove-sharding-groups",
    on="builtin.module",
    class_name="RemoveShardingGroupsPass",
    summary="Removes the sharding groups, which only propagation reads.",
)
@dataclass(frozen=True)
class RemoveShardingGroups(Pass):
    """Removes the sharding groups, which only propagation reads."""

    def apply(self, op: Operation, context: Context) -> None:
        remove_sharding_groups(op)
