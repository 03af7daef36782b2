"""The interface of observers of propagation, and the events that a run reports to them.

Observers belong to a context (``Context.propagation_observers``) or to a run; ``trace`` and ``journal`` are two. A run
reports every change and every visit that a change set off, but not visits in program order that change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.propagation.actions import Action, Node
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.groups import ShardingGroups
from pyshardy.propagation.handovers import HandoverObserver
from pyshardy.propagation.pre_scan import PreScan
from pyshardy.propagation.sharding_table import ShardingTable
from pyshardy.propagation.transfer_function import Shardings, TransferFunction, Updates


class PropagationStep(NamedTuple):
    """A step that changes something: its operation (the function, for its results), the action, the shardings before,
    the ``updates``, the directions, the strategy and the op priority."""

    op: Operation
    action: Action
    shardings: Shardings
    updates: Updates
    directions: Directions
    strategy: str
    priority: int


class ObservedPropagation(Protocol):
    """What observers may ask a run of propagation."""

    @property
    def main(self) -> Operation:
        """The main function, whose results have actions of their own."""

    @property
    def user_priority(self) -> int:
        """The current user priority."""

    @property
    def groups(self) -> ShardingGroups:
        """The groups of values that get a common sharding."""

    @property
    def pre_scan(self) -> PreScan:
        """What the walk over the program before propagation has found."""

    @property
    def table(self) -> ShardingTable:
        """The shardings at the moment."""

    @property
    def transfer(self) -> TransferFunction:
        """How a step computes shardings."""

    def node(self, op: Operation) -> Node | None:
        """The node of ``op``, with all its actions; None if it has not been visited."""

    def actions(self) -> Iterator[tuple[Operation, Action]]:
        """The actions of all operations that have not been erased."""

    def is_erased(self, op: Operation) -> bool:
        """Whether ``op`` (or an operation around it) was removed as dead."""


class PropagationObserver(HandoverObserver):
    """An observer; every method does nothing by default."""

    def began(self, run: ObservedPropagation) -> None:
        """A run is about to begin."""

    def begins_worklist(self, run: ObservedPropagation) -> None:
        """Operations are about to be visited because something around them has changed."""

    def ends_worklist(self, run: ObservedPropagation) -> None:
        """The worklist is empty."""

    def visits_from_worklist(self, op: Operation) -> None:
        """``op`` from the worklist is about to be visited."""

    def writes(self, run: ObservedPropagation, step: PropagationStep) -> None:
        """A step is about to be written."""

    def erases(self, op: Operation) -> None:
        """``op``, which is dead, is about to be erased."""

    def reached_fixed_point(self, run: ObservedPropagation) -> None:
        """Nothing changes any more at this priority."""

    def finished(self, run: ObservedPropagation) -> None:
        """Propagation is done, and its shardings are written; edges are still in the program."""


def observers_of(context: Context) -> tuple[PropagationObserver, ...]:
    """The observers of ``context``."""
    return tuple(one for one in context.propagation_observers if isinstance(one, PropagationObserver))
