"""The summary of a propagated program as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pyshardy.ir.source_location import short_path
from pyshardy.report.alike import Alike, alike
from pyshardy.report.boundary_row import BoundaryRow
from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.sharding_summary import ShardingSummary
from pyshardy.report.words import counted, left_out, mesh_text, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_CONFLICTS = 40
_MOST_ROWS = 60


def print_summary(summary: ShardingSummary, out: TextIO, *, conflicts: bool = True, everything: bool = False) -> None:
    """Writes the summary to ``out``, with or without its conflicts; with ``everything`` each argument and result has a
    row of its own in the order of the program, otherwise those that differ in an index alone are one row, the largest
    first."""
    console = open_console(out)
    for name, mesh in summary.meshes.items():
        devices = counted(mesh.total_size, "device")
        console.print(f"{mesh_text(name, mesh)} ({devices})", markup=False, style="bold")
    console.print(
        f"tensors: {summary.tensors}, {summary.sharded} sharded, {summary.replicated} replicated", markup=False
    )
    _boundaries(console, "arguments", summary.arguments, everything)
    _boundaries(console, "results", summary.results, everything)
    if conflicts:
        _conflicts(console, summary, everything)


def _boundaries(console: Console, title: str, rows: tuple[BoundaryRow, ...], everything: bool) -> None:
    if not rows:
        return
    groups = boundary_groups(rows, everything)
    shown = groups if everything else groups[:_MOST_ROWS]
    table = Rows(title, ("name", "", "", "type", "sharding", "on a device", "bytes on a device"))
    for group in shown:
        row = group.rows[0]
        name, times, *cells = boundary_cells(group)
        table.add((name, times, _symbols(group), *cells), "green" if row.device_bytes < row.bytes else "")
    table.print(console)
    if len(groups) > len(shown):
        hidden = sum(len(group.rows) for group in groups[len(shown) :])
        console.print(left_out(hidden), markup=False)
    total = sum(row.bytes for row in rows)
    local = sum(row.device_bytes for row in rows)
    console.print(f"{title}: {size_text(total)} in all, {size_text(local)} on a device", markup=False)


def boundary_groups(rows: Sequence[BoundaryRow], everything: bool = False) -> list[Alike[BoundaryRow]]:
    """Arguments or results, grouped if they differ in an index alone, sorted by bytes on a device; with ``everything``
    ungrouped in the order of the program."""
    return alike(
        rows,
        lambda row: row.name,
        lambda row: (row.type, row.sharding, row.device_shape),
        size=lambda row: row.device_bytes,
        everything=everything,
    )


def boundary_cells(group: Alike[BoundaryRow]) -> tuple[str, ...]:
    """Name, how many, type, sharding, shape on a device and bytes on a device."""
    row = group.rows[0]
    shape = "x".join(map(str, row.device_shape)) or "scalar"
    size = size_text(sum(one.device_bytes for one in group.rows))
    return group.name, group.times, row.type, row.sharding or "none", shape, size


def _symbols(group: Alike[BoundaryRow]) -> str:
    """The symbols of the rows in MLIR, if they differ from the name."""
    first, last = group.rows[0], group.rows[-1]
    if first.symbol == first.name:
        return ""
    return first.symbol if first is last else f"{first.symbol} … {last.symbol.removeprefix('result ')}"


def _conflicts(console: Console, summary: ShardingSummary, everything: bool) -> None:
    if summary.conflicts:
        text = "shardings that do not fit together: data has to move at these operations"
        console.print(f"conflicts: {len(summary.conflicts)} ({text})", markup=False, style="yellow")
    else:
        text = "at every operation the shardings of operands and results fit together"
        console.print(f"no conflicts: {text}", markup=False, style="green")
    groups = alike(
        summary.conflicts,
        lambda one: one.text,
        lambda one: (one.position, one.operation, one.scope),
        everything=everything,
    )
    shown = groups[: None if everything else _MOST_CONFLICTS]
    for group in shown:
        one = group.rows[0]
        place = one.position._replace(filename=short_path(one.position.filename))
        where = f"{place}: " if one.position.line else ""
        scope = f" ({one.scope})" if one.scope else ""
        times = f" {group.times}" if group.times else ""
        console.print(f"  {where}{one.operation}{scope}: {group.name}{times}", markup=False, soft_wrap=True)
    if len(groups) > len(shown):
        hidden = sum(len(group.rows) for group in groups[len(shown) :])
        console.print(f" {left_out(hidden)}", markup=False)
    if summary.sums:
        what = "operation sums" if summary.sums == 1 else "operations sum"
        text = f"{summary.sums} {what} over a sharded dimension: devices combine their parts, which moves data too"
        console.print(f"{text} (`pyshardy partition` lists all that moves)", markup=False)
