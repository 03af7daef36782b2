"""The cost of a step as tables: first whether it fits, then the time of the step, communication, operations, notes.

``analysis.cost.step_cost`` has the figures; ``cost_comparison`` shows several side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pyshardy.analysis.cost.step_cost import Bounds, Cost
from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.words import counted, flops_text, left_out, seconds_text, short_name, size_text

if TYPE_CHECKING:
    from rich.console import Console

_MOST_ROWS = 12
_MATTERS = 1e-3
"""The least fraction of all operations that must be recomputed to be reported."""


def print_cost(cost: Cost, out: TextIO, *, everything: bool = False) -> None:
    """Writes the cost of a step to ``out``; with ``everything`` all operations."""
    console = open_console(out)
    if not cost.fits:
        console.print(misfit_text(cost), markup=False, style="bold red")
    for line in head_lines(cost):
        console.print(line, markup=False)
    _print_collectives(console, cost)
    _print_operations(console, cost, everything=everything)
    for note in cost.notes:
        console.print(f"note: {note}", markup=False)


def misfit_text(cost: Cost) -> str:
    """A message that the plan does not fit, and by how much."""
    over = cost.peak_bytes - cost.hardware.chip.capacity
    has = "a chip has" if cost.hardware.chip.usable is None else "a program can use"
    return (
        f"does not fit: the peak of memory is {size_text(cost.peak_bytes)}, {has} {capacity_text(cost)}, "
        f"{size_text(over)} less"
    )


def capacity_text(cost: Cost) -> str:
    """The memory of a chip that a program can use, and that of the data sheet, if they differ."""
    chip = cost.hardware.chip
    if chip.usable is None:
        return size_text(chip.memory)
    usable = f"{chip.usable / 2**30:.4g} GiB" if chip.usable >= 2**30 else size_text(chip.usable)
    return f"{usable} (of {chip.memory / 1e9:g} GB by the data sheet)"


def head_lines(cost: Cost) -> list[str]:
    """The figures of the whole step."""
    step, use, idle, parts = cost.step_seconds, cost.utilisation, cost.exposed_seconds, cost.parts
    where = ", ".join(f"{axis} on {place}" for axis, place in cost.places.items()) if cost.devices > 1 else ""
    hidden = ""
    if cost.collectives:
        between = f"{seconds_text(idle.full_overlap)} to {seconds_text(idle.no_overlap)}"
        hidden = f"; computation is expected to wait {seconds_text(idle.expected)} for it ({between})"
    made_of = {
        "arguments": parts.arguments,
        "results": parts.results,
        "saved for later": parts.saved,
        "temporaries": parts.temporaries,
    }
    return [
        f"{counted(cost.devices, 'device')}, {cost.hardware.name}" + (f": {where}" if where else ""),
        f"a step is expected to take {seconds_text(step.expected)}: {seconds_text(step.full_overlap)} (communication "
        f"behind computation) to {seconds_text(step.no_overlap)} (one after the other)",
        f"model FLOPs utilisation {_range_text(use)}: {flops_text(cost.model_flops)} in all, {flops_text(cost.flops)} "
        "on a device",
        *_recomputed(cost),
        f"computation {seconds_text(cost.compute_seconds)}, communication "
        f"{seconds_text(cost.communication_seconds)}{hidden}",
        f"memory of a device: arguments {size_text(cost.argument_bytes)}, results {size_text(cost.result_bytes)}, peak "
        f"{size_text(cost.peak_bytes)} of {capacity_text(cost)}",
        "at the peak: " + ", ".join(f"{name} {size_text(size)}" for name, size in made_of.items()),
    ]


def recomputes(cost: Cost) -> bool:
    """Whether enough is recomputed to be reported: every optimizer computes a few scalars twice."""
    return cost.recomputed_flops > _MATTERS * cost.model_flops


def _recomputed(cost: Cost) -> list[str]:
    """A line about recomputed operations, if there are enough."""
    if not recomputes(cost):
        return []
    use = cost.hardware_utilisation
    return [
        f"hardware FLOPs utilisation {_range_text(use)}: with {flops_text(cost.recomputed_flops)} in all that are "
        "computed again"
    ]


def _range_text(use: Bounds) -> str:
    return f"{use.expected:.2%} ({use.no_overlap:.2%} to {use.full_overlap:.2%})"


def _print_collectives(console: Console, cost: Cost) -> None:
    if not cost.collectives:
        console.print("no communication", markup=False)
        return
    levels = any(one.pipelined_seconds != one.seconds for one in cost.collectives)
    headings = ("", "axes", "devices", "times", "bytes", "seconds", "exposed", "pipelined")
    table = Rows("communication, with all iterations of loops", headings, numbers=6)
    for one in cost.collectives:
        piped = seconds_text(one.pipelined_seconds) if levels else ""
        table.add(
            (
                one.kind,
                one.axes,
                str(one.group_size),
                str(one.runs),
                size_text(one.run_bytes),
                seconds_text(one.seconds),
                seconds_text(one.exposed_seconds),
                piped,
            )
        )
    table.print(console)


def _print_operations(console: Console, cost: Cost, *, everything: bool) -> None:
    headings = ("", "at", "scope", "on a device", "waits for", "times", "FLOP", "bytes", "seconds")
    table = Rows("what takes longest", headings, numbers=4)
    shown = cost.operations if everything else cost.operations[:_MOST_ROWS]
    for one in shown:
        table.add(
            (
                short_name(one.operation),
                one.location.place,
                one.location.inner_scope,
                one.type,
                one.bound,
                str(one.runs),
                flops_text(one.flops) if one.flops else "",
                size_text(one.bytes),
                seconds_text(one.seconds),
            )
        )
    if shown:
        table.print(console)
    rest = len(cost.operations) - len(shown)
    if rest > 0:
        console.print(left_out(rest), markup=False)
