"""Detection, if little could be left out: repeats that go through layers several times are split, once for each time.

An optimizer may do the same to parameters and to each of their moments (``tree.map`` for three trees), and an ensemble
has one model after the other. ``repeats`` finds one range there, and ``linked_series`` would give each repeat a layer
of its own. It is split where an operand begins to be related otherwise: where repeats do not read the ones before any
more, or read another range, or the same repeats again. Two stacks may also share a range, as one sum of the squares of
all gradients does. If their layers have numbers of parameters of their own, it has to be split before ``linked_series``
groups it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.repeats import FEWEST_REPEATS, UNLIKE_AT_ENDS, RepeatedRange

_MOST_ROUNDS = 4
"""So often ranges are gone through at most: where one is split, those that read it may be as well."""


class _LinkedRun(NamedTuple):
    """``repeats`` of one range that read what the repeats ``read`` of number ``other`` make, one after the other. As
    many of them read the same one as there are in a layer."""

    repeats: range
    other: int
    read: range

    def longest(self) -> int:
        """How many repeats these may be with those that are related otherwise."""
        return len(self.repeats) + UNLIKE_AT_ENDS * ceil(len(self.repeats) / len(self.read))


def split_repeats(def_use: DefUse, found: Sequence[RepeatedRange]) -> list[RepeatedRange] | None:
    """The ranges ``found`` in a function with these def-use chains, split as far as they go through layers several
    times; None if none does."""
    split = list(found)
    for _ in range(_MOST_ROUNDS):
        splitting = _Splitting(def_use, split)
        pieces = [piece for which in range(len(split)) for piece in splitting.pieces(which)]
        if len(pieces) == len(split):
            break
        split = pieces
    return split if len(split) > len(found) else None


class _Splitting:
    """Splits ``found`` once."""

    def __init__(self, def_use: DefUse, found: Sequence[RepeatedRange]) -> None:
        self._def_use = def_use
        self._found = found
        self._range_at = [-1] * (len(def_use.operations) + 1)
        """For each operation which of ``found`` it belongs to, -1 for none; -1 at the end, for arguments."""
        for which, one in enumerate(found):
            self._range_at[one.begin : one.end] = [which] * (one.end - one.begin)

    def pieces(self, which: int) -> list[RepeatedRange]:
        """The pieces of number ``which``: itself if it is not split."""
        one = self._found[which]
        if one.times < 2 * FEWEST_REPEATS:
            return [one]
        starts, made = self._def_use.starts, self._def_use.makers
        end, operands = starts[one.end], starts[one.begin + one.period] - starts[one.begin]
        for place in range(one.period):
            for operand in range(starts[one.begin + place], starts[one.begin + place + 1]):
                runs = self._runs(one, place, made[operand:end:operands])
                longest = sum(run.longest() for run in runs)
                if len(runs) > 1 and longest >= one.times and _begins_anew(runs, which):
                    # Repeats between two runs belong to the second: the first layer of a model reads no other.
                    begins = [one.begin, *(one.begin + run.repeats.stop * one.period for run in runs[:-1])]
                    ends = [*begins[1:], one.end_of_rest]
                    return [RepeatedRange(begin, one.period, end) for begin, end in zip(begins, ends, strict=True)]
        return [one]

    def _runs(self, one: RepeatedRange, place: int, made: list[int]) -> list[_LinkedRun]:
        """Repeats of ``one`` in which an operand of the operation number ``place`` is ``made`` by a repeat, and in the
        next repeat by the same or by the one that follows or precedes it: at least as many in a row as are looked for,
        that do not all read the same. What a repeat makes itself is passed over."""
        ranges = list(map(self._range_at.__getitem__, made))
        if max(ranges) < 0 or self._are_evenly_apart(one, made, ranges):
            return []
        begins = range(one.begin, one.end, one.period)
        related = [
            (-1, -1)
            if which < 0 or begin <= maker < begin + place
            else (which, (maker - self._found[which].begin) // self._found[which].period)
            for begin, which, maker in zip(begins, ranges, made, strict=True)
        ]
        runs: list[_LinkedRun] = []
        begin, step = 0, 0
        for at, ((other, repeat), (following, its)) in enumerate(pairwise([*related, (-1, -1)]), 1):
            goes = its - repeat
            if other < 0 or other != following or abs(goes) > 1 or (step and goes and goes != step):
                if other >= 0 and step and at - begin >= FEWEST_REPEATS:
                    ends = related[begin][1], repeat
                    runs.append(_LinkedRun(range(begin, at), other, range(min(ends), max(ends) + 1)))
                begin, step = at, 0
            else:
                step = step or goes
        return runs

    def _are_evenly_apart(self, one: RepeatedRange, made: list[int], ranges: Sequence[int]) -> bool:
        """Whether the repeats of ``one`` read what these operations have ``made``, of these ``ranges``, so evenly
        that it is one run at most: what each makes itself, what all read, or one repeat after the other."""
        step = made[1] - made[0]
        if made != (list(range(made[0], made[0] + step * one.times, step)) if step else made[:1] * one.times):
            return False
        if step == 0 or not ranges[0] == ranges[-1] >= 0:
            return step == 0
        read = self._found[ranges[0]]
        # A repeat that reads what it makes itself would be between two runs.
        return step == one.period if read is one else step % read.period == 0


def _begins_anew(runs: Sequence[_LinkedRun], which: int) -> bool:
    """Whether ``runs`` of number ``which`` are each for itself: the repeats read the ones before, or those of different
    ranges, or the same ones again. If none is read twice, the layers are sorted: 10 comes before 2."""
    others = {run.other for run in runs}
    read = [repeat for run in runs for repeat in run.read]
    return others == {which} or len(others) > 1 or len(set(read)) < len(read)
