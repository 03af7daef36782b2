"""The pass ``cse``: of equal operations without effects the first replaces the others, and dead ones are erased.

MLIR's pass of that name; ``ir.cse`` does the work.
"""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.cse import eliminate_common_subexpressions
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import ANY, Pass, register_pass
from pyshardy.ir.rewriter import Rewriter


@register_pass("cse", on=ANY, class_name="CSEPass")
class Cse(Pass):
    """Merges equal operations and removes dead ones."""

    def apply(self, op: Operation, context: Context) -> bool:
        found = [eliminate_common_subexpressions(region, Rewriter(region)) for region in op.regions]
        return any(found)
