"""A comparison of plans as a table: one column for each strategy, the best of each row marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from pyshardy.report.alike import alike
from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.strategy_cost import ComparedRow, ReplicatedTensor, StrategyCost
from pyshardy.report.words import counted, size_text

_BEST = "* "
_MOST_NAMED = 6


def print_comparison(
    strategies: Sequence[StrategyCost], rows: Sequence[ComparedRow], replicated_above: int, out: TextIO
) -> None:
    """Writes the costs of ``strategies``, compared in ``rows``, to ``out``; large tensors, replicated and of
    ``replicated_above`` bytes or more, are named."""
    console = open_console(out)
    for one in strategies:
        where = f", {one.mesh}" if one.mesh else ""
        console.print(f"{one.name}: {counted(one.devices, 'device')}{where}", markup=False)
    names = [one.name for one in strategies]
    table = Rows("on a device", ("", *names), numbers=len(names), whole=("", *names))
    for row in rows:
        table.add((row.title, *_cells(row)))
    table.print(console)
    console.print(f"{_BEST.strip()} the best of its row; large: {size_text(replicated_above)} and more")
    for one in strategies:
        if one.replicated:
            console.print(f"{one.name} has whole on every device: {_tensors_text(one.replicated)}", markup=False)


def _cells(row: ComparedRow) -> list[str]:
    best = row.best
    return [
        (_BEST if number in best else "") + (size_text(value) if row.is_size else f"{value:.0f}")
        for number, value in enumerate(row.values)
    ]


def _tensors_text(replicated: tuple[ReplicatedTensor, ...]) -> str:
    """The tensors by name, the largest first; those that differ in an index alone are one."""
    groups = alike(replicated, lambda one: one.name, lambda one: one.bytes, size=lambda one: one.bytes)
    shown = [
        f"{one.name}{one.times and ' ' + one.times} {size_text(one.rows[0].bytes)}" for one in groups[:_MOST_NAMED]
    ]
    rest = len(groups) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
