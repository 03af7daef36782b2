"""Progress callbacks: the parser and the pipelines report how much is done.

The callback is given what is being done, how much of it is done, and how much there is. The parser calls it after every
few thousand lines, a pipeline at the beginning of each pass. An exception from the callback ends the work.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

Check = Callable[[], None]
"""Is called every now and then while work lasts (``Context.check``): before each pass, and each operation that is
partitioned. What it raises ends the work; it is to be no ``Exception``, which who takes shortcuts would answer by going
the plain way."""

Report = Callable[[str, int, int], None]
"""``report(what, done, total)``: ``reading`` in characters of the text, ``verifying``, or a pass by its name with its
number in the pipeline."""

READING, VERIFYING = "reading", "verifying"
_PARTS = 200
_SMALLEST_PART = 1 << 16


class ReadingProgress:
    """How much of a text of ``total`` characters has been read. ``following`` is the place from which on that is told
    again; there is none without a ``report``."""

    __slots__ = ("_part", "_report", "_total", "following")

    def __init__(self, report: Report | None, total: int) -> None:
        self._report = report
        self._total = total
        self._part = max(total // _PARTS, _SMALLEST_PART)
        self.following = sys.maxsize if report is None else self._part

    def reach(self, place: int) -> int:
        """Tells that everything in front of ``place`` has been read; the place from which on that is told again."""
        if self._report is not None:
            self._report(READING, place, self._total)
            self.following = place + self._part
        return self.following
