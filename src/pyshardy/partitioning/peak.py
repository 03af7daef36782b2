"""What is alive in the memory of one device where it needs the most: the largest values at the peak.

``memory`` says where that is; ``plan.live_at_peak`` and its summary stand right of this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.memory import Liveness, type_bytes


class LiveValue(NamedTuple):
    """A value of the local program that is alive at the peak, and its bytes."""

    value: Value
    bytes: int


def live_at_peak(module: Operation, entry: Operation) -> list[LiveValue]:
    """The values that are alive where ``entry``, a function of the local ``module``, needs the most memory, the
    largest first."""
    liveness = Liveness(module)
    liveness.block_peak(entry.body)
    found = [*entry.body.arguments, *_alive(liveness, entry.body)]
    return sorted((LiveValue(one, type_bytes(one.type)) for one in found), key=lambda one: -one.bytes)


def _alive(liveness: Liveness, block: Block) -> Iterator[Value]:
    """The values made in ``block``, or inside the operation at its peak, that are alive there."""
    peak = liveness.peak_at.get(block)
    if peak is None:
        return
    dying = liveness.last_uses(block)
    alive: dict[Value, None] = {}
    for op in block:
        if op is peak:
            break
        alive.update(dict.fromkeys(result for result in op.results if result.num_uses))
        for value in dying.get(op, ()):
            alive.pop(value, None)
    if liveness.is_in_place(peak):
        room = sum(type_bytes(result.type) for result in peak.results)
        # Operands first: what else dies there is only used inside.
        for value in sorted(dying.get(peak, ()), key=lambda one: one not in peak.operands):
            if type_bytes(value.type) <= room:
                room -= type_bytes(value.type)
                alive.pop(value, None)
    yield from alive
    yield from peak.results
    inner = _inner_block(liveness, peak)
    if inner is not None:
        yield from _alive(liveness, inner)


def _inner_block(liveness: Liveness, op: Operation) -> Block | None:
    """The block inside ``op``, or of the function that it calls, that needs the most."""
    if op.name == "func.call":
        function = liveness.functions.get(callee(op))
        return None if function is None or function.regions[0].empty else function.body
    blocks = [block for region in op.regions for block in region.blocks if block in liveness.peak_at]
    return max(blocks, key=liveness.block_peak, default=None)
