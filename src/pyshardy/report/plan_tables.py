"""The summary of a plan and the outcome of a check as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.report.plan_summary import PlanSummary
from pyshardy.report.sharding_tables import counted, open_console, plain, size_text

if TYPE_CHECKING:
    from rich.console import Console

    from pyshardy.checking.check import CheckReport

_MOST_ROWS = 60


def print_plan(summary: PlanSummary, out: TextIO) -> None:
    """Writes the summary to ``out``."""
    console = open_console(out)
    mesh = f", mesh @{summary.mesh}" if summary.mesh is not None else ""
    console.print(f"{summary.form} program for {counted(summary.devices, 'device')}{mesh}", markup=False, style="bold")
    memory = {"arguments": summary.argument_bytes, "results": summary.result_bytes, "peak": summary.peak_bytes}
    listed = ", ".join(f"{name} {size_text(size)}" for name, size in memory.items())
    console.print(f"memory of a device: {listed} (fused, in place where operands die)", markup=False)
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


def print_check(report: CheckReport, out: TextIO) -> None:
    """Writes the outcome of a check to ``out``."""
    from rich.box import SIMPLE
    from rich.table import Table

    console = open_console(out)
    table = Table(title="check", title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("", "type"):
        table.add_column(heading, overflow="fold")
    for heading in ("largest relative error", "tolerance"):
        table.add_column(heading, justify="right")
    table.add_column("")
    shown = [one for one in report.results if not one.agrees] or list(report.results)
    for one in shown[:_MOST_ROWS]:
        verdict = "only rounding" if one.is_rounding else "agrees" if one.agrees else "DIFFERS"
        cells = (f"result {one.index}", one.type, f"{one.error:.1e}", f"{one.tolerance:.1e}", verdict)
        table.add_row(*cells, style="green" if one.agrees else "red")
    console.print(table)
    if len(shown) > _MOST_ROWS:
        console.print(f" … and {len(shown) - _MOST_ROWS} more", markup=False)
    wrong = sum(not one.agrees for one in report.results)
    total = len(report.results)
    all_of_them = f"all {total} results agree" if total != 1 else "the result agrees"
    outcome = (
        all_of_them if not wrong else f"{wrong} of {counted(total, 'result')} {'differs' if wrong == 1 else 'differ'}"
    )
    console.print(
        f"{outcome}: the global program against {counted(report.devices, 'device')}, seed {report.seed}, "
        f"{report.seconds:.1f} s",
        markup=False,
        style="bold green" if not wrong else "bold red",
    )
