"""The most memory that a program of one device needs, before it is unfolded.

What stands in memory at an operation is with all layers what stands there with few, and what the others keep from one
series to another: what is made at the splice point of the one and read at that of the other. From one layer to the next
that grows, or falls, by the same, so that most is needed at an operation that is there already.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.partitioning.account.memory import Course, course_of, type_bytes


def peak_with_all_layers(splice: Splice, module: Operation, entry: Operation) -> int | None:
    """What ``memory_of`` would find for ``entry``, a function of ``module``, if the layers were put in at ``splice``;
    None if that cannot be said."""
    try:
        return _Peak(splice, course_of(module, entry)).found()
    except _Unknown:
        return None


class _Unknown(Exception):
    """What layers keep is not the same for all of them."""


class _Peak:
    def __init__(self, splice: Splice, course: Course) -> None:
        self._splice = splice
        self._course = course
        self._numbers = {op: number for number, op in enumerate(course.operations)}
        self._count = splice.folded.end - splice.folded.first
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
        splice, numbers = self._splice, self._numbers
        found = {series: numbers[splice.behind(series)] for series in range(len(splice.folded.layers.series))}
        for index, series, _ in splice.results_left_out():
            place = numbers[splice.behind_result(index)]
            if found.setdefault(series, place) != place:
                raise _Unknown
        return [found[series] for series in range(len(splice.template))]

    def _results(self) -> Iterator[tuple[int, int, int]]:
        """What results of the layers keep: from before which operation, to before which, and how many bytes."""
        splice, passing = self._splice, self._course.passing
        for series, template in enumerate(splice.template):
            for op, alike in zip(template, splice.parts[series, splice.folded.end], strict=True):
                for result, other in zip(op.results, alike.results, strict=True):
                    if (result in passing) != (other in passing):
                        raise _Unknown
                    size = 0 if result in passing else type_bytes(result.type)
                    if size:
                        yield self._places[series], self._end(result, other, self._places[series]), self._count * size

    def _arguments(self) -> Iterator[tuple[int, int, int]]:
        """The same of arguments that are donated, which are there from the first."""
        splice = self._splice
        own = {argument.index for argument in self._course.donated if isinstance(argument, BlockArgument)}
        for alike, index, _ in splice.arguments_left_out():
            if index in own:
                below, above = (splice.argument(alike, layer) for layer in (splice.below, splice.folded.end))
                if below.index not in own or above.index not in own:
                    raise _Unknown
                yield -1, self._end(below, above, -1), type_bytes(below.type)

    def _end(self, value: Value, other: Value, begin: int) -> int:
        """Before which operation ends what is to a layer what ``value`` is to the one below the splice point and
        ``other`` to the one above; ``begin`` if it is not read."""
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
        place, where = (self._splice.places.get(one) for one in (op, its))
        if place is None or where is None or place._replace(layer=place.layer + 1) != where:
            raise _Unknown
        return self._places[place.series]
