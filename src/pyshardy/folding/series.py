"""Series of layers: which repeats of a program belong together, and which of their layers is which.

Repeats are linked where one reads of another, or with another. A repeat that is shorter than a layer is joined to its
like in the same layer, and layers are numbered so that what is read is of the same layer, as a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
_ENDS = 3
"""Series that belong together may have so many layers less in common than one of them has."""


class Series(NamedTuple):
    """Repeats of ``period`` operations, from number ``begin`` of the function up to ``end``. The first are of layer
    ``base``, the next of layer ``base + direction``: backward the last layer comes first."""

    begin: int
    period: int
    end: int
    base: int
    direction: int

    def layer(self, number: int) -> int:
        """The layer that operation ``number`` of the function belongs to."""
        return self.base + self.direction * ((number - self.begin) // self.period)

    def begin_of(self, layer: int) -> int:
        """The number of the first operation of ``layer``."""
        return self.begin + (layer - self.base) * self.direction * self.period

    def layers(self) -> range:
        """Its layers, from the lowest to the highest."""
        ends = self.base, self.layer(self.end - 1)
        return range(min(ends), max(ends) + 1)


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
        links: dict[int, list[tuple[int, int, int]]] = {}
        for (which, other, distance, step), _ in Counter(self._links(found)).most_common():
            links.setdefault(which, []).append((other, distance, step))
            links.setdefault(other, []).append((which, -step * distance, step))
        numbered: dict[int, tuple[int, int]] = {}
        for which in range(len(found)):
            if which not in numbered:
                numbered[which] = 0, 1
                pending = [which]
                for known in pending:
                    base, direction = numbered[known]
                    for other, distance, step in links.get(known, ()):
                        if other not in numbered:
                            numbered[other] = base + direction * distance, direction * step
                            pending.append(other)
                self.components.append(frozenset(pending))
        return [Series(one.begin, one.period, one.end, *numbered[which]) for which, one in enumerate(found)]

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

    def _links(self, found: Sequence[Repeats]) -> Iterator[tuple[int, int, int, int]]:
        """What repeats read of others, or with others: who reads, of or with whom, which of its repeats goes with the
        first of theirs, or would, and whether the next one goes with the next of theirs (1) or the one before (-1)."""
        for which, one in enumerate(found):
            middle = one.times // 2 - 1
            begin = one.begin + middle * one.period
            for number in range(begin, begin + one.period):
                op, following = self.operations[number], self.operations[number + one.period]
                for value, next_value in zip(op.operands, following.operands, strict=True):
                    if value is next_value:
                        continue
                    for mine, after in zip(self._beside(value), self._beside(next_value), strict=False):
                        other = self._series_at[mine] if mine >= 0 else which
                        if other != which and after >= 0 and abs(after - mine) == found[other].period:
                            theirs = (mine - found[other].begin) // found[other].period
                            step = 1 if after > mine else -1
                            yield which, other, middle - step * theirs, step

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
