"""The directions in which shardings may propagate through an operation, by priority.

Op-priority propagation begins with the operations that only pass data through. The tables here have the allowed
directions for each priority, kind of operation and kind of factor. Source: Shardy's documentation, propagation.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import TensorType
from pyshardy.rules.elementwise import is_elementwise
from pyshardy.sharding.rule import OpShardingRule

NONE, FORWARD, BACKWARD, BOTH = range(4)

Directions = tuple[int, ...]
"""One direction for each factor."""

OP_PRIORITIES = range(5)

PASS_THROUGH, _SLICE, _BROADCAST, _OTHER = range(4)
_KINDS = {
    "stablehlo.reshape": PASS_THROUGH,
    "stablehlo.transpose": PASS_THROUGH,
    "sdy.data_flow_edge": PASS_THROUGH,
    "sdy.func_data_flow_edge": PASS_THROUGH,
    "stablehlo.dynamic_slice": _SLICE,
    "stablehlo.dynamic_update_slice": _SLICE,
    "stablehlo.broadcast_in_dim": _BROADCAST,
}
PRIORITIES = {"pass_through": PASS_THROUGH, "slice": _SLICE, "broadcast": _BROADCAST}
"""The values of ``priority`` in the row of an operation of a registered dialect, with their kinds in the schedule."""
_PASS_THROUGH_TARGETS = ("MoveToDevice", "MoveToHost")

# kind → per priority (direction of pass-through factors, direction of all others); at priority 0 the first two kinds
# also require that every operand has a single use.
_SCHEDULE: dict[int, tuple[tuple[int, int], ...]] = {
    PASS_THROUGH: ((BOTH, BOTH), (BOTH, BOTH), (BOTH, BOTH), (BOTH, BOTH), (BOTH, BOTH)),
    _SLICE: ((FORWARD, FORWARD), (FORWARD, FORWARD), (BOTH, FORWARD), (BOTH, BOTH), (BOTH, BOTH)),
    _BROADCAST: ((NONE, NONE), (NONE, NONE), (BACKWARD, NONE), (BACKWARD, BACKWARD), (BOTH, BOTH)),
    _OTHER: ((NONE, NONE), (NONE, NONE), (BOTH, NONE), (BOTH, BOTH), (BOTH, BOTH)),
}


def op_kind(op: Operation) -> int:
    """The row of the schedule that ``op`` belongs to."""
    kind = _KINDS.get(op.name)
    if kind is not None:
        return kind
    if op.name == "stablehlo.custom_call":
        target = op.properties.get("call_target_name")
        return PASS_THROUGH if getattr(target, "value", None) in _PASS_THROUGH_TARGETS else _OTHER
    if is_elementwise(op):
        return PASS_THROUGH
    row = foreign_row(op.name)
    return PRIORITIES.get(row.priority or "", _OTHER) if row is not None else _OTHER


def operands_have_single_use(op: Operation) -> bool:
    """Whether every operand that is not a scalar has no other use: a condition of priority 0."""
    for value in op.operands:
        if not value.has_one_use and not (isinstance(value.type, TensorType) and value.type.rank == 0):
            return False
    return True


ALL_AT_ONCE = len(OP_PRIORITIES)
"""A priority at which all kinds of operations propagate in all directions."""

DirectionsByPriority = tuple[Directions | None, ...]
"""For each op priority, then for ``ALL_AT_ONCE``: the direction of each factor, or None if all are closed."""


def directions_by_priority(rule: OpShardingRule, kind: int) -> DirectionsByPriority:
    """The directions of the factors of ``rule`` on an operation of that ``op_kind``."""
    rows = [*_SCHEDULE[kind], (BOTH, BOTH)]
    return tuple(_directions(rule, passing, other) for passing, other in rows)


def _directions(rule: OpShardingRule, passing: int, other: int) -> Directions | None:
    blocked = rule.blocked_propagation_factors
    found = tuple(
        NONE if factor in blocked else passing if rule.is_pass_through(factor) else other
        for factor in range(rule.num_factors)
    )
    return _one_object.setdefault(found, found) if any(found) else None


_one_object: dict[Directions, Directions] = {}
"""Equal directions are one object, so that they compare fast."""


def waits_for_single_use(kind: int) -> bool:
    """Whether operations of this kind take part in priority 0 only if their operands have a single use."""
    return kind in (PASS_THROUGH, _SLICE)
