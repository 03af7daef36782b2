"""Propagating over a whole module until nothing changes, in the reference's visiting order.

The worklist is a stack: it begins with all operations in program order, and when a tensor changes, the operations
around it (``neighbours``) are pushed on top. Results depend on this order, so it follows MLIR's greedy driver exactly,
including the treatment of dead operations. ``transfer_function`` computes a step; ``priority_levels`` calls
``Propagation.run``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from pyshardy.dialects.main_function import main_function
from pyshardy.dialects.sdy import placement
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.effects import is_trivially_dead
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.propagation.actions import NO_ACTION, Action, ActionTable, Node
from pyshardy.propagation.caches import cache_of
from pyshardy.propagation.calls import Calls
from pyshardy.propagation.directions import ALL_AT_ONCE, Directions, operands_have_single_use
from pyshardy.propagation.groups import ShardingGroups
from pyshardy.propagation.neighbours import Neighbours
from pyshardy.propagation.observers import PropagationObserver, PropagationStep, observers_of
from pyshardy.propagation.pre_scan import PreScan
from pyshardy.propagation.sharding_table import ShardingTable
from pyshardy.propagation.transfer_function import Shardings, TransferFunction, Updates, cache_key
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule

_MOST_CHANGES = 200
"""The number of changes per operation after which propagation is assumed not to terminate."""


class Propagation:
    """One run of a propagation pass over ``module``; it notifies ``observers`` and those of ``context``."""

    def __init__(
        self,
        module: Operation,
        context: Context,
        *,
        conservative: bool = False,
        observers: Sequence[PropagationObserver] = (),
    ) -> None:
        self.module = module
        self.context = context
        self.observers = (*observers, *observers_of(context))
        self.user_priority = 0
        """The current user priority: dimensions of this and of earlier priorities take part."""
        self.pre_scan = PreScan(module, context)
        self.groups = ShardingGroups(self.pre_scan.grouping, context)
        if not self.groups.empty:
            self.pre_scan = PreScan(module, context)
        self.table = ShardingTable(self._reset_around)
        meshes = placement.meshes(module)
        cache = cache_of(context, meshes, conservative=conservative)
        self.transfer = TransferFunction(meshes, cache.steps)
        self.main = main_function(module, context)
        calls = Calls(module)
        self._nodes: dict[Operation, Node] = {}
        self._stack: list[Node] = []
        self._order: list[Node] = []
        self._first = True
        self._position = 0
        self._bodies: set[Block | None] = set()
        """Blocks of functions: no enclosing operation of those in them has actions."""
        self._published = False
        self._strategy = ""
        self._priority = ALL_AT_ONCE
        self._actions = ActionTable(self.table, self.groups, calls, context, cache, conservative=conservative)
        self._notify_change = Neighbours(calls, self.pre_scan.indirect, self._add).add_around
        self._cache_key = 0
        self._erased: set[Operation] = set()
        self._changes_left = _MOST_CHANGES * (len(self.pre_scan.operations) + 100)
        self._returned: list[Action] | None = None
        for observer in self.observers:
            observer.began(self)

    def run(self, strategy: str, priority: int) -> None:
        """One fixed point at an op priority (or ``ALL_AT_ONCE``): function results, the worklist, function results."""
        self._begin(strategy, priority)
        self._function_results(strategy)
        if self._first:
            self._visit_first(priority)
        else:
            self._visit_in_order(priority)
        self._function_results(strategy)
        for observer in self.observers:
            observer.reached_fixed_point(self)

    def _visit_first(self, priority: int) -> None:
        """The first fixed point. All operations are on the worklist, in program order; an operation that has not been
        visited has no node yet, and is below those that were pushed again."""
        nodes, erased = self._nodes, self._erased
        prepare = self._actions.prepare
        for op in self.pre_scan.operations:
            if op in erased:
                continue
            results = op.results
            if not (results and results[0]._uses) and is_trivially_dead(op):
                self._erase(op)
            else:
                node = nodes[op] = Node(op)
                prepare(node)
                if node.priorities >> priority & 1:
                    self._visit(node, priority)
            if self._stack:
                self._drain_worklist(priority)
        self._order = [node for node in nodes.values() if node.spec is not NO_ACTION and node.op not in erased]
        for position, node in enumerate(self._order):
            node.position = position
        self._first = False

    def _visit_in_order(self, priority: int) -> None:
        """A later fixed point. All operations are on the worklist, in program order; those after ``_position`` still
        are. Only operations that may change something at this priority are visited, since visits of the others would
        have no effect."""
        get, at, stack = self.table.get, self._cache_key, self._stack
        for position, node in enumerate(self._order):
            if not node.priorities >> priority & 1:
                continue
            self._position = position
            spec = node.spec
            directions = spec.directions[priority]
            known = spec.cache[at]
            if directions is None or known is None or node.views is not None or node.further is not None:
                self._visit(node, priority)
            elif node.unchanged_with is not directions:
                # The common case: one action, and a step that is memoised.
                shardings = tuple(map(get, node.slots))
                updates = known.get(shardings)
                if updates is None:
                    self._apply(node, node, directions)
                elif not updates:
                    node.unchanged_with = directions
                elif not spec.needs_single_use or priority != 0 or operands_have_single_use(node.op):
                    self._change(node, node, directions, shardings, updates)
            if stack:
                self._drain_worklist(priority)
        self._position = len(self._order)

    def _drain_worklist(self, priority: int) -> None:
        """Visits the operations on the stack, including those pushed meanwhile, the top first."""
        stack, first, observers = self._stack, self._first, self.observers
        for observer in observers:
            observer.begins_worklist(self)
        while stack:
            node = stack.pop()
            if not node.on_worklist:
                continue
            node.on_worklist = False
            if first and is_trivially_dead(node.op):
                self._erase(node.op)
                continue
            for observer in observers:
                observer.visits_from_worklist(node.op)
            self._visit(node, priority)
        for observer in observers:
            observer.ends_worklist(self)

    def _visit(self, node: Node, priority: int) -> None:
        """Tries the actions of ``node`` until one changes something."""
        action: Action | None = node
        while action is not None:
            directions = action.spec.directions[priority]
            if (
                directions is not None
                and action.unchanged_with is not directions
                and self._apply(node, action, directions)
            ):
                return
            action = action.further

    def _begin(self, strategy: str, priority: int) -> None:
        if strategy != self._strategy:
            for node in self._order:
                node.reset_all()
            for action in self._returned or ():
                action.unchanged_with = None
        self._cache_key = cache_key(strategy, priority)
        self._strategy = strategy
        self._priority = priority

    def finish(self, *, keep_sharding_rules: bool) -> None:
        """Writes shardings and debug attributes, and keeps or removes the sharding rules of the operations."""
        self.table.flush()
        for observer in self.observers:
            observer.finished(self)
        if keep_sharding_rules:
            self._attach_rules()
        else:
            self._remove_rules()

    def publish(self) -> None:
        """Writes shardings and sharding rules as they are now, between two fixed points."""
        self.table.flush()
        self._attach_rules()
        self._published = True

    def _attach_rules(self) -> None:
        written: dict[tuple[DictionaryAttr, OpShardingRule], DictionaryAttr] = {}
        for op, node in self._nodes.items():
            rule = node.rule
            if rule is not None and op not in self._erased:
                key = op.attributes, rule
                attributes = written.get(key)
                if attributes is None:
                    attributes = written[key] = op.attributes.with_(SHARDING_RULE, rule)
                op.attributes = attributes

    def _remove_rules(self) -> None:
        for op in self._nodes if self._published else self.pre_scan.ruled:
            carried = op.attributes.entries.get(SHARDING_RULE)
            if isinstance(carried, OpShardingRule) and not carried.is_custom:
                op.attributes = op.attributes.without(SHARDING_RULE)

    def actions(self) -> Iterator[tuple[Operation, Action]]:
        """The actions of all operations that have not been erased, in the order of the first visits; those of the
        results of the main function last."""
        for op, node in self._nodes.items():
            if op not in self._erased:
                for action in node.actions():
                    yield op, action
        for action in self._returned or ():
            yield self.main, action

    def node(self, op: Operation) -> Node | None:
        """The node of ``op``, with all its actions; None if it has not been visited."""
        return self._nodes.get(op)

    def is_erased(self, op: Operation) -> bool:
        """Whether ``op`` (or an operation around it) was removed as dead."""
        return op in self._erased

    def erase_dead(self, dead: list[Operation]) -> None:
        """Erases operations whose results are only used among themselves, users first, before the first fixed point."""
        for op in dead:
            for nested in op.walk():
                self.table.forget(nested)
                self._erased.add(nested)
            self._remove(op)
        self.pre_scan = PreScan(self.module, self.context)

    # --- a visit --------------------------------------------------------------------------------------------------

    def _apply(self, node: Node, action: Action, directions: Directions) -> bool:
        """Runs ``action``, and returns whether it changed a sharding."""
        op, spec = node.op, action.spec
        table = self.table
        shardings = tuple(map(table.get, action.slots))
        views = action.views
        if views is not None and shardings[-1] is not None:
            shardings = (*shardings[:-1], views[0](shardings[-1]))
        known = spec.cache[self._cache_key]
        if known is None:
            known = spec.cache[self._cache_key] = self.transfer.cache(spec, directions, self._strategy)
        updates = known.get(shardings)
        if updates is None:
            updates = self.transfer.step(spec, shardings, directions, self._strategy)
        if not updates:
            action.unchanged_with = directions
            return False
        if spec.needs_single_use and self._priority == 0 and not operands_have_single_use(op):
            return False
        self._change(node, action, directions, shardings, updates)
        return True

    def _change(
        self, node: Node, action: Action, directions: Directions, shardings: Shardings, updates: Updates
    ) -> None:
        """Writes the updates of a step that began with ``shardings``, and pushes the neighbouring operations on the
        worklist."""
        op, table, views, slots, grouped = node.op, self.table, action.views, action.slots, action.grouped
        self._changes_left -= 1
        if self._changes_left < 0:
            self._refuse(op)
        for observer in self.observers:
            observer.writes(
                self, PropagationStep(op, action, shardings, updates, directions, self._strategy, self._priority)
            )
        node.unchanged_with = None
        if node.further is not None:
            node.reset_all()
        last = len(shardings) - 1
        for index, sharding in updates:
            slot = slots[index]
            if slot is None:
                continue
            new = views[1](sharding) if views is not None and index == last else sharding
            table.set(slot, new)
            self._notify_change(slot, op)
            for member in grouped[index] if grouped is not None else ():
                if member is not None:
                    table.set(member, new)
                    self._notify_change(member, op)

    def _refuse(self, op: Operation) -> NoReturn:
        what = "propagation does not come to an end: this operation and others around it undo each other's shardings"
        emit_at(self.context, "error", op, what)
        raise PassFailure

    def _function_results(self, strategy: str) -> None:
        """Makes each value that the main function returns agree with the function's result of that number."""
        if self._returned is None:
            self._returned = list(self._actions.returned(self.main))
        get, at = self.table.get, cache_key(strategy, ALL_AT_ONCE)
        for action in self._returned:
            spec = action.spec
            directions = spec.directions[ALL_AT_ONCE]
            if directions is None or action.unchanged_with is directions:
                continue
            shardings = tuple(map(get, action.slots))
            known = spec.cache[at]
            if known is None:
                known = spec.cache[at] = self.transfer.cache(spec, directions, strategy)
            updates = known.get(shardings)
            if updates is None:
                updates = self.transfer.step(spec, shardings, directions, strategy)
            if not updates:
                action.unchanged_with = directions
                continue
            for observer in self.observers:
                step = PropagationStep(self.main, action, shardings, updates, directions, strategy, self._priority)
                observer.writes(self, step)
            self._agree(action, updates)

    def _agree(self, action: Action, updates: Updates) -> None:
        """Writes the updates of a returned value or of the function's result."""
        for number, sharding in updates:
            self.table.set_silently(action.slots[number], sharding)
            for member in action.grouped[number] if action.grouped is not None else ():
                self.table.set_silently(member, sharding)

    # --- the worklist ---------------------------------------------------------------------------------------------

    def _add(self, op: Operation) -> None:
        """Pushes ``op`` on top, unless it is on the worklist, and then the operations that enclose it, if propagation
        acts on them."""
        node = self._nodes.get(op)
        if node is not None:
            node.unchanged_with = None
            if node.further is not None:
                node.reset_all()
            if not node.on_worklist and (self._first or self._needs_visit(node)):
                node.on_worklist = True
                self._stack.append(node)
        block = op.parent
        if block in self._bodies:
            return
        above = op.parent_op
        if above is None or above.name == "func.func":
            self._bodies.add(block)
            return
        while above is not None and above.name != "func.func" and above is not self.module:
            node = self._nodes.get(above)
            if node is not None and not node.on_worklist and self._needs_visit(node):
                node.on_worklist = True
                self._stack.append(node)
            above = above.parent_op

    def _needs_visit(self, node: Node) -> bool:
        """Whether ``node``, which is not on the stack, may change something now and comes earlier in program order than
        the current position; later ones are visited in any case."""
        return bool(node.priorities >> self._priority & 1) and (self._first or node.position <= self._position)

    def _reset_around(self, value: Value) -> None:
        """Resets ``unchanged_with`` of the operations around ``value``."""
        around = list(value.users)
        if value.defining_op is not None:
            around.append(value.defining_op)
        for op in around:
            node = self._nodes.get(op)
            if node is not None:
                node.reset_all()

    def _erase(self, op: Operation) -> None:
        gone: set[Operation] = set()
        for one in _innermost_and_last_first(op):
            gone.add(one)
            for value in one.operands:
                definition = value.defining_op
                if definition is not None and len({user for user in value.users if user not in gone}) < 2:
                    self._add(definition)
        for nested in op.walk():
            node = self._nodes.get(nested)
            if node is not None:
                node.on_worklist = False
            self.table.forget(nested)
            self._erased.add(nested)
        self._remove(op)

    def _remove(self, op: Operation) -> None:
        """Erases ``op``, which is dead, from the program."""
        for observer in self.observers:
            observer.erases(op)
        rewriting.erase(op)


def _innermost_and_last_first(op: Operation) -> Iterator[Operation]:
    """The order in which MLIR's driver erases an operation with all that it contains."""
    for region in reversed(op.regions):
        for block in reversed(region.blocks):
            for inner in reversed(list(block)):
                yield from _innermost_and_last_first(inner)
    yield op
