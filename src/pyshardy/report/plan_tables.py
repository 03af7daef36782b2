"""The summary of a plan as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.report.cause_tables import print_causes, print_largest
from pyshardy.report.console import open_console
from pyshardy.report.plan_summary import BatchRow, PlanSummary
from pyshardy.report.rows import Rows
from pyshardy.report.traffic import Traffic, received_text
from pyshardy.report.words import counted, left_out, short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console


_MOST_ROWS = 60


def print_plan(summary: PlanSummary, out: TextIO, *, everything: bool = False) -> None:
    """Writes the summary to ``out``; with ``everything`` each cause and tensor by itself."""
    console = open_console(out)
    mesh = f", mesh @{summary.mesh}" if summary.mesh is not None else ""
    console.print(f"{summary.form} program for {counted(summary.devices, 'device')}{mesh}", markup=False, style="bold")
    for row in summary.displaced:
        console.print(displaced_text(row), markup=False, style="yellow")
    console.print(f"{memory_text(summary)} (fused, in place where operands die)", markup=False)
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
    if summary.chosen_by != "bytes":
        console.print(f"candidate plans compared by {summary.chosen_by}", markup=False)
    console.print(f"partitioned in {summary.seconds:.2f} s", markup=False)


def memory_text(summary: PlanSummary) -> str:
    """``memory of a device: arguments 64 B, results 64 B, peak 192 B``."""
    sizes = {"arguments": summary.argument_bytes, "results": summary.result_bytes, "peak": summary.peak_bytes}
    return "memory of a device: " + ", ".join(f"{name} {size_text(size)}" for name, size in sizes.items())


def displaced_text(row: BatchRow) -> str:
    """A text that says which axis the batch has lost to a weight, where, how many bytes that moves, and how to avoid
    it."""
    lost, where = displaced_words(row)
    return (
        f"{lost}: {where}. Collectives for such tensors move {size_text(row.run_bytes)}, {row.share:.0%} of all bytes; "
        f'a sharding constraint with "{row.axis}" in dimension {row.batch_dimension} of that tensor keeps it on the '
        "batch"
    )


def displaced_words(row: BatchRow) -> tuple[str, str]:
    """The axis that the batch has lost, and the first tensor in which it has."""
    made = f"the result of {short_name(row.operation)}" if row.operation else "a tensor"
    tensor = f"{row.tensor or made} ({row.type})"
    where = f" at {row.location.place}" if row.location.place else ""
    return (
        f'activations lie along "{row.axis}" of weights, not of the batch',
        f'first {tensor}{where} has "{row.axis}" in dimension {row.dimension}, from {row.weight or "a weight"}, and '
        f"not in dimension {row.batch_dimension}, the batch's",
    )


def _print_collectives(console: Console, summary: PlanSummary, *, everything: bool) -> None:
    if not summary.collectives:
        console.print("collectives: none, no device needs data of another", markup=False, style="green")
        return
    repeated = summary.traffic.is_repeated
    headings = ("", "axes", "devices", "count", "bytes a device receives", "with all iterations", "bytes")
    table = Rows("collectives", headings, numbers=5)
    for row in summary.collectives[: None if everything else _MOST_ROWS]:
        table.add((row.kind, row.axes, str(row.group_size), *_traffic_cells(row.traffic, repeated)))
    table.print(console)
    if len(summary.collectives) > _MOST_ROWS and not everything:
        console.print(left_out(len(summary.collectives) - _MOST_ROWS), markup=False)
    print_causes(console, summary.collectives, everything=everything)
    runs = f" in {counted(summary.traffic.runs, 'collective')}"
    received = received_text(summary.traffic, runs)
    console.print(f"{counted(summary.traffic.count, 'collective')}, {received}", markup=False)


def _traffic_cells(traffic: Traffic, repeated: bool) -> tuple[str, ...]:
    """Number and bytes with loops counted once, and, if loops make a difference in any row, with all iterations."""
    least = "≥ " if traffic.unknown else ""
    runs = (f"{least}{traffic.runs}", f"{least}{size_text(traffic.run_bytes)}") if repeated else ("", "")
    return str(traffic.count), size_text(traffic.bytes), *runs
