"""A table as a small piece of HTML, for a notebook.

Everything that comes from a program is escaped: names of arguments are somebody's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pyshardy.report.words import one_line

_MOST_ROWS = 20
_MOST_LETTERS = 400


def html_text(text: str) -> str:
    """``text`` as part of a page: escaped, without marks that turn the direction of writing, and not without end."""
    return escape(one_line(text, _MOST_LETTERS))


def html_lines(title: str, lines: Iterable[str]) -> str:
    """A paragraph that begins with ``title``."""
    return f"<p>{'<br>'.join([f'<b>{html_text(title)}</b>', *map(html_text, lines)])}</p>"


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first of the ``rows``, and how many more there are; nothing if there is none."""
    listed = list(rows)
    if not listed:
        return ""
    head = "".join(f"<th>{html_text(one)}</th>" for one in headings)
    lines = [f"<tr>{''.join(f'<td>{html_text(cell)}</td>' for cell in row)}</tr>" for row in listed[:_MOST_ROWS]]
    if len(listed) > _MOST_ROWS:
        lines.append(f'<tr><td colspan="{len(headings)}">… and {len(listed) - _MOST_ROWS} more</td></tr>')
    return f"<table><caption>{html_text(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
