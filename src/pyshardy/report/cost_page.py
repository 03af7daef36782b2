"""The cost of a step as HTML: ``_repr_html_`` of a ``Cost``."""

from __future__ import annotations

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.report.cost_tables import head_lines, misfit_text
from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.words import flops_text, seconds_text, short_name, size_text


def cost_page(cost: Cost) -> str:
    """The figures of the step, the collectives, and the operations that take longest."""
    lines = [*([] if cost.fits else [misfit_text(cost)]), *head_lines(cost)]
    collectives = [
        (one.kind, one.axes, str(one.runs), size_text(one.run_bytes), seconds_text(one.seconds))
        for one in cost.collectives
    ]
    operations = [
        (
            short_name(one.operation),
            one.location.place,
            one.type,
            str(one.runs),
            flops_text(one.flops),
            size_text(one.bytes),
            seconds_text(one.seconds),
        )
        for one in cost.operations
    ]
    return "".join(
        [
            html_lines(lines[0], lines[1:]),
            html_table("communication", ("", "axes", "times", "bytes", "seconds"), collectives),
            html_table(
                "what takes longest", ("", "at", "on a device", "times", "FLOP", "bytes", "seconds"), operations
            ),
        ]
    )
