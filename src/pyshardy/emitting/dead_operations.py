"""Erases dead operations from a local program: those of trials, unused versions of tensors, and unused constants."""

from __future__ import annotations

from collections.abc import Collection

from pyshardy.ir import rewriting
from pyshardy.ir.effects import is_trivially_dead
from pyshardy.ir.opdef import PURE, TERMINATOR
from pyshardy.ir.operation import Block, Operation


def remove_dead_operations(module: Operation, collectives: Collection[Operation]) -> None:
    """Erases operations without side effects, and those of ``collectives``, whose results have no users."""
    for op in module.body:
        for region in op.regions:
            for block in region.blocks:
                remove_dead(block, collectives)


def remove_dead(block: Block, collectives: Collection[Operation]) -> None:
    """Erases operations without side effects, and those of ``collectives``, whose results have no users, from ``block``
    and the blocks inside of it."""
    for op in reversed(block):
        if op.regions:
            for region in op.regions:
                for nested in region.blocks:
                    remove_dead(nested, collectives)
        results = op.results
        if (results and (results[0]._uses or any(result._uses for result in results))) or op.traits & TERMINATOR:
            continue
        if op.traits & PURE or op in collectives or is_trivially_dead(op):
            rewriting.erase(op)
