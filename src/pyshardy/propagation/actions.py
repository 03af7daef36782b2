"""What propagation does when it visits an operation, worked out once an operation.

An action is a rule over the holders of the operation's tensors. Most operations have the one of their sharding rule;
data flow edges, function edges and propagation barriers have identity rules of their own. ``fixed_point`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pyshardy.dialects.sdy import dataflow
from pyshardy.ir.operation import BlockArgument, Operation, Value
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
from pyshardy.propagation.step import Shardings
from pyshardy.rules.builder import identity_rule
from pyshardy.rules.elementwise import is_elementwise
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.fixed_point import Propagation

View = Callable[[TensorSharding], TensorSharding]


class Action:
    """A rule over ``holders`` (operands, then results). ``directions`` has an entry for each op priority; ``waits``
    says that at priority 0 the operands must have a single use. ``views`` translate the last holder's sharding
    before and after the step (the two sides of a manual computation see different ones). ``idle`` is what the last
    visit that changed nothing saw: shardings, directions and strategy."""

    __slots__ = ("conservative", "directions", "elementwise", "holders", "idle", "rule", "views", "waits")

    def __init__(
        self,
        rule: OpShardingRule,
        holders: tuple[Holder | None, ...],
        directions: DirectionsByPriority,
        *,
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
        self.idle: tuple[Shardings, Directions, str] | None = None


class ActionTable:
    """Makes the actions of operations; what depends on the rule alone is worked out once."""

    __slots__ = ("_run", "_traits_by_rule")

    def __init__(self, run: Propagation) -> None:
        self._run = run
        self._traits_by_rule: dict[tuple[str, OpShardingRule], tuple[DirectionsByPriority, bool, bool]] = {}

    def actions_of(self, op: Operation) -> tuple[Action, ...]:
        """The actions of ``op`` in the order in which they are tried; the first that changes something ends a visit."""
        run = self._run
        found = []
        special = _SPECIAL.get(op.name)
        if special is not None:
            action = special(op, run)
            if action is not None:
                found.append(action)
        rule = run.rule(op)
        if rule is not None:
            holders = tuple(map(run.table.holder_of, (*op.operands, *op.results)))
            directions, waits, elementwise = self._traits(op, rule)
            action = Action(
                rule, holders, directions, waits=waits, elementwise=elementwise, conservative=run.conservative
            )
            found.append(action)
        return tuple(found)

    def _traits(self, op: Operation, rule: OpShardingRule) -> tuple[DirectionsByPriority, bool, bool]:
        if op.name in _TRAITS_VARY:
            return _traits(op, rule)
        key = (op.name, rule)
        known = self._traits_by_rule.get(key)
        if known is None:
            known = self._traits_by_rule[key] = _traits(op, rule)
        return known


_TRAITS_VARY = frozenset({"stablehlo.custom_call", "stablehlo.bitcast_convert"})
"""Operations of one name and rule that the schedule treats differently."""


def _traits(op: Operation, rule: OpShardingRule) -> tuple[DirectionsByPriority, bool, bool]:
    kind = op_kind(op)
    return directions_by_priority(rule, kind), waits_for_single_use(kind), is_elementwise(op)


def _identity(
    run: Propagation, sources: list[Value], target: Value
) -> tuple[OpShardingRule, tuple[Holder | None, ...]]:
    assert isinstance(target.type, TensorType)
    rule = identity_rule(target.type.shape, len(sources), 1)
    return rule, tuple(map(run.table.holder_of, (*sources, target)))


def _data_flow_edge(op: Operation, run: Propagation) -> Action | None:
    owner, target = op.operands[0], op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    sources = dataflow.edge_sources(owner)
    rule, holders = _identity(run, sources, target)
    views = (partial(dataflow.from_edge, op), partial(dataflow.to_edge, op))
    return Action(rule, holders, directions_by_priority(rule, op_kind(op)), waits=True, views=views)


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
    rule, holders = _identity(run, sources, target)
    return Action(rule, holders, directions_by_priority(rule, op_kind(op)), waits=True)


_BARRIER_DIRECTIONS = {0: NONE, 1: FORWARD, 2: BACKWARD, 3: BOTH}


def _barrier(op: Operation, run: Propagation) -> Action | None:
    target = op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    rule, holders = _identity(run, op.operands, target)
    allowed = getattr(op.properties.get("allowed_direction"), "value", BOTH)
    directions = (_BARRIER_DIRECTIONS[allowed],) * target.type.rank
    return Action(rule, holders, (directions if any(directions) else None,) * (ALL_AT_ONCE + 1), elementwise=True)


_SPECIAL: dict[str, Callable[[Operation, Propagation], Action | None]] = {
    "sdy.data_flow_edge": _data_flow_edge,
    "sdy.func_data_flow_edge": _function_edge,
    "sdy.propagation_barrier": _barrier,
}
