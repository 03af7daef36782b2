"""The costs of several plans side by side: one column for each plan, the best of each row marked.

``cost_tables`` shows one plan in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.report.console import open_console
from pyshardy.report.cost_tables import misfit_text, recomputes
from pyshardy.report.rows import Rows
from pyshardy.report.words import counted, flops_text, seconds_text, size_text

_BEST = "* "

_Row = tuple[str, Callable[[Cost], float], Callable[[float], str], bool]
"""The title of a row, its figure, the format of the figure, and whether more is better."""


def print_costs(costs: Mapping[str, Cost], out: TextIO) -> None:
    """Writes the table to ``out``, preceded by the plans that do not fit."""
    console = open_console(out)
    for name, cost in costs.items():
        if not cost.fits:
            console.print(f"{name}: {misfit_text(cost)}", markup=False, style="bold red")
    for name, cost in costs.items():
        places = ", ".join(f"{axis} on {place}" for axis, place in cost.places.items()) if cost.devices > 1 else ""
        where = f": {places}" if places else ""
        console.print(f"{name}: {counted(cost.devices, 'device')}, {cost.hardware.name}{where}", markup=False)
    table = Rows("a step", ("", *costs), numbers=len(costs), whole=("", *costs))
    for title, figure, text, more in _rows(list(costs.values())):
        values = [figure(cost) for cost in costs.values()]
        best = max(values) if more else min(values)
        marked = len(set(values)) > 1
        table.add((title, *((_BEST if marked and one == best else "") + text(one) for one in values)))
    table.print(console)
    console.print(f"{_BEST.strip()} the best of its row", markup=False)
    for name, cost in costs.items():
        for note in cost.notes:
            console.print(f"note: {name}: {note}", markup=False)


def _rows(costs: Sequence[Cost]) -> list[_Row]:
    axes = sorted(dict.fromkeys(axes for cost in costs for axes in cost.by_axes))
    return [
        ("expected", lambda cost: cost.step_seconds.expected, seconds_text, False),
        ("one after the other", lambda cost: cost.step_seconds.no_overlap, seconds_text, False),
        ("full overlap", lambda cost: cost.step_seconds.full_overlap, seconds_text, False),
        ("computation", lambda cost: cost.compute_seconds, seconds_text, False),
        ("communication", lambda cost: cost.communication_seconds, seconds_text, False),
        *(_along(one) for one in axes),
        ("  of it exposed", lambda cost: cost.exposed_seconds.expected, seconds_text, False),
        ("received in collectives", lambda cost: sum(one.run_bytes for one in cost.collectives), size_text, False),
        ("operations of a device", lambda cost: cost.flops, flops_text, False),
        ("utilisation", lambda cost: cost.utilisation.expected, "{:.2%}".format, True),
        *_again(costs),
        ("peak of memory", lambda cost: cost.peak_bytes, size_text, False),
        ("  saved for later", lambda cost: cost.parts.saved, size_text, False),
    ]


def _again(costs: Sequence[Cost]) -> list[_Row]:
    """The utilisation including recomputed operations, if one of the programs has any."""
    if not any(map(recomputes, costs)):
        return []
    return [("hardware utilisation", lambda cost: cost.hardware_utilisation.expected, "{:.2%}".format, True)]


def _along(axes: str) -> _Row:
    return f"  along {axes}", lambda cost: cost.by_axes.get(axes, 0.0), seconds_text, False
