"""What the peak of memory is made of: arguments, results, what waits for a later operation, and what is worked on.

A value that stands in memory at the peak is one of four. An argument of the program; a result, if the program returns
it (room for results where nothing stands yet counts, too); temporary, if the operation at work reads it, itself or by
what compilers make where it is read, or makes it; else it is saved: made before, and kept for an operation to come, as
activations are for the backward pass. ``memory`` counts them, ``estimate`` shows the sums.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, fields

from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.partitioning.account.fusion import value_in_memory
from pyshardy.partitioning.account.liveness import AS_WRITTEN, MemoryModel
from pyshardy.partitioning.account.memory import Memory


@dataclass(frozen=True)
class MemoryParts:
    """Bytes on one device when most is needed; their sum is the peak."""

    arguments: int
    results: int
    saved: int
    temporaries: int

    def by_name(self) -> dict[str, int]:
        """Each part by what it is called."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def memory_parts(memory: Memory, entry: Operation, at_work: Set[Value]) -> MemoryParts:
    """The parts of ``memory``, which is that of the function ``entry``, if ``at_work`` is what is ``worked_on`` at its
    peak."""
    returned = {value_in_memory(value) for value in entry.body.terminator.operands}
    arguments = saved = temporaries = 0
    results = memory.reserved
    for one in memory.live_at_peak:
        if isinstance(one.value, BlockArgument) and one.value.owner is entry.body:
            arguments += one.bytes
        elif one.value in returned:
            results += one.bytes
        elif one.value in at_work:
            temporaries += one.bytes
        else:
            saved += one.bytes
    return MemoryParts(arguments, results, saved, temporaries)


def worked_on(op: Operation | None, model: MemoryModel = AS_WRITTEN) -> set[Value]:
    """What ``op`` makes, and what it reads from memory; nothing if there is none."""
    if op is None:
        return set()
    block = op.parent
    passing = model.passing_of(block.operations()) if block is not None else set()
    found: set[Value] = set(op.results)
    waiting = list(op.operands)
    while waiting:
        value = value_in_memory(waiting.pop())
        made = value.defining_op
        if value in found:
            continue
        found.add(value)
        if value in passing and made is not None:
            waiting += made.operands
    return found
