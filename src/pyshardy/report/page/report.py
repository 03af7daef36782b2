"""The contents of a page."""

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
    """The contents of a page: the explained program, its conflicts, its plan ``timed`` and its cost, if hardware was
    given. ``name`` is its name on the page, ``path`` the file that it came from, ``shardings`` the sharding file that
    was applied, with its strategy."""

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
        """The report of the plan of ``explainer``; ``edits`` as for ``find_conflicts``."""
        timed = explainer.timed
        cost = cost_of_timed(timed) if timed is not None else None
        return cls(name, path, explainer, find_conflicts(explainer, edits=edits), timed, cost, shardings)

    @property
    def hardware(self) -> Hardware | None:
        """The hardware, None if none was given."""
        return self.timed.hardware if self.timed is not None else None

    @property
    def plan(self) -> Plan:
        """The plan that the page is about."""
        return self.explainer.traced.plan
