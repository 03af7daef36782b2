"""The public class of the result of a check."""

from __future__ import annotations

from pyshardy.checking import verdicts


class CheckReport(verdicts.CheckReport):
    __doc__ = verdicts.CheckReport.__doc__

    def __repr__(self) -> str:
        from pyshardy.report.check_tables import outcome

        return f"<CheckReport: {outcome(self)} on {self.devices} devices, {self.evaluation} evaluation>"

    def _repr_html_(self) -> str:
        """The verdicts, for a notebook."""
        from pyshardy.report.check_page import check_page

        return check_page(self)
