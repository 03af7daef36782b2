"""Synchronises processes that run in threads of their own: ``interpreter.run_parallel`` with different programs.

A collective waits here for all members of its group, a receive for its send. If every process waits, none will ever
continue: that is a deadlock and ends the run.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.grid import channel

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation

Fail = Callable[["Operation", str], NoReturn]
"""Ends the run with an error at an operation."""

_Place = tuple[str, int, tuple[int, ...]]


class Stopped(Exception):
    """Another process has failed; this one ends quietly."""


class Rendezvous:
    """The meeting place of ``processes`` threads."""

    def __init__(self, processes: int) -> None:
        self._running = processes
        self._waiting: list[Callable[[], bool]] = []
        self._stopped = False
        self._changed = threading.Condition()
        self._brought: dict[_Place, dict[int, deque[list[Array]]]] = {}
        self._taken: dict[_Place, dict[int, list[list[Array]]]] = {}
        self._sent: dict[tuple[int, int, int], deque[list[Array]]] = {}

    def meet(
        self, op: Operation, process: int, group: tuple[int, ...], values: list[Array], fail: Fail
    ) -> list[list[Array]]:
        """Brings ``values`` and waits until every member of ``group`` has come to the same place; what each brought.

        Raises:
            PyshardyError: nobody can go on any more.
            Stopped: another process failed.
        """
        place = (op.name, channel(op), group)
        with self._changed:
            queues = self._brought.setdefault(place, {member: deque() for member in group})
            taken = self._taken.setdefault(place, {})
            queues[process].append(values)
            if all(queues.values()):
                brought = [queues[member].popleft() for member in group]
                for member in group:
                    taken[member] = brought
                self._changed.notify_all()
            self._wait(op, fail, lambda: process in taken)
            return taken.pop(process)

    def send(self, source: int, target: int, channel: int, values: list[Array]) -> None:
        """Leaves ``values`` for ``target``; -1 stands for any process."""
        with self._changed:
            self._sent.setdefault((source, target, channel), deque()).append(values)
            self._changed.notify_all()

    def receive(self, op: Operation, source: int, target: int, channel: int, fail: Fail) -> list[Array]:
        """Waits for what was left for ``target``.

        Raises:
            PyshardyError: nobody can send it any more.
            Stopped: another process failed.
        """
        with self._changed:
            queue = self._sent.setdefault((source, target, channel), deque())
            self._wait(op, fail, lambda: bool(queue))
            return queue.popleft()

    def finished(self, *, failed: bool) -> None:
        """One process has come to its end."""
        with self._changed:
            self._running -= 1
            self._stopped = self._stopped or failed
            self._changed.notify_all()

    def _wait(self, op: Operation, fail: Fail, ready: Callable[[], bool]) -> None:
        self._waiting.append(ready)
        try:
            while not ready():
                if self._stopped:
                    raise Stopped
                if len(self._waiting) == self._running and not any(one() for one in self._waiting):
                    self._deadlock(op, fail)
                self._changed.wait()
        finally:
            self._waiting.remove(ready)

    def _deadlock(self, op: Operation, fail: Fail) -> NoReturn:
        self._stopped = True
        self._changed.notify_all()
        fail(op, "deadlocks: the processes that it waits for never come")
