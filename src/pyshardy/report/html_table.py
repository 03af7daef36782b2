"""A table as HTML, for a notebook.

All texts from a program are escaped, since they are untrusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pyshardy.report.words import one_line

_MOST_ROWS = 20
_MOST_LETTERS = 400


def html_text(text: str) -> str:
    """``text`` as part of a page: escaped, shortened, and without characters that change the direction of writing."""
    return escape(one_line(text, _MOST_LETTERS))


def html_lines(title: str, lines: Iterable[str]) -> str:
    """A paragraph that begins with ``title``."""
    return f"<p>{'<br>'.join([f'<b>{html_text(title)}</b>', *map(html_text, lines)])}</p>"


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of the first of the ``rows``, and the number of others; an empty string without rows."""
    listed = list(rows)
    if not listed:
        return ""
    head = "".join(f"<th>{html_text(one)}</th>" for one in headings)
    lines = [f"<tr>{''.join(f'<td>{html_text(cell)}</td>' for cell in row)}</tr>" for row in listed[:_MOST_ROWS]]
    if len(listed) > _MOST_ROWS:
        lines.append(f'<tr><td colspan="{len(headings)}">… and {len(listed) - _MOST_ROWS} more</td></tr>')
    return f"<table><caption>{html_text(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"
