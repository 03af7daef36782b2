"""What the local program keeps in the memory of one device: arguments, results, and the peak in between.

Counted by liveness on the program as it stands: a value lives from the operation that makes it to its last use,
arguments all the time; the carried values of a loop change in place. What a compiler fuses away or schedules
otherwise is not known here. ``plan`` reports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pyshardy.dialects.func import callee, function_type
from pyshardy.ir.operation import Block, Operation, OpResult, Value
from pyshardy.ir.types import TensorType, TupleType, Type
from pyshardy.partitioning.collectives import size_in_bytes

_IN_PLACE = frozenset({"stablehlo.optimization_barrier", "stablehlo.reshape", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results take the place of operands that die with them."""

_WITH_TENSORS_INSIDE = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})
"""Operations whose regions work on tensors; those of the others on scalars."""


@dataclass(frozen=True)
class Memory:
    """Bytes on one device."""

    arguments: int
    results: int
    peak: int


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
    peak = Liveness(module).block_peak(entry.body)
    return Memory(arguments, sum(map(type_bytes, type.results)), arguments + peak)


class Liveness:
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
