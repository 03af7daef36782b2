"""Shows progress in a terminal: what a command is doing, once it has run for a second.

``with Progress("reading") as progress: …; progress.step("partitioning")``. Nothing is shown if standard error is not a
terminal, and nothing is left behind. rich draws the line, in a thread of its own. ``reader()`` gives the function that
code that reads a program calls with its progress.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

_SECONDS_BEFORE = 1.0
_COUNTS_BETWEEN_UPDATES = 32
_SECONDS_BETWEEN_UPDATES = 0.05
_current: Progress | None = None


def reader() -> Callable[[str, int, int], None] | None:
    """The function that shows the progress of reading; None where no progress is shown."""
    return _current.report if _current is not None else None


class Progress:
    """One line in the terminal, from a second after the start until the block is left."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._done = 0
        self._total: int | None = None
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._updated = 0.0

    def __enter__(self) -> Progress:
        global _current
        if sys.stderr.isatty():
            _current = self
            self._timer = threading.Timer(_SECONDS_BEFORE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Takes the line away for good, for others to write."""
        global _current
        if _current is self:
            _current = None
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def step(self, what: str) -> None:
        """From now on the command is at ``what``."""
        self._what, self._done, self._total = what, 0, None
        bar, task = self._bar, self._task
        if bar is not None and task is not None:
            bar.remove_task(task)
            self._task = bar.add_task(what, total=None)

    def count(self, done: int, total: int) -> None:
        """So much of the step is done, of so much."""
        self._done, self._total = done, total
        if done % _COUNTS_BETWEEN_UPDATES:
            return
        bar, task = self._bar, self._task
        if bar is not None and task is not None:
            bar.update(task, completed=done, total=total)

    def report(self, what: str, done: int, total: int) -> None:
        """The command is at ``what``, and so much of it is done, of so much; may be told ever so often."""
        self._what, self._done, self._total = what, done, total
        bar, task, now = self._bar, self._task, time.monotonic()
        if bar is not None and task is not None and now - self._updated >= _SECONDS_BETWEEN_UPDATES:
            self._updated = now
            bar.update(task, description=what, completed=done, total=total)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        with self._lock:
            if self._timer is None:
                return
            columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
            bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = bar.add_task(self._what, total=self._total, completed=self._done)
            bar.start()
            self._bar = bar
