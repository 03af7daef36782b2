"""The most memory that a program of one device needs, before it is unfolded.

What stands in memory at an operation is with all layers what stands there with few, and what the others keep from one
series to another: what is made at the splice point of the one and read at that of the other. From one layer to the next
that grows, or falls, by the same, so that most is needed at an operation that is there already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.depth_first import is_moderate
from pyshardy.partitioning.account.liveness import AS_WRITTEN, MemoryModel, takes_what_dies
from pyshardy.partitioning.account.memory import Change, Course
from pyshardy.partitioning.account.memory_parts import MemoryParts, memory_parts, worked_on


def peak_with_all_layers(
    splice: Splice, module: Operation, entry: Operation, results: Sequence[Type], model: MemoryModel = AS_WRITTEN
) -> PeakOfLayers | None:
    """What ``memory_of`` would find for ``entry``, a function of ``module`` that with all layers returns ``results``,
    if the layers were put in at ``splice``; None if that cannot be said, as of a program of so few layers that it runs
    in another order."""
    try:
        return PeakOfLayers(splice, module, entry, results, model)
    except _Unknown:
        return None


class _Unknown(Exception):
    """What layers keep is not the same for all of them."""


class _Kept(NamedTuple):
    """What layers that are left out keep: from before which operation, to before which, and what changes by it; what
    the layers below and above the splice point have for it."""

    begin: int
    end: int
    change: Change
    value: Value
    other: Value


class PeakOfLayers:
    """The most memory that ``entry``, a function of ``module`` that with all layers returns ``results``, needs if the
    layers were put in at ``splice`` and values stand in memory as ``model`` says: ``bytes`` of it.

    Raises:
        _Unknown: that cannot be said.
    """

    def __init__(
        self, splice: Splice, module: Operation, entry: Operation, results: Sequence[Type], model: MemoryModel
    ) -> None:
        self._splice = splice
        self._entry = entry
        self._model = model
        self._count = splice.folded.end - splice.folded.first
        times = {op: 1 + self._count for template in splice.template for op in template}
        if is_moderate(entry.body, model.moderate, times):
            # All layers together run in another order.
            raise _Unknown
        self._course = course = Course(module, entry, model, results, moderate=0)
        self._numbers = {op: number for number, op in enumerate(course.operations)}
        self._places = self._found_places()
        """Before which operation the layers of each series are to stand."""
        self._kept = [one for one in self._keeps() if one.begin < one.end]
        self._most = course.most(self._changes())
        self.bytes = self._most.bytes
        self._parts: tuple[MemoryParts | None] | None = None

    def _keeps(self) -> Iterator[_Kept]:
        yield from self._results()
        yield from self._arguments()

    def _changes(self) -> dict[int, list[Change]]:
        """What the layers that are left out change, by the operation before which they do."""
        found: dict[int, list[Change]] = {}
        for begin, end, change, _, _ in self._kept:
            found.setdefault(begin, []).append(change)
            found.setdefault(end, []).append(change._replace(number=-change.number))
        return found

    @property
    def parts(self) -> MemoryParts | None:
        """What it is made of; None if that cannot be said."""
        if self._parts is None:
            self._parts = (self._found_parts(),)
        return self._parts[0]

    def _found_parts(self) -> MemoryParts | None:
        place, returned = self._most.place, self._course.returned
        memory = self._course.memory_at(self._most)
        at_work = worked_on(memory.at_peak, self._model)
        found = memory_parts(memory, self._entry, at_work)
        arguments = results = saved = temporaries = 0
        for begin, end, change, value, other in self._kept:
            if begin <= place < end:
                size = change.bytes
                if (value in at_work) != (other in at_work) or (value in returned) != (other in returned):
                    return None
                if isinstance(value, BlockArgument):
                    arguments += size
                elif value in returned:
                    results += size
                elif value in at_work:
                    temporaries += size
                else:
                    saved += size
        return replace(
            found,
            arguments=found.arguments + arguments,
            results=found.results + results,
            saved=found.saved + saved,
            temporaries=found.temporaries + temporaries,
        )

    def _found_places(self) -> list[int]:
        splice, numbers = self._splice, self._numbers
        found = {series: numbers[splice.behind(series)] for series in range(len(splice.folded.layers.series))}
        for index, series, _ in splice.results_left_out():
            place = numbers[splice.behind_result(index)]
            if found.setdefault(series, place) != place:
                raise _Unknown
        return [found[series] for series in range(len(splice.template))]

    def _results(self) -> Iterator[_Kept]:
        """What results of the layers keep."""
        splice, passing = self._splice, self._course.passing
        for series, template in enumerate(splice.template):
            for op, alike in zip(template, splice.parts[series, splice.folded.end], strict=True):
                for result, other in zip(op.results, alike.results, strict=True):
                    if (result in passing) != (other in passing):
                        raise _Unknown
                    change = self._course.change(result, self._count)
                    if change != self._course.change(other, self._count):
                        raise _Unknown
                    if result not in passing and change.size:
                        place = self._places[series]
                        yield _Kept(place, self._end(result, other, place), change, result, other)

    def _arguments(self) -> Iterator[_Kept]:
        """The same of arguments that are donated, which are there from the first."""
        splice = self._splice
        own = {argument.index for argument in self._course.in_place if isinstance(argument, BlockArgument)}
        families: dict[int, list[int]] = {}
        for alike, index, _ in splice.arguments_left_out():
            families.setdefault(alike, []).append(index)
        for alike, left_out in families.items():
            below, above = (splice.argument(alike, layer) for layer in (splice.below, splice.folded.end))
            is_own = below.index in own
            if (above.index in own) != is_own or any((index in own) != is_own for index in left_out):
                # Which arguments find room for results depends on the order of all of them.
                raise _Unknown
            if is_own:
                change = self._course.change(below, len(left_out))
                if change != self._course.change(above, len(left_out)):
                    raise _Unknown
                yield _Kept(-1, self._end(below, above, -1), change, below, above)

    def _end(self, value: Value, other: Value, begin: int) -> int:
        """The operation before which a value of a layer that is left out ends, of which ``value`` and ``other`` are the
        counterparts below and above the splice point; ``begin`` if it is not read."""
        last, ends = self._course.last.get(value), self._course.last.get(other)
        if last is None and ends is None:
            return begin
        if last is None or ends is None:
            raise _Unknown
        op, its = self._course.operations[last], self._course.operations[ends]
        if op is its:
            if takes_what_dies(op):
                # How much it takes depends on how much dies.
                raise _Unknown
            return last + 1
        place, where = (self._splice.places.get(one) for one in (op, its))
        if place is None or where is None or place._replace(layer=place.layer + 1) != where:
            raise _Unknown
        return self._places[place.series]
