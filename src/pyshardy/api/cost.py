"""The public class of the cost of a plan."""

from __future__ import annotations

from pyshardy.analysis.cost import step_cost


class Cost(step_cost.Cost):
    __doc__ = step_cost.Cost.__doc__

    def report(self, *, everything: bool = False) -> str:
        """The text that ``pyshardy cost`` prints; with ``everything`` all operations."""
        from pyshardy.report.console import printed
        from pyshardy.report.cost_tables import print_cost

        return printed(lambda out: print_cost(self, out, everything=everything))

    def _repr_html_(self) -> str:
        """The figures, for a notebook."""
        from pyshardy.report.cost_page import cost_page

        return cost_page(self)
