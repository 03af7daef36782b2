"""The pass ``canonicalize``: simplifies operations to a fixed point, erases dead ones, gathers constants.

MLIR's pass of that name, with the patterns of the ``sdy`` dialect. The export pipeline runs it with patterns of one
label: ``sdy-reshard`` before reshards become collectives, ``sdy-collective`` at the end.
"""

from __future__ import annotations

from pyshardy.dialects.sdy import canonicalization as sdy
from pyshardy.dialects.stablehlo import canonicalization as stablehlo
from pyshardy.ir.context import Context
from pyshardy.ir.greedy import Limits, rewrite_greedily, selected_patterns
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import ANY, Pass, PassFailure, option, register_pass


@register_pass("canonicalize", on=ANY, class_name="CanonicalizerPass", notes_changes=True)
class Canonicalize(Pass):
    """Simplifies operations to a fixed point and removes dead ones. Constants move to the start of their function."""

    cse_between_iterations: bool = option(False, "merge equal operations after each look at the program")
    disable_patterns: tuple[str, ...] = option((), "labels of patterns that are not applied")
    enable_patterns: tuple[str, ...] = option((), "labels of the patterns that are applied; all if none is given")
    filter_dialects: tuple[str, ...] = option((), "dialects whose operations are simplified; all if none is given")
    max_iterations: int = option(10, "how often the whole program is looked at, -1 for no limit")
    max_num_rewrites: int = option(-1, "how often a pattern is applied in one look, -1 for no limit")
    region_simplify: str = option(
        "normal",
        "how the blocks of a region are simplified; makes no difference to regions of one block",
        choices=("disabled", "normal", "aggressive"),
    )
    test_convergence: bool = option(False, "fail if the limits are reached first")
    top_down: bool = option(True, "begin with the first operation, not with the last")

    def apply(self, op: Operation, context: Context) -> bool:
        patterns = selected_patterns(
            {**sdy.PATTERNS, **stablehlo.PATTERNS},
            enabled=self.enable_patterns,
            disabled=self.disable_patterns,
            dialects=self.filter_dialects,
        )
        limits = Limits(self.max_iterations, self.max_num_rewrites, self.top_down, self.cse_between_iterations)
        outcome = rewrite_greedily(op, patterns, limits, context)
        if not outcome.converged and self.test_convergence:
            raise PassFailure
        return outcome.changed
