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
from pyshardy.ir.change_log import MODIFICATIONS, STRUCTURAL_CHANGES
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import ISOLATED, SYMBOL_TABLE, TERMINATOR
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.operation_index import OperationIndex, operation_index
from pyshardy.ir.registry import op_definition
from pyshardy.ir.verifying.dominance import reads_earlier_values
from pyshardy.ir.verifying.operation_checks import check_block, check_operation, not_last
from pyshardy.ir.verifying.verification import VerificationError
from pyshardy.ir.verifying.verifier import Verifier, Visited


class ProgramVersion(NamedTuple):
    """How many changes had been logged when a program was legal."""

    structural_changes: int
    modifications: int

    @classmethod
    def now(cls) -> ProgramVersion:
        """With all changes that have been logged."""
        return cls(STRUCTURAL_CHANGES.count, MODIFICATIONS.count)

    @property
    def changes_since(self) -> int:
        """How many changes have been logged since then."""
        now = ProgramVersion.now()
        return now.structural_changes - self.structural_changes + now.modifications - self.modifications


def changed_since(version: ProgramVersion) -> tuple[list[Operation], list[Operation]] | None:
    """The operations that have been inserted, removed or renamed since ``version``, and those that have changed
    otherwise, each once; None if that is too long ago."""
    moved, touched = STRUCTURAL_CHANGES.since(version.structural_changes), MODIFICATIONS.since(version.modifications)
    if moved is None or touched is None:
        return None
    return list(dict.fromkeys(moved)), list(dict.fromkeys(touched))


def is_legal_still(root: Operation, context: Context, version: ProgramVersion) -> bool:
    """Whether it is known that ``root``, which was legal at ``version`` and whose changes since then have been logged,
    is legal. If not, ``verifier`` decides. Nothing is reported."""
    if not shortcuts.enabled():
        return False
    found = operation_index(root, context)
    counts = found.counts
    # Of many changes, perhaps in other functions, a walk learns as fast.
    changed = changed_since(version) if 2 * version.changes_since < sum(counts.values()) else None
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
    if not shortcuts.enabled() or not root.traits & SYMBOL_TABLE:
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
        self._around: dict[Block | None, Visited | None] = {}
        """What has been visited in the isolated operation around the operations of a block; None outside."""
        self._visited: dict[Operation, Visited] = {}

    def accepts(self, root: Operation, moved: list[Operation], touched: list[Operation]) -> bool:
        """Whether ``root`` is legal, apart from symbols, if these operations are."""
        known = self.context.accepted.get(root)
        if known is None or self._accepted_in(root) is not known:
            return False
        visited = self._visited[root] = Visited(self._accepted_in(root))
        self._around[None] = None
        try:
            if root.checked != (root.properties, root.attributes, visited.symbols):
                check_operation(self, root)
                visited.with_other_attributes.append(root)
                root.checked = (root.properties, root.attributes, visited.symbols)
            self._check_blocks(root, moved, touched)
            for op in dict.fromkeys([*moved, *touched]):
                self._changed_operation(op)
            for visited in self._visited.values():
                for op in visited.new_or_changed:
                    if not reads_earlier_values(op):
                        self._dominance.check(op)
        except VerificationError as error:
            self._failures.append(error)
        if self._failures:
            for visited in self._visited.values():
                visited.remove_marks()
        return not self._failures

    def accepts_symbols(self, root: Operation, found: OperationIndex, naming: list[str]) -> bool:
        """Whether the symbols of ``root``, and the operations called as in ``naming``, are legal."""
        self._symbol_users = found.in_any_order(naming)
        return self._symbols_are_fine(root)

    def _check_blocks(self, root: Operation, moved: list[Operation], touched: list[Operation]) -> None:
        """Checks the ends of blocks in which something was inserted or removed, or whose owner was modified."""
        blocks = dict.fromkeys(op.parent for op in moved)
        for op in touched:
            for region in op.regions:
                blocks.update(dict.fromkeys(region.blocks))
        for block in blocks:
            if block is not None and block.parent_op is not None and self._visited_around(block) is not None:
                check_block(self, block)
        for op in moved:
            before = op._previous
            if before is not None and before.traits & TERMINATOR and self._visited_around(op.parent) is not None:
                not_last(self, before)

    def _changed_operation(self, op: Operation) -> None:
        visited = self._visited_around(op.parent)
        if visited is None:
            return
        checked = op.checked
        if op.regions and op.traits & ISOLATED:
            if checked is None:
                self._isolated(op)
            elif checked != (op.properties, op.attributes, visited.symbols):
                check_operation(self, op)
                op.checked = (op.properties, op.attributes, visited.symbols)
                visited.with_other_attributes.append(op)
        elif checked is None or checked[0] is not op.properties or checked[2] is not visited.symbols:
            self._new_operation(op, visited)
            for one in visited.isolated:
                self._isolated(one)
            visited.isolated.clear()
        elif checked[1] is not op.attributes:
            self._operation_with_other_attributes(op, visited)

    def _visited_around(self, block: Block | None) -> Visited | None:
        """What has been visited in the isolated operation around ``block``; None if ``block`` is not in the root."""
        if block in self._around:
            return self._around[block]
        path: list[Block | None] = []
        found: Visited | None = None
        one = block
        while one is not None:
            if one in self._around:
                found = self._around[one]
                break
            path.append(one)
            owner = one.parent_op
            if owner is None:
                break
            if owner in self._visited:
                found = self._visited[owner]
                break
            one = owner.parent
        return self._found_around(path, found)

    def _found_around(self, path: list[Block | None], above: Visited | None) -> Visited | None:
        """Notes what has been visited around the blocks of ``path``, from the outermost in."""
        found = above
        for block in reversed(path):
            owner = block.parent_op if block is not None else None
            if found is not None and owner is not None and owner not in self._visited and owner.traits & ISOLATED:
                self._visited[owner] = Visited(self._accepted_in(owner))
            if found is not None and owner is not None and owner in self._visited:
                found = self._visited[owner]
            self._around[block] = found
        return found
