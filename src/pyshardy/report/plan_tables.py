"""The summary of a plan as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.report.cause_tables import print_causes, print_largest
from pyshardy.report.plan_summary import PlanSummary, Traffic
from pyshardy.report.sharding_tables import counted, open_console, plain, size_text

if TYPE_CHECKING:
    from rich.console import Console


_MOST_ROWS = 60


def print_plan(summary: PlanSummary, out: TextIO, *, everything: bool = False) -> None:
    """Writes the summary to ``out``; with ``everything`` each cause and tensor by itself."""
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
    print_largest(console, summary, everything=everything)
    _print_collectives(console, summary, everything=everything)
    console.print(f"partitioned in {summary.seconds:.2f} s", markup=False)


def _print_collectives(console: Console, summary: PlanSummary, *, everything: bool) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    if not summary.collectives:
        console.print("collectives: none, no device needs data of another", markup=False, style="green")
        return
    repeated = summary.traffic.is_repeated
    table = Table(title="collectives", title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("", "axes"):
        table.add_column(heading, overflow="fold")
    for heading in ("devices", "count", "bytes a device receives", *(("with all turns", "bytes") if repeated else ())):
        table.add_column(heading, justify="right")
    for row in summary.collectives[: None if everything else _MOST_ROWS]:
        cells = [row.kind, plain(row.axes), str(row.group_size), *_traffic_cells(row.traffic)]
        table.add_row(*cells[: None if repeated else 5])
    console.print(table)
    if len(summary.collectives) > _MOST_ROWS and not everything:
        console.print(f" … and {len(summary.collectives) - _MOST_ROWS} more (--all shows them)", markup=False)
    print_causes(console, summary.collectives, everything=everything)
    console.print(_traffic_text(summary.traffic), markup=False)


def _traffic_cells(traffic: Traffic) -> list[str]:
    least = "≥ " if traffic.unknown else ""
    once, all_turns = size_text(round(traffic.bytes)), size_text(round(traffic.run_bytes))
    return [str(traffic.count), once, f"{least}{traffic.runs}", f"{least}{all_turns}"]


def _traffic_text(traffic: Traffic) -> str:
    once = f"{counted(traffic.count, 'collective')}, each device receives {size_text(round(traffic.bytes))}"
    if not traffic.is_repeated:
        return once
    in_all = f"{size_text(round(traffic.run_bytes))} in {counted(traffic.runs, 'collective')}"
    unknown = f"; the turns of loops around {traffic.unknown} of them are not known" if traffic.unknown else ""
    return f"{once} if every loop goes round once, {in_all} with all turns{unknown}"
