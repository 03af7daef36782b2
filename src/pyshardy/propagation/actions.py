"""The actions of propagation at an operation, computed once for each operation.

An action is a rule over the sharding slots of the operation's tensors. Most operations have one action, with their
sharding rule; data-flow edges, function edges and propagation barriers have actions with identity rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from pyshardy.dialects.sdy import dataflow, placement
from pyshardy.ir.context import Context
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.types import TensorType
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.propagation.caches import PropagationCache
from pyshardy.propagation.calls import Calls
from pyshardy.propagation.directions import (
    ALL_AT_ONCE,
    BACKWARD,
    BOTH,
    FORWARD,
    NONE,
    PASS_THROUGH,
    Directions,
    directions_by_priority,
    op_kind,
    waits_for_single_use,
)
from pyshardy.propagation.groups import ShardingGroups
from pyshardy.propagation.sharding_table import ShardingSlot, ShardingTable
from pyshardy.propagation.transfer_function import ActionSpec
from pyshardy.rules.builder import identity_rule
from pyshardy.rules.elementwise import is_elementwise
from pyshardy.rules.registry import RuleTable, looks_around
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

View = Callable[[TensorSharding], TensorSharding]
Grouped = tuple[tuple[ShardingSlot | None, ...], ...] | None


class Action:
    """A rule over ``slots`` (operands, then results). ``views`` translate the last slot's sharding before and after the
    step (the two sides of a manual computation see different ones). ``grouped`` has for each tensor the other members
    of its sharding group, and is None if no tensor is in a group. ``unchanged_with`` are the directions with which the
    last visit changed nothing, so that such a visit can be skipped; a change of one of the slots resets it: directly,
    through the worklist, or through ``ShardingTable.watch`` for slots that are no operand or result of the operation.
    ``further`` is the next action of the same operation, which is tried if this one changes nothing."""

    __slots__ = ("further", "grouped", "slots", "spec", "unchanged_with", "views")

    def __init__(
        self,
        spec: ActionSpec,
        slots: tuple[ShardingSlot | None, ...],
        grouped: Grouped = None,
        views: tuple[View, View] | None = None,
    ) -> None:
        self.spec = spec
        self.slots = slots
        self.grouped = grouped
        self.views = views
        self.unchanged_with: Directions | None = None
        self.further: Action | None = None

    def reset(self) -> None:
        """Resets ``unchanged_with`` after a change, so that the next visit is not skipped."""
        self.unchanged_with = None


NO_ACTION = ActionSpec(OpShardingRule((), (), ()), (None,) * (ALL_AT_ONCE + 1))
"""The spec of an operation through which no sharding propagates."""


class Node(Action):
    """An operation on the worklist. It is its own first action, since most operations have only one; further actions
    are tried one after the other, and the first that changes something ends a visit."""

    __slots__ = ("on_worklist", "op", "position", "priorities", "rule")

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.spec = NO_ACTION
        self.slots = ()
        self.grouped = None
        self.views = None
        self.unchanged_with = None
        self.further = None
        self.priorities = 0
        """The priorities at which a visit could change something, as bits."""
        self.rule: OpShardingRule | None = None
        """The sharding rule of the operation."""
        self.on_worklist = False
        """Whether it is on the worklist."""
        self.position = 0
        """Its position in program order, among the operations with actions; set after the first fixed point."""

    def actions(self) -> Iterator[Action]:
        """The actions, in the order in which they are tried."""
        action: Action | None = self if self.spec is not NO_ACTION else None
        while action is not None:
            yield action
            action = action.further

    def reset_all(self) -> None:
        """Resets ``unchanged_with`` of all actions."""
        action: Action | None = self
        while action is not None:
            action.unchanged_with = None
            action = action.further


class ActionTable:
    """Makes the actions of operations; specs are computed once for all operations with one signature."""

    __slots__ = (
        "_by_rule",
        "_by_signature",
        "_conservative",
        "_groups",
        "_has_groups",
        "_identities",
        "_rules",
        "calls",
        "context",
        "table",
    )

    def __init__(
        self,
        table: ShardingTable,
        groups: ShardingGroups,
        calls: Calls,
        context: Context,
        cache: PropagationCache,
        *,
        conservative: bool,
    ) -> None:
        self.table = table
        self.calls = calls
        self.context = context
        self._groups = groups
        self._has_groups = not groups.empty
        self._conservative = conservative
        self._rules = RuleTable(context, conservative=conservative, known=cache.rules)
        self._by_rule = cache.by_rule
        self._by_signature = cache.by_signature
        self._identities = cache.identities

    def prepare(self, node: Node) -> None:
        """Computes the rule and the actions of ``node``."""
        op = node.op
        signature = op.signature
        if signature is None or op.attributes is not signature.attributes or op.properties is not signature.properties:
            spec = self._computed(op)
        else:
            spec = self._by_signature.get(signature, _UNKNOWN)
            if spec is _UNKNOWN:
                spec = self._computed(op)
                if not looks_around(op):
                    self._by_signature[signature] = spec
        if op.name in _SPECIAL:
            self._prepare_special(node)
        if spec is None:
            return
        node.rule = spec.rule
        node.priorities |= spec.priorities
        slots, elsewhere = self.table.slots_of(op, plain=spec.plain)
        if node.spec is NO_ACTION:
            action: Action = node
            action.spec, action.slots = spec, slots
        else:
            action = node.further = Action(spec, slots)
        if self._has_groups:
            action.grouped = self.grouped((*op.operands, *op.results))
        if elsewhere:
            self.table.watch(slots, action.reset)

    def _prepare_special(self, node: Node) -> None:
        action = _SPECIAL[node.op.name](node.op, self)
        if action is not None:
            node.spec, node.slots, node.grouped, node.views = (
                action.spec,
                action.slots,
                action.grouped,
                action.views,
            )
            self.table.watch(node.slots, node.reset)
            node.priorities = node.spec.priorities

    def _computed(self, op: Operation) -> ActionSpec | None:
        rule = self._rules.rule(op)
        if rule is None:
            return None
        # The schedule treats operations of these names differently, even if they have equal rules.
        if op.name in ("stablehlo.custom_call", "stablehlo.bitcast_convert"):
            return self._made(op, rule)
        key = (op.name, rule)
        known = self._by_rule.get(key)
        if known is None:
            known = self._by_rule[key] = self._made(op, rule)
        return known

    def _made(self, op: Operation, rule: OpShardingRule) -> ActionSpec:
        kind = op_kind(op)
        return ActionSpec(
            rule,
            directions_by_priority(rule, kind),
            needs_single_use=waits_for_single_use(kind),
            elementwise=is_elementwise(op),
            conservative=self._conservative,
            plain=placement.is_plain(op),
        )

    def identity(self, sources: int, target: Value, directions: Directions | None = None) -> ActionSpec:
        """The spec of an identity from ``sources`` tensors to ``target``, at all priorities with ``directions``, or
        as the schedule has it for data-flow edges."""
        assert isinstance(target.type, TensorType)
        key = (sources, target.type.shape, directions)
        known = self._identities.get(key)
        if known is None:
            known = self._identities[key] = _identity_spec(*key)
        return known

    def returned(self, main: Operation) -> Iterator[Action]:
        """The actions that make each value that ``main`` returns agree with the function's result of that number."""
        by_shape: dict[tuple[int, ...], ActionSpec] = {}
        for block in main.regions[0].blocks[:1]:
            for index, value in enumerate(block.terminator.operands):
                if isinstance(value.type, TensorType) and value.type.has_static_shape:
                    shape = value.type.shape
                    spec = by_shape.get(shape)
                    if spec is None:
                        directions = ((BOTH,) * len(shape) or None,) * (ALL_AT_ONCE + 1)
                        spec = by_shape[shape] = ActionSpec(identity_rule(shape, 1, 1), directions)
                    slots = (self.table.slot_of(value), self.table.function_result(main, index))
                    grouped = self.grouped([value])
                    action = Action(spec, slots, (*grouped, ()) if grouped is not None else None)
                    self.table.watch(slots, action.reset)
                    yield action

    def grouped(self, values: Iterable[Value]) -> Grouped:
        """For each value the slots of the other members of its sharding group; None if no value is in a group."""
        if self._groups.empty:
            return None
        slots = [self.table.slot_of(value) or value for value in values]
        others = tuple(tuple(map(self.table.slot_of, self._groups.others(slot))) for slot in slots)
        return others if any(others) else None


