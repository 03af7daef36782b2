"""The summary of a propagated program as tables: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from pyshardy.ir.source_location import short_path
from pyshardy.report.alike import Alike, alike
from pyshardy.report.conflicts import Conflict
from pyshardy.report.rows import Rows
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


def printed(write: Callable[[TextIO], None]) -> str:
    """What ``write`` writes, as text without spaces at the ends of lines."""
    out = StringIO()
    write(out)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def print_summary(summary: ShardingSummary, out: TextIO, *, conflicts: bool = True, everything: bool = False) -> None:
    """Writes the summary to ``out``, with or without its conflicts; with ``everything`` each argument and result by
    itself in the order of the program, otherwise those that are alike as one and the largest first."""
    console = open_console(out)
    for name, mesh in summary.meshes.items():
        axes = ", ".join(f"{axis.name}={axis.size}" for axis in mesh.axes) or "no axes"
        console.print(f"mesh @{name}: {axes} ({counted(mesh.total_size, 'device')})", markup=False, style="bold")
    console.print(
        f"tensors: {summary.tensors}, {summary.sharded} sharded, {summary.replicated} replicated", markup=False
    )
    _boundaries(console, "arguments", summary.arguments, everything)
    _boundaries(console, "results", summary.results, everything)
    if conflicts:
        _conflicts(console, summary, everything)


def _boundaries(console: Console, title: str, rows: tuple[Boundary, ...], everything: bool) -> None:
    if not rows:
        return
    groups = boundary_groups(rows, everything)
    shown = groups if everything else groups[:_MOST_ROWS]
    table = Rows(title, ("name", "", "", "type", "sharding", "on a device", "bytes on a device"))
    for group in shown:
        row = group.rows[0]
        shape = "x".join(map(str, row.device_shape)) or "scalar"
        style = "green" if row.device_bytes < row.bytes else ""
        size = size_text(sum(one.device_bytes for one in group.rows))
        cells = (group.name, group.times, _symbols(group), row.type, row.sharding or "none", shape, size)
        table.add(cells, style)
    table.print(console)
    if len(groups) > len(shown):
        hidden = sum(len(group.rows) for group in groups[len(shown) :])
        console.print(f" … and {hidden} more (--all shows them)", markup=False)
    total = sum(row.bytes for row in rows)
    local = sum(row.device_bytes for row in rows)
    console.print(f"{title}: {size_text(total)} in all, {size_text(local)} on a device", markup=False)


def boundary_groups(rows: Sequence[Boundary], everything: bool = False) -> list[Alike[Boundary]]:
    """Arguments or results of which those that differ in an index alone are one, the most bytes of a device first; with
    ``everything`` each by itself in the order of the program."""
    if everything:
        return [Alike(row.name, (row,)) for row in rows]
    groups = alike(rows, lambda row: row.name, lambda row: (row.type, row.sharding, row.device_shape))
    return sorted(groups, key=lambda group: -sum(row.device_bytes for row in group.rows))


def _symbols(group: Alike[Boundary]) -> str:
    """What MLIR calls the rows, where that is another name."""
    first, last = group.rows[0], group.rows[-1]
    if first.symbol == first.name:
        return ""
    return first.symbol if first is last else f"{first.symbol} … {last.symbol.removeprefix('result ')}"


def _conflict_groups(summary: ShardingSummary, everything: bool) -> list[Alike[Conflict]]:
    if everything:
        return [Alike(one.text, (one,)) for one in summary.conflicts]
    return alike(summary.conflicts, lambda one: one.text, lambda one: (one.position, one.operation, one.scope))


def _conflicts(console: Console, summary: ShardingSummary, everything: bool) -> None:
    if summary.conflicts:
        text = "shardings that do not fit together: data has to move at these operations"
        console.print(f"conflicts: {len(summary.conflicts)} ({text})", markup=False, style="yellow")
    else:
        text = "at every operation the shardings of operands and results fit together"
        console.print(f"no conflicts: {text}", markup=False, style="green")
    groups = _conflict_groups(summary, everything)
    shown = groups[: None if everything else _MOST_CONFLICTS]
    for group in shown:
        one = group.rows[0]
        place = replace(one.position, filename=short_path(one.position.filename))
        where = f"{place}: " if one.position.line else ""
        scope = f" ({one.scope})" if one.scope else ""
        times = f" {group.times}" if group.times else ""
        console.print(f"  {where}{one.operation}{scope}: {group.name}{times}", markup=False, soft_wrap=True)
    if len(groups) > len(shown):
        hidden = sum(len(group.rows) for group in groups[len(shown) :])
        console.print(f"  … and {hidden} more (--all shows them)", markup=False)
    if summary.sums:
        what = "operation sums" if summary.sums == 1 else "operations sum"
        text = f"{summary.sums} {what} over a sharded dimension: devices combine their parts, which moves data too"
        console.print(f"{text} (`pyshardy partition` lists all that moves)", markup=False)


def plain(text: str) -> str:
    """``text`` without meaning to rich."""
    return text.replace("[", "\\[")


def short_name(operation: str) -> str:
    """The name of an operation of StableHLO without its dialect."""
    return operation.removeprefix("stablehlo.")


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
