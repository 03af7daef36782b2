"""The shardings of a module while a propagation pass runs.

Attributes are immutable, so reading and rewriting them at every step would cost more than the steps. The table holds
the sharding of each slot (see ``dialects.sdy.placement``), loads it at the first use, notifies listeners of changes,
and writes changed ones back with ``flush``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_open

ShardingSlot = Value | FunctionResult


class ShardingTable:
    """The sharding of each slot, or None. Setting one result of an operation that has no list of shardings makes its
    siblings present and fully open, as writing the attribute would. ``on_silent_change`` is called for values whose
    change puts nothing on the worklist: siblings, and those of ``set_silently``."""

    __slots__ = ("_changed", "_current", "_listeners", "_on_silent_change", "_plain", "_slots", "get")

    def __init__(self, on_silent_change: Callable[[Value], None]) -> None:
        self._current: dict[ShardingSlot | None, TensorSharding | None] = {None: None}
        self._changed: dict[ShardingSlot, None] = {}
        self._slots: dict[Value, Value | None] = {}
        self._listeners: dict[ShardingSlot | None, list[Callable[[], None]]] = {}
        self._on_silent_change = on_silent_change
        self._plain: dict[str, bool] = {}
        self.get = self._current.__getitem__
        """The sharding of a loaded slot (None has none)."""

    def slot_of(self, value: Value) -> Value | None:
        """The slot of ``value``, loaded; None if the value cannot have a sharding."""
        if value in self._current:
            return value
        if type(value) is OpResult and self._is_plain(value.owner):
            stored = value.owner.attributes.entries.get(SHARDING)
            shardings = stored.shardings if isinstance(stored, TensorShardingPerValue) else ()
            self._current[value] = shardings[value.index] if value.index < len(shardings) else None
            return value
        slot = self._slots.get(value)
        if slot is None and value not in self._slots:
            slot = placement.shardable_value(value)
            if slot is not None and slot not in self._current:
                self._current[slot] = placement.stored_sharding(slot)
            self._slots[value] = slot
        return slot

    def _is_plain(self, op: Operation) -> bool:
        """``placement.is_plain``, which depends on the name alone."""
        found = self._plain.get(op.name)
        if found is None:
            found = self._plain[op.name] = placement.is_plain(op)
        return found

    def knows(self, value: Value) -> bool:
        """Whether ``value`` is a loaded slot."""
        return value in self._current

    def slots_of(self, op: Operation, *, plain: bool) -> tuple[tuple[Value | None, ...], bool]:
        """The slots of the operands, then of the results of ``op`` (``plain`` as ``placement.is_plain`` says), and
        whether any of them is another value than the operand or result itself."""
        current = self._current
        results = op.results
        if plain and len(results) == 1:
            # The common case.
            result = results[0]
            if result not in current:
                entries = op.attributes.entries
                stored = entries.get(SHARDING) if entries else None
                current[result] = stored[0] if isinstance(stored, TensorShardingPerValue) else None
            for value in op.operands:
                if value not in current:
                    break
            else:
                return (*op.operands, result), False
        elsewhere = not plain
        found: list[Value | None] = []
        for value in op.operands:
            if value in current:
                found.append(value)
            else:
                slot = self.slot_of(value)
                if slot is not value:
                    elsewhere = True
                found.append(slot)
        if not plain:
            found += map(self.slot_of, op.results)
            return tuple(found), elsewhere
        stored = op.attributes.entries.get(SHARDING)
        for index, result in enumerate(op.results):
            if result not in current:
                current[result] = stored[index] if isinstance(stored, TensorShardingPerValue) else None
            found.append(result)
        return tuple(found), elsewhere

    def function_result(self, func: Operation, index: int) -> FunctionResult:
        """The slot for result ``index`` of ``func``, loaded."""
        slot = FunctionResult(func, index)
        if slot not in self._current:
            self._current[slot] = placement.function_result_sharding(func, index)
        return slot

    def set(self, slot: ShardingSlot | None, sharding: TensorSharding) -> None:
        """Gives a loaded slot a sharding; nothing happens for None."""
        if slot is None:
            return
        if self._current[slot] is None:
            if type(slot) is OpResult:
                if len(slot.owner.results) > 1:
                    self._open_siblings(slot, sharding, slot.owner.results)
            elif type(slot) is BlockArgument and _function_of(slot) is None:
                self._open_siblings(slot, sharding, slot.owner.arguments)
        self._current[slot] = sharding
        self._changed[slot] = None
        if slot in self._listeners:
            self._notify_listeners(slot)

    def set_silently(self, slot: ShardingSlot | None, sharding: TensorSharding) -> None:
        """Like ``set``, if the caller puts nothing on the worklist."""
        self.set(slot, sharding)
        if isinstance(slot, Value):
            self._on_silent_change(slot)

    def watch(self, slots: Iterable[ShardingSlot | None], listener: Callable[[], None]) -> None:
        """Calls ``listener`` at every later change of one of ``slots``."""
        for slot in slots:
            self._listeners.setdefault(slot, []).append(listener)

    def _notify_listeners(self, slot: ShardingSlot) -> None:
        for listener in self._listeners.get(slot, ()):
            listener()

    def _open_siblings(self, slot: Value, sharding: TensorSharding, siblings: Sequence[Value]) -> None:
        """Gives those of ``siblings``, the values in one list of shardings with ``slot``, that have none an open
        sharding."""
        for sibling in siblings:
            if sibling is slot or self.slot_of(sibling) is not sibling:
                continue
            if self._current[sibling] is None:
                open_sibling = fully_open(placement.rank_of(sibling.type), sharding.mesh_or_ref)
                self._current[sibling] = open_sibling
                self._changed[sibling] = None
                self._notify_listeners(sibling)
                self._on_silent_change(sibling)

    def forget(self, op: Operation) -> None:
        """Drops the entries of an operation that is being erased."""
        for result in op.results:
            self._current.pop(result, None)
            self._changed.pop(result, None)
            self._slots.pop(result, None)

    def flush(self) -> None:
        """Writes every changed sharding into the program."""
        arguments: dict[Operation, dict[int, Attribute | None]] = {}
        results: dict[Operation, dict[int, Attribute | None]] = {}
        written: dict[tuple[DictionaryAttr, TensorSharding], DictionaryAttr] = {}
        for slot in self._changed:
            sharding = self._current[slot]
            assert sharding is not None
            if type(slot) is OpResult:
                op = slot.owner
                if len(op.results) == 1 and self._is_plain(op):
                    key = (op.attributes, sharding)
                    attributes = written.get(key)
                    if attributes is None:
                        attributes = op.attributes.with_(SHARDING, TensorShardingPerValue((sharding,)))
                        written[key] = attributes
                    op.attributes = attributes
                else:
                    placement.store_sharding(slot, sharding)
            elif isinstance(slot, FunctionResult):
                results.setdefault(slot.func, {})[slot.number] = sharding
            elif (func := _function_of(slot)) is not None and isinstance(slot, BlockArgument):
                arguments.setdefault(func, {})[slot.index] = sharding
            else:
                placement.store_sharding(slot, sharding)
        for func, values in arguments.items():
            set_argument_attributes(func, SHARDING, values)
        for func, values in results.items():
            set_result_attributes(func, SHARDING, values)
        self._changed.clear()


def _function_of(value: Value) -> Operation | None:
    """The function whose argument ``value`` is."""
    op = value.owner.parent_op if isinstance(value, BlockArgument) else None
    return op if op is not None and op.name == "func.func" else None
