"""The pass ``sdy-insert-explicit-reshards``: inserts reshards where shardings around an operation are not compatible.

The export pipeline runs it after ``close_shardings``; ``pyshardy.resharding`` does the work.
"""

from __future__ import annotations

from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.passes.options import AxisOptions
from pyshardy.resharding.explicit_reshards import insert_explicit_reshards


@register_pass("sdy-insert-explicit-reshards", on="func.func", notes_changes=True)
class InsertExplicitReshards(AxisOptions, Pass):
    """Inserts reshards so that every operation can run on the shards it is given."""

    avoid_reshards_on_named_computations: bool = option(
        False, "adapt what named computations return but not what they are given, as Shardy once did", quiet=True
    )
    enable_full_version: bool = option(False, "for all operations; without it, where a partitioner would do much worse")
    every_operation: bool = option(
        False, "also for operations that have no rule, or another than their own, but could not run", quiet=True
    )

    def apply(self, op: Operation, context: Context) -> bool:
        before = structure_version()
        insert_explicit_reshards(
            op,
            context,
            full=self.enable_full_version,
            keep_named_computation_operands=self.avoid_reshards_on_named_computations,
            custom_rules=self.reshard_custom_rules,
            axis_choice=self.axis_choice,
            reduction_kinds=self.reduction_kinds,
            every_operation=self.every_operation,
        )
        return structure_version() != before
