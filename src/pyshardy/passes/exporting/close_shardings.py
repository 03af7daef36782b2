"""The pass ``sdy-close-shardings``: closes all dimensions, which freezes the propagated shardings.

The export pipeline runs it after the passes that still read open dimensions, and before explicit reshards.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.every_sharding import transform_shardings
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.sharding.tensor import TensorSharding


@register_pass("sdy-close-shardings", on="builtin.module")
class CloseShardings(Pass):
    """Closes all dimensions of all shardings and drops explicitly replicated axes.

    Priorities and unreduced axes stay.
    """

    def apply(self, op: Operation, context: Context) -> bool:
        return transform_shardings(operation_index(op, context).operations, TensorSharding.closed)
