"""The pass ``sdy-pad-for-divisibility``: sharded dimensions that do not divide grow until they do.

``padding`` has the rules. The program stays a global one: values are padded before they are sliced, cut when they have
been gathered, and overwritten where what is behind them would reach a result. Behind it stands
``convert_global_to_local``, which needs dimensions that divide.
"""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.partitioning.padding import (  # noqa: F401  (each registers its rules)
    indexing,
    operations,
    uneven_collectives,
)
from pyshardy.passes.partitioning.padding.growth import Growth
from pyshardy.passes.partitioning.padding.whole import computed_whole


@register_pass("sdy-pad-for-divisibility", on="func.func")
class PadForDivisibility(Pass):
    """Pads sharded dimensions that do not divide by the number of their shards."""

    def apply(self, op: Operation, context: Context) -> None:
        Growth(op, context, computed_whole).run()
