"""The changes that a pattern may make to the program, so that a driver knows what to visit again.

``ir.rewriting`` makes the changes. ``ir.greedy`` drives it over a program, ``ir.cse`` merges through it, and the
patterns of dialects are written against it.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation, Region, Value


class Rewriter:
    """What a pattern may do to the program; the driver learns what to look at again."""

    __slots__ = ("_scope", "_worklist")

    def __init__(self, scope: Region) -> None:
        self._scope = scope
        # The newest entry is worked on first; an entry keeps its place when it is added again.
        self._worklist: dict[Operation, None] = {}

    def revisit(self, op: Operation) -> None:
        """Asks for another look at ``op`` and at the operations around it."""
        worklist, scope = self._worklist, self._scope
        one: Operation | None = op
        found: list[Operation] = []
        while one is not None:
            found.append(one)
            block = one.parent
            region = block.parent if block is not None else None
            if region is scope:
                for added in found:
                    if added not in worklist:
                        worklist[added] = None
                return
            one = region.parent if region is not None else None

    def insert_before(self, anchor: Operation, op: Operation) -> None:
        """Puts the new operation ``op`` before ``anchor``."""
        rewriting.insert_before(anchor, op)
        self.revisit(op)

    def insert_after(self, anchor: Operation, op: Operation) -> None:
        """Puts the new operation ``op`` after ``anchor``."""
        rewriting.insert_after(anchor, op)
        self.revisit(op)

    def replace_uses(self, value: Value, replacement: Value) -> None:
        """Makes every user of ``value`` read ``replacement``."""
        users = list(value.users)
        rewriting.replace_all_uses(value, replacement)
        for user in users:
            self.revisit(user)

    def replace(self, op: Operation, replacements: Iterable[Value]) -> None:
        """Replaces the results of ``op``, one each, and erases it."""
        for result, replacement in zip(op.results, replacements, strict=True):
            self.replace_uses(result, replacement)
        self.erase(op)

    def replace_with(self, op: Operation, new: Operation) -> None:
        """Puts the new operation ``new`` in the place of ``op``."""
        self.insert_before(op, new)
        self.replace(op, new.results)

    def replace_with_block(self, op: Operation, block: Block, arguments: Iterable[Value] = ()) -> None:
        """Replaces ``op`` by the operations of ``block``, a block in it that reads ``arguments``; the results are the
        operands of its terminator."""
        for argument, value in zip(block.arguments, arguments, strict=True):
            self.replace_uses(argument, value)
        terminator = block.terminator
        for moved in block:
            if moved is not terminator:
                rewriting.move_before(moved, op)
                self._revisit_all(moved)
        self.replace(op, terminator.operands)

    def _revisit_all(self, op: Operation) -> None:
        """Looks at ``op`` and what is in it as if they were new."""
        for nested in op.walk():
            self._worklist.pop(nested, None)
        self.revisit(op)
        for nested in op.walk_postorder():
            self.revisit(nested)

    def erase(self, op: Operation) -> None:
        """Erases ``op``; what made its operands may be dead now."""
        for nested in reversed(list(op.walk())) if op.regions else (op,):
            self._revisit_operands(nested)
            self._worklist.pop(nested, None)
        rewriting.erase(op)

    def _revisit_operands(self, op: Operation) -> None:
        for operand in op.operands:
            definition = operand.defining_op
            if definition is not None and not _is_used_by_two_others(operand, op):
                self.revisit(definition)


def _is_used_by_two_others(value: Value, op: Operation) -> bool:
    if value.num_uses < 3:
        return False
    first: Operation | None = None
    for user in value.users:
        if user is op or user is first:
            continue
        if first is not None:
            return True
        first = user
    return False
