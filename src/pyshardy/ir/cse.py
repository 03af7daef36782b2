"""Eliminates common subexpressions: of equal operations without effects, the first replaces the others.

``ir.greedy`` runs it between its rounds when asked to, and the pass ``cse`` runs it alone.
"""

from __future__ import annotations

from collections import ChainMap

from pyshardy.ir.effects import is_effect_free, is_trivially_dead
from pyshardy.ir.opdef import ISOLATED, TERMINATOR
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.rewriter import Rewriter

_Known = ChainMap[object, Operation]


def eliminate_common_subexpressions(region: Region, rewriter: Rewriter) -> bool:
    """Merges equal operations in ``region`` and in the regions in it, and erases dead ones.

    Returns:
        Whether there were any.
    """
    dead: list[Operation] = []
    merged = _merge(region, ChainMap(), rewriter, dead)
    for op in dead:
        rewriter.erase(op)
    return merged or bool(dead)


def _merge(region: Region, known: _Known, rewriter: Rewriter, dead: list[Operation]) -> bool:
    merged = False
    # Where control flow has several blocks, only those of one block are compared.
    for block in region.blocks:
        seen = known.new_child()
        for op in block:
            inner: _Known = ChainMap() if op.traits & ISOLATED else seen
            for nested in op.regions:
                merged = _merge(nested, inner, rewriter, dead) or merged
            if op.traits & TERMINATOR:
                continue
            if is_trivially_dead(op):
                dead.append(op)
            elif all(len(nested.blocks) < 2 for nested in op.regions) and is_effect_free(op):
                first = seen.setdefault(_identity(op, {}), op)
                if first is not op:
                    rewriter.replace(op, first.results)
                    merged = True
    return merged


def _identity(op: Operation, inside: dict[Value, int]) -> object:
    """What two operations must share to compute the same; ``inside`` numbers the values defined in their regions."""
    operands = tuple(inside.get(value, value) for value in op.operands)
    types = tuple(result.type for result in op.results)
    regions = tuple(_region_identity(region, inside) for region in op.regions)
    return (op.name, tuple(op.properties), tuple(op.attributes), operands, types, regions)


def _region_identity(region: Region, inside: dict[Value, int]) -> object:
    parts: list[object] = []
    for block in region.blocks:
        parts.append(tuple(argument.type for argument in block.arguments))
        for argument in block.arguments:
            inside[argument] = len(inside)
        for op in block:
            parts.append(_identity(op, inside))
            for result in op.results:
                inside[result] = len(inside)
    return tuple(parts)
