"""Verifies only what a pass has changed, in a program that was legal before the pass.

Most passes change little, and a walk over a large program costs as much as such a pass. ``ir.rewriting`` records
changes; a pass that changes programs through it alone says so (``Pass.notes_changes``). That is exact: whether an
operation is legal depends on itself, on the operation around it, on the symbols of the module without regions, and on
where its block ends, and a change of the first is recorded at the operation, of the last at the block's owner; other
meshes, nested symbol tables and any error lead to the whole walk of ``verifier``, which decides what is reported.
With ``ir.shortcuts`` off, there is only that walk.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.ir import shortcuts
from pyshardy.ir.change_log import CHANGES, MOVEMENTS
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ISOLATED, SYMBOL_TABLE, TERMINATOR
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.operation_index import OperationIndex, operation_index
from pyshardy.ir.registry import op_definition
from pyshardy.ir.verifying.dominance import reads_earlier_values
from pyshardy.ir.verifying.operation_checks import check_block, check_operation, not_last
from pyshardy.ir.verifying.verification import VerificationError
from pyshardy.ir.verifying.verifier import Looked, Verifier


class Moment(NamedTuple):
    """When a program was legal: how much had been noted by then."""

    movements: int
    changes: int

    @classmethod
    def now(cls) -> Moment:
        """After everything that has been noted."""
        return cls(MOVEMENTS.count, CHANGES.count)

    @property
    def noted_since(self) -> int:
        """How often something has been noted since then."""
        now = Moment.now()
        return now.movements - self.movements + now.changes - self.changes


def changed_since(moment: Moment) -> tuple[list[Operation], list[Operation]] | None:
    """The operations that have moved since ``moment``, and those that have changed otherwise, each once; None if that
    is too long ago."""
    moved, touched = MOVEMENTS.since(moment.movements), CHANGES.since(moment.changes)
    if moved is None or touched is None:
        return None
    return list(dict.fromkeys(moved)), list(dict.fromkeys(touched))


def is_legal_still(root: Operation, context: Context, moment: Moment) -> bool:
    """Whether it is known that ``root``, which was legal at ``moment`` and whose changes since then have been noted, is
    legal. If not, ``verifier`` decides. Nothing is reported."""
    if not shortcuts.taken():
        return False
    found = operation_index(root, context)
    counts = found.counts
    # Of many changes, perhaps in other functions, a walk learns as fast.
    changed = changed_since(moment) if 2 * moment.noted_since < sum(counts.values()) else None
    if changed is None:
        return False
    definitions = {name: op_definition(name) for name in counts}
    tables = sum(counts[name] for name, one in definitions.items() if one is not None and one.traits & SYMBOL_TABLE)
    if tables > bool(root.traits & SYMBOL_TABLE):
        return False
    verifier = _ChangeVerifier(context)
    if not verifier.accepts(root, *changed):
        return False
    if not root.traits & SYMBOL_TABLE:
        return True
    naming = [name for name, one in definitions.items() if one is not None and one.symbol_verifiers]
    return verifier.accepts_symbols(root, found, naming)


def symbol_uses_are_legal(root: Operation, context: Context) -> bool:
    """Whether it is known that what refers to symbols of ``root`` is legal, everything else being legal."""
    if not shortcuts.taken() or not root.traits & SYMBOL_TABLE:
        return False
    found = operation_index(root, context)
    definitions = {name: op_definition(name) for name in found.counts}
    if any(one is not None and one.traits & SYMBOL_TABLE and name != root.name for name, one in definitions.items()):
        return False
    naming = [name for name, one in definitions.items() if one is not None and one.symbol_verifiers]
    return found.counts[root.name] == 1 and _ChangeVerifier(context).accepts_symbols(root, found, naming)


class _ChangeVerifier(Verifier):
    """Looks at operations that have changed, wherever they stand."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._around: dict[Block | None, Looked | None] = {}
        """What has been looked at in the isolated operation around the operations of a block; None outside."""
        self._looked: dict[Operation, Looked] = {}

    def accepts(self, root: Operation, moved: list[Operation], touched: list[Operation]) -> bool:
        """Whether ``root`` is legal, apart from symbols, if these operations are."""
        known = self.context.accepted.get(root)
        if known is None or self._accepted_in(root) is not known:
            return False
        looked = self._looked[root] = Looked(self._accepted_in(root))
        self._around[None] = None
        try:
            if root.checked != (root.properties, root.attributes, looked.stamp):
                check_operation(self, root)
                looked.relabelled.append(root)
                root.checked = (root.properties, root.attributes, looked.stamp)
            self._check_blocks(root, moved, touched)
            for op in dict.fromkeys([*moved, *touched]):
                self._changed_operation(op)
            for looked in self._looked.values():
                for op in looked.fresh:
                    if not reads_earlier_values(op):
                        self._dominance.check(op)
        except VerificationError as error:
            self._failures.append(error)
        if self._failures:
            for looked in self._looked.values():
                looked.withdraw()
        return not self._failures

    def accepts_symbols(self, root: Operation, found: OperationIndex, naming: list[str]) -> bool:
        """Whether the symbols of ``root``, and the operations called as in ``naming``, are legal."""
        self._symbol_users = found.in_any_order(naming)
        return self._symbols_are_fine(root)

    def _check_blocks(self, root: Operation, moved: list[Operation], touched: list[Operation]) -> None:
        """Looks at the ends of blocks in which something was moved, or whose owner was noted."""
        blocks = dict.fromkeys(op.parent for op in moved)
        for op in touched:
            for region in op.regions:
                blocks.update(dict.fromkeys(region.blocks))
        for block in blocks:
            if block is not None and block.parent_op is not None and self._looked_around(block) is not None:
                check_block(self, block)
        for op in moved:
            before = op._previous
            if before is not None and before.traits & TERMINATOR and self._looked_around(op.parent) is not None:
                not_last(self, before)

    def _changed_operation(self, op: Operation) -> None:
        looked = self._looked_around(op.parent)
        if looked is None:
            return
        checked = op.checked
        if op.regions and op.traits & ISOLATED:
            if checked is None:
                self._isolated(op)
            elif checked != (op.properties, op.attributes, looked.stamp):
                check_operation(self, op)
                op.checked = (op.properties, op.attributes, looked.stamp)
                looked.relabelled.append(op)
        elif checked is None or checked[0] is not op.properties or checked[2] is not looked.stamp:
            self._new_operation(op, looked)
            for one in looked.isolated:
                self._isolated(one)
            looked.isolated.clear()
        elif checked[1] is not op.attributes:
            self._relabelled_operation(op, looked)

    def _looked_around(self, block: Block | None) -> Looked | None:
        """What has been looked at in the isolated operation around ``block``; None if ``block`` is not in the root."""
        if block in self._around:
            return self._around[block]
        path: list[Block | None] = []
        found: Looked | None = None
        one = block
        while one is not None:
            if one in self._around:
                found = self._around[one]
                break
            path.append(one)
            owner = one.parent_op
            if owner is None:
                break
            if owner in self._looked:
                found = self._looked[owner]
                break
            one = owner.parent
        return self._found_around(path, found)

    def _found_around(self, path: list[Block | None], above: Looked | None) -> Looked | None:
        """Notes what has been looked at around the blocks of ``path``, from the outermost in."""
        found = above
        for block in reversed(path):
            owner = block.parent_op if block is not None else None
            if found is not None and owner is not None and owner not in self._looked and owner.traits & ISOLATED:
                self._looked[owner] = Looked(self._accepted_in(owner))
            if found is not None and owner is not None and owner in self._looked:
                found = self._looked[owner]
            self._around[block] = found
        return found
