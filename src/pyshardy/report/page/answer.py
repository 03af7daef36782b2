"""The cards at the top of the page: whether the program fits, how long a step takes, which resources take the time.

``page`` puts the cards into the document; the figures are those of ``analysis``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.partitioning.plan import Plan
from pyshardy.report.cost_tables import capacity_text, recomputes
from pyshardy.report.page.colours import COMPUTATION, axis_colours, classes
from pyshardy.report.words import counted, seconds_text, size_text


class CardBar(NamedTuple):
    """A part of a figure: its name, its amount, the amount as text, and the classes of its colours."""

    name: str
    amount: float
    text: str
    colours: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """A figure with a title and a few lines; ``state`` is ``good``, ``bad`` or neither, a bar shows the ``parts``."""

    title: str
    figure: str
    lines: tuple[str, ...] = ()
    state: str = ""
    parts: tuple[CardBar, ...] = ()


def answer_cards(plan: Plan, cost: Cost | None) -> list[Card]:
    """The cards of a plan."""
    colours = axis_colours([plan.mesh] if plan.mesh is not None else [])
    return [*(_without_hardware(plan) if cost is None else _on_hardware(plan, cost, colours)), _moved(plan, colours)]


def _without_hardware(plan: Plan) -> list[Card]:
    memory = plan.memory
    lines = (_boundary(plan), "pyshardy report --hardware NAME says whether it fits, and how long a step takes")
    return [Card("Peak of memory on a device", size_text(memory.peak), lines)]


def _on_hardware(plan: Plan, cost: Cost, colours: Mapping[str, int]) -> list[Card]:
    step, use = cost.step_seconds, cost.utilisation
    of = f"peak {size_text(cost.peak_bytes)} of {capacity_text(cost)}"
    state = "good" if cost.fits else "bad"
    fits = Card("Memory of a device", "fits" if cost.fits else "does not fit", (of, _boundary(plan)), state)
    lines = (*_bounds(cost), f"model FLOPs utilisation {100 * use.expected:.1f} %", *_hardware_utilisation(cost))
    waits = [
        CardBar(f"waiting along {axes}", seconds, seconds_text(seconds), classes(axes.split(", "), colours))
        for axes, seconds in _sorted(cost.exposed_by_axes)
        if seconds > 0
    ]
    computes = CardBar("computation", cost.compute_seconds, seconds_text(cost.compute_seconds), (COMPUTATION,))
    behind = cost.communication_seconds - cost.exposed_seconds.expected
    hidden = (f"communication behind computation: {seconds_text(behind)}",) if behind > 0 else ()
    return [
        fits,
        Card("A step is expected to take", seconds_text(step.expected), lines),
        Card("Where the time goes", seconds_text(step.expected), hidden, parts=(computes, *waits)),
    ]


def _bounds(cost: Cost) -> tuple[str, ...]:
    """Both bounds, if they differ."""
    least, most = seconds_text(cost.step_seconds.full_overlap), seconds_text(cost.step_seconds.no_overlap)
    if least == most:
        return ("no communication to hide",) if not cost.communication_seconds else ()
    return (f"{least} with all communication behind computation, {most} one after the other",)


def _hardware_utilisation(cost: Cost) -> tuple[str, ...]:
    """The utilisation including recomputed operations, if there are any."""
    if not recomputes(cost):
        return ()
    use = cost.hardware_utilisation
    again = cost.recomputed_flops / (cost.model_flops + cost.recomputed_flops)
    return (
        f"hardware FLOPs utilisation {100 * use.expected:.1f} %: {100 * again:.1f} % of the work is computed again",
    )


def _boundary(plan: Plan) -> str:
    return f"arguments {size_text(plan.memory.arguments)}, results {size_text(plan.memory.results)}"


def _moved(plan: Plan, colours: Mapping[str, int]) -> Card:
    by_axes: dict[str, float] = {}
    for one in plan.collectives:
        axes = ", ".join(axis.body_text.replace('"', "") for axis in one.axes) or "the program's own"
        by_axes[axes] = by_axes.get(axes, 0.0) + one.run_bytes
    parts = [
        CardBar(name, amount, size_text(amount), classes(name.split(", "), colours))
        for name, amount in _sorted(by_axes)
    ]
    title = f"Each device receives, in {counted(len(plan.collectives), 'collective')}"
    return Card(title, size_text(sum(by_axes.values())), parts=tuple(parts))


def _sorted(amounts: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(amounts.items(), key=lambda row: -row[1])
