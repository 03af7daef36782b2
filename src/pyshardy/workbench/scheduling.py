"""Schedules the work of requests: one piece of work runs at a time, and short interactive work runs before long work.

The packages below have caches for the whole process that are not thread-safe, and Python runs one thread at a time
anyway. Work is cancelled by exceptions that its check raises, between two passes or two operations, so that no data is
left inconsistent: ``Cancelled`` if its answer is not needed any more, ``Preempted`` if it restarts after quick work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import TypeVar

from pyshardy.ir.collector import tidy
from pyshardy.ir.progress import Check

_T = TypeVar("_T")

_MOMENTS = 0.4
"""The seconds after an answer in which the next request of the user is likely."""


class Cancelled(BaseException):
    """The answer is not needed any more. It is no ``Exception``, since shortcuts catch these and fall back to the plain
    path."""


class Preempted(BaseException):
    """Quick work waits for its turn."""


class Scheduler:
    """A lock for one piece of work at a time; ``quick`` work gets it before long work."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._is_taken = False
        self._quick = 0
        self._came = 0

    @contextmanager
    def quick(self) -> Iterator[None]:
        """Holds the turn for quick work."""
        with self.announcing_quick():
            with self._condition:
                self._condition.wait_for(lambda: not self._is_taken)
                self._is_taken = True
            try:
                yield
            finally:
                self._release()

    @contextmanager
    def announcing_quick(self) -> Iterator[None]:
        """Announces quick work: inside, no long work begins, and running long work is interrupted."""
        with self._condition:
            self._quick += 1
            self._came += 1
            self._condition.notify_all()
        try:
            yield
        finally:
            with self._condition:
                self._quick -= 1
                self._condition.notify_all()

    @contextmanager
    def after_quick(self) -> Iterator[None]:
        """Holds the turn for longer work, after all quick work."""
        with self._condition:
            self._condition.wait_for(lambda: not self._is_taken and not self._quick)
            self._is_taken = True
        try:
            yield
        finally:
            self._release()

    def long(self, work: Callable[[Check], _T], check: Check) -> _T:
        """The result of ``work``, which regularly calls the check that it gets. It is interrupted by quick work, and
        restarted afterwards.

        Raises:
            Cancelled: ``check`` says so.
        """

        def checked() -> None:
            check()
            if self._quick:
                raise Preempted

        while True:
            check()
            with self.after_quick():
                try:
                    return work(checked)
                except Preempted:
                    pass

    def collect_garbage(self, *, everything: bool) -> None:
        """Collects the garbage of finished work after a short delay, unless other work begins in the meantime. After
        long work a full collection (``everything``) is made."""
        with self._condition:
            before = self._came
            if self._condition.wait_for(lambda: self._quick or self._came != before, _MOMENTS):
                return
        with self.after_quick():
            tidy(everything=everything)

    def yield_to_quick(self) -> None:
        """Called by long work that holds the turn: lets waiting quick work run first, or else collects garbage."""
        if not self._quick:
            tidy()
            return
        self._release()
        with self._condition:
            self._condition.wait_for(lambda: not self._is_taken and not self._quick)
            self._is_taken = True

    def _release(self) -> None:
        with self._condition:
            self._is_taken = False
            self._condition.notify_all()


SCHEDULER = Scheduler()
"""The scheduler of this process."""
