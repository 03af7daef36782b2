"""Detection: repeats become series, and each repeat of a series gets the number of its layer.

``repeats`` has found ranges of the function in which the same operations repeat: say one for the forward pass, one
for the backward pass and one for the weight updates. This file finds out which of these ranges belong to one stack
of layers, and which repeat of each is which layer. ``comparison`` then tests which of the layers are alike.

Two ranges are *linked* where an operation of one reads a result of the other, or where both read one argument: the
backward pass reads activations of the forward pass, the update of a weight reads that weight as the forward pass does.
Links give layers their numbers: numbers are chosen so that linked repeats are of one layer. The forward pass goes up
from layer 0; the backward pass goes down.

A range may repeat more often than there are layers. A layer with four equal matrix products in its update has four
repeats a layer. Links show that, too (a new layer of the other range begins with every fourth repeat), and the four
become one repeat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.repeats import FEWEST_REPEATS, UNLIKE_AT_ENDS, RepeatedRange
from pyshardy.folding.detecting.series import Series
from pyshardy.ir.operation import OpResult, Value

_USUALLY_KEPT = 7
"""About this many layers stay in a folded program. It is an estimate, by which stacks are compared."""
_MOST_STACKS = 4
"""At most this many stacks are proposed to ``detection``."""
_MOST_ROUNDS = 4
"""Repeats are grouped this often at most: a longer repeat of one series can show where repeats of another begin."""
_REPEATS_SEARCHED = 3
_FEWEST_OPERATIONS_SEARCHED = 256
"""The length of a layer is searched for in this many of the longest repeats, at least in this many operations."""
_REPEATS_TRIED = 3
"""Links are looked for in this many repeats at most, from the middle on; the first that shows any is enough."""


class _Link(NamedTuple):
    """Repeats of series ``which`` read results of series ``other``, or arguments that ``other`` reads, too: repeat
    ``distance + step * n`` goes with repeat ``n`` of ``other``. ``step`` is 1 if both go through the layers in the same
    direction, else -1.

    The link was seen at operand ``operand`` of the operation that is number ``place`` of a repeat. ``related`` says
    which of the operations that are related to this operand (``LinkedSeries._related``) is the one of ``other``."""

    which: int
    other: int
    distance: int
    step: int
    place: int
    operand: int
    related: int

    @property
    def relation(self) -> tuple[int, int, int, int]:
        """What it says about the two series, wherever it was seen."""
        return self.which, self.other, self.distance, self.step


class LinkedSeries:
    """The series of a function with these def-use chains, in which ``found`` repeat. ``series`` are all of them;
    ``stacks`` proposes which of them to fold together. ``repeats`` are those of ``series``."""

    def __init__(self, def_use: DefUse, found: Sequence[RepeatedRange]) -> None:
        self.operations = def_use.operations
        self._def_use = def_use
        self._series_at = [-1] * len(self.operations)
        """For each operation which of the repeating ranges it belongs to, -1 for none. Operations at the ends of a
        range that grouping leaves over still belong to it, and so does its rest."""
        for which, one in enumerate(found):
            self._series_at[one.begin : one.end_of_rest] = [which] * (one.end_of_rest - one.begin)
        self._runs = found
        """The ranges before they are grouped."""
        self._looked_at: dict[int, tuple[int, dict[int, RepeatedRange]]] = {}
        """For each series how many operations were gone through at most to group it, and which series were looked at,
        itself included."""
        self.components: list[frozenset[int]] = []
        """Sets of series, by number, that are linked with each other, directly or through others."""
        self.repeats = self._grouped(found)
        self.series = self._numbered(self.repeats)

    def align(self, groups: Iterable[Sequence[int]]) -> None:
        """Numbers the layers of plain series anew so that operations of one of ``groups``, by number, are of one layer,
        if all groups agree on that: repeats may begin in the midst of a layer, so that links cannot tell."""
        series = self.series
        moves: dict[int, set[int]] = {}
        for group in groups:
            own = [(which, series[which].layer(one)) for one in group for which in (self._place_in(one),) if which >= 0]
            for which, layer in own:
                moves.setdefault(which, set()).add(own[0][1] - layer)
        for which, found in moves.items():
            if len(found) == 1 and not series[which].order:
                series[which] = series[which]._replace(base=series[which].base + found.pop())

    def _place_in(self, number: int) -> int:
        """The series that operation ``number`` belongs to, -1 if it belongs to none."""
        which = self._series_at[number]
        return which if which >= 0 and self.series[which].begin <= number < self.series[which].end else -1

    def _numbered(self, found: Sequence[RepeatedRange]) -> list[Series]:
        """A series for each of ``found``, with layers numbered so that linked repeats are of one layer. Where links
        disagree (a layer reads the layer below, too), the most frequent decide."""
        links: dict[int, dict[int, _Link]] = {}
        shown = list(self._links(found))
        first = {link.relation: link for link in reversed(shown)}
        for relation, _ in Counter([link.relation for link in shown]).most_common():
            link = first[relation]
            links.setdefault(link.which, {}).setdefault(link.other, link)
            links.setdefault(link.other, {}).setdefault(link.which, link)
        numbered: dict[int, Series] = {}
        for which in range(len(found)):
            if which not in numbered:
                linked = self._numbered_from(found, links, which, 1)
                if any(one.order for one in linked.values()):
                    # Numbering may have begun with weight updates that are sorted: then they look plain, and the model
                    # sorted. So it begins anew with the series whose layers read each other, in their true order.
                    model = max(linked, key=lambda one: (self._is_chain(found[one]), found[one].period))
                    linked = self._numbered_from(found, links, model, 1)
                    # The first plain series in the text, as a rule the forward pass, is to go upward.
                    if linked[min(one for one in linked if not linked[one].order)].direction < 0:
                        linked = self._numbered_from(found, links, model, -1)
                numbered.update(_with_one_base(linked))
                self.components.append(frozenset(linked))
        return [numbered[which] for which in range(len(found))]

    def _numbered_from(
        self, found: Sequence[RepeatedRange], links: Mapping[int, Mapping[int, _Link]], which: int, direction: int
    ) -> dict[int, Series]:
        """The series that are linked with number ``which``, by number. Its repeats are numbered in the order of the
        text (``direction`` 1) or against it (-1), the others by their links: by doubtful ones if there are no others.
        """
        one = found[which]
        numbered = {which: Series(one.begin, one.period, one.end, 0 if direction > 0 else one.times - 1, direction)}
        pending = [which]
        doubtful: dict[int, Series] = {}
        for known in pending:
            for other, link in links.get(known, {}).items():
                if other not in numbered:
                    linked, is_sure = self._linked(found, numbered[known], other, link)
                    if is_sure:
                        numbered[other] = linked
                        pending.append(other)
                    else:
                        doubtful.setdefault(other, linked)
            if known == pending[-1]:
                left = {other: linked for other, linked in doubtful.items() if other not in numbered}
                numbered.update(left)
                pending += left
        return numbered

    def _is_chain(self, one: RepeatedRange) -> bool:
        """Whether each repeat reads results of the repeat before, as layers of a model do and weight updates do not."""
        return self._def_use.read_across(one.begin + one.times // 2 * one.period, one.period) > 0

    def _linked(self, found: Sequence[RepeatedRange], known: Series, which: int, link: _Link) -> tuple[Series, bool]:
        """The series of ``found[which]``, numbered by its ``link`` with the ``known`` series, and whether that is sure.
        It is not if repeats have no layers of their own that way, and most that are related do not follow the link."""
        one = found[which]
        distance = -link.step * link.distance if which == link.which else link.distance
        base, direction = known.base + known.direction * distance, known.direction * link.step
        plain = Series(one.begin, one.period, one.end, base, direction)
        as_linked = [mine == link.distance + link.step * its for mine, its in self._pairs(found, link)]
        if not known.order and all(as_linked):
            return plain, True
        in_order = self._sorted(found[which], self._runs[which], known)
        if in_order is not None:
            return in_order, True
        return plain, not known.order and 2 * sum(as_linked) >= len(as_linked)

    def _pairs(self, found: Sequence[RepeatedRange], link: _Link) -> Iterator[tuple[int, int]]:
        """The repeats that ``link`` relates, each as the repeat of ``link.which`` and that of ``link.other``. They
        follow ``link.distance`` and ``link.step`` throughout unless one of the two series is sorted."""
        one, other = found[link.which], found[link.other]
        for repeat in range(one.times):
            value = self.operations[one.begin + repeat * one.period + link.place].operands[link.operand]
            related = self._related(value)
            number = related[link.related] if link.related < len(related) else -1
            if other.begin <= number < other.end:
                yield repeat, (number - other.begin) // other.period

    def _sorted(self, one: RepeatedRange, run: RepeatedRange, known: Series) -> Series | None:
        """The series of ``one``, which is grouped from ``run``, in which each repeat has the layer of the ``known``
        series that it is related to; None if repeats have no layers of their own that way.

        Where repeats begin is open, as in any sequence with a period: ``abcabc`` repeats ``abc``, and ``bca`` as well.
        In plain series a repeat that begins too early has parts of two neighbouring layers, which does no harm. In
        sorted series these would be layers like 1 and 10, so begins are tried until each repeat is of a single layer,
        and of these the one is taken with which repeats read least of the repeat before. There may be a repeat more
        then, of operations that grouping has left over at the ends of ``run``, or of its rest."""
        begins = tuple(map(known.begin_of, known.layers()))
        layers = self._def_use.lowest_related(begins, known.period)[run.begin : run.end_of_rest]
        best: tuple[int, RepeatedRange, list[int]] | None = None
        for begin in (*range(one.begin, run.begin + one.period), *range(run.begin, one.begin)):
            shifted = RepeatedRange(begin, one.period, run.end_of_rest)
            order = _order(layers[begin - run.begin :], shifted)
            if order is not None:
                across = self._def_use.read_across(begin + shifted.times // 2 * one.period, one.period)
                if best is None or across < best[0]:
                    best = across, shifted, order
                if not across:
                    break
        if best is None:
            return None
        _, shifted, places = best
        order = [place + known.layers().start for place in places]
        step = order[1] - order[0]
        plain = Series(shifted.begin, shifted.period, shifted.end, order[0], step)
        is_plain = abs(step) == 1 and all(after - before == step for before, after in pairwise(order))
        return plain if is_plain else plain.in_order(order)

    def _grouped(self, found: Sequence[RepeatedRange]) -> list[RepeatedRange]:
        """``found``, with several short repeats joined to one where several belong to each layer."""
        grouped = list(found)
        for _ in range(_MOST_ROUNDS):
            before = list(grouped)
            for which in range(len(grouped)):
                grouped[which] = self._grouped_by_layer(grouped, which)
            if grouped == before:
                break
        return grouped

    def _grouped_by_layer(self, found: Sequence[RepeatedRange], which: int) -> RepeatedRange:
        """``found[which]`` with as long a period as it takes to come from one repeat of another series, which is
        related to its operands, to the next one; unchanged if there is no such series. Where no operand is related to
        another series (gradients of weights that are not trained, all zero), readers of results are looked at."""
        farthest = max(_FEWEST_OPERATIONS_SEARCHED, _REPEATS_SEARCHED * max(one.period for one in found))
        before, looked_at = self._looked_at.get(which, (0, {}))
        if before == farthest and all(found[other] == one for other, one in looked_at.items()):
            # Nothing has changed since this was not grouped.
            return found[which]
        looked_at = {which: found[which]}
        grouped = self._grouped_by(found, which, farthest, self._def_use.related_to_operands, looked_at)
        if len(looked_at) == 1:
            grouped = self._grouped_by(found, which, farthest, self._def_use.users, looked_at)
        self._looked_at[which] = farthest, looked_at
        return grouped

    def _grouped_by(
        self,
        found: Sequence[RepeatedRange],
        which: int,
        farthest: int,
        related_to: Callable[[int], Iterable[int]],
        looked_at: dict[int, RepeatedRange],
    ) -> RepeatedRange:
        """``found[which]`` grouped by the operations that its own are ``related_to``, by number. The series of these
        are entered in ``looked_at``.

        Operations are gone through from the middle on, ``farthest`` at most. Where the related repeat of another series
        changes to the next one, a layer may begin; the distance to where it changes again is tried as the period."""
        mine = found[which]
        last: dict[int, tuple[int, int]] = {}
        """For each other series the repeat that an operation was related to last, and that operation."""
        first_changes: dict[int, int] = {}
        """For each other series the operation at which that repeat changed first; ``mine.end`` if a period was tried
        from there and did not fit."""
        middle = mine.begin + mine.times // 2 * mine.period
        for number in range(middle, min(mine.end, middle + farthest)):
            for related in related_to(number):
                other = self._series_at[related] if related >= 0 else which
                if other in (which, -1):
                    continue
                looked_at[other] = found[other]
                repeat = (related - found[other].begin) // found[other].period
                before, at = last.get(other, (repeat, number))
                last[other] = repeat, number
                if abs(repeat - before) != 1:
                    if repeat != before and first_changes.get(other, mine.end) < mine.end:
                        # In a sorted series the repeat of the next layer may be far away.
                        first_changes[other] = number
                    continue
                begin = first_changes.setdefault(other, number)
                if begin < number:
                    longer = self._with_period(mine, number - begin, range(at + 1, number + 1))
                    if longer is not None:
                        return longer
                    del last[other]
                    first_changes[other] = mine.end
        return mine

    def _with_period(self, mine: RepeatedRange, period: int, begins: range) -> RepeatedRange | None:
        """``mine`` with that ``period`` instead of its own, a repeat beginning at one of ``begins``; None if there are
        no ``begins``, if ``period`` is no larger multiple of its own, or if there would be too few repeats."""
        if period == mine.period or period % mine.period or not begins:
            return None
        begin = min(begins, key=lambda one: self._def_use.read_across(one, period))
        begin = mine.begin + (begin - mine.begin) % period
        grouped = RepeatedRange(begin, period, mine.end_of_rest)
        return grouped if grouped.times >= FEWEST_REPEATS else None

    def _links(self, found: Sequence[RepeatedRange]) -> Iterator[_Link]:
        """The links of each series with others, as one repeat in the middle and the next one show them."""
        for which, one in enumerate(found):
            # In sorted series the two may be of layers far apart; then the next two are tried.
            middle = one.times // 2 - 1
            nearby = (
                self._links_at(found, which, repeat)
                for repeat in range(middle, min(middle + _REPEATS_TRIED, one.times - 1))
            )
            yield from next((links for links in nearby if links), [])

    def _links_at(self, found: Sequence[RepeatedRange], which: int, repeat: int) -> list[_Link]:
        """The links that this ``repeat`` of ``found[which]`` and the next one show."""
        one, links = found[which], []
        begin = one.begin + repeat * one.period
        for place in range(one.period):
            op, following = self.operations[begin + place], self.operations[begin + place + one.period]
            for index, (value, next_value) in enumerate(zip(op.operands, following.operands, strict=True)):
                if value is next_value:
                    # All layers read this value, so it shows none of them.
                    continue
                pairs = zip(self._related(value), self._related(next_value), strict=False)
                for related, (mine, after) in enumerate(pairs):
                    other = self._series_at[mine] if mine >= 0 else which
                    if other not in (which, -1) and after >= 0 and abs(after - mine) == found[other].period:
                        theirs = (mine - found[other].begin) // found[other].period
                        step = 1 if after > mine else -1
                        links.append(_Link(which, other, repeat - step * theirs, step, place, index, related))
        return links

    def _related(self, value: Value) -> list[int]:
        """The numbers of the operations that are related to what reads ``value``: the one that makes it, or, if it is
        an argument, all that read it. -1 stands for operations of no series."""
        if isinstance(value, OpResult):
            number = self._def_use.numbers.get(value.owner, -1)
            return [number if self._series_at[number] >= 0 else -1]
        return self._def_use.readers_of(value)

    def stacks(self) -> list[list[Series]]:
        """Stacks: sets of series that have most of their layers in common, as an encoder of 12 layers and a decoder of
        24 have not. They are ordered by the number of operations that can be left out, the most first. One is folded;
        the layers of the others are kept like any other operations."""
        found: dict[tuple[Series, ...], int] = {}
        for members in (range(len(self.series)), *map(sorted, self.components)):
            those = [self.series[which] for which in members]
            for depth in dict.fromkeys(one.layers() for one in those):
                stack, common = [], depth
                for one in those:
                    layers = one.layers()
                    both = range(max(common.start, layers.start), min(common.stop, layers.stop))
                    if len(both) + UNLIKE_AT_ENDS >= len(depth):
                        stack.append(one)
                        common = both
                found[tuple(stack)] = sum(one.period for one in stack) * (len(common) - _USUALLY_KEPT)
        return [list(stack) for stack in sorted(found, key=lambda stack: -found[stack])][:_MOST_STACKS]


def _with_one_base(numbered: Mapping[int, Series]) -> dict[int, Series]:
    """``numbered``, where sorted series with the same order have the same numbers for layers, those that most of them
    have. Repeats of the model may begin in the midst of a layer: then the series that are numbered by its forward pass
    may have other numbers than those that are numbered by its backward pass."""
    found = dict(numbered)
    bases: dict[tuple[int, ...], Counter[int]] = {}
    for one in numbered.values():
        bases.setdefault(one.repeat_of, Counter())[one.base] += one.period
    for which, one in numbered.items():
        if one.repeat_of:
            base = bases[one.repeat_of].most_common(1)[0][0]
            found[which] = one.in_order([layer - one.base + base for layer in one.order])
    return found


def _order(layers: Sequence[int | None], one: RepeatedRange) -> list[int] | None:
    """The layer of each repeat of ``one``; ``layers`` are the layers that its operations are related to, as far as they
    are known. None if operations at different places of a repeat disagree on the order of the layers, if two repeats
    would be of one layer, or a layer would have none.

    Repeats whose layer is not known, as at the ends of a model, get the next numbers below or above the known ones:
    those with which the order changes direction least often; of several such, the higher numbers."""
    if one.times < FEWEST_REPEATS:
        return None
    columns = [layers[place : one.times * one.period : one.period] for place in range(one.period)]
    most = min(columns, key=lambda column: column.count(None))
    known = [layer for layer in most if layer is not None]
    if len(known) + UNLIKE_AT_ENDS < one.times or len(set(known)) < len(known) or max(known) - min(known) >= len(known):
        return None
    # If repeats begin in the midst of a layer, the last operations of a repeat are of the next one.
    for column in reversed(columns):
        pairs = zip(column, most, strict=True)
        if column != most and len({its - mine for its, mine in pairs if its is not None and mine is not None}) > 1:
            return None
    lowest, above = min(known), max(known) + 1
    missing = one.times - len(known)
    completed = (
        _completed(most, numbers)
        for below in range(missing + 1)
        for numbers in permutations((*range(lowest - below, lowest), *range(above, above + missing - below)))
    )
    return min(completed, key=_reversals)


def _completed(layers: Iterable[int | None], missing: Iterable[int]) -> list[int]:
    """``layers`` with those ``missing`` in the places of None, one after the other."""
    following = iter(missing)
    return [next(following) if layer is None else layer for layer in layers]


def _reversals(order: Sequence[int]) -> int:
    """How many layers of that ``order`` are followed by a lower one or, if that is rarer, by a higher one: none in a
    plain order. By name (0, 1, 10, 11, 2) the first layer is the lowest, and with another number there is one more."""
    lower = sum(1 for before, after in pairwise(order) if after < before)
    return min(lower, len(order) - 1 - lower)
