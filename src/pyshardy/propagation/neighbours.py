"""The operations to put on the worklist when the sharding of a value changes, in the order of MLIR's greedy driver.

The results of propagation depend on this order. An edge is replaced by the operation that owns it, and a use by a call
or return by the uses of the argument or result that receives the value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from pyshardy.dialects.sdy import dataflow
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.propagation.calls import Calls
from pyshardy.propagation.sharding_table import ShardingSlot


class Neighbours:
    """Calls ``add`` for each neighbour. ``indirect`` are the names of operations that pass an operand to an edge or
    another function (see ``PreScan``)."""

    __slots__ = ("_add", "_calls", "_indirect")

    def __init__(self, calls: Calls, indirect: Collection[str], add: Callable[[Operation], None]) -> None:
        self._calls = calls
        self._indirect = indirect
        self._add = add

    def add_around(self, slot: ShardingSlot, current: Operation) -> None:
        """Adds the operations next to ``slot``, which has changed, except ``current``."""
        if type(slot) is OpResult:
            definition = slot.owner
            if definition.name == "sdy.data_flow_edge":
                for target in dataflow.non_owner_targets(definition.operands[0]):
                    self._notify_users(target, current)
            if definition is not current:
                self._add(definition)
        elif not isinstance(slot, Value):
            return
        elif isinstance(slot, BlockArgument) and slot.owner.parent_op is not None:
            self._notify(slot.owner.parent_op, current)
        self._notify_users(slot, current)

    def _notify(self, op: Operation, current: Operation) -> None:
        if op is not current:
            self._add(op)

    def _notify_users(self, value: Value, current: Operation) -> None:
        """Notifies the users of ``value`` in use-list order."""
        indirect, add = self._indirect, self._add
        uses = value._uses
        if len(uses) == 1:
            # The common case of a value.
            for user, _ in uses:
                if user.name in indirect:
                    self._notify_users_beyond(value, current)
                elif user is not current:
                    add(user)
            return
        users = [user for user, _ in reversed(uses)]
        for user in users:
            if user.name in indirect:
                self._notify_users_beyond(value, current)
                return
        for user in users:
            if user is not current:
                add(user)

    def _notify_users_beyond(self, value: Value, current: Operation) -> None:
        """Adds the users of ``value`` in use-list order, owners instead of edges, and the users behind calls and
        returns."""
        pending = [iter(list(value.uses))]
        seen = {value}
        while pending:
            use = next(pending[-1], None)
            if use is None:
                pending.pop()
                continue
            user, index = use
            edge = dataflow.edge_of_use(user, index)
            if edge is not None:
                self._notify(edge, current)
                continue
            beyond: list[Value] = []
            if user.traits & TERMINATOR:
                beyond = self._through_return(user, index)
                if not beyond and user.parent_op is not None:
                    self._notify(user.parent_op, current)
            elif user.name == "func.call":
                beyond = self._through_call(user, index)
            else:
                self._notify(user, current)
            for further in reversed(beyond):
                if further not in seen:
                    seen.add(further)
                    pending.append(iter(list(further.uses)))

    def _through_return(self, terminator: Operation, index: int) -> list[Value]:
        func = terminator.parent_op
        if terminator.name != "func.return" or func is None:
            return []
        return [call.results[index] for call in self._calls.of(func)]

    def _through_call(self, call: Operation, index: int) -> list[Value]:
        callee = self._calls.callee(call)
        return [callee.body.arguments[index]] if callee is not None and callee.regions[0].blocks else []
