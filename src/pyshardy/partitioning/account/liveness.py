"""Live ranges of the values of a block: from the operation that makes a value to the last operation that reads it.

Operations are taken in the order in which a compiler runs them (``memory_model``), and ``last_reads`` says where live
ranges end. A result reuses the buffer of an operand that is freed by the same operation where that can be done in
place: an operation that updates a part of its operand, a loop, and an elementwise operation. A scatter copies its
operand first, unless the operand is a donated argument. A backend may copy operands of products that are required in
another dimension order (``transposed_copies``). ``memory`` adds up programs by these live ranges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from operator import attrgetter
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import buffer_owner, has_tensors_inside, invariant_indices
from pyshardy.partitioning.account.donated import copied_carried_arguments
from pyshardy.partitioning.account.last_reads import last_reads, read_inside
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from pyshardy.partitioning.account.transposed_copies import TransposedCopies

_REUSES_ANY_OPERAND = frozenset({"stablehlo.optimization_barrier", "stablehlo.tuple", "stablehlo.while"})
"""Operations whose results reuse the buffers of any operands that are freed with them."""

_REUSES_FIRST_OPERANDS = frozenset({"stablehlo.dynamic_update_slice", "stablehlo.scatter", "stablehlo.sort"})
"""Operations that write a part of their first operands, or reorder them, in place if these are freed."""


class LiveTensor(NamedTuple):
    """A value of the local program that has a buffer, and its bytes on one device."""

    value: Value
    bytes: int


class Peak(NamedTuple):
    """The most bytes that are allocated at one time, the values that take them, and the innermost operation that runs
    then."""

    bytes: int
    live: tuple[LiveTensor, ...]
    op: Operation | None


NO_PEAK = Peak(0, (), None)
_NO_VALUES: Collection[Value] = frozenset()
_bytes_of_peak = attrgetter("bytes")


class MemoryEvent(NamedTuple):
    """Operation number ``place`` of a block runs. ``inside`` is the peak of the functions and regions that it runs.
    ``allocated`` are its results with a buffer, ``freed`` the values that no later operation reads, ``reused`` those of
    them whose buffers its results take over, and ``copied`` the copies that exist only while it runs."""

    place: int
    op: Operation
    inside: Peak
    allocated: list[Value]
    freed: list[Value]
    reused: list[Value]
    copied: tuple[LiveTensor, ...] = ()

    @property
    def temporary_bytes(self) -> int:
        """The bytes that are allocated only while the operation runs."""
        return self.inside.bytes + sum([one.bytes for one in self.copied])


class Liveness:
    """Live ranges of the values of ``module``, which are stored as ``model`` says."""

    def __init__(self, module: Operation, model: MemoryModel = XLA_CPU) -> None:
        self._functions = functions_by_name(module)
        self._model = model
        self._peaks: dict[tuple[Operation, frozenset[Value]], Peak] = {}
        self._kept_instead: dict[Value, tuple[Type, ...]] = {}
        self._updated: dict[str, frozenset[int]] = {}

    def of_block(
        self,
        block: Block,
        owned: Sequence[Value] = (),
        fused_returns: Collection[Value] = (),
        *,
        is_iteration: bool = False,
    ) -> Peak:
        """The peak of the values made in ``block`` and in the functions and regions that its operations run. Arguments
        in ``owned`` are counted until they are freed. The values ``fused_returns`` have no buffer. If the block is the
        body of a loop, the buffers of arguments that are copied are counted until the next values are written there."""
        size = self.size
        operations, fused, duplicated = self._model.schedule(block)
        fused.update(fused_returns)
        transposed = self.transposed_copies(operations, fused, duplicated)
        last = last_reads(operations, fused, transposed)
        live = sum([size(value) for value in owned if value in last])
        unused = self.unused_buffers(block, operations, fused) if is_iteration else {}
        live += sum([size(one) for group in unused.values() for one in group])
        peak, place, there, left = live, -1, None, dict(unused)
        for event in self.events(operations, fused, last, owned, transposed, unused):
            live -= sum([size(one) for one in unused.pop(event.op, ())])
            live += sum([size(value) for value in event.allocated])
            now = live - sum([size(value) for value in event.reused]) + event.temporary_bytes
            if now > peak:
                peak, place, there, left = now, event.place, event, dict(unused)
            live -= sum([size(value) for value in event.freed])
        found = [(value, self.size(value)) for value in live_values_at(operations, place, there, fused, last, owned)]
        inside, copied = (NO_PEAK, ()) if there is None else (there.inside, there.copied)
        at_work = None if there is None else inside.op or there.op
        copied = (*copied, *[LiveTensor(one, size(one)) for group in left.values() for one in group])
        return Peak(peak, (*with_copies(map(LiveTensor._make, found), copied), *inside.live), at_work)

    def schedule(self, block: Block) -> list[Operation]:
        """The operations of ``block`` in the order in which they run."""
        return self._model.schedule(block).operations

    def transposed_copies(
        self,
        operations: Sequence[Operation],
        fused: Collection[Value],
        duplicated: Collection[Use] | None = None,
    ) -> TransposedCopies | None:
        """Which operands the products among ``operations``, all of one block in order, need copied, and which operands
        are ``duplicated``, if that is known; None if the model makes no copies."""
        return TransposedCopies(operations, fused, duplicated) if self._model.copies_operands else None

    def unused_buffers(
        self, body: Block, operations: Sequence[Operation], fused: Collection[Value]
    ) -> dict[Operation, list[BlockArgument]]:
        """The arguments of the ``body`` of a loop that are copied, by the operation that writes the next value into the
        buffer of the argument."""
        return copied_carried_arguments(body, operations, fused) if self._model.copies_operands else {}

    def size(self, value: Value) -> int:
        """The bytes of ``value``: of what is kept instead, if its readers compute it (``transposed_copies``)."""
        kept = self._kept_instead.get(value)
        return self._model.bytes_of(value.type) if kept is None else sum(map(self._model.bytes_of, kept))

    def events(
        self,
        operations: Sequence[Operation],
        fused: set[Value],
        last: dict[Value, int],
        owned: Sequence[Value],
        transposed: TransposedCopies | None = None,
        unused: Collection[Operation] = (),
    ) -> Iterator[MemoryEvent]:
        """The events of those of ``operations``, all of one block, that allocate or free something or run a function or
        region. Memory does not change at any other operation. Operations in ``unused`` write to buffers that stand
        already, and reuse no others."""
        if transposed is not None:
            self._kept_instead.update(transposed.kept_instead)
        fills = frozenset(unused)
        dying: dict[int, list[Value]] = {}
        own, block = set(owned), operations[0].parent if operations else None
        kept = Counter[Value]()
        for value, index in last.items():
            if (isinstance(value, OpResult) and value not in fused and value.owner.parent is block) or value in own:
                dying.setdefault(index, []).append(value)
        never = _NO_VALUES if transposed is None else transposed.only_recomputed
        for index, op in enumerate(operations):
            allocated: list[Value] = [result for result in op.results if result not in fused and result not in never]
            ending = dying.get(index, [])
            if transposed is not None:
                transposed.release(index, kept)
            runs = op.name == "func.call" or has_tensors_inside(op)
            if not allocated and not ending and not runs:
                if transposed is not None:
                    transposed.keep(index, kept)
                continue
            made = sum([self.size(result) for result in allocated])
            reused = self._reused(op, made, ending, transposed) if made and ending and op not in fills else []
            inside = self._inside(op, made, fused) if runs else NO_PEAK
            unread = [one for one in allocated if not one._uses]
            copied: tuple[LiveTensor, ...] = ()
            if transposed is not None:
                others = [(value, self.size(value)) for value, count in kept.items() if count > 0]
                copied = tuple(starmap(LiveTensor, [*transposed.copied_for(op, ending, self.size), *others]))
                transposed.keep(index, kept)
            yield MemoryEvent(index, op, inside, allocated, [*ending, *unread] if unread else ending, reused, copied)

    def fused_returns(self, op: Operation, fused: Collection[Value]) -> frozenset[Value]:
        """If ``op`` is a call, the values returned by its function that have no buffer, because the results of the call
        are in ``fused``."""
        function = self._functions.get(callee(op)) if op.name == "func.call" else None
        if function is None or is_declaration(function) or not any(one in fused for one in op.results):
            return frozenset()
        returned = function.body.terminator.operands
        return frozenset([returned[one.index] for one in op.results if one in fused])

    def _inside(self, op: Operation, made: int, fused: Collection[Value]) -> Peak:
        """The peak of the functions and regions that ``op`` runs, beyond the ``made`` bytes of its results."""
        if op.name == "func.call":
            return _excess(self._of_function(callee(op), self.fused_returns(op, fused)), made)
        if not has_tensors_inside(op):
            return NO_PEAK
        if is_loop(op):
            along = set(invariant_indices(op))
            peaks = []
            for number, region in enumerate(op.regions):
                own = [one for one in region.blocks[0].arguments if one.index not in along]
                peaks.append(_excess(self.of_block(region.blocks[0], own, is_iteration=number == 1), made))
            return max(peaks, key=_bytes_of_peak)
        branches = [self.of_block(block) for region in op.regions for block in region.blocks]
        return max((_excess(one, made) for one in branches), key=_bytes_of_peak, default=NO_PEAK)

    def _updated_arguments(self, name: str) -> frozenset[int]:
        """The arguments in whose buffers the function ``name`` makes its results, if their buffers are free then: it
        updates a part of each, or reorders it."""
        if name not in self._updated:
            self._updated[name] = frozenset(_updated_arguments(self._functions.get(name)))
        return self._updated[name]

    def _of_function(self, name: str, fused_returns: frozenset[Value]) -> Peak:
        function = self._functions.get(name)
        if function is None or is_declaration(function):
            return NO_PEAK
        key = function, fused_returns
        if key not in self._peaks:
            self._peaks[key] = NO_PEAK
            self._peaks[key] = self.of_block(function.body, fused_returns=fused_returns)
        return self._peaks[key]

    def _reused(
        self, op: Operation, made: int, ending: Sequence[Value], transposed: TransposedCopies | None
    ) -> list[Value]:
        """The freed values whose buffers the results of ``op``, ``made`` bytes, take over."""
        if reuses_any_operand(op):
            reused, left = [], made
            looked_at = set(map(buffer_owner, read_inside(op)))
            for value in sorted(ending, key=lambda one: -self.size(one)):
                if self.size(value) <= left and value not in looked_at:
                    reused.append(value)
                    left -= self.size(value)
            return reused
        if op.name in _REUSES_FIRST_OPERANDS:
            firsts = set(map(buffer_owner, op.operands[: len(op.results)]))
            return [value for value in ending if value in firsts]
        if op.name == "func.call":
            updated = [buffer_owner(op.operands[index]) for index in self._updated_arguments(callee(op))]
            if updated:
                return [value for value in ending if value in updated]
        if op.traits & ELEMENTWISE or (transposed is not None and transposed.calls.works_element_by_element(op)):
            alike = [value for value in ending if self.size(value) == made]
            return alike[:1] if transposed is None or transposed.works_in_place(op) else []
        return []


def reuses_any_operand(op: Operation) -> bool:
    """Whether the results of ``op`` take over the buffers of any values that are freed with it."""
    return op.name in _REUSES_ANY_OPERAND or is_loop(op)


def _updated_arguments(function: Operation | None) -> Iterator[int]:
    """The arguments that ``function`` updates: those whose values it returns with a part written, or reordered."""
    if function is None or is_declaration(function):
        return
    for returned in function.body.terminator.operands:
        value = buffer_owner(returned)
        while isinstance(value, OpResult) and value.owner.name in _REUSES_FIRST_OPERANDS:
            value = buffer_owner(value.owner.operands[value.index])
            if isinstance(value, BlockArgument) and value.has_one_use:
                yield value.index


def live_values_at(
    operations: Sequence[Operation],
    place: int,
    event: MemoryEvent | None,
    fused: Collection[Value],
    last: Mapping[Value, int],
    owned: Sequence[Value],
) -> Iterator[Value]:
    """The values of a block that have a buffer at the ``event`` of operation ``place``; at the beginning of the block,
    if it is -1."""
    gone: set[Value] = set()
    allocated: Collection[Value] = ()
    if event is not None:
        allocated = event.allocated
        gone.update(event.reused)
        if event.inside.bytes:
            # Values that the region or function returns are counted there.
            gone.update(event.op.results)
    for value in owned:
        if value in last and last[value] >= place and value not in gone:
            yield value
    for op in operations[: place + 1]:
        for result in op.results:
            if result not in fused and result not in gone and (result in allocated or last.get(result, -1) >= place):
                yield result


def with_copies(live: Iterable[LiveTensor], copied: Iterable[LiveTensor]) -> list[LiveTensor]:
    """The values of ``live`` and ``copied`` with their bytes, those of a value and of its copies added up. Without
    values of no bytes."""
    found: dict[Value, int] = {}
    for value, size in (*live, *copied):
        found[value] = found.get(value, 0) + size
    return [LiveTensor(value, size) for value, size in found.items() if size]


def _excess(peak: Peak, made: int) -> Peak:
    """``peak`` without the ``made`` bytes that count as results of the enclosing operation."""
    return Peak(peak.bytes - made, peak.live, peak.op) if peak.bytes > made else NO_PEAK
