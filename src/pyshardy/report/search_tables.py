"""The result of a search as tables: the strategy, then those that it was compared with, and the gain of each line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO

from pyshardy.report.console import open_console
from pyshardy.report.rows import Rows
from pyshardy.report.words import seconds_text, size_text

_MOST = 6

MEMORY_WORDS = {"saved": "what is saved for later", "temporaries": "what is worked on"}
"""The texts of parts of memory whose names are not clear."""

Outcome = Mapping[str, Any]
"""The result of ``SearchResult.as_json``."""


def print_search(outcome: Outcome, out: TextIO) -> None:
    """Writes the outcome to ``out``, with the gain of each line, if it contains them."""
    console = open_console(out)
    if not outcome["fits"]:
        console.print(misfit_text(outcome), markup=False, style="bold red")
    mesh = ", ".join(f"{name}={size}" for name, size in outcome["mesh"].items())
    seconds, peak = outcome["seconds"], outcome["peak"]
    for line in (
        outcome["strategy"],
        f"{outcome['hardware']}, mesh {mesh}",
        f"a step is expected to take {seconds_text(seconds['expected'])}: {seconds_text(seconds['full_overlap'])} to "
        f"{seconds_text(seconds['no_overlap'])}; peak of memory {size_text(peak)} of {size_text(outcome['limit'])}",
        limits_text(outcome),
    ):
        console.print(line, markup=False)
    if "gains" in outcome:
        _print_gains(console, outcome)
    _print_strategies(console, "best strategies", outcome["tried"], outcome)
    _print_strategies(console, "known strategies", outcome["experts"], outcome)
    _print_strategies(console, "time against memory", outcome["pareto"], outcome)
    count, took = outcome["evaluations"], outcome["search_seconds"]
    console.print(f"{count} strategies were tried in {took:.1f} s", markup=False)
    if "check" in outcome:
        console.print(f"check: {outcome['check']['summary']}", markup=False)
    for note in outcome["notes"]:
        console.print(f"note: {note}", markup=False)


def misfit_text(outcome: Outcome) -> str:
    """A message that the strategy does not fit, and by how much."""
    over = outcome["peak"] - outcome["limit"]
    return f"does not fit: the peak of memory is {size_text(outcome['peak'])}, {size_text(over)} above the limit"


def limits_text(outcome: Outcome) -> str:
    """The largest parts of the time of a step and of memory, as text."""
    if not outcome["whole"]:
        return "what limits it is known when it is costed as a whole: pyshardy cost FILE --shardings OUT.toml"
    expected, computing = outcome["seconds"]["expected"], outcome["compute_seconds"]
    waits = {axes: one for axes, one in outcome["exposed_by_axes"].items() if one > 0.005 * expected}
    part = computing / expected if expected else 1.0
    text = f"what limits it: computation is {part:.0%} of the step"
    for axes, one in sorted(waits.items(), key=lambda each: -each[1]):
        text += f", waiting for collectives along {axes} {one / expected:.0%}"
    memory = outcome["memory"]
    name = max(memory, key=lambda one: (memory[one], one))
    return f"{text}; of the memory {memory[name] / max(outcome['peak'], 1):.0%} is {MEMORY_WORDS.get(name, name)}"


def _print_gains(console: Any, outcome: Outcome) -> None:
    table = Rows("what each line gains", ("", "says", "a step without it", "peak without it"), numbers=2)
    for one in outcome["gains"]:
        says = _value_text(one["value"])
        if one["seconds"] is None:
            table.add((one["pattern"], says, "not possible", ""))
        else:
            table.add((one["pattern"], says, _signed(one["seconds"], seconds_text), _signed(one["bytes"], size_text)))
    table.print(console)


def _value_text(value: object) -> str:
    return str(value).replace("'", '"')


def _signed(figure: float, text: Any) -> str:
    return f"{'+' if figure >= 0 else '-'}{text(abs(figure))}"


def _print_strategies(console: Any, title: str, listed: list[Mapping[str, Any]], outcome: Outcome) -> None:
    if not listed:
        return
    table = Rows(title, ("", "expected", "peak", "received"), numbers=3)
    for one in listed[:_MOST]:
        known = " (known)" if one["is_expert"] and title != "known strategies" else ""
        fits = "" if one["peak"] <= outcome["limit"] else " (does not fit)"
        table.add(
            (
                one["words"] + known,
                seconds_text(one["seconds"]),
                size_text(one["peak"]) + fits,
                size_text(one["received"]),
            )
        )
    table.print(console)
