"""The reshards or collectives of a program as a table: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pyshardy.report.communication import Transfer
from pyshardy.report.sharding_tables import open_console, plain, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_ROWS = 200


def print_transfers(transfers: Sequence[Transfer], out: TextIO, filename: str) -> None:
    """Writes the rows to ``out``, and what they come to. Places in the program's own file need no name."""
    console = open_console(out)
    moving = [one for one in transfers if one.bytes]
    if not transfers:
        console.print("collectives: none, all shardings fit together", markup=False, style="green")
        return
    _print_rows(console, transfers, filename)
    total = round(sum(one.bytes for one in transfers))
    console.print(
        f"{len(transfers)} in all, {len(moving)} of them move data; each device receives {size_text(total)}",
        markup=False,
    )


def _print_rows(console: Console, transfers: Sequence[Transfer], filename: str) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    what = "reshards" if any(one.name == "reshard" for one in transfers) else "collectives"
    table = Table(title=what, title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("", "axes", "type", "sharding behind"):
        table.add_column(heading, overflow="fold")
    table.add_column("bytes on a device", justify="right")
    for heading in ("needed by", "line"):
        table.add_column(heading, overflow="fold")
    for one in transfers[:_MOST_ROWS]:
        axes = one.axes or ", ".join(one.becomes)
        place = str(one.position).removeprefix(f"{filename}:") if one.position.line else ""
        cells = (one.name, axes, one.type, one.sharding, size_text(round(one.bytes)), one.cause, place)
        table.add_row(*map(plain, cells), style="" if one.bytes else "green")
    console.print(table)
    if len(transfers) > _MOST_ROWS:
        console.print(f" … and {len(transfers) - _MOST_ROWS} more (--json lists all)", markup=False)
