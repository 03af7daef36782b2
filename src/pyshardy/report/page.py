"""A module and a plan in a few words, and as a small piece of HTML for a notebook.

Everything that comes from a program is escaped: names of arguments are somebody's text. ``repr(module)`` and
``repr(plan)`` and their ``_repr_html_`` stand right of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from pyshardy.dialects.main_function import find_main_function
from pyshardy.report.boundary_row import BoundaryRow
from pyshardy.report.sharding_summary import boundaries
from pyshardy.report.sharding_tables import boundary_cells, boundary_groups
from pyshardy.report.words import counted, mesh_text, short_name, size_text

if TYPE_CHECKING:
    from pyshardy.api import Module
    from pyshardy.partitioning.plan import Plan
    from pyshardy.report.plan_summary import Cause

_MOST_ROWS = 20


def module_words(module: Module) -> str:
    """The name of the program, its main function, its size and its meshes."""
    name = f"@{module.op.symbol_name}: " if module.op.symbol_name else ""
    main = find_main_function(module.op)
    function = "no main function"
    if main is not None:
        arguments, results = boundaries(module)
        count = f"{counted(len(arguments), 'argument')}, {counted(len(results), 'result')}"
        function = f"@{main.symbol_name} with {count}"
    operations = counted(len(module.op.operations()) - 1, "operation")
    return ", ".join([f"{name}{function}", operations, *(mesh_text(*one) for one in module.meshes.items())])


def plan_words(plan: Plan) -> str:
    """What the plan is, how much it moves, and the memory that it takes."""
    mesh = f" on mesh @{plan.mesh_name}" if plan.mesh_name is not None else ""
    return (
        f"{plan.form} program of @{plan.entry} for {counted(plan.devices, 'device')}{mesh}: "
        f"{counted(len(plan.collectives), 'collective')}, each device receives {size_text(plan.bytes_moved)}, "
        f"peak of memory {size_text(plan.memory.peak)}"
    )


# --- HTML -------------------------------------------------------------------------------------------------------------


def module_page(module: Module) -> str:
    """The meshes, arguments and results of a program; those that are alike as one, the largest first."""
    arguments, results = boundaries(module)
    return "".join(
        [
            f"<p><b>{escape(module_words(module))}</b></p>",
            _boundary_table("arguments", arguments),
            _boundary_table("results", results),
        ]
    )


def plan_page(plan: Plan) -> str:
    """What a plan costs: memory, collectives by kind, and what needs the most of them."""
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
    return "".join(
        [
            f"<p><b>{escape(plan_words(plan))}</b><br>{escape(memory_text(summary))}</p>",
            _table("collectives", ("", "axes", "devices", "count", "bytes a device receives"), rows),
            _table("what needs most", ("", "operation", "at", "scope", "tensor", "bytes"), map(_cause_cells, causes)),
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


def _boundary_table(title: str, rows: Sequence[BoundaryRow]) -> str:
    headings = ("", "", "type", "sharding", "on a device", "bytes on a device")
    return _table(title, headings, map(boundary_cells, boundary_groups(rows)))


def _table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    listed = list(rows)
    if not listed:
        return ""
    head = "".join(f"<th>{escape(one)}</th>" for one in headings)
    lines = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in listed[:_MOST_ROWS]]
    if len(listed) > _MOST_ROWS:
        lines.append(f'<tr><td colspan="{len(headings)}">… and {len(listed) - _MOST_ROWS} more</td></tr>')
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
