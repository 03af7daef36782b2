"""What needs the collectives of a plan, and what fills its memory at the peak, as tables.

Rows that differ in an index alone are one (``alike``); without ``everything`` the biggest are shown and the rest is
summed up. ``plan_tables`` calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyshardy.report.alike import Alike, alike
from pyshardy.report.plan_summary import Cause, CollectiveRow, LiveTensor, PlanSummary
from pyshardy.report.rows import Rows
from pyshardy.report.sharding_tables import short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_CAUSES = 5
"""Causes of one kind of collective that are shown; one more that would be summed up alone is shown too."""


def print_causes(console: Console, rows: Sequence[CollectiveRow], *, everything: bool) -> None:
    """Writes for each kind of collective which operations need it, for which tensors."""
    table = Rows("what needs them", ("collective", "operation", "at", "scope", "tensor", "", "bytes"))
    for row in rows:
        groups = _groups(row.causes, everything)
        shown = groups if everything or len(groups) <= _MOST_CAUSES + 1 else groups[:_MOST_CAUSES]
        kind = f"{row.kind} {row.axes}"
        for group in shown:
            table.add(_cause_cells(kind, group))
            kind = ""
        rest = [one for group in groups[len(shown) :] for one in group.rows]
        if rest:
            received = size_text(round(sum(one.traffic.bytes for one in rest)))
            count = sum(one.traffic.count for one in rest)
            table.add(("", f"… {count} more", "", "", "", "", received))
        table.end_section()
    table.print(console)


def _groups(causes: Sequence[Cause], everything: bool) -> list[Alike[Cause]]:
    if everything:
        return [Alike(one.tensor, (one,)) for one in causes]
    groups = alike(causes, lambda one: one.tensor, lambda one: (one.operation, one.location.place, one.location.scope))
    return sorted(groups, key=lambda group: -sum(one.traffic.bytes for one in group.rows))


def _cause_cells(kind: str, group: Alike[Cause]) -> list[str]:
    first = group.rows[0]
    count = sum(one.traffic.count for one in group.rows)
    return [
        kind,
        short_name(first.operation),
        first.location.place,
        first.location.inner_scope,
        group.name,
        f"×{count}" if count > 1 else "",
        size_text(round(sum(one.traffic.bytes for one in group.rows))),
    ]


def print_largest(console: Console, summary: PlanSummary, *, everything: bool) -> None:
    """Writes the largest tensors that are alive at the peak of memory."""
    if not summary.largest:
        return
    table = Rows(
        f"the {len(summary.largest)} largest tensors at the peak of memory",
        ("tensor", "made by", "at", "scope", "on a device", "", "bytes"),
    )
    for group in _live_groups(summary.largest, everything):
        first = group.rows[0]
        cells = (
            group.name,
            short_name(first.operation) or "an argument",
            first.location.place,
            first.location.inner_scope,
            first.type.removeprefix("tensor<").removesuffix(">"),
            group.times,
            size_text(sum(one.bytes for one in group.rows)),
        )
        table.add(cells)
    table.print(console)


def _live_groups(largest: Sequence[LiveTensor], everything: bool) -> list[Alike[LiveTensor]]:
    if everything:
        return [Alike(one.name, (one,)) for one in largest]
    groups = alike(
        largest, lambda one: one.name, lambda one: (one.operation, one.location.place, one.location.scope, one.type)
    )
    return sorted(groups, key=lambda group: -sum(one.bytes for one in group.rows))
