"""What stands above all else on the page: does it fit, how long does a step take, where does the time go.

``page`` puts the cards into the document; the figures are those of ``analysis``.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.analysis.why.conflicts import Conflicts
from pyshardy.partitioning.plan import Plan
from pyshardy.report.conflict_tables import waits_text
from pyshardy.report.cost_tables import capacity_text, recomputes
from pyshardy.report.explanation_text import effect_text
from pyshardy.report.words import counted, seconds_text, size_text

_WORST = 3
_MOST_LINES = 4


@dataclass(frozen=True)
class Card:
    """A figure with a title and a few lines; ``state`` is ``good``, ``bad`` or neither, a bar shows the ``parts``."""

    title: str
    figure: str
    lines: tuple[str, ...]
    state: str = ""
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class WorstCause:
    """A cause of collectives, what it costs, and its best edit with what that changes; both empty without one."""

    cost: str
    name: str
    text: str
    edit: str
    effect: str


def answer_cards(plan: Plan, cost: Cost | None) -> list[Card]:
    """The answer in cards."""
    return [*(_without_hardware(plan) if cost is None else _on_hardware(plan, cost)), _moved(plan)]


def _without_hardware(plan: Plan) -> list[Card]:
    memory = plan.memory
    lines = (_boundary(plan), "pyshardy report --hardware NAME says whether it fits, and how long a step takes")
    return [Card("Peak of memory on a device", size_text(memory.peak), lines)]


def _on_hardware(plan: Plan, cost: Cost) -> list[Card]:
    memory, step, use = plan.memory, cost.step_seconds, cost.utilisation
    of = f"peak {size_text(memory.peak)} of {capacity_text(cost)}"
    state = "good" if cost.fits else "bad"
    fits = Card("Memory of a device", "fits" if cost.fits else "does not fit", (of, _boundary(plan)), state)
    lines = (
        f"{seconds_text(step.full_overlap)} with all communication behind computation, "
        f"{seconds_text(step.no_overlap)} one after the other",
        f"model FLOPs utilisation {100 * use.expected:.1f} %",
        *_hardware_utilisation(cost),
    )
    waits = [(f"waiting along {axes}", seconds) for axes, seconds in _sorted(cost.exposed_by_axes)]
    parts = [("computation", cost.compute_seconds), *waits]
    shares = [f"{name}: {seconds_text(seconds)}" for name, seconds in parts[:_MOST_LINES] if seconds]
    if cost.communication_seconds:
        behind = cost.communication_seconds - cost.exposed_seconds.expected
        shares.append(f"communication behind computation: {seconds_text(max(0.0, behind))}")
    return [
        fits,
        Card("A step is expected to take", seconds_text(step.expected), lines),
        Card("Where the time goes", seconds_text(step.expected), tuple(shares), parts=tuple(parts)),
    ]


def _hardware_utilisation(cost: Cost) -> tuple[str, ...]:
    """The utilisation with what is computed again, if something is."""
    if not recomputes(cost):
        return ()
    use = cost.hardware_utilisation
    again = cost.recomputed_flops / (cost.model_flops + cost.recomputed_flops)
    return (
        f"hardware FLOPs utilisation {100 * use.expected:.1f} %: {100 * again:.1f} % of the work is computed again",
    )


def _boundary(plan: Plan) -> str:
    return f"arguments {size_text(plan.memory.arguments)}, results {size_text(plan.memory.results)}"


def _moved(plan: Plan) -> Card:
    by_axes: dict[str, float] = {}
    for one in plan.collectives:
        axes = ", ".join(axis.body_text for axis in one.axes) or "the program's own"
        by_axes[axes] = by_axes.get(axes, 0.0) + one.run_bytes
    parts = _sorted(by_axes)
    lines = tuple(f"{name}: {size_text(amount)}" for name, amount in parts[:_MOST_LINES])
    title = f"Each device receives, in {counted(len(plan.collectives), 'collective')}"
    return Card(title, size_text(sum(by_axes.values())), lines, parts=tuple(parts))


def _sorted(amounts: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(amounts.items(), key=lambda row: -row[1])


def worst_causes(conflicts: Conflicts) -> list[WorstCause]:
    """The causes that computation waits longest for, or without hardware those that move most."""
    return [
        WorstCause(
            f"{size_text(cause.run_bytes)} in {counted(len(cause.reasons), 'place')}{waits_text(cause)}",
            cause.name,
            cause.text,
            cause.edit.text if cause.edit is not None else "",
            effect_text(cause.edit.effect) if cause.edit is not None else "",
        )
        for cause in [one for one in conflicts.causes if one.reasons][:_WORST]
    ]
