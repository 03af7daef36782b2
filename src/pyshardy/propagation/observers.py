"""The interface of observers of propagation, and the events that a run reports to them.

Observers belong to a context (``Context.propagation_observers``) or to a run. There are three: ``trace`` writes debug
attributes, ``journal`` records all changes for explanations, ``folding.histories`` compares the changes in layers that
are alike. A run reports changes, not visits without one, so that observers cost little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.transfer_function import Shardings, Updates
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.actions import Action
    from pyshardy.propagation.fixed_point import Propagation


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


class Handover(NamedTuple):
    """A pass before propagation gave ``value`` the ``sharding`` of ``source``: of the operation that constrains its
    operand ``number`` (a constraint, a manual computation), or of another member of the value's group."""

    pass_name: str
    value: Value
    sharding: TensorSharding
    source: Operation | Value
    number: int = 0


class PropagationObserver:
    """An observer; every method does nothing by default."""

    def handed_over(self, handover: Handover) -> None:
        """A pass gives a value a sharding before propagation begins."""

    def began(self, run: Propagation) -> None:
        """A run is about to begin."""

    def begins_listed(self, run: Propagation) -> None:
        """Operations are about to be visited because something around them has changed."""

    def ends_listed(self, run: Propagation) -> None:
        """All operations on the stack have been visited."""

    def visits(self, op: Operation) -> None:
        """``op`` from the stack is about to be visited."""

    def writes(self, run: Propagation, step: PropagationStep) -> None:
        """A step is about to be written."""

    def erases(self, op: Operation) -> None:
        """``op``, which is dead, is about to be erased."""

    def reached_fixed_point(self, run: Propagation) -> None:
        """Nothing changes any more at this priority."""

    def finished(self, run: Propagation) -> None:
        """Propagation is done, and its shardings are written; edges are still in the program."""


def observers_of(context: Context) -> tuple[PropagationObserver, ...]:
    """The observers of ``context``."""
    return tuple(one for one in context.propagation_observers if isinstance(one, PropagationObserver))
