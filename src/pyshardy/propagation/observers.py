"""Who watches propagation: what a run tells observers of what it does.

Observers hang on a context (``Context.propagation_observers``) or are handed to a run. Three there are: ``trace``
writes debug attributes, ``journal`` keeps everything for those who ask why, ``folding.histories`` compares what layers
that are alike do. A run tells them of changes, not of visits without one, so that nobody pays for what nobody watches.
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
    """A step that changes something: at which operation (the function, for its results), by which of its actions, from
    which shardings, to which ``updates``, in which directions, and at which op priority."""

    op: Operation
    action: Action
    shardings: Shardings
    updates: Updates
    directions: Directions
    strategy: str
    priority: int


class Handover(NamedTuple):
    """Before propagation a pass gave ``value`` the ``sharding`` that ``source`` has: the operation that asks for it (a
    constraint, a manual computation) of its operand ``number``, or another member of the value's group."""

    pass_name: str
    value: Value
    sharding: TensorSharding
    source: Operation | Value
    number: int = 0


class PropagationObserver:
    """Watches; every method does nothing here."""

    def handed_over(self, handover: Handover) -> None:
        """A pass gives a value a sharding before propagation begins."""

    def began(self, run: Propagation) -> None:
        """A run is about to begin."""

    def begins_listed(self, run: Propagation) -> None:
        """Operations are about to be visited because something around them has changed."""

    def ends_listed(self, run: Propagation) -> None:
        """All of them have been visited."""

    def visits(self, op: Operation) -> None:
        """One of them is about to be visited."""

    def writes(self, run: Propagation, step: PropagationStep) -> None:
        """A step is about to be written."""

    def erases(self, op: Operation) -> None:
        """``op``, which is dead, is about to be taken out of the program."""

    def reached_fixed_point(self, run: Propagation) -> None:
        """Nothing changes any more at this priority."""

    def finished(self, run: Propagation) -> None:
        """Propagation is done, and its shardings are written; edges are still in the program."""


def observers_of(context: Context) -> tuple[PropagationObserver, ...]:
    """Those that hang on ``context``."""
    return tuple(one for one in context.propagation_observers if isinstance(one, PropagationObserver))
