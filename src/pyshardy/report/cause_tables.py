"""Tables of the operations that need the collectives of a plan, and of the tensors in memory at the peak.

Rows that differ in an index alone are one row (``alike``); without ``everything`` the largest are shown and the rest is
summed up. ``plan_tables`` calls both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyshardy.report.alike import Alike, alike
from pyshardy.report.plan_summary import Cause, CollectiveRow, PlanSummary
from pyshardy.report.rows import Rows
from pyshardy.report.words import short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_LIVE = 10
_MOST_NUMBERS = 2
_MOST_CAUSES = 5
"""The number of causes of one kind of collective that are shown; a single further one is shown, too, instead of summed
up."""


def print_causes(console: Console, rows: Sequence[CollectiveRow], *, everything: bool) -> None:
    """Writes for each kind of collective which operations need it, for which tensors."""
    headings = ("collective", "number", "operation", "at", "scope", "tensor", "", "bytes", "with all iterations")
    table = Rows("what needs them", headings, numbers=2)
    repeated = any(row.traffic.is_repeated for row in rows)
    for row in rows:
        groups = alike(
            row.causes,
            lambda one: one.tensor,
            lambda one: (one.operation, one.location.place, one.location.scope),
            size=lambda one: one.traffic.bytes,
            everything=everything,
        )
        shown = groups if everything or len(groups) <= _MOST_CAUSES + 1 else groups[:_MOST_CAUSES]
        kind = f"{row.kind} {row.axes}"
        for group in shown:
            table.add([*_cause_cells(kind, group), *_bytes_cells(group.rows, repeated)])
            kind = ""
        rest = [one for group in groups[len(shown) :] for one in group.rows]
        if rest:
            count = sum(one.traffic.count for one in rest)
            table.add(["", "", f"… {count} more", "", "", "", "", *_bytes_cells(rest, repeated)])
        table.end_section()
    table.print(console)


def _cause_cells(kind: str, group: Alike[Cause]) -> list[str]:
    first = group.rows[0]
    count = sum(one.traffic.count for one in group.rows)
    return [
        kind,
        _numbers_text([number for one in group.rows for number in one.numbers]),
        short_name(first.operation),
        first.location.place,
        first.location.inner_scope,
        group.name,
        f"×{count}" if count > 1 else "",
    ]


def _numbers_text(numbers: Sequence[int]) -> str:
    """``3, 7-9, …``: the first of the numbers of the collectives, as ``explain`` takes them."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    shown = [str(a) if a == b else f"{a}-{b}" for a, b in runs[:_MOST_NUMBERS]]
    return ", ".join([*shown, *(["…"] if len(runs) > _MOST_NUMBERS else [])])


def _bytes_cells(causes: Sequence[Cause], repeated: bool) -> tuple[str, str]:
    """The bytes with every loop counted once, and, if loops make a difference in any row, with all iterations."""
    once = size_text(sum(one.traffic.bytes for one in causes))
    least = "≥ " if any(one.traffic.unknown for one in causes) else ""
    all_turns = size_text(sum(one.traffic.run_bytes for one in causes))
    return once, f"{least}{all_turns}" if repeated else ""


def print_largest(console: Console, summary: PlanSummary, *, everything: bool) -> None:
    """Writes the largest tensors that are live at the peak of memory, and the sum of all others."""
    if not summary.largest:
        return
    groups = alike(
        summary.largest,
        lambda one: one.name,
        lambda one: (one.operation, one.location.place, one.location.scope, one.type),
        size=lambda one: one.bytes,
        everything=everything,
    )
    shown = groups if everything else groups[:_MOST_LIVE]
    table = Rows(
        "the largest tensors at the peak of memory", ("tensor", "made by", "at", "scope", "on a device", "", "bytes")
    )
    for group in shown:
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
    rest = summary.peak_bytes - sum(one.bytes for group in shown for one in group.rows)
    if rest > 0:
        table.add(("… and others", "", "", "", "", "", size_text(rest)))
    table.print(console)
