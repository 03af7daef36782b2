"""The pass ``sdy-drop-sharding-and-mesh``: removes the ``sdy`` attributes of a program that has no ``sdy`` operations.

No pipeline runs it; it makes a partitioned program readable for tools that do not know the dialect.
"""

from __future__ import annotations

from pyshardy.dialects.func import function_type, set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass


def drop_shardings_and_meshes(module: Operation) -> None:
    """Removes ``sdy.sharding`` from all operations, arguments and results, and all meshes; the properties of ``sdy``
    operations stay."""
    for op in module.walk():
        rewriting.set_attributes(op, op.attributes.without(SHARDING))
        if op.name == "func.func":
            signature = function_type(op)
            set_argument_attributes(op, SHARDING, dict.fromkeys(range(len(signature.inputs))))
            set_result_attributes(op, SHARDING, dict.fromkeys(range(len(signature.results))))
        elif op.name == "sdy.mesh":
            rewriting.erase(op)


@register_pass("sdy-drop-sharding-and-mesh", on="builtin.module")
class DropShardingAndMesh(Pass):
    """Removes the attribute ``sdy.sharding`` wherever it stands, and all meshes."""

    def apply(self, op: Operation, context: Context) -> None:
        drop_shardings_and_meshes(op)
