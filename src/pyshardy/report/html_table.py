"""A table as a small piece of HTML, for a notebook.

Everything that comes from a program is escaped: names of arguments are somebody's text. ``module_page`` and
``plan_page`` stand right of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_MOST_ROWS = 20


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first of the ``rows``, and how many more there are; nothing if there is none."""
    listed = list(rows)
    if not listed:
        return ""
    head = "".join(f"<th>{escape(one)}</th>" for one in headings)
    lines = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in listed[:_MOST_ROWS]]
    if len(listed) > _MOST_ROWS:
        lines.append(f'<tr><td colspan="{len(headings)}">… and {len(listed) - _MOST_ROWS} more</td></tr>')
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
