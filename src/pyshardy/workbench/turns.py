"""Whose turn it is: passes and plans are made one at a time, and what a person waits for goes first.

The rooms below keep some of what they know in one place for the whole process, and Python would not run several threads
at once anyway. Work is ended by what its check raises, between two passes or two operations, so that nothing is left
half done: ``GivenUp`` if nobody wants it any more, ``MakesWay`` if it is to be begun anew behind what is quick.
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
"""Seconds in which a person who has had an answer may ask the next question."""


class GivenUp(BaseException):
    """Nobody wants to know any more. No ``Exception``: shortcuts would answer it by going the plain way."""


class MakesWay(BaseException):
    """Somebody waits for something quick."""


class Turns:
    """One piece of work at a time; those that are ``quick`` before those that are long."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._is_taken = False
        self._quick = 0
        self._came = 0

    @contextmanager
    def quick(self) -> Iterator[None]:
        """The turn of what a person waits for."""
        with self.coming():
            with self._condition:
                self._condition.wait_for(lambda: not self._is_taken)
                self._is_taken = True
            try:
                yield
            finally:
                self._leave()

    @contextmanager
    def coming(self) -> Iterator[None]:
        """Inside, something quick is about to want its turn: nothing long begins, and what is at work makes way."""
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
    def patient(self) -> Iterator[None]:
        """The turn of something longer, behind all that is quick."""
        with self._condition:
            self._condition.wait_for(lambda: not self._is_taken and not self._quick)
            self._is_taken = True
        try:
            yield
        finally:
            self._leave()

    def long(self, work: Callable[[Check], _T], check: Check) -> _T:
        """What ``work`` makes, which calls the check that it is given every now and then. It makes way for what is
        quick, and is begun anew afterwards.

        Raises:
            GivenUp: ``check`` says so.
        """

        def checked() -> None:
            check()
            if self._quick:
                raise MakesWay

        while True:
            check()
            with self.patient():
                try:
                    return work(checked)
                except MakesWay:
                    pass

    def tidy(self, *, everything: bool) -> None:
        """Frees what ended work has left, some moments later: if somebody comes meanwhile, that is left to who tidies
        up behind them. After long work ``everything`` is looked through."""
        with self._condition:
            before = self._came
            if self._condition.wait_for(lambda: self._quick or self._came != before, _MOMENTS):
                return
        with self.patient():
            tidy(everything=everything)

    def let_others(self) -> None:
        """Whoever has a turn, a long one, lets those go first who wait for something quick; else what is left lying is
        freed."""
        if not self._quick:
            tidy()
            return
        self._leave()
        with self._condition:
            self._condition.wait_for(lambda: not self._is_taken and not self._quick)
            self._is_taken = True

    def _leave(self) -> None:
        with self._condition:
            self._is_taken = False
            self._condition.notify_all()


TURNS = Turns()
"""Those of this process."""
