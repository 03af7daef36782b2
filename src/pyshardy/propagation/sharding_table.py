"""The shardings of a module while a propagation pass runs.

Attributes are immutable, so reading and rewriting them at every step would cost more than the steps. The table holds
the sharding of each holder (see ``dialects.sdy.placement``), loads it when it is first asked for and writes the changed
ones back with ``flush``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.attributes import Attribute, DictionaryAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, fully_open

if TYPE_CHECKING:
    from pyshardy.propagation.actions import Action

Holder = Value | FunctionResult


class ShardingTable:
    """Holder → sharding or None. Setting one result of an operation that has no list of shardings makes its siblings
    present and fully open, as writing the attribute would."""

    __slots__ = ("_changed", "_current", "_holders", "_watchers", "get")

    def __init__(self) -> None:
        self._current: dict[Holder | None, TensorSharding | None] = {None: None}
        self._changed: dict[Holder, None] = {}
        self._holders: dict[Value, Value | None] = {}
        self._watchers: dict[Holder | None, list[Action]] = {}
        self.get = self._current.__getitem__
        """The sharding of a loaded holder (None has none)."""

    def holder_of(self, value: Value) -> Value | None:
        """Where the sharding of ``value`` stands, loaded; None if the value cannot have one."""
        if value in self._current:
            return value
        holder = self._holders.get(value)
        if holder is None and value not in self._holders:
            holder = placement.shardable_value(value)
            if holder is not None and holder not in self._current:
                self._current[holder] = placement.stored_sharding(holder)
            self._holders[value] = holder
        return holder

    def holders_of(self, op: Operation, *, plain: bool) -> tuple[Value | None, ...]:
        """The holders of the operands, then of the results of ``op`` (``plain`` as ``placement.is_plain`` says)."""
        current = self._current
        found: list[Value | None] = [value if value in current else self.holder_of(value) for value in op.operands]
        if not plain:
            found += map(self.holder_of, op.results)
            return tuple(found)
        stored = op.attributes.entries.get(SHARDING)
        for index, result in enumerate(op.results):
            if result not in current:
                current[result] = stored[index] if isinstance(stored, TensorShardingPerValue) else None
            found.append(result)
        return tuple(found)

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
        if self._current[holder] is None and isinstance(holder, OpResult | BlockArgument):
            self._open_siblings(holder, sharding)
        self._put(holder, sharding)

    def watch(self, action: Action) -> None:
        """From now on a change of one of its holders resets ``action.idle``."""
        watchers = self._watchers
        for holder in action.holders:
            known = watchers.get(holder)
            if known is None:
                watchers[holder] = [action]
            else:
                known.append(action)

    def _put(self, holder: Holder, sharding: TensorSharding) -> None:
        self._current[holder] = sharding
        self._changed[holder] = None
        for action in self._watchers.get(holder, ()):
            action.idle = None

    def _open_siblings(self, holder: OpResult | BlockArgument, sharding: TensorSharding) -> None:
        for sibling in _stored_together(holder):
            if sibling is holder or self.holder_of(sibling) is not sibling:
                continue
            if self._current[sibling] is None:
                open_sibling = fully_open(placement.rank_of(sibling.type), sharding.mesh_or_ref)
                self._put(sibling, open_sibling)

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
            if isinstance(holder, OpResult) and len(holder.owner.results) == 1 and placement.is_plain(holder.owner):
                op = holder.owner
                attributes = written.get((op.attributes, sharding))
                if attributes is None:
                    attributes = op.attributes.with_(SHARDING, TensorShardingPerValue((sharding,)))
                    written[op.attributes, sharding] = attributes
                op.attributes = attributes
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


def _stored_together(holder: OpResult | BlockArgument) -> list[OpResult] | list[BlockArgument]:
    """The values whose shardings stand in one list with that of ``holder``."""
    if isinstance(holder, OpResult):
        return holder.owner.results
    return holder.owner.arguments if _function_of(holder) is None else []
