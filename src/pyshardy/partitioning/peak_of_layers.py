"""The most memory that a program of one device needs, before the layers are in it that were left out.

What stands in memory at an operation is with all layers what stands there with few, and what the others keep from one
series to another: what is made at the seam of the one and read at that of the other. From one layer to the next that
grows, or falls, by the same, so that most is needed at an operation that is there already. Left of this file are
``memory`` and ``seam``; ``completion`` stands right of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.partitioning.account.memory import Course, course_of, type_bytes
from pyshardy.partitioning.seam import Seam


def peak_with_all_layers(seam: Seam, module: Operation, entry: Operation) -> int | None:
    """What ``memory_of`` would find for ``entry``, a function of ``module``, if the layers were put in at ``seam``;
    None if that cannot be said."""
    try:
        return _Peak(seam, course_of(module, entry)).found()
    except _Unknown:
        return None


class _Unknown(Exception):
    """What layers keep is not the same for all of them."""


class _Peak:
    def __init__(self, seam: Seam, course: Course) -> None:
        self._seam = seam
        self._course = course
        self._numbers = {op: number for number, op in enumerate(course.operations)}
        self._count = seam.short.end - seam.short.first
        self._places = self._found_places()
        """Before which operation the layers of each series are to stand."""

    def found(self) -> int:
        """The peak.

        Raises:
            _Unknown: that cannot be said.
        """
        course = self._course
        more = [0] * (len(course.operations) + 1)
        at_first = 0
        for begin, end, size in (*self._results(), *self._arguments()):
            if begin < end:
                more[max(begin, 0)] += size
                more[end] -= size
                at_first += size if begin < 0 else 0
        peak, kept, reached = course.at_first + at_first, 0, 0
        for number, size in course.moments:
            kept += sum(more[reached : number + 1])
            reached = number + 1
            peak = max(peak, size + kept)
        return course.always + peak

    def _found_places(self) -> list[int]:
        seam, numbers = self._seam, self._numbers
        found = {series: numbers[seam.behind(series)] for series in range(len(seam.repetition.series))}
        for index, series, _ in seam.results_put_in():
            place = numbers[seam.behind_result(index)]
            if found.setdefault(series, place) != place:
                raise _Unknown
        return [found[series] for series in range(len(seam.template))]

    def _results(self) -> Iterator[tuple[int, int, int]]:
        """What results of the layers keep: from before which operation, to before which, and how many bytes."""
        seam, passing = self._seam, self._course.passing
        for series, template in enumerate(seam.template):
            for op, alike in zip(template, seam.parts[series, seam.short.end], strict=True):
                for result, other in zip(op.results, alike.results, strict=True):
                    if (result in passing) != (other in passing):
                        raise _Unknown
                    size = 0 if result in passing else type_bytes(result.type)
                    if size:
                        yield self._places[series], self._end(result, other, self._places[series]), self._count * size

    def _arguments(self) -> Iterator[tuple[int, int, int]]:
        """The same of arguments that are donated, which are there from the first."""
        seam = self._seam
        own = {argument.index for argument in self._course.donated if isinstance(argument, BlockArgument)}
        for alike, index, _ in seam.arguments_put_in():
            if index in own:
                below, above = (seam.argument(alike, layer) for layer in (seam.below, seam.short.end))
                if below.index not in own or above.index not in own:
                    raise _Unknown
                yield -1, self._end(below, above, -1), type_bytes(below.type)

    def _end(self, value: Value, other: Value, begin: int) -> int:
        """Before which operation ends what is to a layer what ``value`` is to the one below the seam and ``other`` to
        the one above; ``begin`` if it is not read."""
        last, ends = self._course.last.get(value), self._course.last.get(other)
        if last is None and ends is None:
            return begin
        if last is None or ends is None:
            raise _Unknown
        op, its = self._course.operations[last], self._course.operations[ends]
        if op is its:
            if self._course.takes_what_dies(op):
                # How much it takes depends on how much dies.
                raise _Unknown
            return last + 1
        place, where = (self._seam.places.get(one) for one in (op, its))
        if place is None or where is None or place._replace(layer=place.layer + 1) != where:
            raise _Unknown
        return self._places[place.series]
