"""The result of a check as HTML: ``_repr_html_`` of a ``CheckReport``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.report.check_tables import compared_parts, outcome
from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.words import counted

if TYPE_CHECKING:
    from pyshardy.checking.verdicts import CheckReport


def check_page(report: CheckReport) -> str:
    """The verdict on all results, and on each."""
    lines = [
        f"the global program against {counted(report.devices, 'device')}, {report.evaluation} evaluation, "
        f"{compared_parts(report)}{counted(report.runs, 'run')} from seed {report.seed}"
    ]
    if report.first_wrong is not None:
        lines.append(f"first wrong operation: {report.first_wrong}")
    rows = [(one.name, one.type, one.verdict.value, one.reason) for one in report.results]
    return html_lines(outcome(report), lines) + html_table("results", ("", "type", "verdict", "why"), rows)
