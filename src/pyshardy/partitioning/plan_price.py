"""How candidate plans are compared by what they cost on hardware.

``analysis.cost.candidate_price`` implements the comparison; ``best_plan`` uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pyshardy.ir.native_classes import mypyc_attr
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.sharding.mesh import Mesh

CERTAINLY_MORE = 1 + 1e-8
"""Two times of plans differ for certain only if their ratio exceeds this: both are rounded."""


class PlanPrice(NamedTuple):
    """What a plan costs on hardware, what matters most first: the bytes that do not fit into memory, the seconds of a
    step, the bytes that move."""

    bytes_over_memory: float
    seconds: float
    bytes: float

    def if_below(self, than: PlanPrice | None) -> PlanPrice | None:
        """This price; None if it is not less ``than`` another."""
        return self if than is None or self < than else None


@mypyc_attr(allow_interpreted_subclasses=True)
class PlanComparison:
    """Compares candidate plans by what they cost on hardware instead of by their bytes. ``reshards`` chooses the routes
    of their reshards."""

    def __init__(self, reshards: ReshardChoice | None) -> None:
        self.reshards = reshards

    def price_if_below(self, plan: CandidatePlan, than: PlanPrice | None) -> PlanPrice | None:
        """The price of ``plan``; None if it is not less ``than`` another."""
        raise NotImplementedError

    def is_certainly_less(self, plan: CandidatePlan, other: CandidatePlan) -> bool:
        """Whether it is known without prices that that of ``plan`` is less than that of ``other``."""
        return False


class Pricing(NamedTuple):
    """How candidate plans are compared: a ``description``, and the comparison ``for_mesh`` (which raises ValueError if
    the mesh does not fit)."""

    description: str
    for_mesh: Callable[[Mesh | None], PlanComparison]
