"""The most memory that a program of one device needs, before it is unfolded.

What stands in memory at an operation is with all layers what stands there with few, and what the others keep from one
series to another: what is made at the splice point of the one and read at that of the other. From one layer to the next
that grows, or falls, by the same, so that most is needed at an operation that is there already.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.depth_first import has_at_most
from pyshardy.partitioning.account.liveness import AS_WRITTEN, MemoryModel, reuses_any_operand
from pyshardy.partitioning.account.memory import Change, MemoryUse
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


class _Reader(NamedTuple):
    """Layers of ``series``, each so many layers above the one whose value it reads."""

    series: int
    distance: int


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
        if has_at_most(entry.body, model.max_reordered, times):
            # All layers together run in another order.
            raise _Unknown
        self._course = course = MemoryUse(module, entry, model, results, max_reordered=0)
        self._numbers = {op: number for number, op in enumerate(course.operations)}
        self._places = [self._places_of(series) for series in range(len(splice.template))]
        """Before which operation the layers of each series are to stand, layer by layer."""
        self._spans_known: dict[tuple[int, _Reader | int | None], list[tuple[int, int, int]]] = {}
        self._kept = [one for one in self._keeps() if one.begin < one.end]
        changes = self._changes()
        self._most = course.peak(changes)
        self.bytes = self._most.bytes
        self._look_at_sorted(changes)
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

    def _places_of(self, series: int) -> list[int]:
        """Before which operation the layers of ``series`` that are left out belong, from the lowest on."""
        splice = self._splice
        if series in splice.series_of_results.values():
            left_out = [(layer, index) for index, which, layer in splice.results_left_out() if which == series]
            found = [splice.behind_result(index) for _, index in sorted(left_out)]
        else:
            found = [splice.behind(series, layer) for layer in sorted(splice.left_out(series))]
        if len(found) != self._count or any(op not in self._numbers for op in found):
            raise _Unknown
        return [self._numbers[op] for op in found]

    def _spans(self, series: int, end: _Reader | int | None) -> list[tuple[int, int, int]]:
        """From where to where something stands that the layers of ``series`` make and that ends at ``end``, and of how
        many layers that is so."""
        begins = self._places[series]
        ends = begins if end is None else [end] * self._count if isinstance(end, int) else self._ends(end)
        spans = self._spans_known.get((series, end))
        if spans is None:
            pairs = Counter(zip(begins, ends, strict=True))
            spans = self._spans_known[series, end] = [(one, other, count) for (one, other), count in pairs.items()]
        return spans

    def _ends(self, reader: _Reader) -> list[int]:
        """Before which operation something ends that ``reader`` reads last, layer by layer."""
        places = self._places[reader.series]
        if reader.distance and places.count(places[0]) != len(places):
            raise _Unknown
        return places

    def _look_at_sorted(self, changes: Mapping[int, Sequence[Change]]) -> None:
        """Looks whether most is needed elsewhere than where layers are sorted: there those that are left out may stand
        between others that are not like them.

        Raises:
            _Unknown: that is not sure.
        """
        in_several = [which for which, places in enumerate(self._places) if places.count(places[0]) != len(places)]
        course = self._course.upper_bounds(changes) if in_several else []
        for which in in_several:
            own = [self._numbers[op] for op in self._splice.template[which]]
            if not own:
                continue
            around = _between(course, min(self._places[which]) - 1, max(self._places[which]))
            layer = _between(course, min(own), max(own))
            most, highest = (max(at_work for _, at_work, _ in moments) for moments in (around, layer))
            if most + highest - min(behind for _, _, behind in layer) >= self.bytes:
                raise _Unknown

    def _results(self) -> Iterator[_Kept]:
        """What results of the layers keep."""
        splice, passing = self._splice, self._course.fused
        for series, template in enumerate(splice.template):
            for op, alike in zip(template, splice.parts[series, splice.folded.end], strict=True):
                for result, other in zip(op.results, alike.results, strict=True):
                    if (result in passing) != (other in passing):
                        raise _Unknown
                    change = self._course.change(result)
                    if change != self._course.change(other):
                        raise _Unknown
                    if result not in passing and change.size:
                        for begin, end, count in self._spans(series, self._end(result, other)):
                            yield _Kept(begin, end, self._course.change(result, count), result, other)

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
                change = self._course.change(below)
                if change != self._course.change(above):
                    raise _Unknown
                end = self._end(below, above)
                if isinstance(end, _Reader):
                    ends = Counter(self._ends(end))
                    if ends.total() != len(left_out):
                        raise _Unknown
                else:
                    ends = Counter({-1 if end is None else end: len(left_out)})
                for place, count in ends.items():
                    yield _Kept(-1, place, self._course.change(below, count), below, above)

    def _end(self, value: Value, other: Value) -> _Reader | int | None:
        """The operation before which a value of a layer that is left out ends, of which ``value`` and ``other`` are the
        counterparts below and above the splice point, or the series that reads it last; None if it is not read."""
        last, ends = self._course.last.get(value), self._course.last.get(other)
        if last is None and ends is None:
            return None
        if last is None or ends is None:
            raise _Unknown
        op, its = self._course.operations[last], self._course.operations[ends]
        if op is its:
            if reuses_any_operand(op):
                # How much it takes depends on how much dies.
                raise _Unknown
            return last + 1
        place, where = (self._splice.places.get(one) for one in (op, its))
        if place is None or where is None or place._replace(layer=place.layer + 1) != where:
            raise _Unknown
        return _Reader(place.series, place.layer - self._splice.below)


def _between(course: Sequence[tuple[int, int, int]], first: int, last: int) -> Sequence[tuple[int, int, int]]:
    """The moments of ``course`` that are of operations from ``first`` to ``last``, and the one before these."""
    places = [place for place, _, _ in course]
    return course[max(bisect_left(places, first) - 1, 0) : bisect_right(places, last)]
