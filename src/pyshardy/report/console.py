"""Opens the consoles that tables are written to: a terminal, a pipe, or a string."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_PLAIN_WIDTH = 160


def open_console(out: TextIO) -> Console:
    """A console that writes to ``out``: as wide as the terminal, or very wide for a pipe."""
    from pyshardy.report.safe_console import SafeConsole

    terminal = out.isatty()
    return SafeConsole(file=out, width=None if terminal else _PLAIN_WIDTH, highlight=False, no_color=not terminal)


def printed(write: Callable[[TextIO], None]) -> str:
    """The output of ``write`` as a string, without spaces at the ends of lines."""
    out = StringIO()
    write(out)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
