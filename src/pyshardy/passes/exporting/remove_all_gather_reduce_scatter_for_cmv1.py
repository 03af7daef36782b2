"""The pass ``sdy-remove-all-gather-reduce-scatter-for-cmv1``: leaves communication around a matmul to XLA.

XLA's first version of collective matmul overlaps the all-gather before a dot, or the reduce-scatter after it, with the
dot, and places the collective itself. The pass runs after ``sdy-reshard-to-collectives``, if an option asks for it.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")


def remove_collectives_around_dots(func: Operation) -> None:
    """Removes the single-use all-gathers that feed a dot, or else the reduce-scatter that is a dot's only user; the dot
    takes the reduce-scatter's sharding."""
    removed: list[Operation] = []
    for op in func.walk_postorder():
        if op.name in _DOTS:
            removed += _gathers(op) or _scatters(op)
    for op in removed:
        rewriting.replace_op(op, op.operands)


def _gathers(dot: Operation) -> list[Operation]:
    producers = [operand.defining_op for operand in dot.operands if operand.has_one_use]
    return [op for op in producers if op is not None and op.name == "sdy.all_gather"]


def _scatters(dot: Operation) -> list[Operation]:
    if not dot.result.has_one_use:
        return []
    (user,) = dot.result.users
    sharding = sharding_of(dot.result)
    if user.name != "sdy.reduce_scatter" or (sharding is not None and sharding.unreduced):
        return []
    scattered = user.properties.get("out_sharding")
    assert isinstance(scattered, TensorSharding)
    rewriting.set_attributes(dot, dot.attributes.with_(SHARDING, TensorShardingPerValue([scattered])))
    return [user]


@register_pass(
    "sdy-remove-all-gather-reduce-scatter-for-cmv1",
    on="func.func",
    class_name="RemoveAllGatherReduceScatterForCMV1Pass",
    notes_changes=True,
)
class RemoveAllGatherReduceScatterForCmv1(Pass):
    """Removes all-gathers before a dot, or a reduce-scatter behind it, for XLA's collective matmul."""

    def apply(self, op: Operation, context: Context) -> bool:
        if not operation_index(op, context).has("sdy.all_gather", "sdy.reduce_scatter"):
            return False
        remove_collectives_around_dots(op)
        return True
