"""``--mlir-timing``: reports how long reading, each pass and printing took, in MLIR's format.

An observer of ``ir.pipeline_run``; the times of a pass on functions are summed over the functions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_run import PassObserver

_RULE = f"==={'-' * 73}===\n"
_TITLE = "... Execution time report ..."


class _Timer:
    """Seconds spent under a name, and the timers of the parts."""

    __slots__ = ("name", "parts", "seconds", "started")

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0
        self.started = 0.0
        self.parts: dict[object, _Timer] = {}


class Timing(PassObserver):
    """Measures from its creation on; ``report`` is the table."""

    def __init__(self) -> None:
        self._root = _Timer("Total")
        self._open = [self._root]
        self._root.started = time.perf_counter()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Times what happens inside under ``name``."""
        self._start(name, name)
        try:
            yield
        finally:
            self._stop()

    def before_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        self._start(id(pipeline), f"'{pipeline.anchor}' Pipeline")

    def after_pipeline(self, pipeline: Pipeline, op: Operation) -> None:
        self._stop()

    def before_pass(self, one: Pass, op: Operation) -> None:
        self._start(id(one), one.class_name)

    def after_pass(self, one: Pass, op: Operation) -> None:
        self._stop()

    def after_failed_pass(self, one: Pass, op: Operation) -> None:
        self._stop()

    def report(self, *, flat: bool = False) -> str:
        """The table so far: nested, or ``flat`` with the longest first."""
        total = time.perf_counter() - self._root.started
        parts = list(self._root.parts.values())
        rows = list(_flat_rows(parts) if flat else _tree_rows(parts, 0))
        rows.append(("Rest", total - sum(part.seconds for part in parts)))
        rows.append(("Total", total))
        lines = [
            f"  {seconds:8.4f} ({100 * seconds / total if total else 100.0:5.1f}%)  {name}\n" for name, seconds in rows
        ]
        title = " " * ((80 - len(_TITLE)) // 2) + _TITLE
        head = f"{_RULE}{title}\n{_RULE}  Total Execution Time: {total:.4f} seconds\n\n"
        return f"{head}  ----Wall Time----  ----Name----\n{''.join(lines)}"

    def _start(self, key: object, name: str) -> None:
        parts = self._open[-1].parts
        timer = parts.get(key)
        if timer is None:
            timer = parts[key] = _Timer(name)
        timer.started = time.perf_counter()
        self._open.append(timer)

    def _stop(self) -> None:
        timer = self._open.pop()
        timer.seconds += time.perf_counter() - timer.started


def _tree_rows(timers: list[_Timer], depth: int) -> Iterator[tuple[str, float]]:
    for timer in timers:
        yield "  " * depth + timer.name, timer.seconds
        yield from _tree_rows(list(timer.parts.values()), depth + 1)


def _flat_rows(timers: list[_Timer]) -> list[tuple[str, float]]:
    seconds: dict[str, float] = {}
    for name, spent in _tree_rows(timers, 0):
        seconds[name.strip()] = seconds.get(name.strip(), 0.0) + spent
    return sorted(seconds.items(), key=lambda row: -row[1])
