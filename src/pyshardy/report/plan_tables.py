"""The summary of a plan as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.report.plan_summary import PlanSummary
from pyshardy.report.sharding_tables import counted, open_console, plain, size_text

if TYPE_CHECKING:
    from rich.console import Console


_MOST_ROWS = 60


def print_plan(summary: PlanSummary, out: TextIO) -> None:
    """Writes the summary to ``out``."""
    console = open_console(out)
    mesh = f", mesh @{summary.mesh}" if summary.mesh is not None else ""
    console.print(f"{summary.form} program for {counted(summary.devices, 'device')}{mesh}", markup=False, style="bold")
    memory = {"arguments": summary.argument_bytes, "results": summary.result_bytes, "peak": summary.peak_bytes}
    listed = ", ".join(f"{name} {size_text(size)}" for name, size in memory.items())
    console.print(f"memory of a device: {listed}", markup=False)
    padding = summary.argument_padding, summary.result_padding
    if any(padding):
        console.print(
            f"padding on a device: arguments {size_text(padding[0])}, results {size_text(padding[1])}",
            markup=False,
            style="yellow",
        )
    else:
        console.print("padding: none, all shards are full", markup=False)
    _print_collectives(console, summary)
    console.print(f"partitioned in {summary.seconds:.2f} s", markup=False)


def _print_collectives(console: Console, summary: PlanSummary) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    if not summary.collectives:
        console.print("collectives: none, no device needs data of another", markup=False, style="green")
        return
    table = Table(title="collectives", title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("", "axes"):
        table.add_column(heading, overflow="fold")
    for heading in ("devices", "count", "bytes a device receives"):
        table.add_column(heading, justify="right")
    for row in summary.collectives[:_MOST_ROWS]:
        table.add_row(
            row.kind,
            plain(row.axes),
            str(row.group_size),
            str(row.count),
            size_text(round(row.bytes)),
        )
    console.print(table)
    if len(summary.collectives) > _MOST_ROWS:
        console.print(f" … and {len(summary.collectives) - _MOST_ROWS} more (--json lists all)", markup=False)
    count = counted(sum(row.count for row in summary.collectives), "collective")
    console.print(f"{count}, each device receives {size_text(round(summary.bytes_moved))}", markup=False)
