"""The pass ``sdy-sharding-constraint-to-reshard``: converts sharding constraints, which propagation reads, to reshards.

The export pipeline runs it before explicit reshards and collectives.
"""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Signature
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass


def constraints_to_reshards(func: Operation, context: Context) -> bool:
    """Replaces every ``sdy.sharding_constraint`` in ``func`` by a reshard with the same sharding and attributes;
    whether there were any."""
    constraints = operation_index(func, context).named("sdy.sharding_constraint")
    signatures: dict[Signature, Signature] = {}
    for op in constraints:
        rewriting.rename(op, "sdy.reshard", signatures)
    return bool(constraints)


@register_pass("sdy-sharding-constraint-to-reshard", on="func.func", notes_changes=True)
class ShardingConstraintToReshard(Pass):
    """Turns sharding constraints into reshards."""

    def apply(self, op: Operation, context: Context) -> bool:
        return constraints_to_reshards(op, context)
