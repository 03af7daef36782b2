"""What propagation does when it visits an operation, worked out once an operation.

An action is a rule over the holders of the operation's tensors. Most operations have the one of their sharding rule;
data flow edges, function edges and propagation barriers have identity rules of their own. ``fixed_point`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.dialects.sdy import dataflow
from pyshardy.ir.operation import BlockArgument, Operation, Signature, Value
from pyshardy.ir.types import TensorType
from pyshardy.propagation.directions import (
    ALL_AT_ONCE,
    BACKWARD,
    BOTH,
    FORWARD,
    NONE,
    Directions,
    DirectionsByPriority,
    directions_by_priority,
    op_kind,
    waits_for_single_use,
)
from pyshardy.propagation.sharding_table import Holder
from pyshardy.rules.builder import identity_rule
from pyshardy.rules.elementwise import is_elementwise
from pyshardy.rules.registry import looks_around
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.fixed_point import Propagation

View = Callable[[TensorSharding], TensorSharding]
Grouped = tuple[tuple[Holder | None, ...], ...] | None


class Action:
    """A rule over ``holders`` (operands, then results). ``directions`` has an entry for each op priority; ``waits``
    says that at priority 0 the operands must have a single use. ``views`` translate the last holder's sharding
    before and after the step (the two sides of a manual computation see different ones). ``grouped`` are for each
    tensor the other members of its sharding group, None if no tensor is in a group. ``idle`` are the directions
    with which the last visit changed nothing; a change of one of the holders resets it."""

    __slots__ = ("conservative", "directions", "elementwise", "grouped", "holders", "idle", "rule", "views", "waits")

    def __init__(
        self,
        rule: OpShardingRule,
        holders: tuple[Holder | None, ...],
        directions: DirectionsByPriority,
        *,
        grouped: Grouped = None,
        waits: bool = False,
        elementwise: bool = False,
        conservative: bool = False,
        views: tuple[View, View] | None = None,
    ) -> None:
        self.rule = rule
        self.holders = holders
        self.directions = directions
        self.waits = waits
        self.elementwise = elementwise
        self.conservative = conservative
        self.views = views
        self.grouped = grouped
        self.idle: Directions | None = None


class Node:
    """An operation on the work list: its actions in the order in which they are tried (the first that changes something
    ends a visit; None before the first visit), its sharding rule, and whether it is listed now."""

    __slots__ = ("actions", "listed", "op", "rule")

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.actions: tuple[Action, ...] | None = None
        self.rule: OpShardingRule | None = None
        self.listed = False

    def is_active(self, priority: int) -> bool:
        """Whether a visit at ``priority`` could change something."""
        for action in self.actions or ():
            if action.directions[priority] is not None:
                return True
        return False


class _Traits(NamedTuple):
    rule: OpShardingRule
    directions: DirectionsByPriority
    waits: bool
    elementwise: bool


class ActionTable:
    """Makes the actions of operations; what operations that were made alike have in common is worked out once."""

    __slots__ = ("_by_rule", "_by_signature", "_run")

    def __init__(self, run: Propagation) -> None:
        self._run = run
        self._by_rule: dict[tuple[str, OpShardingRule], _Traits] = {}
        self._by_signature: dict[Signature, _Traits | None] = {}

    def prepare(self, node: Node) -> tuple[Action, ...]:
        """Works out the rule and the actions of ``node``."""
        op, run = node.op, self._run
        special = _SPECIAL.get(op.name)
        first = special(op, run) if special is not None else None
        actions: tuple[Action, ...] = () if first is None else (first,)
        traits = self._traits(op)
        if traits is not None:
            node.rule = traits.rule
            holders, grouped = _tensors(run, [*op.operands, *op.results])
            action = Action(
                traits.rule,
                holders,
                traits.directions,
                grouped=grouped,
                waits=traits.waits,
                elementwise=traits.elementwise,
                conservative=run.conservative,
            )
            actions = (*actions, action)
        for action in actions:
            run.table.watch(action)
        node.actions = actions
        return actions

    def _traits(self, op: Operation) -> _Traits | None:
        signature = op.signature
        if signature is None or op.attributes is not signature.attributes or op.properties is not signature.properties:
            return self._computed(op)
        try:
            return self._by_signature[signature]
        except KeyError:
            found = self._computed(op)
            if not looks_around(op):
                self._by_signature[signature] = found
            return found

    def _computed(self, op: Operation) -> _Traits | None:
        rule = self._run.rules.rule(op)
        if rule is None:
            return None
        # Operations of these names and one rule are treated differently by the schedule.
        if op.name in ("stablehlo.custom_call", "stablehlo.bitcast_convert"):
            return _make_traits(op, rule)
        key = (op.name, rule)
        known = self._by_rule.get(key)
        if known is None:
            known = self._by_rule[key] = _make_traits(op, rule)
        return known


def _make_traits(op: Operation, rule: OpShardingRule) -> _Traits:
    kind = op_kind(op)
    return _Traits(rule, directions_by_priority(rule, kind), waits_for_single_use(kind), is_elementwise(op))


def _tensors(run: Propagation, values: list[Value]) -> tuple[tuple[Holder | None, ...], Grouped]:
    """The holders of ``values``, and for each those of the other members of its group."""
    holder_of = run.table.holder_of
    holders = tuple([holder_of(value) for value in values])
    if run.groups.empty:
        return holders, None
    grouped = tuple(tuple(map(holder_of, run.groups.others(value))) for value in values)
    return holders, grouped if any(grouped) else None


def _identity(
    run: Propagation, sources: list[Value], target: Value
) -> tuple[OpShardingRule, tuple[Holder | None, ...], Grouped]:
    assert isinstance(target.type, TensorType)
    rule = identity_rule(target.type.shape, len(sources), 1)
    return rule, *_tensors(run, [*sources, target])


def _data_flow_edge(op: Operation, run: Propagation) -> Action | None:
    owner, target = op.operands[0], op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    sources = dataflow.edge_sources(owner)
    rule, holders, grouped = _identity(run, sources, target)
    views = (partial(dataflow.from_edge, op), partial(dataflow.to_edge, op))
    return Action(rule, holders, directions_by_priority(rule, op_kind(op)), grouped=grouped, waits=True, views=views)


def _function_edge(op: Operation, run: Propagation) -> Action | None:
    value, target = op.operands[0], op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    if isinstance(value, BlockArgument):
        func = value.owner.parent_op
        assert func is not None
        sources = [call.operands[value.index] for call in run.calls_of(func)]
    else:
        sources = run.returned_values(value)
    if not sources:
        return None
    rule, holders, grouped = _identity(run, sources, target)
    return Action(rule, holders, directions_by_priority(rule, op_kind(op)), grouped=grouped, waits=True)


_BARRIER_DIRECTIONS = {0: NONE, 1: FORWARD, 2: BACKWARD, 3: BOTH}


def _barrier(op: Operation, run: Propagation) -> Action | None:
    target = op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    rule, holders, grouped = _identity(run, op.operands, target)
    allowed = getattr(op.properties.get("allowed_direction"), "value", BOTH)
    directions = (_BARRIER_DIRECTIONS[allowed],) * target.type.rank
    rows = (directions if any(directions) else None,) * (ALL_AT_ONCE + 1)
    return Action(rule, holders, rows, grouped=grouped, elementwise=True)


_SPECIAL: dict[str, Callable[[Operation, Propagation], Action | None]] = {
    "sdy.data_flow_edge": _data_flow_edge,
    "sdy.func_data_flow_edge": _function_edge,
    "sdy.propagation_barrier": _barrier,
}
