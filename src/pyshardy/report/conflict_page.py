"""The conflicts of a program as HTML: ``_repr_html_`` of ``Conflicts``."""

from __future__ import annotations

from pyshardy.analysis.why.conflicts import Cause, Conflicts
from pyshardy.report.conflict_tables import OTHERS, SUMS, collectives_text
from pyshardy.report.explanation_text import effect_text
from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.words import counted, seconds_text, size_text


def conflict_page(conflicts: Conflicts) -> str:
    """The causes, the most expensive first, each with its best edit; and the sums of other collectives."""
    total = sum(one.run_bytes for one in conflicts.causes)
    title = f"{counted(len(conflicts.causes), 'cause')} of conflicts: each device receives {size_text(total)} for them"
    others = [
        f"{collectives_text(sum(len(one.reasons) for one in listed), what)}: "
        f"{size_text(sum(one.run_bytes for one in listed))}"
        for listed, what in ((conflicts.sums, SUMS), (conflicts.others, OTHERS))
        if listed
    ]
    if not conflicts.causes:
        title = "no conflicts: wherever axes met, they fitted together"
    timed = any(one.exposed is not None for one in conflicts.causes)
    headings = ("", "bytes", *(("exposed",) if timed else ()), "places", "what happens", "tried", "")
    return html_lines(title, others) + html_table("conflicts", headings, map(_cells, conflicts.causes))


def _cells(cause: Cause) -> tuple[str, ...]:
    edit = cause.edit
    return (
        cause.name,
        size_text(cause.run_bytes),
        *((seconds_text(cause.exposed),) if cause.exposed is not None else ()),
        str(len(cause.reasons)),
        cause.text,
        edit.text if edit is not None else "",
        effect_text(edit.effect) if edit is not None else "",
    )
