"""What the local program keeps in the memory of one device: arguments, results, and the peak in between.

Counted by liveness on the program as it stands: a value lives from the operation that makes it to its last use,
arguments all the time; the carried values of a loop change in place. What a compiler fuses away or schedules
otherwise is not known here. ``plan`` reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pyshardy.dialects.func import callee, function_type
from pyshardy.ir.operation import Block, Operation, OpResult, Value
from pyshardy.ir.types import TensorType, TupleType, Type
from pyshardy.partitioning.collectives import size_in_bytes

_IN_PLACE = frozenset({"stablehlo.optimization_barrier", "stablehlo.reshape", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results take the place of operands that die with them."""

_WITH_TENSORS_INSIDE = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})
"""Operations whose regions work on tensors; those of the others on scalars."""


class LiveTensor(NamedTuple):
    """A value of the local program that stands in memory, and its bytes on one device."""

    value: Value
    bytes: int


@dataclass(frozen=True)
class Memory:
    """Bytes on one device. ``live_at_peak`` are the values that stand in memory when most is needed, the largest first:
    arguments, and results of operations (of loops and functions that are at work then, too)."""

    arguments: int
    results: int
    peak: int
    live_at_peak: tuple[LiveTensor, ...] = ()


@lru_cache(maxsize=1 << 14)
def type_bytes(type: Type) -> int:
    """Bytes of a value of ``type``; 0 for tokens."""
    if isinstance(type, TensorType):
        return size_in_bytes(type) if type.has_static_shape else 0
    return sum(map(type_bytes, type.elements)) if isinstance(type, TupleType) else 0


def memory_of(module: Operation, entry: Operation) -> Memory:
    """The memory that ``entry``, a function of ``module``, needs."""
    type = function_type(entry)
    arguments = sum(map(type_bytes, type.inputs))
    liveness = _Liveness(module)
    peak = liveness.block_peak(entry.body)
    alive = [*entry.body.arguments, *_alive(liveness, entry.body)]
    live = sorted((LiveTensor(one, type_bytes(one.type)) for one in alive), key=lambda one: -one.bytes)
    return Memory(arguments, sum(map(type_bytes, type.results)), arguments + peak, tuple(filter(_takes_room, live)))


def _takes_room(one: LiveTensor) -> bool:
    return one.bytes > 0


class _Liveness:
    """Who lives when. ``peak_at`` is, for each block that was looked at, the operation where it needs the most."""

    def __init__(self, module: Operation) -> None:
        self.functions = {op.symbol_name or "": op for op in module.body if op.name == "func.func"}
        self.peak_at: dict[Block, Operation] = {}
        self._peaks: dict[Operation, int] = {}

    def block_peak(self, block: Block) -> int:
        """The most that values made in ``block`` take at one time, with what its operations need inside."""
        last_uses = self.last_uses(block)
        live = peak = 0
        for op in block:
            made = sum([type_bytes(result.type) for result in op.results])
            dying = sum([type_bytes(value.type) for value in last_uses.get(op, ())])
            inside = self._inside(op)
            if op.name in _IN_PLACE:
                taken = min(made, dying)
                now = live - taken + made + inside
            else:
                now = live + made + inside
            if now > peak:
                peak, self.peak_at[block] = now, op
            live += made - dying
            live -= sum([type_bytes(result.type) for result in op.results if not result.num_uses])
        return peak

    def is_in_place(self, op: Operation) -> bool:
        """Whether the results of ``op`` take the place of operands that die with it."""
        return op.name in _IN_PLACE

    def last_uses(self, block: Block) -> dict[Operation, list[Value]]:
        """For each operation of ``block`` the values made in it that are used there last."""
        last: dict[Value, Operation] = {}
        for op in block:
            for value in op.operands:
                last[value] = op
            if op.name in _WITH_TENSORS_INSIDE:
                for nested in op.walk():
                    for value in nested.operands:
                        last[value] = op
        dying: dict[Operation, list[Value]] = {}
        for value, op in last.items():
            if isinstance(value, OpResult) and value.owner.parent is block:
                dying.setdefault(op, []).append(value)
        return dying

    def _inside(self, op: Operation) -> int:
        if op.name == "func.call":
            function = self.functions.get(callee(op))
            if function is None or function.regions[0].empty:
                return 0
            if function not in self._peaks:
                self._peaks[function] = 0
                self._peaks[function] = self.block_peak(function.body)
            return self._peaks[function]
        if op.name not in _WITH_TENSORS_INSIDE:
            return 0
        return max((self.block_peak(block) for region in op.regions for block in region.blocks), default=0)


def _alive(liveness: _Liveness, block: Block) -> Iterator[Value]:
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


def _inner_block(liveness: _Liveness, op: Operation) -> Block | None:
    """The block inside ``op``, or of the function that it calls, that needs the most."""
    if op.name == "func.call":
        function = liveness.functions.get(callee(op))
        return None if function is None or function.regions[0].empty else function.body
    blocks = [block for region in op.regions for block in region.blocks if block in liveness.peak_at]
    return max(blocks, key=liveness.block_peak, default=None)
