"""The values in the memory of a device over the time of a step, by kind, with one iteration of each loop.

The bytes are those of ``account.memory``, and the peak is the same; ``memory_kinds`` classifies values. A loop, or a
function that is called, is expanded only if it needs considerable memory: of a loop, one iteration of the region that
needs most, drawn over the time of all iterations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from pyshardy.analysis.cost.memory_kinds import RESULTS, TEMPORARIES, MemoryKinds
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import is_loop, trip_count
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.account.buffer_aliases import buffer_owner, invariant_indices
from pyshardy.partitioning.account.last_reads import last_reads
from pyshardy.partitioning.account.liveness import Liveness, LiveTensor, MemoryEvent
from pyshardy.partitioning.account.memory import Memory, MemoryUse, memory_of
from pyshardy.partitioning.account.memory_model import XLA_CPU
from pyshardy.partitioning.plan import Plan

_MATTERS = 0.02
"""What needs less than this part of the peak inside is not unfolded."""
_MOST_PLACES = 50_000


class LoopSpan(NamedTuple):
    """A loop from ``begin`` to ``end``, of whose ``iterations`` one is unfolded."""

    op: Operation
    begin: float
    end: float
    iterations: int


@dataclass(frozen=True)
class MemoryTimeline:
    """Bytes by kind (``kinds``) while each of ``operations`` is at work, which are those of the main function of the
    local program and of what it runs: one row a kind, one entry an operation. Operations begin at ``begins``; the step
    takes ``seconds``, and without hardware one each. The peak is at operation number ``peak``, with ``memory``."""

    kinds: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    operations: tuple[Operation, ...]
    begins: tuple[float, ...]
    seconds: float
    loops: tuple[LoopSpan, ...]
    peak: int
    memory: Memory
    kind_of: Callable[[Value], str] = field(repr=False, compare=False)
    """The kind of a value of the local program."""
    becomes: Callable[[Value], Value] = field(repr=False, compare=False)
    """What a value inside of a loop or a function is outside, where it is carried along or returned; itself if not."""

    @property
    def totals(self) -> list[int]:
        """The bytes of all kinds together."""
        return [sum(column) for column in zip(*self.rows, strict=True)]

    @property
    def at_peak(self) -> dict[str, int]:
        """The bytes of each kind at the peak."""
        return (
            {kind: row[self.peak] for kind, row in zip(self.kinds, self.rows, strict=True)} if self.operations else {}
        )

    def live(self, most: int) -> Sequence[LiveTensor]:
        """The largest values that stand in memory at the peak."""
        return self.memory.live_at_peak[:most]


def memory_timeline(plan: Plan, timed: TimedPlan | None = None) -> MemoryTimeline:
    """What stands in the memory of a device while ``plan`` runs, on the hardware of ``timed`` if that is given."""
    return _Walk(plan, timed).timeline()


Bytes = Counter[str]


class _Walk:
    def __init__(self, plan: Plan, timed: TimedPlan | None) -> None:
        self._timed = timed
        self._kinds = MemoryKinds(plan)
        self._model = XLA_CPU if timed is None else timed.memory_model
        self._module, self._entry = plan.local.op, self._kinds.entry
        self._liveness = Liveness(self._module, self._model)
        self._functions = functions_by_name(self._module)
        self._weights: dict[Operation, float] = {}
        self._readers: dict[Value, Operation] = {}
        self._becomes: dict[Value, Value] = {}
        """Maps a block argument of a loop, or a value that a loop or a function returns, to the result of the loop or
        the call."""
        self._fused_by_block: dict[Block, set[Value]] = {}
        self._operations: list[Operation] = []
        self._begins: list[float] = []
        self._rows: list[Bytes] = []
        self._loops: list[LoopSpan] = []
        self._memory = plan.memory if timed is None else memory_of(self._module, self._entry, self._model)

    def timeline(self) -> MemoryTimeline:
        use = MemoryUse(self._module, self._entry, self._model)
        self._note_readers(use.operations, use.last)
        unread = {argument for argument in use.in_place if argument not in use.last}
        now: Bytes = Counter()

        def add(counter: Bytes, value: Value, sign: int = 1) -> None:
            counter[self._kind(value)] += use.change(value, sign).bytes

        for argument in self._entry.body.arguments:
            if argument not in unread:
                add(now, argument)
        begin = 0.0
        for op, (event, reserved) in zip(use.operations, use.at_each_operation(), strict=True):
            weight, at_work = self._weight(op), now
            if event is not None:
                for value in event.allocated:
                    add(now, value)
                at_work = now.copy()
                for value in event.reused:
                    add(at_work, value, -1)
            at_work = at_work.copy()
            at_work[RESULTS] += reserved
            inside = 0 if event is None else event.temporary_bytes
            self._add(op, at_work, inside, begin, weight, self._made(event, use.size))
            if event is not None:
                for value in event.freed:
                    add(now, value, -1)
            begin += weight
        kinds = tuple(one for one in self._kinds.listed if any(row[one] for row in self._rows))
        totals = [sum(row.values()) for row in self._rows]
        return MemoryTimeline(
            kinds,
            tuple(tuple(row[kind] for row in self._rows) for kind in kinds),
            tuple(self._operations),
            tuple(self._begins),
            begin,
            tuple(self._loops),
            max(range(len(totals)), key=totals.__getitem__, default=0),
            self._memory,
            self._kind,
            self._outside,
        )

    # --- what is inside -----------------------------------------------------------------------------------------------

    def _add(self, op: Operation, at_work: Bytes, inside: int, begin: float, seconds: float, made: Bytes) -> None:
        """Appends the rows of ``op``. ``at_work`` is in memory while it runs, its results ``made`` included; ``inside``
        bytes more exist only while it runs: those of regions and called functions, and copies."""
        block = self._largest_block(op) if inside > _MATTERS * self._memory.peak else None
        if block is None or len(self._operations) > _MOST_PLACES:
            at_work[TEMPORARIES] += inside
            self._place(op, begin, at_work)
            return
        if is_loop(op):
            self._loops.append(LoopSpan(op, begin, begin + seconds, trip_count(op) or 1))
        self._unfold(op, block, at_work, begin, seconds, made)

    def _unfold(
        self, around: Operation, block: Block, outside: Bytes, begin: float, seconds: float, made: Bytes
    ) -> None:
        operations = self._liveness.schedule(block)
        fused = set(self._fused_of(block))
        if around.parent is not None:
            fused.update(self._liveness.fused_returns(around, self._fused_of(around.parent)))
        transposed = self._liveness.transposed_copies(operations, fused)
        last = last_reads(operations, fused, transposed)
        self._note_readers(operations, last)
        owned: list[Value] = []
        ends = block.terminator.operands
        if len(ends) == len(around.results):
            self._becomes.update(zip(map(buffer_owner, ends), around.results, strict=True))
        if is_loop(around):
            if len(block.arguments) == len(around.results):
                self._becomes.update(zip(block.arguments, around.results, strict=True))
            along = set(invariant_indices(around))
            owned = [one for one in block.arguments if one.index not in along]
        base = outside.copy()
        base.subtract(made)
        now: Bytes = Counter()
        for value in owned:
            if value in last:
                now[self._kind(value)] += self._liveness.size(value)
        least = sum(made.values())
        each = sum(map(self._weight, operations)) or 1.0
        unused = self._liveness.unused_buffers(block, operations, fused) if _is_iteration(around, block) else {}
        for value in (one for group in unused.values() for one in group):
            now[self._kind(value)] += self._liveness.size(value)
        events = self._liveness.events(operations, fused, last, owned, transposed, unused)
        places = {event.place: event for event in events}
        for place, op in enumerate(operations):
            weight = self._weight(op) / each * seconds
            event = places.get(place)
            for value in unused.get(op, ()):
                now[self._kind(value)] -= self._liveness.size(value)
            if event is not None:
                for value in event.allocated:
                    now[self._kind(value)] += self._liveness.size(value)
                at_work = now.copy()
                for value in event.reused:
                    at_work[self._kind(value)] -= self._liveness.size(value)
                if sum(at_work.values()) + event.temporary_bytes > least:
                    self._add(
                        op, base + at_work, event.temporary_bytes, begin, weight, self._made(event, self._liveness.size)
                    )
                else:
                    self._place(op, begin, outside)
                for value in event.freed:
                    now[self._kind(value)] -= self._liveness.size(value)
            begin += weight

    def _fused_of(self, block: Block) -> set[Value]:
        """What of ``block`` never stands in memory."""
        if block not in self._fused_by_block:
            self._fused_by_block[block] = self._model.fused_of(block.operations())
        return self._fused_by_block[block]

    def _place(self, op: Operation, begin: float, row: Bytes) -> None:
        self._operations.append(op)
        # Times that are added up in another way differ in the last digits.
        self._begins.append(max(begin, self._begins[-1]) if self._begins else begin)
        self._rows.append(row)

    def _largest_block(self, op: Operation) -> Block | None:
        """What ``op`` runs that needs most."""
        if op.name == "func.call":
            function = self._functions.get(callee(op))
            return function.body if function is not None and function.regions[0].blocks else None
        blocks = [block for region in op.regions for block in region.blocks]
        return max(blocks, key=partial(self._need, op), default=None)

    def _need(self, op: Operation, block: Block) -> int:
        along = set(invariant_indices(op)) if is_loop(op) else set()
        owned = [one for one in block.arguments if one.index not in along]
        return self._liveness.of_block(block, owned, is_iteration=_is_iteration(op, block)).bytes

    def _made(self, event: MemoryEvent | None, size: Callable[[Value], int]) -> Bytes:
        """What an operation makes, with the bytes of values by ``size``: it stands for what its inside ends in."""
        found: Bytes = Counter()
        for value in () if event is None else event.allocated:
            found[self._kind(value)] += size(value)
        return found

    # --- sizes, kinds and times ---------------------------------------------------------------------------------------

    def _outside(self, value: Value) -> Value:
        while value in self._becomes:
            value = self._becomes[value]
        return value

    def _kind(self, value: Value) -> str:
        value = self._outside(value)
        return self._kinds.of(value, self._readers.get(value))

    def _note_readers(self, operations: Sequence[Operation], last: Mapping[Value, int]) -> None:
        for value, place in last.items():
            # What is read inside of an operation is read by that.
            self._readers.setdefault(value, operations[place])

    def _weight(self, op: Operation) -> float:
        """How long one run of ``op`` takes, with what computation waits for; the same for all without hardware."""
        found = self._weights.get(op)
        if found is None:
            self._weights[op] = 0.0
            found = self._weights[op] = self._own_weight(op) + self._inner_weight(op)
        return found

    def _own_weight(self, op: Operation) -> float:
        if self._timed is None:
            return 1.0
        step = self._timed.step
        waits = self._timed.overlap.exposed.get(op, 0.0) / (step.runs.get(op) or 1)
        return waits + (step.timed[op].seconds if op in step.timed else 0.0)

    def _inner_weight(self, op: Operation) -> float:
        if self._timed is not None:
            inner = self._timed.step.inner.get(op)
            return (
                0.0 if inner is None else inner.iterations * sum(self._weight(one) for b in inner.blocks for one in b)
            )
        blocks = [block for region in op.regions for block in region.blocks] if is_loop(op) else []
        if op.name == "func.call" and callee(op) in self._functions:
            blocks = [self._functions[callee(op)].body]
        return float(sum(self._weight(one) for block in blocks for one in block))


def _is_iteration(around: Operation, block: Block) -> bool:
    """Whether ``block`` is the body of the loop ``around``."""
    return is_loop(around) and len(around.regions) > 1 and around.regions[1].blocks[0] is block
