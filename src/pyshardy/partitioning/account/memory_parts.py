"""What the peak of memory consists of: arguments, results, saved values, and temporaries.

A value that has a buffer at the peak is one of four. An argument of the program. A result, if the program returns it;
empty result buffers count here, too. A temporary, if the operation that runs at the peak makes it or reads it, directly
or through fused operations. Else it is saved: made before and kept for a later operation, as activations are for the
backward pass. ``memory`` finds the values, ``estimate`` shows the sums.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.memory import Memory
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel


class MemoryParts(NamedTuple):
    """Bytes on one device at the peak; their sum is the peak."""

    arguments: int
    results: int
    saved: int
    temporaries: int

    def by_name(self) -> dict[str, int]:
        """The bytes of each part by its name."""
        return self._asdict()


def memory_parts(memory: Memory, entry: Operation, at_work: Set[Value]) -> MemoryParts:
    """The parts of ``memory``, which is that of the function ``entry``; ``at_work`` are the values that the operation
    at the peak uses (``worked_on``)."""
    returned = {buffer_owner(value) for value in entry.body.terminator.operands}
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


def worked_on(op: Operation | None, model: MemoryModel = XLA_CPU) -> set[Value]:
    """The values that ``op`` makes, and those that it reads from memory; none if there is no operation."""
    if op is None:
        return set()
    block = op.parent
    fused = model.fused_of(block.operations()) if block is not None else set()
    found: set[Value] = set(op.results)
    waiting = list(op.operands)
    while waiting:
        value = buffer_owner(waiting.pop())
        made = value.defining_op
        if value in found:
            continue
        found.add(value)
        if value in fused and made is not None:
            waiting += made.operands
    return found
