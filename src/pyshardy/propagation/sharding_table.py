"""The shardings of a module while a propagation pass runs.

Attributes are immutable, so reading and rewriting them at every step would cost more than the steps. The table holds
the sharding of each holder (see ``dialects.sdy.placement``), loads it when it is first asked for, tells who listens of
changes, and writes the changed ones back with ``flush``.
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

Holder = Value | FunctionResult


class ShardingTable:
    """Holder → sharding or None. Setting one result of an operation that has no list of shardings makes its siblings
    present and fully open, as writing the attribute would. ``on_silent_change`` is told of values whose change nobody
    else makes known: siblings, and those that are ``set_silently``."""

    __slots__ = ("_changed", "_current", "_holders", "_listeners", "_on_silent_change", "_plain", "get")

    def __init__(self, on_silent_change: Callable[[Value], None]) -> None:
        self._current: dict[Holder | None, TensorSharding | None] = {None: None}
        self._changed: dict[Holder, None] = {}
        self._holders: dict[Value, Value | None] = {}
        self._listeners: dict[Holder | None, list[Callable[[], None]]] = {}
        self._on_silent_change = on_silent_change
        self._plain: dict[str, bool] = {}
        self.get = self._current.__getitem__
        """The sharding of a loaded holder (None has none)."""

    def holder_of(self, value: Value) -> Value | None:
        """Where the sharding of ``value`` stands, loaded; None if the value cannot have one."""
        if value in self._current:
            return value
        if type(value) is OpResult and self._is_plain(value.owner):
            stored = value.owner.attributes.entries.get(SHARDING)
            shardings = stored.shardings if isinstance(stored, TensorShardingPerValue) else ()
            self._current[value] = shardings[value.index] if value.index < len(shardings) else None
            return value
        holder = self._holders.get(value)
        if holder is None and value not in self._holders:
            holder = placement.shardable_value(value)
            if holder is not None and holder not in self._current:
                self._current[holder] = placement.stored_sharding(holder)
            self._holders[value] = holder
        return holder

    def _is_plain(self, op: Operation) -> bool:
        """``placement.is_plain``, which depends on the name alone."""
        found = self._plain.get(op.name)
        if found is None:
            found = self._plain[op.name] = placement.is_plain(op)
        return found

    def knows(self, value: Value) -> bool:
        """Whether ``value`` is a loaded holder."""
        return value in self._current

    def holders_of(self, op: Operation, *, plain: bool) -> tuple[tuple[Value | None, ...], bool]:
        """The holders of the operands, then of the results of ``op`` (``plain`` as ``placement.is_plain`` says), and
        whether any of them is another value than the operand or result itself."""
        current = self._current
        results = op.results
        if plain and len(results) == 1:
            # As most operations are.
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
                holder = self.holder_of(value)
                if holder is not value:
                    elsewhere = True
                found.append(holder)
        if not plain:
            found += map(self.holder_of, op.results)
            return tuple(found), elsewhere
        stored = op.attributes.entries.get(SHARDING)
        for index, result in enumerate(op.results):
            if result not in current:
                current[result] = stored[index] if isinstance(stored, TensorShardingPerValue) else None
            found.append(result)
        return tuple(found), elsewhere

    def function_result(self, func: Operation, index: int) -> FunctionResult:
        """The holder for result ``index`` of ``func``, loaded."""
        holder = FunctionResult(func, index)
        if holder not in self._current:
            self._current[holder] = placement.function_result_sharding(func, index)
        return holder

    def set(self, holder: Holder | None, sharding: TensorSharding) -> None:
        """Gives a loaded holder a sharding; nothing happens for None."""
        if holder is None:
            return
        if self._current[holder] is None:
            if type(holder) is OpResult:
                if len(holder.owner.results) > 1:
                    self._open_siblings(holder, sharding, holder.owner.results)
            elif type(holder) is BlockArgument and _function_of(holder) is None:
                self._open_siblings(holder, sharding, holder.owner.arguments)
        self._current[holder] = sharding
        self._changed[holder] = None
        if holder in self._listeners:
            self._tell(holder)

    def set_silently(self, holder: Holder | None, sharding: TensorSharding) -> None:
        """Like ``set`` where nobody is put on the work list."""
        self.set(holder, sharding)
        if isinstance(holder, Value):
            self._on_silent_change(holder)

    def watch(self, holders: Iterable[Holder | None], listener: Callable[[], None]) -> None:
        """From now on a change of one of ``holders`` calls ``listener``."""
        for holder in holders:
            self._listeners.setdefault(holder, []).append(listener)

    def _tell(self, holder: Holder) -> None:
        for listener in self._listeners.get(holder, ()):
            listener()

    def _open_siblings(self, holder: Value, sharding: TensorSharding, siblings: Sequence[Value]) -> None:
        """Opens those of ``siblings``, whose shardings stand in one list with that of ``holder``, that have none."""
        for sibling in siblings:
            if sibling is holder or self.holder_of(sibling) is not sibling:
                continue
            if self._current[sibling] is None:
                open_sibling = fully_open(placement.rank_of(sibling.type), sharding.mesh_or_ref)
                self._current[sibling] = open_sibling
                self._changed[sibling] = None
                self._tell(sibling)
                self._on_silent_change(sibling)

    def forget(self, op: Operation) -> None:
        """Drops the entries of an operation that is being erased."""
        for result in op.results:
            self._current.pop(result, None)
            self._changed.pop(result, None)
            self._holders.pop(result, None)

    def flush(self) -> None:
        """Writes every changed sharding into the program."""
        arguments: dict[Operation, dict[int, Attribute | None]] = {}
        results: dict[Operation, dict[int, Attribute | None]] = {}
        written: dict[tuple[DictionaryAttr, TensorSharding], DictionaryAttr] = {}
        for holder in self._changed:
            sharding = self._current[holder]
            assert sharding is not None
            if type(holder) is OpResult:
                op = holder.owner
                if len(op.results) == 1 and self._is_plain(op):
                    key = (op.attributes, sharding)
                    attributes = written.get(key)
                    if attributes is None:
                        attributes = op.attributes.with_(SHARDING, TensorShardingPerValue((sharding,)))
                        written[key] = attributes
                    op.attributes = attributes
                else:
                    placement.store_sharding(holder, sharding)
            elif isinstance(holder, FunctionResult):
                results.setdefault(holder.func, {})[holder.number] = sharding
            elif (func := _function_of(holder)) is not None and isinstance(holder, BlockArgument):
                arguments.setdefault(func, {})[holder.index] = sharding
            else:
                placement.store_sharding(holder, sharding)
        for func, values in arguments.items():
            set_argument_attributes(func, SHARDING, values)
        for func, values in results.items():
            set_result_attributes(func, SHARDING, values)
        self._changed.clear()


def _function_of(value: Value) -> Operation | None:
    """The function whose argument ``value`` is."""
    op = value.owner.parent_op if isinstance(value, BlockArgument) else None
    return op if op is not None and op.name == "func.func" else None
