"""Which operations have regions that work on tensors: branches, loops, and operations of plugins that say so."""

from __future__ import annotations

from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.ir.operation import Operation

BRANCHES = frozenset({"stablehlo.case", "stablehlo.if"})
CONTROL_FLOW = BRANCHES | {"stablehlo.while"}
"""The regions of all other operations of StableHLO work on scalars."""
WITH_OPERANDS_INSIDE = frozenset({"sdy.manual_computation", "sdy.named_computation", "stablehlo.while"})
"""Operations whose operands are the arguments of their regions, number by number."""


def has_control_flow(op: Operation) -> bool:
    """Whether ``op`` is a branch or a loop, or runs regions on tensors as one of a plugin's dialect."""
    return op.name in CONTROL_FLOW or runs_tensors(op)
