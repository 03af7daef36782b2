"""Handovers: a pass gives a value a sharding before propagation begins, and tells observers why.

``sdy-apply-sharding-constraints`` hands over the shardings of constraints, ``groups`` those of other members.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.sharding.tensor import TensorSharding


class Handover(NamedTuple):
    """A pass before propagation gave ``value`` the ``sharding`` of ``source``: of the operation that constrains its
    operand ``number`` (a constraint, a manual computation), or of another member of the value's group."""

    pass_name: str
    value: Value
    sharding: TensorSharding
    source: Operation | Value
    number: int = 0


class HandoverObserver:
    """An observer of handovers; it does nothing by default."""

    def handed_over(self, handover: Handover) -> None:
        """A pass gives a value a sharding before propagation begins."""


def handover_observers(context: Context) -> tuple[HandoverObserver, ...]:
    """The observers of ``context``."""
    return tuple(one for one in context.propagation_observers if isinstance(one, HandoverObserver))
