"""A console of rich that shows control characters instead of sending them: names in a program may hold any."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from pyshardy.report.control_characters import shown


class SafeConsole(Console):
    """A ``Console`` on which only rich itself moves the cursor, chooses colours and the like."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(shown(segment.text), segment.style)
