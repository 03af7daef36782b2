"""The pass ``sdy-pad-for-divisibility``: pads sharded dimensions so that they divide by their number of shards.

``padding`` has the rules. The program stays global: values are padded before they are sliced into shards, sliced after
they have been gathered, and masked where padding would reach a result. ``convert_global_to_local``, which runs next,
needs dimensions that divide.
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
from pyshardy.passes.partitioning.padding.walk import FunctionPadding
from pyshardy.passes.partitioning.padding.whole import computed_whole


@register_pass("sdy-pad-for-divisibility", on="func.func")
class PadForDivisibility(Pass):
    """Pads sharded dimensions that do not divide by the number of their shards."""

    def apply(self, op: Operation, context: Context) -> None:
        FunctionPadding(op, context, computed_whole).run()
