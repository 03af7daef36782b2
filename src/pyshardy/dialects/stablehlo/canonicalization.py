"""Simplifies ``stablehlo`` operations: a ``case`` whose branch is known.

The pass ``canonicalize`` applies the pattern. StableHLO has passes of its own for other simplifications.
"""

from __future__ import annotations

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.greedy import Pattern, PatternTable
from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation
from pyshardy.ir.rewriter import Rewriter


def _case_of_constant(op: Operation, rewriter: Rewriter) -> bool:
    definition = op.operands[0].defining_op
    if definition is None or not definition.traits & CONSTANT_LIKE:
        return False
    value = definition.properties.get("value")
    if not isinstance(value, DenseElementsAttr):
        return False
    (index,) = value.integers()
    # An index out of range means the last branch, but MLIR leaves such a case alone.
    if not 0 <= index < len(op.regions) or len(op.regions[index].blocks) != 1:
        return False
    rewriter.replace_with_block(op, op.regions[index].blocks[0])
    return True


PATTERNS: PatternTable = {"stablehlo.case": [Pattern(_case_of_constant)]}
"""The simplifications of the dialect's operations."""
