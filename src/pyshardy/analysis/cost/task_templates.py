"""Copies of the tasks of a program segment, for segments that run the same operations.

A folded program runs the operations of one layer many times. ``task_builder`` makes the tasks of the first such segment
operation by operation; those of the others are copied from it with other task numbers. That is exact: which tasks a
segment becomes depends only on its operations and on which of the values that it reads come from one task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from pyshardy.analysis.cost.tasks import NO_TASK, Tasks

_NO_WAITS: tuple[int, ...] = ()


class TaskTemplate:
    """The tasks of a segment: those of ``tasks`` with the numbers ``own``.

    ``results`` are the tasks that the values come from which the segment defines. The segment reads ``reads`` values of
    earlier segments; ``places`` maps each task that these come from to the first of the values that does.
    """

    def __init__(self, tasks: Tasks, own: range, results: Sequence[int], reads: int, places: Mapping[int, int]) -> None:
        begin, part = own.start, slice(own.start, own.stop)
        self._begin = begin
        self._own = reads + 1
        self._places = places
        self._ops, self._seconds, self._links = tasks.ops[part], tasks.seconds[part], tasks.links[part]
        self._bytes = tasks.bytes[part]
        self._loops = [(number - begin, loop) for number, loop in tasks.loops.items() if number in own]
        self._calls = [
            (op, one - begin, end - begin) for op, one, end in tasks.calls if one >= begin and end <= own.stop
        ]
        self._results = [self._slot(number) for number in results]
        waits = tasks.waits[part]
        self._counts = [len(one) for one in waits]
        self._columns = {
            count: [[self._slot(one[column]) for one in waits if len(one) == count] for column in range(count)]
            for count in set(self._counts)
        }
        """For each number of predecessors the slots of the first predecessor, the second, and so on."""

    def _slot(self, number: int) -> int:
        """The place of task ``number`` in a row of: no task, the tasks that are read, the tasks of the segment."""
        if number < 0:
            return 0
        return self._own + number - self._begin if number >= self._begin else 1 + self._places[number]

    def add_copy(self, tasks: Tasks, results: list[int], read: Sequence[int]) -> None:
        """Adds to ``tasks`` those of a segment that runs the same operations on values that come from the tasks
        ``read``; appends to ``results`` the tasks that the values come from which the segment defines."""
        begin = len(tasks)
        at = [NO_TASK, *read, *range(begin, begin + len(self._ops))].__getitem__
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
        results += map(at, self._results)
