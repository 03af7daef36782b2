"""Which values of a program never stand in memory: those that any compiler makes where they are read.

An elementwise operation, or one that spreads what it is given, needs no memory for its result if all who read it work
element by element, too, or reduce. What is cheap is made again for each reader; what is not (an exponential) must have
one. Reshapes, and what a loop only carries along, are other names of the same memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.ir.opdef import DATA_MOVEMENT, ELEMENTWISE, EXPENSIVE, TERMINATOR
from pyshardy.ir.operation import Operation, OpResult, Value

_WHILE = "stablehlo.while"

_WITH_TENSORS_INSIDE = frozenset({"stablehlo.case", "stablehlo.if", _WHILE})
"""Our operations whose regions work on tensors; those of the others on scalars."""


def has_tensors_inside(op: Operation) -> bool:
    """Whether the regions of ``op`` work on tensors, not on scalars."""
    return bool(op.regions) and (op.name in _WITH_TENSORS_INSIDE or runs_tensors(op))


_IN_THE_SAME_MEMORY = frozenset({"stablehlo.reshape", "stablehlo.get_tuple_element"})
"""Operations whose result is the memory of their operand."""

_SPREADING = frozenset(f"stablehlo.{name}" for name in ("broadcast", "broadcast_in_dim", "iota"))
_READING = _SPREADING | {"stablehlo.reduce"}
"""What reads element by element, besides elementwise operations."""


def carried_along(op: Operation) -> list[int]:
    """The numbers of the values that a loop hands from turn to turn as they are; none for other operations."""
    if op.name != _WHILE:
        return []
    body = op.regions[1].blocks[0]
    returned = body.terminator.operands
    return [index for index, argument in enumerate(body.arguments) if returned[index] is argument]


def value_in_memory(value: Value) -> Value:
    """The value whose memory ``value`` is another name of; itself if it is none."""
    while isinstance(value, OpResult):
        made = value.owner
        name = made.name
        if name not in _IN_THE_SAME_MEMORY and (name != _WHILE or value.index not in carried_along(made)):
            break
        value = made.operands[value.index]
    return value


def values_in_passing(operations: Sequence[Operation]) -> set[Value]:
    """The results of ``operations``, those of one block in order, that never stand in memory."""
    passing: set[Value] = set()
    readable: dict[Value, bool] = {}
    sinks: dict[Value, Operation | None] = {}
    by_name: dict[str, tuple[bool, bool, bool]] = {}
    for op in reversed(operations):
        name = op.name
        known = by_name.get(name)
        if known is None:
            known = by_name[name] = _reads_elements(op), _makes_elements(op, one_reader=True), _is_cheap(op)
        sink: Operation | None = op
        reads, makes, is_cheap = known
        if len(op.results) == 1:
            result = op.results[0]
            if name in _IN_THE_SAME_MEMORY:
                reads = readable.get(result, False)
                sink = sinks.get(result)
                passing.add(result)
            elif makes and readable.get(result, False) and (is_cheap or sinks[result] is not None):
                sink = sinks[result]
                passing.add(result)
        for value in op.operands:
            if value not in sinks:
                readable[value], sinks[value] = reads and readable.get(value, True), sink
                continue
            if not reads:
                readable[value] = False
            if sinks[value] is not sink:
                sinks[value] = None
        if op.regions and has_tensors_inside(op):
            # Regions read from memory.
            passing.update(op.results[index] for index in carried_along(op))
            for inner in op.walk():
                for value in inner.operands:
                    readable[value] = False
    return passing


def done_with_readers(operations: Sequence[Operation]) -> set[Operation]:
    """Those of ``operations``, of one block in order, that compilers put into the kernel of one that reads them,
    whether their results stand in memory or not: what works element by element, reduces or moves elements, for others
    such."""
    found: set[Operation] = set()
    readable: set[Value] = set()
    by_name: dict[str, bool] = {}
    for op in reversed(operations):
        joins = by_name.get(op.name)
        if joins is None:
            joins = by_name[op.name] = _joins_kernels(op)
        if not joins:
            continue
        if any(one in readable for one in op.results):
            found.add(op)
        readable.update(op.operands)
    return found


def _joins_kernels(op: Operation) -> bool:
    if op.traits & TERMINATOR or has_tensors_inside(op):
        return False
    return bool(op.traits & (ELEMENTWISE | DATA_MOVEMENT)) or op.name in _READING or op.name in _IN_THE_SAME_MEMORY


def _reads_elements(op: Operation) -> bool:
    return bool(op.traits & ELEMENTWISE or op.name in _READING) and not op.traits & TERMINATOR


def _makes_elements(op: Operation, *, one_reader: bool) -> bool:
    if op.name in _SPREADING or op.name == "stablehlo.constant" or is_foreign_constant(op):
        return True
    return bool(op.traits & ELEMENTWISE) and (one_reader or not op.traits & EXPENSIVE)


def _is_cheap(op: Operation) -> bool:
    return _makes_elements(op, one_reader=False)
