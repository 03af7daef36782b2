"""The conflicts of a program as a table, the most expensive first, each with a description and its best edit.

``analysis.why.conflicts`` finds them; ``explanation_text`` describes edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from pyshardy.analysis.why.conflicts import Cause, Conflicts
from pyshardy.report.console import open_console
from pyshardy.report.explanation_text import effect_text
from pyshardy.report.words import counted, seconds_text, size_text

_MOST_CAUSES = 12
_MOST_OTHERS = 5
SUMS = "adds up parts of sums", "add up parts of sums"
"""The predicate of a sentence about one collective, and about several."""
OTHERS = "has no annotation behind it", "have no annotation behind them"


def print_conflicts(conflicts: Conflicts, out: TextIO, *, everything: bool = False) -> None:
    """Writes the first causes, or all with ``everything``, and the sums of other collectives."""
    from rich.text import Text
    from rich.tree import Tree

    console = open_console(out)
    causes = conflicts.causes if everything else conflicts.causes[:_MOST_CAUSES]
    if not causes:
        console.print("no conflicts: wherever axes met, they fitted together")
    for cause in causes:
        places = counted(len(cause.reasons), "place")
        cost = f"{size_text(cause.run_bytes)} in {places}{waits_text(cause)}" if cause.reasons else "moves nothing"
        tree = Tree(Text.assemble((cost, "bold"), f": {cause.name}"), guide_style="dim")
        tree.add(Text(cause.text))
        if cause.lost:
            tree.add(Text(f"axes were lost at {counted(len(cause.lost), 'operation')}"))
        if cause.edit is not None:
            edit = tree.add(Text(f"tried: {cause.edit.text}", "green"))
            edit.add(Text(effect_text(cause.edit.effect)))
        console.print(tree)
    if len(conflicts.causes) > len(causes):
        console.print(f"… and {len(conflicts.causes) - len(causes)} more (--all shows them)", markup=False)
    for listed, what in ((conflicts.sums, SUMS), (conflicts.others, OTHERS)):
        if listed:
            count, moved = sum(len(one.reasons) for one in listed), sum(one.run_bytes for one in listed)
            waits = _waits([one.exposed for one in listed])
            tree = Tree(Text(f"{collectives_text(count, what)}: {size_text(moved)}{waits}"), guide_style="dim")
            shown = listed if everything else listed[:_MOST_OTHERS]
            for cause in shown:
                places = counted(len(cause.reasons), "place")
                branch = tree.add(Text(f"{size_text(cause.run_bytes)} in {places}{waits_text(cause)}: {cause.name}"))
                branch.add(Text(cause.text))
            rest = listed[len(shown) :]
            if rest:
                left = size_text(sum(one.run_bytes for one in rest))
                tree.add(Text(f"… {left} in {counted(len(rest), 'more cause')} (--all shows them)"))
            console.print(tree)


def collectives_text(count: int, what: tuple[str, str]) -> str:
    """``1 collective adds up parts of sums``, for ``SUMS`` or ``OTHERS``."""
    return f"{counted(count, 'collective')} {what[0 if count == 1 else 1]}"


def waits_text(cause: Cause) -> str:
    """The exposed time of the collectives of ``cause``; empty without hardware."""
    return _waits([cause.exposed])


def _waits(times: Sequence[float | None]) -> str:
    known = [one for one in times if one is not None]
    return f", {seconds_text(sum(known))} exposed" if known else ""
