"""Rewrites operations to a fixed point: patterns, dead operations, and constants moved to the start of their function.

The order of work is that of MLIR's greedy driver, because patterns that compete for an operation make it visible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from pyshardy.ir import rewriting
from pyshardy.ir.change_log import structure_version
from pyshardy.ir.context import Context
from pyshardy.ir.cse import eliminate_common_subexpressions
from pyshardy.ir.effects import is_trivially_dead
from pyshardy.ir.opdef import CONSTANT_LIKE, ISOLATED
from pyshardy.ir.operation import Block, Operation, Region
from pyshardy.ir.operation_index import OperationIndex, operation_index
from pyshardy.ir.registry import foreign_row, op_definition
from pyshardy.ir.rewriter import Rewriter

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


class Outcome(NamedTuple):
    """What came of rewriting: whether a fixed point was reached within the limits, and whether anything changed."""

    converged: bool
    changed: bool


def rewrite_greedily(root: Operation, patterns: PatternTable, limits: Limits, context: Context) -> Outcome:
    """Applies ``patterns`` in the regions of ``root`` until nothing changes any more; on the way erases operations that
    nobody uses, merges equal constants and moves them to the start of the function around them. (Not those of dialects
    from outside, which have a sharding each, as ``sdy.constant`` does.)"""
    if not limits.merge_between and limits.iterations and not _has_work(root, patterns, operation_index(root, context)):
        return Outcome(converged=True, changed=False)
    before = structure_version()
    outcomes = [_Driver(region, patterns, limits).run() for region in root.regions]
    changed = any(outcome.changed for outcome in outcomes) or structure_version() != before
    return Outcome(all(outcome.converged for outcome in outcomes), changed)


def _has_work(root: Operation, patterns: PatternTable, found: OperationIndex) -> bool:
    """Whether there is anything in ``root`` that a pattern may take, a constant, or an operation that may be dead."""
    for name in found.counts:
        definition = op_definition(name)
        is_constant = definition is not None and definition.traits & CONSTANT_LIKE
        if patterns.get(name) or (is_constant and foreign_row(name) is None):
            return True
    for op in found.in_any_order():
        results = op.results
        if not (results and results[0]._uses) and op is not root and is_trivially_dead(op):
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
            is_constant = op.traits & CONSTANT_LIKE and foreign_row(op.name) is None
            if op is not root and (not is_constant or constants.keep(op)):
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
