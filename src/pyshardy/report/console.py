"""Where tables are written to: a terminal, a pipe, or a text."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_PLAIN_WIDTH = 160


def open_console(out: TextIO) -> Console:
    """What writes tables to ``out``: as wide as the terminal, or wide enough for a line of a pipe."""
    from rich.console import Console

    terminal = out.isatty()
    return Console(file=out, width=None if terminal else _PLAIN_WIDTH, highlight=False, no_color=not terminal)


def printed(write: Callable[[TextIO], None]) -> str:
    """What ``write`` writes, as text without spaces at the ends of lines."""
    out = StringIO()
    write(out)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
