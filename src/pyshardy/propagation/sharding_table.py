"""The shardings of a module while a propagation pass runs.

Attributes are immutable, so reading and rewriting them at every step would cost more than the steps. The table holds
the sharding of each holder (see ``dialects.sdy.placement``), loads it when it is first asked for and writes the
changed ones back with ``flush``.
"""

from __future__ import annotations

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.sharding.tensor import TensorSharding, fully_open

Holder = Value | FunctionResult


class ShardingTable:
    """Holder → sharding or None. Setting one result of an operation that has no list of shardings makes its siblings
    present and fully open, as writing the attribute would."""

    __slots__ = ("_changed", "_current")

    def __init__(self) -> None:
        self._current: dict[Holder | None, TensorSharding | None] = {None: None}
        self._changed: dict[Holder, None] = {}

    def holder_of(self, value: Value) -> Value | None:
        """Where the sharding of ``value`` stands, loaded; None if the value cannot have one."""
        holder = placement.shardable_value(value)
        if holder is not None and holder not in self._current:
            self._current[holder] = placement.sharding_of(holder)
        return holder

    def function_result(self, func: Operation, index: int) -> FunctionResult:
        """The holder for result ``index`` of ``func``, loaded."""
        holder = FunctionResult(func, index)
        if holder not in self._current:
            self._current[holder] = placement.function_result_sharding(func, index)
        return holder

    def get(self, holder: Holder | None) -> TensorSharding | None:
        """The sharding of a loaded holder."""
        return self._current[holder]

    def set(self, holder: Holder | None, sharding: TensorSharding) -> None:
        """Gives a loaded holder a sharding; nothing happens for None."""
        if holder is None:
            return
        if self._current[holder] is None and isinstance(holder, OpResult | BlockArgument):
            self._open_siblings(holder, sharding)
        self._current[holder] = sharding
        self._changed[holder] = None

    def _open_siblings(self, holder: OpResult | BlockArgument, sharding: TensorSharding) -> None:
        if isinstance(holder, OpResult):
            siblings: list[Value] = [*holder.owner.results]
        else:
            op = holder.owner.parent_op
            siblings = [*holder.owner.arguments] if op is not None and op.name != "func.func" else []
        for sibling in siblings:
            if sibling is holder or self.holder_of(sibling) is not sibling:
                continue
            if self._current[sibling] is None:
                open_sibling = fully_open(placement.rank_of(sibling.type), sharding.mesh_or_ref)
                self._current[sibling] = open_sibling
                self._changed[sibling] = None

    def forget(self, op: Operation) -> None:
        """Drops the entries of an operation that is being erased."""
        for result in op.results:
            self._current.pop(result, None)
            self._changed.pop(result, None)

    def flush(self) -> None:
        """Writes every changed sharding into the program."""
        for holder in self._changed:
            sharding = self._current[holder]
            assert sharding is not None
            if isinstance(holder, Value):
                placement.set_sharding(holder, sharding)
            else:
                placement.set_function_result_sharding(holder.func, holder.number, sharding)
        self._changed.clear()
