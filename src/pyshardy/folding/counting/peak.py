"""Count: the peak of memory of a program of one device with all layers, without unfolding it.

The values in memory at an operation of the folded program are, with all layers, the same and those that the layers left
out *keep*: values that such a layer makes before this operation, and reads after it. An activation of the forward pass
is kept from the splice point of the forward series to that of the backward series. At the splice point of the forward
series memory grows with every layer by the same, so it is highest at the end of the growth, in a layer that was kept;
where it falls, it is highest at the beginning. So the peak is at an operation of the folded program. Only in a sorted
series, where layers are left out in several places, or after all that are kept, it may be in one of these; then it is
not known here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from pyshardy.folding.certifying.parts import LayerPosition
from pyshardy.folding.certifying.splice import Splice
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.depth_first import has_at_most
from pyshardy.partitioning.account.liveness import reuses_any_operand
from pyshardy.partitioning.account.memory import AllocationChange, CopySpan, MemoryUse
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from pyshardy.partitioning.account.memory_parts import MemoryParts, memory_parts, worked_on


def peak_with_all_layers(
    splice: Splice, module: Operation, entry: Operation, results: Sequence[Type], model: MemoryModel = XLA_CPU
) -> PeakOfLayers | None:
    """The peak that ``memory_of`` would find for ``entry``, a function of ``module``, if it were unfolded at
    ``splice``; ``results`` are the types of all results then. None if it is not known: if layers do not all keep the
    same, or if a small program would be run in another order than that of the text."""
    try:
        return PeakOfLayers(splice, module, entry, results, model)
    except _Unknown:
        return None


class _Unknown(Exception):
    """The peak with all layers does not follow from few of them."""


class _Reader(NamedTuple):
    """The last reader of a value: ``series`` of the layer that is ``distance`` layers above that of the value."""

    series: int
    distance: int


class _LiveLeftOut(NamedTuple):
    """Values that layers which are left out keep in memory, counterparts of each other, from before operation ``begin``
    up to before operation ``end``, both of the folded program. ``change`` has their bytes and number; ``value`` and
    ``other`` are their counterparts below and above the splice point."""

    begin: int
    end: int
    change: AllocationChange
    value: Value
    other: Value


class _CopyInLayer(NamedTuple):
    """A copy of ``size`` bytes that operation number ``first`` of a layer of ``series`` keeps until ``end``, where
    number ``last`` reads it."""

    series: int
    first: int
    last: int
    end: _Reader
    size: int


class PeakOfLayers:
    """The peak of memory, in ``bytes``, of ``entry``, a function of ``module``, if it were unfolded at ``splice``;
    ``results`` are the types of all results then, and ``model`` says which values are in memory when.

    Raises:
        _Unknown: it does not follow from few layers.
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
            # Small programs run in the order that needs least memory, which is not that of the text.
            raise _Unknown
        self._course = course = MemoryUse(module, entry, model, results, max_reordered=0)
        self._count_returns_left_out()
        self._numbers = {op: number for number, op in enumerate(course.operations)}
        self._places = [self._places_of(series) for series in range(len(splice.template))]
        """For each series the numbers of the operations before which the layers that are left out belong, in order."""
        self._range_of = cache(partial(splice.range_of, numbers=self._numbers))
        self._spans_known: dict[tuple[int, _Reader | int | None], list[tuple[int, int, int]]] = {}
        self._kept = [one for one in (*self._results(), *self._arguments()) if one.begin < one.end]
        self._copies = [one for one in self._kept_copies() if one.begin < one.end]
        changes = self._changes()
        self._spans_of_copies = [CopySpan(one.begin, one.end, one.change.bytes) for one in self._copies]
        self._most = course.peak(changes, self._spans_of_copies)
        self.bytes = self._most.bytes
        self._check_sorted_series(changes)

    def _count_returns_left_out(self) -> None:
        """Counts how often values of no layer are returned for layers that are left out, too: each time such a value is
        in a result buffer of its own."""
        folded, returned = self._splice.folded, self._entry.body.terminator.operands
        shared = {one for one in self._splice.returned_refs.values() if isinstance(one, Value)}
        for index in range(len(folded.results)):
            if index not in folded.places_of_results:
                value = returned[folded.place_of_result(index)]
                if value in shared:
                    self._course.returned[buffer_owner(value)] += 1

    def _changes(self) -> dict[int, list[AllocationChange]]:
        """The changes of memory by layers that are left out, by the number of the operation before which they are."""
        found: dict[int, list[AllocationChange]] = {}
        for begin, end, change, _, _ in self._kept:
            found.setdefault(begin, []).append(change)
            found.setdefault(end, []).append(change._replace(number=-change.number))
        return found

    @property
    def parts(self) -> MemoryParts | None:
        """The peak by parts; None if a kept value counts to another part below the splice point than above it, or if it
        is not known at which of equal moments the peak is with all layers."""
        if self._may_be_at_a_layer_left_out():
            return None
        place, returned = self._most.place, self._course.returned
        memory = self._course.memory_at(self._most)
        at_work = worked_on(memory.at_peak, self._model)
        found = memory_parts(memory, self._entry, at_work)
        arguments = results = saved = temporaries = 0
        for begin, end, change, value, other in (*self._kept, *self._copies):
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
        return found._replace(
            arguments=found.arguments + arguments,
            results=found.results + results,
            saved=found.saved + saved,
            temporaries=found.temporaries + temporaries,
        )

    def _may_be_at_a_layer_left_out(self) -> bool:
        """Whether layers that are left out, and come before the moment of the peak, may have it: they need as many
        bytes if the layers on both sides of the splice point do. From the two layers before them in the text follows
        how much smaller the empty result buffers are from layer to layer."""
        below, found = self._splice.below, dict[tuple[int, int, int], dict[int, tuple[int, int]]]()
        for place, reserved in self._most.tied:
            position = self._splice.positions.get(self._course.operations[place]) if place >= 0 else None
            if position is not None:
                key = position.series, position.operation, position.nested
                found.setdefault(key, {})[position.layer] = place, reserved
        for moments in found.values():
            if below not in moments or below + 1 not in moments:
                continue
            (place, reserved), before = min((moments[below], below - 1), (moments[below + 1], below + 2))
            if place < self._most.place and (
                before not in moments or reserved - self._count * (moments[before][1] - reserved) <= self._most.reserved
            ):
                return True
        return False

    def _places_of(self, series: int) -> list[int]:
        """``_places`` of ``series``."""
        found = self._splice.insertions.points(series)
        if len(found) != self._count or any(op not in self._numbers for op in found):
            raise _Unknown
        return sorted(self._numbers[op] for op in found)

    def _spans(self, series: int, end: _Reader | int | None) -> list[tuple[int, int, int]]:
        """The spans for which layers of ``series`` that are left out keep a value, as (begin, end, number of layers).
        The value is made in its layer and dies at ``end``: with a reader in a layer, at a certain operation, or, if
        ``end`` is None, at once.

        Raises:
            _Unknown: more of these values would die than are made up to some operation.
        """
        spans = self._spans_known.get((series, end))
        if spans is None:
            begins = self._places[series]
            # With all layers one value more dies in each layer that is left out, whosever it is. Say values die in the
            # layer above their own, and layers 2 to 9 are left out. Then that of layer 1 dies in layer 2, not in layer
            # 10 as in the folded program, but that of layer 9 does.
            ends = [end] * self._count if isinstance(end, int) else self._places[series if end is None else end.series]
            pairs = Counter(zip(begins, ends, strict=True))
            if any(one > other for one, other in pairs):
                raise _Unknown
            spans = self._spans_known[series, end] = [(one, other, count) for (one, other), count in pairs.items()]
        return spans

    def _stands_in_several_places(self, series: int) -> bool:
        """Whether layers of ``series`` that are left out belong in several places."""
        return self._places[series][0] != self._places[series][-1]

    def _stands_last(self, series: int) -> bool:
        """Whether layers of ``series`` that are left out belong behind all that are kept."""
        last = self._splice.parts[series, self._splice.folded.end]
        ends = [self._numbers[op] for op in (*self._splice.template[series][-1:], *last[-1:])]
        return bool(ends) and max(ends) < self._places[series][0]

    def _check_sorted_series(self, changes: Mapping[int, Sequence[AllocationChange]]) -> None:
        """Tests that the peak is in no layer that is left out of a sorted series, where these stand in several places,
        or behind all layers that are kept: by a bound, the most memory around these places and what one layer needs
        more while it runs.

        Raises:
            _Unknown: it may be.
        """
        numbers = range(len(self._places))
        looked_at = [one for one in numbers if self._stands_in_several_places(one) or self._stands_last(one)]
        course = self._course.upper_bounds(changes, self._spans_of_copies) if looked_at else []
        for which in looked_at:
            own = [self._numbers[op] for op in self._splice.template[which]]
            if not own:
                continue
            around = moments_between(course, self._places[which][0] - 1, self._places[which][-1])
            layer = moments_between(course, min(own), max(own))
            most, highest = (max(at_work for _, at_work, _ in moments) for moments in (around, layer))
            if most + highest - min(behind for _, _, behind in layer) >= self.bytes:
                raise _Unknown

    def _results(self) -> Iterator[_LiveLeftOut]:
        """The values that layers which are left out make and keep.

        Raises:
            _Unknown: those below and above the splice point are kept in different ways.
        """
        splice, has_buffer = self._splice, self._course.has_buffer
        for series, template in enumerate(splice.template):
            for op, alike in zip(template, splice.parts[series, splice.folded.end], strict=True):
                for result, other in zip(op.results, alike.results, strict=True):
                    if has_buffer(result) != has_buffer(other):
                        raise _Unknown
                    change = self._course.change(result)
                    if change != self._course.change(other):
                        raise _Unknown
                    if change.size and has_buffer(result):
                        for begin, end, count in self._spans(series, self._end(result, other)):
                            yield _LiveLeftOut(begin, end, self._course.change(result, count), result, other)

    def _arguments(self) -> Iterator[_LiveLeftOut]:
        """The donated arguments of layers that are left out, in whose memory results are written. They are in memory
        from the begin of the program (place -1) until they are read last; other arguments are there all the time.

        Raises:
            _Unknown: arguments of a family are treated in different ways.
        """
        splice = self._splice
        own = {argument.index for argument in self._course.in_place if isinstance(argument, BlockArgument)}
        families: dict[int, list[int]] = {}
        for alike, index, _ in splice.arguments_left_out():
            families.setdefault(alike, []).append(index)
        for alike, left_out in families.items():
            below, above = (splice.folded.argument(alike, layer) for layer in (splice.below, splice.folded.end))
            is_own = below.index in own
            if (above.index in own) != is_own or any((index in own) != is_own for index in left_out):
                # Results take the room of arguments in order, by size, as long as any are left: some of a family may
                # give theirs, and others not.
                raise _Unknown
            if is_own:
                change = self._course.change(below)
                if change != self._course.change(above):
                    raise _Unknown
                end = self._end(below, above)
                if isinstance(end, _Reader):
                    ends = Counter(self._places[end.series])
                    if ends.total() != len(left_out):
                        raise _Unknown
                else:
                    ends = Counter({-1 if end is None else end: len(left_out)})
                for place, count in ends.items():
                    yield _LiveLeftOut(-1, place, self._course.change(below, count), below, above)

    def _kept_copies(self) -> Iterator[_LiveLeftOut]:
        """The copies that layers which are left out keep from one product to a later one.

        Raises:
            _Unknown: those below and above the splice point are kept in different ways.
        """
        folded = self._splice.folded
        below, above = (
            self._copies_of_layer(layer) for layer in (self._splice.below, folded.folded_number(folded.end))
        )
        if below.keys() != above.keys():
            raise _Unknown
        for key, value in below.items():
            if key.end.distance and self._stands_in_several_places(key.end.series):
                raise _Unknown
            for begin, end, count in self._spans(key.series, key.end):
                yield _LiveLeftOut(begin, end, AllocationChange(False, key.size, count), value, above[key])

    def _copies_of_layer(self, layer: int) -> dict[_CopyInLayer, Value]:
        """The values of which products of ``layer``, by its folded number, keep copies, by what distinguishes these
        copies from others of the layer.

        Raises:
            _Unknown: a copy is kept for an operation of no layer, or two of one value are.
        """
        found: dict[_CopyInLayer, Value] = {}
        for value, first, last in self._course.kept_copies:
            position, where = (self._splice.positions.get(self._course.operations[number]) for number in (first, last))
            if position is None or position.layer != layer:
                continue
            if where is None or value in found.values():
                raise _Unknown
            end = _Reader(where.series, where.layer - layer)
            found[_CopyInLayer(position.series, position.operation, where.operation, end, self._course.size(value))] = (
                value
            )
        return found

    def _end(self, value: Value, other: Value) -> _Reader | int | None:
        """Where a value of a layer that is left out dies; ``value`` and ``other`` are its counterparts below and above
        the splice point. Its last reader is in a layer, or the result is the number of the operation before which it
        dies; None if it is not read.

        Raises:
            _Unknown: ``value`` and ``other`` die in different ways.
        """
        last, ends = self._course.last.get(value), self._course.last.get(other)
        if last is None and ends is None:
            return None
        if last is None or ends is None:
            raise _Unknown
        op, its = self._course.operations[last], self._course.operations[ends]
        if op is its:
            if reuses_any_operand(op) or not self._is_read_by(op, value, other):
                # An operation that works in the memory of operands that die would have more of these. And the values
                # of few layers may be read there because the model ends behind them, through those layers.
                raise _Unknown
            return last + 1
        position, where = (self._splice.positions.get(one) for one in (op, its))
        if position is None or where is None or (position.series, position.layer + 1) != (where.series, where.layer):
            raise _Unknown
        reader = _Reader(position.series, position.layer - self._splice.below)
        if self._stands_in_several_places(position.series) and not self._is_last_everywhere(reader, value, other):
            raise _Unknown
        return reader

    def _is_last_everywhere(self, reader: _Reader, value: Value, other: Value) -> bool:
        """Whether ``reader``, in a series whose layers stand in another order, is the last one in all layers, and not
        only of ``value`` and ``other``: whether all others are in the same layer as it, or in front of the series."""
        begin = self._range_of(reader.series)[0]
        for one, layer in ((value, self._splice.below), (other, self._splice.below + 1)):
            # Who computes a result of a call may read the others.
            beside = self._computed_by_readers(one.owner) if isinstance(one, OpResult) else ()
            for op, position in self._possible_readers([one, *beside]).items():
                if position is not None and position.series == reader.series:
                    if position.layer - layer != reader.distance:
                        return False
                elif (self._numbers[op] if position is None else self._range_of(position.series)[1]) >= begin:
                    return False
        return True

    def _is_read_by(self, op: Operation, value: Value, other: Value) -> bool:
        """Whether ``op`` reads a value and its counterparts in all layers above, ``value`` and ``other`` among these,
        however many layers there are: not only because they are few layers away from it."""
        own = [self._buffer_readers([(one, True)], within=self._layer_of(one)) for one in (value, other)]
        if all(op in found for found in own):
            return True
        # Or the value goes into a sum through all layers: a reader whose result is computed where it is read is read by
        # its counterpart in another layer, or hands the sum on.
        for reader, position in self._buffer_readers([(value, True)]).items():
            results = self._computed_where_read(reader)
            behind = self._buffer_readers(results) if results else {}
            is_carried = any(one in self._splice.carried.refs for one, _ in results)
            alike = (
                at.layer != position.layer and (at.series, at.operation) == (position.series, position.operation)
                for at in behind.values()
                if at is not None and position is not None
            )
            if op in behind and (is_carried or any(alike)):
                return op in self._buffer_readers([(other, True)])
        return False

    def _buffer_readers(
        self, values: Iterable[tuple[Value, bool]], within: int | None = None
    ) -> dict[Operation, LayerPosition | None]:
        """The operations that read the buffers of ``values``, themselves or to compute what others read, with their
        positions: by all uses of a value, or only by those that compute it again. If a layer is given by its folded
        number, not through operations of others than this."""
        found: dict[Operation, LayerPosition | None] = {}
        waiting = list(values)
        for one, by_all_uses in waiting:
            for use in one._uses:
                reader = use[0].ancestor_in(self._entry.body)
                if reader not in found and (by_all_uses or self._course.is_duplicated(use)):
                    position = found[reader] = self._splice.positions.get(reader)
                    if within is None or position is None or position.layer == within:
                        waiting += self._computed_where_read(reader)
        return found

    def _computed_where_read(self, op: Operation) -> list[tuple[Value, bool]]:
        """The results of ``op`` that readers compute: each with whether all of them do."""
        return [
            (one, not self._course.has_buffer(one)) for one in op.results if self._course.is_computed_by_readers(one)
        ]

    def _possible_readers(self, values: Sequence[Value]) -> dict[Operation, LayerPosition | None]:
        """The operations that may read the buffers of ``values``, themselves or to compute what some of their readers
        read, with their positions."""
        found: dict[Operation, LayerPosition | None] = {}
        waiting = list(values)
        for one in waiting:
            for user, _ in one._uses:
                reader = user.ancestor_in(self._entry.body)
                if reader not in found:
                    found[reader] = self._splice.positions.get(reader)
                    waiting += self._computed_by_readers(reader)
        return found

    def _computed_by_readers(self, op: Operation) -> list[OpResult]:
        """The results of ``op`` that readers compute, all or some of them."""
        return [one for one in op.results if self._course.is_computed_by_readers(one)]

    def _layer_of(self, value: Value) -> int | None:
        """The layer of ``value`` by its folded number; None if it has none."""
        if isinstance(value, BlockArgument):
            layer = self._splice.folded.layers_of_arguments[value.index]
            return None if layer is None else self._splice.folded.folded_number(layer)
        position = self._splice.positions.get(value.owner) if isinstance(value, OpResult) else None
        return None if position is None else position.layer


def moments_between(course: Sequence[tuple[int, int, int]], first: int, last: int) -> Sequence[tuple[int, int, int]]:
    """The moments of ``course`` that belong to operations from number ``first`` to ``last``, and the one before; if
    operation ``last`` changes nothing, also the next one, at which changes before this operation are seen."""
    places = [place for place, _, _ in course]
    end = max(bisect_right(places, last), bisect_left(places, last) + 1)
    return course[max(bisect_left(places, first) - 1, 0) : end]
