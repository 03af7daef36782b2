"""Rewriting to a fixed point: patterns, dead operations, and constants gathered at the start of their function.

The order of work is that of MLIR's greedy driver, because patterns that compete for an operation make it visible. Left
of this file stand ``ir.rewriting`` and ``ir.effects``; dialects register patterns, the pass ``canonicalize`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from pyshardy.ir import rewriting
from pyshardy.ir.cse import eliminate_common_subexpressions
from pyshardy.ir.effects import is_trivially_dead
from pyshardy.ir.opdef import CONSTANT_LIKE, ISOLATED
from pyshardy.ir.operation import Block, Operation, Region, Value

NO_LIMIT = -1


class Pattern(NamedTuple):
    """A rewrite of one kind of operation. ``rewrite`` changes the program through the ``Rewriter`` and returns True, or
    leaves it alone and returns False. ``labels`` switch patterns on and off."""

    rewrite: Callable[[Operation, Rewriter], bool]
    labels: tuple[str, ...] = ()


PatternTable = Mapping[str, Sequence[Pattern]]
"""Operation name → its patterns, in the order in which they are tried."""


class Limits(NamedTuple):
    """When the driver gives up (-1: never): rounds over the program, and applications of a pattern a round; whether a
    round begins with the first operation or with the last; whether equal operations are merged after each round."""

    iterations: int = 10
    rewrites: int = NO_LIMIT
    top_down: bool = True
    merge_between: bool = False


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


class Outcome(NamedTuple):
    """What came of rewriting: whether a fixed point was reached within the limits, and whether anything changed."""

    converged: bool
    changed: bool


def rewrite_greedily(root: Operation, patterns: PatternTable, limits: Limits) -> Outcome:
    """Applies ``patterns`` in the regions of ``root`` until nothing changes any more; on the way erases operations that
    nobody uses, merges equal constants and moves them to the start of the function around them."""
    if not limits.merge_between and limits.iterations and not _has_work(root, patterns):
        return Outcome(converged=True, changed=False)
    before = rewriting.edition()
    outcomes = [_Driver(region, patterns, limits).run() for region in root.regions]
    changed = any(outcome.changed for outcome in outcomes) or rewriting.edition() is not before
    return Outcome(all(outcome.converged for outcome in outcomes), changed)


def _has_work(root: Operation, patterns: PatternTable) -> bool:
    """Whether there is anything in ``root`` that a pattern may take, a constant, or an operation that may be dead."""
    busy = {name for name, tried in patterns.items() if tried}
    for op in root.operations():
        if op.name in busy or op.traits & CONSTANT_LIKE:
            return True
        for result in op.results:
            if result._uses:
                break
        else:
            if op is not root and is_trivially_dead(op):
                return True
    return False


class _Driver(Rewriter):
    __slots__ = ("_limits", "_patterns")

    def __init__(self, scope: Region, patterns: PatternTable, limits: Limits) -> None:
        super().__init__(scope)
        self._patterns = patterns
        self._limits = limits

    def run(self) -> Outcome:
        iteration = 0
        ever = False
        while self._limits.iterations == NO_LIMIT or iteration < self._limits.iterations:
            iteration += 1
            self._fill(_ConstantPool(self))
            changed = self._work()
            changed = self._erase_dead() or changed
            if self._limits.merge_between:
                changed = eliminate_common_subexpressions(self._scope, self) or changed
            ever = ever or changed
            if not changed:
                return Outcome(converged=True, changed=ever)
        return Outcome(converged=False, changed=ever)

    def _fill(self, constants: _ConstantPool) -> None:
        root = self._scope.parent
        assert root is not None
        self._worklist.clear()
        for op in root.walk() if self._limits.top_down else root.walk_postorder():
            if op is not root and (not op.traits & CONSTANT_LIKE or constants.keep(op)):
                self.revisit(op)
        if self._limits.top_down:
            entries = reversed(list(self._worklist))
            self._worklist = dict.fromkeys(entries)

    def _work(self) -> bool:
        changed = False
        left = self._limits.rewrites
        while self._worklist and left:
            op, _ = self._worklist.popitem()
            if is_trivially_dead(op):
                self.erase(op)
                changed = True
            elif any(pattern.rewrite(op, self) for pattern in self._patterns.get(op.name, ())):
                changed = True
                left -= 1
        return changed

    def _erase_dead(self) -> bool:
        """Erases what is still dead where a limit has ended the work."""
        changed = False
        while self._worklist:
            op, _ = self._worklist.popitem()
            if is_trivially_dead(op):
                self.erase(op)
                changed = True
        return changed


class _ConstantPool:
    """The constants met in one round, each once in the region it belongs to."""

    __slots__ = ("_kept", "_known", "_rewriter")

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._known: dict[tuple[object, ...], Operation] = {}
        self._kept: set[Operation] = set()

    def keep(self, op: Operation) -> bool:
        """Merges the constant ``op`` into an equal one met before (then False), or moves it to the start of its region
        behind the constants that stand there."""
        assert op.parent is not None
        region = _region_of_constants(op.parent)
        # The properties of a constant are its value.
        key = (region, op.name.partition(".")[0], tuple(op.properties), op.result.type)
        known = self._known.setdefault(key, op)
        if known is not op:
            self._rewriter.replace(op, known.results)
            known.location = None
            return False
        self._kept.add(op)
        start = region.blocks[0]
        follows_constant = op.previous_op in self._kept
        if op.parent is not start or not (start.first is op or follows_constant):
            self._move_to_front(op, start)
        return True

    @staticmethod
    def _move_to_front(op: Operation, block: Block) -> None:
        if op.parent is not block:
            op.location = None
        first = block.first
        if first is None:
            rewriting.move_to_end(op, block)
        else:
            rewriting.move_before(op, first)


def _region_of_constants(block: Block) -> Region:
    """The region around ``block`` beyond which no constant moves: of an isolated or unknown operation."""
    region = block.parent
    assert region is not None
    while True:
        parent = region.parent
        assert parent is not None
        if parent.definition is None or parent.traits & ISOLATED or parent.parent is None:
            return region
        outer = parent.parent.parent
        assert outer is not None
        region = outer


def selected_patterns(
    table: PatternTable,
    *,
    enabled: Collection[str] = (),
    disabled: Collection[str] = (),
    dialects: Collection[str] = (),
) -> PatternTable:
    """The patterns of ``table`` without those with a disabled label; if any label is enabled, only those that have one;
    if any dialect is given, only those of its operations."""

    def wanted(pattern: Pattern) -> bool:
        labels = pattern.labels
        return not any(label in disabled for label in labels) and (
            not enabled or any(label in enabled for label in labels)
        )

    names = [name for name in table if not dialects or name.partition(".")[0] in dialects]
    return {name: [pattern for pattern in table[name] if wanted(pattern)] for name in names}
