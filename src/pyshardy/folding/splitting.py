"""Detection, if little could be left out: repeats that go through layers several times are split, once for each time.

An optimizer may do the same to parameters and to each of their moments (``tree.map`` for three trees), and an ensemble
has one model after the other. ``repeats`` finds one stretch there, and ``series`` would give each repeat a layer of its
own. It is split where an operand begins to be related otherwise: where repeats do not read the ones before any more, or
read another stretch, or the same repeats again. Two stacks may also share a stretch, as one sum of the squares of all
gradients does. If their layers have numbers of parameters of their own, it has to be split before ``series`` groups it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from pyshardy.folding.repeats import FEWEST_REPEATS, Repeats
from pyshardy.ir.operation import Operation, OpResult

_MOST_ROUNDS = 4
"""So often stretches are gone through at most: where one is split, those that read it may be as well."""
_MISSING = 3
"""The repeats of so many layers of each run may be related otherwise, as the first layer of a model is."""


class _Run(NamedTuple):
    """``repeats`` of one stretch that read what the repeats ``read`` of number ``other`` make, one after the other. As
    many of them read the same one as there are in a layer."""

    repeats: range
    other: int
    read: range

    def longest(self) -> int:
        """How many repeats these may be with those that are related otherwise."""
        return len(self.repeats) + _MISSING * ceil(len(self.repeats) / len(self.read))


def split_repeats(
    operations: Sequence[Operation], numbers: Mapping[Operation, int], found: Sequence[Repeats]
) -> list[Repeats] | None:
    """The ranges ``found`` in a function with these ``operations``, which have these ``numbers``, split as far as they
    go through layers several times; None if none does."""
    split = list(found)
    for _ in range(_MOST_ROUNDS):
        splitting = _Splitting(operations, numbers, split)
        pieces = [piece for which in range(len(split)) for piece in splitting.pieces(which)]
        if len(pieces) == len(split):
            break
        split = pieces
    return split if len(split) > len(found) else None


class _Splitting:
    """Splits ``found`` once."""

    def __init__(
        self, operations: Sequence[Operation], numbers: Mapping[Operation, int], found: Sequence[Repeats]
    ) -> None:
        self._operations = operations
        self._numbers = numbers
        self._found = found
        self._stretch_at = [-1] * len(operations)
        """For each operation which of ``found`` it belongs to, -1 for none."""
        for which, one in enumerate(found):
            self._stretch_at[one.begin : one.end] = [which] * (one.end - one.begin)

    def pieces(self, which: int) -> list[Repeats]:
        """The pieces of number ``which``: itself if it is not split."""
        one = self._found[which]
        if one.times < 2 * FEWEST_REPEATS:
            return [one]
        for place in range(one.period):
            for index in range(len(self._operations[one.begin + place].operands)):
                runs = self._runs(one, place, index)
                longest = sum(run.longest() for run in runs)
                if len(runs) > 1 and longest >= one.times and _begins_anew(runs, which):
                    # Repeats between two runs belong to the second: the first layer of a model reads no other.
                    begins = [0, *(run.repeats.stop for run in runs[:-1])]
                    return [
                        Repeats(one.begin + begin * one.period, one.period, end - begin)
                        for begin, end in zip(begins, [*begins[1:], one.times], strict=True)
                    ]
        return [one]

    def _runs(self, one: Repeats, place: int, index: int) -> list[_Run]:
        """Repeats of ``one`` whose operand ``index`` of the operation number ``place`` is made by a repeat, and in the
        next repeat by the same or by the one that follows or precedes it: at least as many in a row as are looked for,
        that do not all read the same."""
        related = [self._repeat_read(one, repeat, place, index) for repeat in range(one.times)]
        runs: list[_Run] = []
        begin, step = 0, 0
        for at, ((other, repeat), (following, its)) in enumerate(pairwise([*related, (-1, -1)]), 1):
            goes = its - repeat
            if other < 0 or other != following or abs(goes) > 1 or (step and goes and goes != step):
                if other >= 0 and step and at - begin >= FEWEST_REPEATS:
                    ends = related[begin][1], repeat
                    runs.append(_Run(range(begin, at), other, range(min(ends), max(ends) + 1)))
                begin, step = at, 0
            else:
                step = step or goes
        return runs

    def _repeat_read(self, one: Repeats, repeat: int, place: int, index: int) -> tuple[int, int]:
        """The stretch and the repeat that make operand ``index`` of operation number ``place`` in this ``repeat`` of
        ``one``; -1 and -1 if none does, or ``repeat`` itself."""
        begin = one.begin + repeat * one.period
        value = self._operations[begin + place].operands[index]
        made = self._numbers.get(value.owner, -1) if isinstance(value, OpResult) else -1
        which = self._stretch_at[made] if made >= 0 and not begin <= made < begin + place else -1
        return (which, (made - self._found[which].begin) // self._found[which].period) if which >= 0 else (-1, -1)


def _begins_anew(runs: Sequence[_Run], which: int) -> bool:
    """Whether ``runs`` of number ``which`` are each for itself: the repeats read the ones before, or those of different
    stretches, or the same ones again. If none is read twice, the layers are sorted: 10 comes before 2."""
    others = {run.other for run in runs}
    read = [repeat for run in runs for repeat in run.read]
    return others == {which} or len(others) > 1 or len(set(read)) < len(read)
