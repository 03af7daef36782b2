"""Tasks of stretches that are the same, without a look at what these run.

What tasks a stretch becomes depends on which of the tasks that it reads of are one, and which are nothing: so where
that is the same, its tasks are, but for their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from pyshardy.analysis.cost.tasks import NOTHING, Tasks

_NO_WAITS: tuple[int, ...] = ()


class Stamp:
    """What a stretch has become: the tasks from number ``begin`` on, from which the values come that it ``made``. It
    reads of tasks ``read`` times; ``places`` says of each of these when for the first time."""

    def __init__(self, tasks: Tasks, begin: int, made: Sequence[int], read: int, places: Mapping[int, int]) -> None:
        self._begin = begin
        self._own = read + 1
        self._places = places
        self._ops, self._seconds, self._links = tasks.ops[begin:], tasks.seconds[begin:], tasks.links[begin:]
        self._bytes = tasks.bytes[begin:]
        self._loops = [(number - begin, loop) for number, loop in tasks.loops.items() if number >= begin]
        self._calls = [(op, one - begin, end - begin) for op, one, end in tasks.calls if one >= begin]
        self._made = [self._slot(number) for number in made]
        waits = tasks.waits[begin:]
        self._counts = [len(one) for one in waits]
        self._columns = {
            count: [[self._slot(one[column]) for one in waits if len(one) == count] for column in range(count)]
            for count in set(self._counts)
        }
        """By how many tasks are waited for: the first of these, the second, and so on."""

    def _slot(self, number: int) -> int:
        """Where task ``number`` stands among nothing, what is read, and its own tasks."""
        if number < 0:
            return 0
        return self._own + number - self._begin if number >= self._begin else 1 + self._places[number]

    def add(self, tasks: Tasks, made: list[int], read: Sequence[int]) -> None:
        """Adds the tasks of a stretch that is the same and reads of the tasks ``read``; notes of which come the values
        that it makes."""
        begin = len(tasks)
        at = [NOTHING, *read, *range(begin, begin + len(self._ops))].__getitem__
        tasks.ops += self._ops
        tasks.seconds += self._seconds
        tasks.links += self._links
        tasks.bytes += self._bytes
        waits: dict[int, Iterator[tuple[int, ...]]] = {
            count: zip(*[map(at, column) for column in columns], strict=True) if columns else repeat(_NO_WAITS)
            for count, columns in self._columns.items()
        }
        tasks.waits += map(next, map(waits.__getitem__, self._counts))
        tasks.loops.update((begin + number, loop) for number, loop in self._loops)
        tasks.calls += [(op, begin + one, begin + end) for op, one, end in self._calls]
        made += map(at, self._made)