_UNKNOWN = ActionSpec(OpShardingRule((), (), ()), ())


def _identity_spec(sources: int, shape: tuple[int, ...], directions: Directions | None) -> ActionSpec:
    rule = identity_rule(shape, sources, 1)
    if directions is not None:
        return ActionSpec(rule, (directions if any(directions) else None,) * (ALL_AT_ONCE + 1), elementwise=True)
    return ActionSpec(rule, directions_by_priority(rule, PASS_THROUGH), needs_single_use=True)


def _identity(actions: ActionTable, sources: list[Value], target: Value, **rest: Any) -> Action:
    """The action of an identity from ``sources`` to ``target``."""
    values = [*sources, target]
    slots = tuple(map(actions.table.slot_of, values))
    views = rest.pop("views", None)
    return Action(actions.identity(len(sources), target, **rest), slots, actions.grouped(values), views)


def _is_shaped(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.has_static_shape


def _data_flow_edge(op: Operation, actions: ActionTable) -> Action | None:
    if not _is_shaped(op.results[0]):
        return None
    if dataflow.owner_of_target(op.operands[0]) is None:
        message = (
            "'sdy.data_flow_edge' op expects as input a result or block argument of a data-flow operation (a while, a "
            "case, an optimization barrier, a manual or named computation) that owns an edge"
        )
        emit_at(actions.context, "error", op, message)
        raise PassFailure
    views = (partial(dataflow.from_edge, op), partial(dataflow.to_edge, op))
    return _identity(actions, dataflow.edge_sources(op.operands[0]), op.results[0], views=views)


def _function_edge(op: Operation, actions: ActionTable) -> Action | None:
    value, target = op.operands[0], op.results[0]
    if not _is_shaped(target):
        return None
    if isinstance(value, BlockArgument):
        func = value.owner.parent_op
        assert func is not None
        sources = [call.operands[value.index] for call in actions.calls.of(func)]
    else:
        sources = actions.calls.returned_values(value)
    return _identity(actions, sources, target) if sources else None


_BARRIER_DIRECTIONS = {0: NONE, 1: FORWARD, 2: BACKWARD, 3: BOTH}


def _barrier(op: Operation, actions: ActionTable) -> Action | None:
    target = op.results[0]
    if not isinstance(target.type, TensorType) or not _is_shaped(target):
        return None
    allowed = getattr(op.properties.get("allowed_direction"), "value", BOTH)
    directions = (_BARRIER_DIRECTIONS[allowed],) * target.type.rank
    return _identity(actions, op.operands, target, directions=directions)


_SPECIAL: dict[str, Callable[[Operation, ActionTable], Action | None]] = {
    "sdy.data_flow_edge": _data_flow_edge,
    "sdy.func_data_flow_edge": _function_edge,
    "sdy.propagation_barrier": _barrier,
}
