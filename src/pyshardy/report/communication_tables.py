"""The reshards or collectives of a program as a table: colour in a terminal, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pyshardy.ir.source_location import short_path
from pyshardy.report.communication import Transfer
from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.traffic import received_text, traffic
from pyshardy.report.words import left_out, short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_ROWS = 200


def print_transfers(transfers: Sequence[Transfer], out: TextIO, filename: str, *, everything: bool = False) -> None:
    """Writes the rows to ``out``, and their sum; with ``everything`` all of them. Locations in the file ``filename``
    itself are shown without its name."""
    console = open_console(out)
    moving = [one for one in transfers if one.bytes]
    if not transfers:
        console.print("collectives: none, all shardings fit together", markup=False, style="green")
        return
    _print_rows(console, transfers, filename, None if everything else _MOST_ROWS)
    received = received_text(traffic(transfers))
    console.print(f"{len(transfers)} in all, {len(moving)} of them move data; {received}", markup=False)


def _print_rows(console: Console, transfers: Sequence[Transfer], filename: str, most: int | None) -> None:
    what = "reshards" if any(one.name == "reshard" for one in transfers) else "collectives"
    headings = (
        "",
        "axes",
        "tensor",
        "type",
        "sharding behind",
        "needed by",
        "at",
        "scope",
        "times",
        "bytes on a device",
    )
    table = Rows(what, headings)
    for one in transfers[:most]:
        axes = one.axes or ", ".join(one.becomes)
        turns = "" if one.turns == 1 else f"×{one.turns or '?'}"
        place = _place(one, filename)
        bytes = size_text(one.bytes)
        cells = (
            one.name,
            axes,
            one.tensor,
            one.type,
            one.sharding,
            short_name(one.cause),
            place,
            one.scope,
            turns,
            bytes,
        )
        table.add(cells, "" if one.bytes else "green")
    table.print(console)
    if most is not None and len(transfers) > most:
        console.print(left_out(len(transfers) - most), markup=False)


def _place(one: Transfer, filename: str) -> str:
    position = one.position
    if not position.line:
        return ""
    name = "" if position.filename == filename else f"{short_path(position.filename)}:"
    return f"{name}{position.line}:{position.column}"
