"""The summary of a propagated program as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.report.sharding_summary import Boundary, ShardingSummary

if TYPE_CHECKING:
    from rich.console import Console

_MOST_CONFLICTS = 40
_MOST_ROWS = 60
_PLAIN_WIDTH = 160


def open_console(out: TextIO) -> Console:
    """What writes tables to ``out``: as wide as the terminal, or wide enough for a line of a pipe."""
    from rich.console import Console

    terminal = out.isatty()
    return Console(file=out, width=None if terminal else _PLAIN_WIDTH, highlight=False, no_color=not terminal)


def print_summary(summary: ShardingSummary, out: TextIO, *, conflicts: bool = True) -> None:
    """Writes the summary to ``out``, with or without its conflicts."""
    console = open_console(out)
    for name, mesh in summary.meshes.items():
        axes = ", ".join(f"{axis.name}={axis.size}" for axis in mesh.axes) or "no axes"
        console.print(f"mesh @{name}: {axes} ({counted(mesh.total_size, 'device')})", markup=False, style="bold")
    console.print(
        f"tensors: {summary.tensors}, {summary.sharded} sharded, {summary.replicated} replicated", markup=False
    )
    _boundaries(console, "arguments", summary.arguments)
    _boundaries(console, "results", summary.results)
    if conflicts:
        _conflicts(console, summary)


def _boundaries(console: Console, title: str, rows: tuple[Boundary, ...]) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    if not rows:
        return
    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("", "type", "sharding", "on a device"):
        table.add_column(heading, overflow="fold")
    table.add_column("bytes on a device", justify="right")
    for row in rows[:_MOST_ROWS]:
        shape = "x".join(map(str, row.device_shape)) or "scalar"
        style = "green" if row.device_bytes < row.bytes else ""
        cells = (row.name, row.type, row.sharding or "none", shape, size_text(row.device_bytes))
        table.add_row(*map(plain, cells), style=style)
    total = sum(row.bytes for row in rows)
    local = sum(row.device_bytes for row in rows)
    console.print(table)
    if len(rows) > _MOST_ROWS:
        console.print(f" … and {len(rows) - _MOST_ROWS} more (--json lists all)", markup=False)
    console.print(f"{title}: {size_text(total)} in all, {size_text(local)} on a device", markup=False)


def _conflicts(console: Console, summary: ShardingSummary) -> None:
    if not summary.conflicts:
        console.print("no conflicts: no operation needs its operands or results moved", markup=False, style="green")
        return
    console.print(
        f"conflicts: {len(summary.conflicts)} (data has to move at these operations)", markup=False, style="yellow"
    )
    for one in summary.conflicts[:_MOST_CONFLICTS]:
        place = f"{one.position}: " if one.position.line else ""
        console.print(f"  {place}{one.operation}: {one.text}", markup=False, soft_wrap=True)
    if len(summary.conflicts) > _MOST_CONFLICTS:
        console.print(f"  … and {len(summary.conflicts) - _MOST_CONFLICTS} more (--json lists all)", markup=False)


def plain(text: str) -> str:
    """``text`` without meaning to rich."""
    return text.replace("[", "\\[")


def counted(count: int, noun: str) -> str:
    """``1 device``, ``2 devices``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size_text(count: int) -> str:
    """Bytes with a binary unit: ``1.5 KiB``."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
