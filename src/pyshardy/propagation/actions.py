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
from pyshardy.propagation.directions import BACKWARD, BOTH, FORWARD, NONE, Directions, op_kind
from pyshardy.propagation.sharding_table import Holder
from pyshardy.rules.builder import identity_rule
from pyshardy.rules.elementwise import is_elementwise
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.fixed_point import Propagation

View = Callable[[TensorSharding], TensorSharding]


class Action:
    """A rule over ``holders`` (operands, then results). ``kind`` is the operation's row in the schedule of
    directions, or ``directions`` are fixed. ``views`` translate the last holder's sharding before and after the step
    (the two sides of a manual computation see different ones)."""

    __slots__ = ("conservative", "directions", "elementwise", "holders", "kind", "rule", "views")

    def __init__(
        self,
        rule: OpShardingRule,
        holders: tuple[Holder | None, ...],
        *,
        kind: int = 0,
        directions: Directions | None = None,
        elementwise: bool = False,
        conservative: bool = False,
        views: tuple[View, View] | None = None,
    ) -> None:
        self.rule = rule
        self.holders = holders
        self.kind = kind
        self.directions = directions
        self.elementwise = elementwise
        self.conservative = conservative
        self.views = views


def actions_of(op: Operation, run: Propagation) -> tuple[Action, ...]:
    """The actions of ``op`` in the order in which they are tried; the first that changes something ends a visit."""
    found = []
    special = _SPECIAL.get(op.name)
    if special is not None:
        action = special(op, run)
        if action is not None:
            found.append(action)
    rule = run.rule(op)
    if rule is not None:
        holders = tuple(map(run.table.holder_of, (*op.operands, *op.results)))
        found.append(
            Action(rule, holders, kind=op_kind(op), elementwise=is_elementwise(op), conservative=run.conservative)
        )
    return tuple(found)


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
    return Action(
        rule, holders, kind=op_kind(op), views=(partial(dataflow.from_edge, op), partial(dataflow.to_edge, op))
    )


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
    return Action(rule, holders, kind=op_kind(op))


_BARRIER_DIRECTIONS = {0: NONE, 1: FORWARD, 2: BACKWARD, 3: BOTH}


def _barrier(op: Operation, run: Propagation) -> Action | None:
    target = op.results[0]
    if not (isinstance(target.type, TensorType) and target.type.has_static_shape):
        return None
    rule, holders = _identity(run, op.operands, target)
    allowed = getattr(op.properties.get("allowed_direction"), "value", BOTH)
    return Action(rule, holders, directions=(_BARRIER_DIRECTIONS[allowed],) * target.type.rank, elementwise=True)


_SPECIAL: dict[str, Callable[[Operation, Propagation], Action | None]] = {
    "sdy.data_flow_edge": _data_flow_edge,
    "sdy.func_data_flow_edge": _function_edge,
    "sdy.propagation_barrier": _barrier,
}
