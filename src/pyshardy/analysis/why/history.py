"""The history of each sharding slot during propagation: the changes of a journal, grouped by slot.

Propagation visits operations, but questions are about tensors. ``chains`` follows an event to the tensor that the axis
came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyshardy.propagation.handovers import Handover
from pyshardy.propagation.journal import Change, Journal
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, contains
from pyshardy.sharding.tensor import TensorSharding


@dataclass(frozen=True, slots=True)
class Event:
    """Change number ``number`` gave ``slot`` another sharding. It is tensor number ``index`` of the operation's rule,
    or another member of that tensor's sharding group (``is_member``)."""

    number: int
    slot: ShardingSlot
    before: TensorSharding | None
    after: TensorSharding
    change: Change
    index: int
    is_member: bool

    def gives(self, dim: int, axis: AxisRef) -> bool:
        """Whether dimension ``dim`` is sharded along all of ``axis`` after the event, and was not before."""
        return has_axis(self.after, dim, axis) and not has_axis(self.before, dim, axis)


class History:
    """The events of ``journal`` by slot, in the order in which they happened."""

    def __init__(self, journal: Journal) -> None:
        self._events: dict[ShardingSlot, list[Event]] = {}
        self.handovers: dict[ShardingSlot, Handover] = {one.value: one for one in journal.handovers}
        for number, change in enumerate(journal.changes):
            self._enter(number, change)

    def _enter(self, number: int, change: Change) -> None:
        action = change.action
        touched: set[ShardingSlot] = set()
        for index, new in change.written:
            slot = action.slots[index]
            members = action.grouped[index] if action.grouped is not None else ()
            for one in (slot, *members):
                if one is None:
                    continue
                before = self._last(one, change) if one in touched else self._held(one, index, change)
                touched.add(one)
                event = Event(number, one, before, new, change, index, one is not slot)
                self._events.setdefault(one, []).append(event)

    def _held(self, slot: ShardingSlot, index: int, change: Change) -> TensorSharding | None:
        """The sharding of ``slot``, tensor number ``index`` or a member of its group, before ``change``."""
        if slot in change.action.slots:
            return change.held[change.action.slots.index(slot)]
        last = self._last(slot, change)
        return last if last is not None else change.held[index]

    def _last(self, slot: ShardingSlot, change: Change) -> TensorSharding | None:
        """The sharding that the last change gave ``slot``; None if dimensions may have been restored since, which
        happens between two user priorities in all members of a group."""
        events = self._events.get(slot)
        if not events or events[-1].change.user_priority != change.user_priority:
            return None
        return events[-1].after

    def of(self, slot: ShardingSlot) -> Iterable[Event]:
        """All events of ``slot``."""
        return self._events.get(slot, ())

    def gain(self, slot: ShardingSlot, dim: int, axis: AxisRef, before: int | None = None) -> Event | None:
        """The event that gave dimension ``dim`` of ``slot`` the last part of ``axis`` (before change number ``before``,
        if that is given); None if the slot had it before propagation."""
        for event in reversed(self._events.get(slot, ())):
            if (before is None or event.number < before) and event.gives(dim, axis):
                return event
        return None


def has_axis(sharding: TensorSharding | None, dim: int, axis: AxisRef) -> bool:
    """Whether dimension ``dim`` is sharded along all of ``axis``, at once or in parts that follow each other."""
    if sharding is None or dim >= sharding.rank:
        return False
    if any(contains(one, axis) for one in sharding.dims[dim].axes):
        return True
    parts = [one for one in sharding.dims[dim].axes if one.name == axis.name and contains(axis, one)]
    if axis.sub_size is None or not parts or parts[0].pre != axis.pre:
        return False
    reached = axis.pre
    for one in parts:
        if one.pre != reached:
            return False
        reached = one.next_pre
    return reached >= axis.next_pre
