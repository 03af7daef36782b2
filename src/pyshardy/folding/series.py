"""Series of layers: which repeats of a program belong together, and which of their layers is which.

Repeats are linked where one reads of another, or with another. A repeat that is shorter than a layer is joined to its
like in the same layer, and layers are numbered so that what is read is of the same layer, as a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import NamedTuple

from pyshardy.folding.repeats import FEWEST_REPEATS, Repeats
from pyshardy.ir.operation import Operation, OpResult, Value

_STAY = 7
"""So many layers are not left out, as a rule."""
_MOST_STACKS = 4
_MOST_ROUNDS = 4
_REPEATS_LOOKED_AT = 3
_FEWEST_LOOKED_AT = 256
"""So many of the longest repeats, and operations, are looked at for where others begin."""
_NEARBY = 3
"""So many repeats are looked at for links to others."""
_BESIDE = 2
"""A value that is of one layer belongs to so many of a series at most, the repeats of which may begin within layers."""
_ENDS = 3
"""Series that belong together may have so many layers less in common than one of them has."""


class Series(NamedTuple):
    """Repeats of ``period`` operations, from number ``begin`` of the function up to ``end``. The first are of layer
    ``base``, the next of layer ``base + direction``: backward the last layer comes first.

    Where layers are sorted by their names, ``Block_10`` follows ``Block_1``: then ``order`` says of which layer each
    repeat is and ``repeats`` which repeat is of each layer from ``base``, the lowest, on; else these are empty."""

    begin: int
    period: int
    end: int
    base: int
    direction: int
    order: tuple[int, ...] = ()
    repeats: tuple[int, ...] = ()

    def in_order(self, order: Sequence[int]) -> Series:
        """The same repeats, of the layers of ``order``, each once."""
        base = min(order)
        repeats = sorted(range(len(order)), key=order.__getitem__)
        return Series(self.begin, self.period, self.end, base, 1, tuple(order), tuple(repeats))

    def layer(self, number: int) -> int:
        """The layer that operation ``number`` of the function belongs to."""
        repeat = (number - self.begin) // self.period
        return self.order[repeat] if self.order else self.base + self.direction * repeat

    def begin_of(self, layer: int) -> int:
        """The number of the first operation of ``layer``."""
        if self.repeats:
            return self.begin + self.repeats[layer - self.base] * self.period
        return self.begin + (layer - self.base) * self.direction * self.period

    def moved(self, number: int, layers: int) -> int | None:
        """The number of the operation that is to its layer, so many ``layers`` above, what operation ``number`` is to
        its own; None if there is no such layer."""
        if not self.repeats:
            other = number + layers * self.direction * self.period
            return other if self.begin <= other < self.end else None
        layer = self.layer(number) + layers
        if not 0 <= layer - self.base < len(self.repeats):
            return None
        return self.begin_of(layer) + (number - self.begin) % self.period

    def layers(self) -> range:
        """Its layers, from the lowest to the highest."""
        if self.order:
            return range(self.base, self.base + len(self.order))
        ends = self.base, self.layer(self.end - 1)
        return range(min(ends), max(ends) + 1)


@dataclass(frozen=True)
class _Link:
    """Repeats of ``which`` read of ``other``, or with it: which repeat goes with the first of theirs, or would, and
    whether the next one goes with the next of theirs (1) or the one before (-1). That is seen at operation ``place``,
    which reads by operand ``index``; of those that do so with it number ``beside`` is meant."""

    which: int
    other: int
    distance: int
    step: int
    place: int = field(compare=False)
    index: int = field(compare=False)
    beside: int = field(compare=False)


class LinkedSeries:
    """The series of what was ``found`` to repeat in ``operations``."""

    def __init__(self, operations: Sequence[Operation], found: Sequence[Repeats]) -> None:
        self.operations = operations
        self.numbers = {op: number for number, op in enumerate(operations)} if found else {}
        """The place of each operation, if any repeat."""
        self._series_at = [-1] * len(operations)
        for which, one in enumerate(found):
            self._series_at[one.begin : one.end] = [which] * (one.end - one.begin)
        self.components: list[frozenset[int]] = []
        """The series that read of each other, or with each other, by number."""
        self.series = self._numbered(self._grouped(found))

    def _numbered(self, found: Sequence[Repeats]) -> list[Series]:
        """The series of what was ``found``, with their layers numbered so that most of what one reads of another, or as
        another does, is of the same layer."""
        links: dict[int, list[tuple[int, _Link]]] = {}
        for link, _ in Counter(self._links(found)).most_common():
            links.setdefault(link.which, []).append((link.other, link))
            links.setdefault(link.other, []).append((link.which, link))
        numbered: dict[int, Series] = {}
        for which in range(len(found)):
            if which not in numbered:
                linked = self._numbered_from(found, links, which, 1)
                if any(one.order for one in linked.values()):
                    # Which of them are sorted, those say whose layers read each other.
                    model = max(linked, key=lambda one: (self._is_chain(found[one]), found[one].period))
                    linked = self._numbered_from(found, links, model, 1)
                    if linked[min(one for one in linked if not linked[one].order)].direction < 0:
                        linked = self._numbered_from(found, links, model, -1)
                numbered.update(linked)
                self.components.append(frozenset(linked))
        return [numbered[which] for which in range(len(found))]

    def _numbered_from(
        self, found: Sequence[Repeats], links: Mapping[int, Sequence[tuple[int, _Link]]], which: int, direction: int
    ) -> dict[int, Series]:
        """Those that are linked to ``which``, whose repeats are numbered in their order (1) or against it (-1)."""
        one = found[which]
        numbered = {which: Series(one.begin, one.period, one.end, 0 if direction > 0 else one.times - 1, direction)}
        pending = [which]
        for known in pending:
            for other, link in links.get(known, ()):
                if other not in numbered:
                    numbered[other] = self._linked(found, numbered[known], other, link)
                    pending.append(other)
        return numbered

    def _is_chain(self, one: Repeats) -> bool:
        """Whether repeats read the one before."""
        return self._read_across(one.begin + one.times // 2 * one.period, one.period) > 0

    def _linked(self, found: Sequence[Repeats], known: Series, which: int, link: _Link) -> Series:
        """Number ``which`` of those ``found``, by its ``link`` to the ``known`` one."""
        one = found[which]
        distance = -link.step * link.distance if which == link.which else link.distance
        base, direction = known.base + known.direction * distance, known.direction * link.step
        plain = Series(one.begin, one.period, one.end, base, direction)
        if not known.order and all(mine == link.distance + link.step * its for mine, its in self._pairs(found, link)):
            return plain
        return self._sorted(one, known) or plain

    def _pairs(self, found: Sequence[Repeats], link: _Link) -> Iterator[tuple[int, int]]:
        """Which repeat reads by ``link`` of, or with, which one."""
        one, other = found[link.which], found[link.other]
        for repeat in range(one.times):
            value = self.operations[one.begin + repeat * one.period + link.place].operands[link.index]
            beside = self._beside(value)
            number = beside[link.beside] if link.beside < len(beside) else -1
            if other.begin <= number < other.end:
                yield repeat, (number - other.begin) // other.period

    def _sorted(self, one: Repeats, known: Series) -> Series | None:
        """``one`` with a layer for each repeat: that of what it reads of, or with, the ``known`` series; None if these
        are not all others. A repeat may begin a little later than was found: where layers stand in an order of their
        own, it is of one."""
        layers = [self._layer_beside(number, known) for number in range(one.begin, one.end)]
        best: tuple[int, Repeats, list[int]] | None = None
        for begin in range(one.begin, one.begin + one.period):
            shifted = Repeats(begin, one.period, (one.end - begin) // one.period)
            order = _order(layers[begin - one.begin :], shifted)
            if order is not None:
                across = self._read_across(begin + shifted.times // 2 * one.period, one.period)
                if best is None or across < best[0]:
                    best = across, shifted, order
                if not across:
                    break
        if best is None:
            return None
        _, shifted, order = best
        step = order[1] - order[0]
        plain = Series(shifted.begin, shifted.period, shifted.end, order[0], step)
        is_plain = abs(step) == 1 and all(after - before == step for before, after in pairwise(order))
        return plain if is_plain else plain.in_order(order)

    def _layer_beside(self, number: int, known: Series) -> int | None:
        """The lowest layer of the ``known`` series that operation ``number`` reads of, or with, or that reads of it.
        What more layers read says nothing."""
        op, lowest = self.operations[number], None
        for each in (*map(self._beside, op.operands), [self.numbers.get(user, -1) for user in _users(op)]):
            layers = {known.layer(other) for other in each if known.begin <= other < known.end}
            if 0 < len(layers) <= _BESIDE:
                lowest = min(layers) if lowest is None else min(*layers, lowest)
        return lowest

    def _grouped(self, found: Sequence[Repeats]) -> list[Repeats]:
        """``found``, with several repeats as one where operations of a layer are as much like each other as like those
        of the next layer: they read, or read with, another repeat of others where the next layer begins."""
        grouped = list(found)
        for _ in range(_MOST_ROUNDS):
            before = list(grouped)
            for which in range(len(grouped)):
                grouped[which] = self._as_others_do(grouped, which)
            if grouped == before:
                break
        return grouped

    def _as_others_do(self, found: Sequence[Repeats], which: int) -> Repeats:
        """That number of ``found``, with a repeat for each one of another series that it reads, or reads with."""
        mine = found[which]
        last: dict[int, tuple[int, int]] = {}
        first_changes: dict[int, int] = {}
        middle = mine.begin + mine.times // 2 * mine.period
        farthest = middle + max(_FEWEST_LOOKED_AT, _REPEATS_LOOKED_AT * max(one.period for one in found))
        for number in range(middle, min(mine.end, farthest)):
            for value in self.operations[number].operands:
                for beside in self._beside(value):
                    other = self._series_at[beside] if beside >= 0 else which
                    if other == which:
                        continue
                    repeat = (beside - found[other].begin) // found[other].period
                    before, at = last.get(other, (repeat, number))
                    last[other] = repeat, number
                    if abs(repeat - before) != 1:
                        if repeat != before and first_changes.get(other, mine.end) < mine.end:
                            # Where layers are sorted, the next one may be far away.
                            first_changes[other] = number
                        continue
                    begin = first_changes.setdefault(other, number)
                    if begin < number:
                        longer = self._with_period(mine, which, number - begin, range(at + 1, number + 1))
                        if longer is not None:
                            return longer
                        del last[other]
                        first_changes[other] = mine.end
        return mine

    def _with_period(self, mine: Repeats, which: int, period: int, begins: range) -> Repeats | None:
        """``mine`` with that ``period``, a repeat beginning at one of ``begins``; None if there are none, if that is no
        multiple of its own, or if it repeats too seldom."""
        if period == mine.period or period % mine.period or not begins:
            return None
        begin = min(begins, key=lambda one: self._read_across(one, period))
        begin = mine.begin + (begin - mine.begin) % period
        grouped = Repeats(begin, period, (mine.end - begin) // period)
        if grouped.times < FEWEST_REPEATS:
            return None
        self._series_at[mine.begin : mine.end] = [-1] * (mine.end - mine.begin)
        self._series_at[grouped.begin : grouped.end] = [which] * (grouped.end - grouped.begin)
        return grouped

    def _read_across(self, begin: int, period: int) -> int:
        """How often operations from number ``begin`` on, for a ``period``, read those of the ``period`` before."""
        operations, get = self.operations[begin : begin + period], self.numbers.get
        made = [get(value.owner, -1) for op in operations for value in op.operands]  # type: ignore[attr-defined]
        return sum(1 for number in made if begin - period <= number < begin)

    def _links(self, found: Sequence[Repeats]) -> Iterator[_Link]:
        """What repeats read of others, or with others, as seen from one in the middle and the next."""
        for which, one in enumerate(found):
            # Where layers are sorted, the next may be far away.
            middle = one.times // 2 - 1
            nearby = (
                self._links_at(found, which, repeat) for repeat in range(middle, min(middle + _NEARBY, one.times - 1))
            )
            yield from next((links for links in nearby if links), [])

    def _links_at(self, found: Sequence[Repeats], which: int, repeat: int) -> list[_Link]:
        """Those of that ``repeat``."""
        one, links = found[which], []
        begin = one.begin + repeat * one.period
        for place in range(one.period):
            op, following = self.operations[begin + place], self.operations[begin + place + one.period]
            for index, (value, next_value) in enumerate(zip(op.operands, following.operands, strict=True)):
                if value is next_value:
                    continue
                pairs = zip(self._beside(value), self._beside(next_value), strict=False)
                for beside, (mine, after) in enumerate(pairs):
                    other = self._series_at[mine] if mine >= 0 else which
                    if other != which and after >= 0 and abs(after - mine) == found[other].period:
                        theirs = (mine - found[other].begin) // found[other].period
                        step = 1 if after > mine else -1
                        links.append(_Link(which, other, repeat - step * theirs, step, place, index, beside))
        return links

    def _beside(self, value: Value) -> list[int]:
        """The number of the operation that makes ``value``, or those that read it if it is an argument."""
        if isinstance(value, OpResult):
            return [self._number(value)]
        return [self.numbers.get(user, -1) for user, _ in value._uses]

    def _number(self, value: Value) -> int:
        """The number of the operation of a series that makes ``value``, -1 if none does."""
        made = value.defining_op
        number = -1 if made is None else self.numbers.get(made, -1)
        return number if self._series_at[number] >= 0 else -1

    def stacks(self) -> list[list[Series]]:
        """The series that have their layers in common: of all, if they have, and of stacks of different depth, or
        that are not linked, one after the other, that first of which most operations can be left out. What is of other
        stacks stays as it is."""
        found: dict[tuple[Series, ...], int] = {}
        for members in (range(len(self.series)), *map(sorted, self.components)):
            those = [self.series[which] for which in members]
            for depth in dict.fromkeys(one.layers() for one in those):
                stack, common = [], depth
                for one in those:
                    layers = one.layers()
                    both = range(max(common.start, layers.start), min(common.stop, layers.stop))
                    if len(both) + _ENDS >= len(depth):
                        stack.append(one)
                        common = both
                found[tuple(stack)] = sum(one.period for one in stack) * (len(common) - _STAY)
        return [list(stack) for stack in sorted(found, key=lambda stack: -found[stack])][:_MOST_STACKS]


def _users(op: Operation) -> Iterator[Operation]:
    """What reads the results of ``op``."""
    return (user for result in op.results for user, _ in result._uses)


def _order(layers: Sequence[int | None], one: Repeats) -> list[int] | None:
    """The layer of each repeat of ``one``, ``layers`` being those of its operations as far as they are known; None if
    these do not say the same, or the same of several. At the ends of the model some may not be known: they get numbers
    of their own."""
    if one.times < FEWEST_REPEATS:
        return None
    columns = [layers[place : one.times * one.period : one.period] for place in range(one.period)]
    most = min(columns, key=lambda column: column.count(None))
    known = [layer for layer in most if layer is not None]
    if len(known) + _ENDS < one.times or len(set(known)) < len(known) or max(known) - min(known) >= len(known):
        return None
    for column in columns:
        pairs = zip(column, most, strict=True)
        if len({its - mine for its, mine in pairs if its is not None and mine is not None}) > 1:
            return None
    following = count(max(known) + 1)
    return [next(following) if layer is None else layer for layer in most]
