"""A table whose last columns are numbers, without empty columns.

Not every program has names, scopes or locations, so tables leave out empty columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


class Rows:
    """Rows of text with a ``title``, with ``headings``, of which the last ``numbers`` are for numbers; cells of columns
    in ``whole`` are never wrapped."""

    def __init__(
        self, title: str, headings: Sequence[str], *, numbers: int = 1, whole: Sequence[str] = ("at",)
    ) -> None:
        self._title = title
        self._headings = headings
        self._numbers = numbers
        self._whole = whole
        self._rows: list[tuple[Sequence[str], str]] = []
        self._ends: set[int] = set()

    def add(self, cells: Sequence[str], style: str = "") -> None:
        """Adds a row, with one text for each heading."""
        self._rows.append((cells, style))

    def end_section(self) -> None:
        """Leaves an empty line after the last row."""
        self._ends.add(len(self._rows) - 1)

    def print(self, console: Console) -> None:
        """Writes the table."""
        from rich.box import SIMPLE
        from rich.markup import escape
        from rich.table import Table

        filled = [place for place in range(len(self._headings)) if any(cells[place] for cells, _ in self._rows)]
        table = Table(title=self._title, title_justify="left", box=SIMPLE, pad_edge=False)
        for place in filled:
            heading, is_number = self._headings[place], place >= len(self._headings) - self._numbers
            whole = is_number or heading in self._whole
            table.add_column(heading, overflow="fold", justify="right" if is_number else "left", no_wrap=whole)
        for number, (cells, style) in enumerate(self._rows):
            shown = [escape(cells[place]) for place in filled]
            table.add_row(*shown, style=style, end_section=number in self._ends)
        console.print(table)
