"""What a page is made of."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.cost.estimate import cost_of_timed
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.analysis.why.conflicts import Conflicts, find_conflicts
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.partitioning.plan import Plan


@dataclass(frozen=True)
class Report:
    """What a page is made of: the explained program, its conflicts, its plan ``timed`` and what that
    costs on hardware if some was named. ``name`` is what the page calls it, ``path`` the file that it came from,
    ``shardings`` the sharding file that was applied, with its strategy."""

    name: str
    path: str
    explainer: Explainer
    conflicts: Conflicts
    timed: TimedPlan | None
    cost: Cost | None
    shardings: str = ""

    @classmethod
    def of(
        cls,
        explainer: Explainer,
        name: str,
        *,
        path: str = "FILE",
        shardings: str = "",
        edits: bool | None = None,
    ) -> Report:
        """What there is to say of the plan of ``explainer``; ``edits`` as for ``find_conflicts``."""
        timed = explainer.timed
        cost = cost_of_timed(timed) if timed is not None else None
        return cls(name, path, explainer, find_conflicts(explainer, edits=edits), timed, cost, shardings)

    @property
    def hardware(self) -> Hardware | None:
        """What the plan is to run on."""
        return self.timed.hardware if self.timed is not None else None

    @property
    def plan(self) -> Plan:
        """The plan that the page is about."""
        return self.explainer.traced.plan
