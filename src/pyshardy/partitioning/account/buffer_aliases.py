"""Which values share a buffer: the results of reshapes, and the values that a loop carries unchanged, are aliases of
their operands. And which operations have regions that read buffers."""

from __future__ import annotations

from collections.abc import Sequence, Set

from pyshardy.dialects.control_flow import has_control_flow
from pyshardy.ir.operation import Operation, OpResult, Value

_WHILE = "stablehlo.while"
ALIASES = frozenset({"stablehlo.reshape", "stablehlo.get_tuple_element"})
"""Operations whose result is an alias of their operand."""


def has_tensors_inside(op: Operation) -> bool:
    """Whether the regions of ``op`` work on tensors, not on scalars."""
    return bool(op.regions) and has_control_flow(op)


def invariant_indices(op: Operation) -> list[int]:
    """The indices of the values that a loop passes unchanged from one iteration to the next; none for other
    operations."""
    if op.name != _WHILE:
        return []
    body = op.regions[1].blocks[0]
    returned = body.terminator.operands
    return [index for index, argument in enumerate(body.arguments) if returned[index] is argument]


def _is_invariant(loop: Operation, index: int) -> bool:
    """Whether ``index`` is one of the ``invariant_indices`` of ``loop``."""
    body = loop.regions[1].blocks[0]
    return body.terminator.operands[index] is body.arguments[index]


def buffer_owner(value: Value) -> Value:
    """The value that owns the buffer of ``value``: ``value`` itself, unless it is an alias."""
    while isinstance(value, OpResult):
        made = value.owner
        name = made.name
        if name not in ALIASES and (name != _WHILE or not _is_invariant(made, value.index)):
            break
        value = made.operands[value.index]
    return value


def unmaterialized_values(operations: Sequence[Operation], fused: Set[Value]) -> Set[Value]:
    """The values that ``operations``, all of one block, read or make and that have no buffer, if the values ``fused``
    have none: these and their aliases, but no alias of a value that has a buffer."""
    aliases = [op for op in operations if op.name in ALIASES or op.name == _WHILE]
    if not aliases:
        return fused
    found = set(fused)
    for op in aliases:
        for result in op.results:
            if buffer_owner(result) in fused:
                found.add(result)
            else:
                found.discard(result)
    return found
