"""Checks that definitions dominate uses, and that isolated regions use no values from outside.

``verifier`` asks for the operations that are new or changed.
"""

from __future__ import annotations

from pyshardy.ir.opdef import GRAPH_REGION, ISOLATED
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from pyshardy.ir.verifying.verification import Verification


class Dominance:
    """The question for the operations of one verification, which remembers what the control flow of regions says."""

    __slots__ = ("_dominators", "_verification")

    def __init__(self, verification: Verification) -> None:
        self._verification = verification
        self._dominators: dict[Region, dict[Block, set[Block]]] = {}

    def check(self, op: Operation) -> None:
        """Checks that the definition of each operand dominates ``op``.

        Raises:
            VerificationError: one does not.
        """
        verification = self._verification
        for index, value in enumerate(op.operands):
            home = value.parent_block
            if home is None:
                verification.error(op, f"operand #{index} is not defined")
            if home is op.parent:
                if isinstance(value, BlockArgument) or self._stands_before(value, op):
                    continue
            elif self._visible(op, value, home):
                continue
            definition = value.defining_op
            notes = []
            if definition is not None:
                same = "op in the same block" if definition.parent is op.parent else "op in a parent region"
                notes = [verification.note(definition, f"operand defined here ({same})")]
            verification.error(op, f"operand #{index} does not dominate this use", prefix=False, notes=notes)

    def _stands_before(self, value: Value, op: Operation) -> bool:
        assert isinstance(value, OpResult)
        owner = value.owner
        parent = op.parent_op
        if parent is not None and parent.traits & GRAPH_REGION:
            return True
        return owner is not op and owner.is_before(op)

    def _visible(self, op: Operation, value: Value, home: Block) -> bool:
        inside: Operation | None = op
        while inside is not None and inside.parent is not home:
            above = inside.parent_op
            if inside.parent is not None and home.parent is inside.parent.parent:
                return home in self._dominating(inside.parent)
            if above is not None and above.traits & ISOLATED:
                note = self._verification.note(above, "required by region isolation constraints")
                self._verification.error(op, "using value defined outside the region", notes=[note])
            inside = above
        if inside is None:
            return False
        return isinstance(value, BlockArgument) or self._stands_before(value, inside)

    def _dominating(self, block: Block) -> set[Block]:
        region = block.parent
        assert region is not None
        known = self._dominators.get(region)
        if known is None:
            known = self._dominators[region] = _dominators(region)
        return known[block]


def reads_earlier_values(op: Operation) -> bool:
    """Whether all operands of ``op`` are defined before it in its own block, as most are."""
    block = op.parent
    if block is not None and not block._ordered:
        block._number()
    for value in op.operands:
        if type(value) is OpResult:
            owner = value.owner
            if owner.parent is not block or owner._order >= op._order:
                return False
        elif value.parent_block is not block:
            return False
    return block is not None


def _dominators(region: Region) -> dict[Block, set[Block]]:
    """For each block, the blocks that every path from the entry to it passes."""
    blocks = region.blocks
    predecessors: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in blocks:
        for successor in block.last.successors if block.last is not None else ():
            predecessors[successor].append(block)
    everything = set(blocks)
    found = {block: set(everything) for block in blocks}
    found[blocks[0]] = {blocks[0]}
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            sets = [found[one] for one in predecessors[block]]
            new = (set.intersection(*sets) if sets else everything) | {block}
            if new != found[block]:
                found[block], changed = new, True
    return found
