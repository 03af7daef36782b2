"""The pass ``sdy-sharding-constraint-to-reshard``: what was a wish during propagation becomes a change of layout.

Stands in the export pipeline behind propagation; explicit reshards and collectives stand behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir import rewriting
from pyshardy.ir.census import census
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass


def constraints_to_reshards(func: Operation, context: Context) -> bool:
    """Replaces every ``sdy.sharding_constraint`` in ``func`` by a reshard with the same sharding and attributes;
    whether there were any."""
    constraints = census(func, context).named("sdy.sharding_constraint")
    for op in constraints:
        _replace(op)
    return bool(constraints)


def _replace(constraint: Operation) -> None:
    reshard = rewriting.create(
        "sdy.reshard",
        constraint.operands,
        [constraint.result.type],
        constraint.properties,
        constraint.attributes,
        location=constraint.location,
    )
    rewriting.insert_before(constraint, reshard)
    rewriting.replace_op(constraint, reshard.results)


@register_pass(
    "sdy-sharding-constraint-to-reshard",
    on="func.func",
    class_name="ShardingConstraintToReshardPass",
    summary="Turns sharding constraints into reshards.",
)
@dataclass(frozen=True)
class ShardingConstraintToReshard(Pass):
    """Turns sharding constraints into reshards."""

    def apply(self, op: Operation, context: Context) -> bool:
        return constraints_to_reshards(op, context)
