"""A plan as a short text and as HTML: ``repr(plan)`` and its ``_repr_html_``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.words import counted, short_name, size_text

if TYPE_CHECKING:
    from pyshardy.partitioning.plan import Plan
    from pyshardy.report.plan_summary import Cause


def plan_words(plan: Plan) -> str:
    """The kind of plan, the bytes that it moves, and its memory."""
    mesh = f" on mesh @{plan.mesh_name}" if plan.mesh_name is not None else ""
    return (
        f"{plan.form} program of @{plan.entry} for {counted(plan.devices, 'device')}{mesh}: "
        f"{counted(len(plan.collectives), 'collective')}, each device receives {size_text(plan.bytes_moved)}, "
        f"peak of memory {size_text(plan.memory.peak)}"
    )


def plan_page(plan: Plan) -> str:
    """The costs of a plan: memory, collectives by kind, and the operations that need the most of them."""
    from pyshardy.report.plan_summary import summarize_plan
    from pyshardy.report.plan_tables import memory_text

    summary = summarize_plan(plan)
    rows = [
        (row.kind, row.axes, str(row.group_size), str(row.traffic.count), size_text(row.traffic.bytes))
        for row in summary.collectives
    ]
    causes = sorted(
        (cause for row in summary.collectives for cause in row.causes), key=lambda cause: -cause.traffic.bytes
    )
    needs = ("", "operation", "at", "scope", "tensor", "bytes")
    return "".join(
        [
            html_lines(plan_words(plan), [memory_text(summary)]),
            html_table("collectives", ("", "axes", "devices", "count", "bytes a device receives"), rows),
            html_table("what needs most", needs, map(_cause_cells, causes)),
        ]
    )


def _cause_cells(cause: Cause) -> tuple[str, ...]:
    location = cause.location
    received = size_text(cause.traffic.bytes)
    return (
        cause.kind,
        short_name(cause.operation),
        location.place,
        location.inner_scope,
        cause.tensor,
        received,
    )
