"""Searches the space of strategies: compositions first, then local descent, in rounds that do not depend on the number
of workers.

Each round makes a list of strategies and has them evaluated by their first candidate plan, and the best of these by the
plan that ``partition`` would choose; the next round starts from the best ones. The budget is a number of evaluations,
so that the result depends neither on the machine nor on the number of workers. Only if time runs out the search ends
earlier, and a note says so.

Source: the order of compositions, storage and descent is that of the prototype in docs/search.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from pyshardy.searching.known_strategies import known_strategies
from pyshardy.searching.layouts import is_consistent
from pyshardy.searching.mesh_choice import Ranked, promising_meshes
from pyshardy.searching.moves import (
    ClassSet,
    storages,
    with_classes,
    with_families,
    with_inner,
    with_regions,
    with_small,
    with_storage,
)
from pyshardy.searching.objective import Objective, Rank
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import MOST_LINES, Writer
from pyshardy.searching.space import AxisGroup, Layouts, Space, Strategy, axis_groups
from pyshardy.sharding.mesh import Mesh

_MOST_COMPOSITIONS, _FEWEST_COMPOSITIONS = 48, 8
_BEAM = 5
_STARTS = 3
ROUND = 48
"""The number of strategies in a round of descent at most, and in a call of ``evaluate``."""
_GAIN = 1e-4
"""The least gain of a move, relative to the objective."""
_PLANS = 3
"""An evaluation by the plan that ``partition`` would choose makes about this many plans, and counts as this many
evaluations."""
_CHOSEN_OF_A_ROUND, _CHOSEN_BY_FIRST = 4, 2
"""The number of strategies of a round that are evaluated by the plan that would be chosen; and the number if that of
the best so far is the first plan."""
_PART_OF_THE_START = 40
"""The budget divided by this is the number of the best compositions, and of known strategies, that are evaluated by the
plan that would be chosen: at least two, or one of a small budget."""
_SMALL_BUDGET = 100

Evaluate = Callable[[Sequence[Layouts], PlanChoice | None], Sequence[Score | None]]
"""Evaluates layouts, in their order: by the first candidate plan, or by that which a choice takes."""


@dataclass(frozen=True)
class Tried:
    """A strategy that was evaluated, its layouts, and its cost: ``first`` is that of the first candidate plan,
    ``score`` the same or, if ``is_chosen``, that of the plan that ``partition`` would choose; ``name`` is that of a
    known strategy."""

    strategy: Strategy
    layouts: Layouts
    score: Score
    rank: Rank
    first: Score
    name: str = ""
    is_chosen: bool = False


class OutOfBudget(Exception):
    """The budget of evaluations, or the time, is used up."""


class Solver:
    """Searches ``space`` by ``evaluate``. At most ``budget`` evaluations are made, until ``deadline`` (of
    ``time.monotonic``) at the latest; ``progress`` is called with their number. ``evaluate`` gets ``at_once``
    strategies in a call: the clock is read between calls, and an interrupt loses the scores of one call only."""

    def __init__(
        self,
        space: Space,
        writer: Writer,
        evaluate: Evaluate,
        objective: Objective,
        budget: int,
        deadline: float,
        progress: Callable[[int, int], None] | None = None,
        at_once: int = ROUND,
    ) -> None:
        self._space, self._writer = space, writer
        self._evaluate, self._objective = evaluate, objective
        self._budget, self._deadline = budget, deadline
        self._progress = progress
        self._at_once = at_once
        self._choice = PlanChoice(writer.names_hardware, objective.limit)
        self.tried: dict[Layouts, Tried] = {}
        self._failed: set[Layouts] = set()
        self.evaluations = 0
        self._spent = 0
        self.out_of_time = False
        self.interrupted = False

    def run(self, meshes: Sequence[Mesh]) -> list[Tried]:
        """The strategies that were tried on the ``meshes``, the best first."""
        try:
            chosen = self._promising(meshes)
            for mesh in chosen:
                left = self._budget - self._spent
                self._search(mesh, self._budget if mesh is chosen[-1] else self._spent + left // 2)
        except OutOfBudget:
            pass
        except KeyboardInterrupt:
            if not self.tried:
                raise
            self.interrupted = True
        return self.ranked()

    def ranked(self) -> list[Tried]:
        """The strategies that were tried, the best first."""
        return sorted(self.tried.values(), key=_order)

    # --- evaluation ---------------------------------------------------------------------------------------------------

    def _try(
        self, strategies: Iterable[Strategy], end: int, names: Mapping[Strategy, str] | None = None
    ) -> list[Tried]:
        """Evaluates strategies, those with equal layouts once, and returns the results, the best first.

        Raises:
            OutOfBudget: ``end`` evaluations have been made before all of these, or time is up.
        """
        wanted: dict[Layouts, Strategy] = {}
        for strategy in strategies:
            layouts = self._space.layouts(strategy)
            if layouts not in wanted and layouts not in self._failed and self._is_short(layouts):
                wanted[layouts] = strategy
        new = [one for one in wanted if one not in self.tried]
        for layouts, score in self._evaluated(new, None, end):
            self.evaluations += 1
            if score is None:
                self._failed.add(layouts)
            else:
                strategy = wanted[layouts]
                name = (names or {}).get(strategy, "")
                rank = self._objective.rank(score)
                self.tried[layouts] = Tried(strategy, layouts, score, rank, score, name)
        return self._as_known(wanted)

    def _chosen(self, found: Sequence[Tried], count: int, end: int) -> list[Tried]:
        """Evaluates the first ``count`` strategies of different rank in ``found`` by the plan that ``partition`` would
        choose, and returns ``found`` with the new ranks, the best first.

        Raises:
            OutOfBudget: ``end`` evaluations have been made before all of these, or time is up.
        """
        new = [one.layouts for one in self._unique(found) if not self.tried[one.layouts].is_chosen][:count]
        for layouts, score in self._evaluated(new, self._choice, end):
            if score is None:
                self._failed.add(layouts)
                del self.tried[layouts]
            else:
                known = self.tried[layouts]
                self.tried[layouts] = replace(known, score=score, rank=self._objective.rank(score), is_chosen=True)
        return self._as_known([one.layouts for one in found])

    def _evaluated(
        self, listed: Sequence[Layouts], choice: PlanChoice | None, end: int
    ) -> Iterator[tuple[Layouts, Score | None]]:
        """The scores of ``listed``, in their order, as they become known.

        Raises:
            OutOfBudget: ``end`` evaluations have been made before all of these, or time is up.
        """
        each = 1 if choice is None else _PLANS
        room = max(0, end - self._spent) // each
        for begin in range(0, min(room, len(listed)), self._at_once):
            part = listed[begin : min(room, begin + self._at_once)]
            if self.tried and time.monotonic() > self._deadline:
                self.out_of_time = True
                raise OutOfBudget
            for layouts, score in zip(part, self._evaluate(part, choice), strict=True):
                self._spent += each
                yield layouts, score
            if self._progress is not None:
                self._progress(self._spent, self._budget)
        if len(listed) > room:
            raise OutOfBudget

    def _as_known(self, listed: Iterable[Layouts]) -> list[Tried]:
        """Those of ``listed`` that were evaluated, the best first."""
        return sorted((self.tried[one] for one in listed if one in self.tried), key=_order)

    def _is_short(self, layouts: Layouts) -> bool:
        """Whether the layouts are consistent, and their file has few enough lines to be read."""
        if not all(map(is_consistent, layouts.specs)):
            return False
        return self._writer.line_count(layouts) <= MOST_LINES

    # --- the search ---------------------------------------------------------------------------------------------------

    def _promising(self, meshes: Sequence[Mesh]) -> list[Mesh]:
        """The meshes to be searched: those on which known strategies are best. This takes at most half of the
        budget."""
        end = self._budget // 2

        def attempt(strategies: Mapping[Strategy, str]) -> list[Ranked]:
            try:
                found = self._try(strategies, end, strategies)
            except OutOfBudget:
                if self.out_of_time:
                    raise
                found = self._as_known(map(self._space.layouts, strategies))
            return [Ranked(one.rank, one.strategy) for one in found]

        return promising_meshes(self._space, meshes, attempt)

    def _search(self, mesh: Mesh, end: int) -> None:
        """Searches on one mesh until ``end`` evaluations have been made in all."""
        try:
            known = known_strategies(self._space, mesh)
            named = self._try(list(known), end, known)
            found = [*named, *self._composed(mesh, end)]
            some = max(1 if self._budget < _SMALL_BUDGET else 2, (end - self._spent) // _PART_OF_THE_START)
            self._chosen([one for one in named if len(one.strategy.sets) == 1], some, end)
            found = self._unique(self._chosen(self._as_known([one.layouts for one in found]), some, end))
            stored = [
                one.strategy._replace(storage=storage)
                for one in found[:_BEAM]
                for storage in storages([axes for axes, _ in one.strategy.sets])
            ]
            found = self._unique(self._chosen([*found, *self._try(stored, end)], some, end))
            small = [with_small(one.strategy) for one in found[:_STARTS] if one.strategy.storage]
            found = self._unique(self._chosen([*found, *self._try(small, end)], 1, end))
            for start in found[:_STARTS]:
                self._descended(start, end)
            # Descend again from the best of all, which may come from another start.
            for one in [one for one in self.ranked() if one.layouts.mesh == _plain(mesh)][:1]:
                self._descended(one, end)
        except OutOfBudget:
            if self.out_of_time or self._spent + _PLANS > self._budget:
                raise

    def _composed(self, mesh: Mesh, end: int) -> list[Tried]:
        """Evaluates compositions of class sets over groups of axes: those first whose sets save most when used
        alone."""
        listed = _plain(mesh)
        whole = self._try([Strategy(listed, ())], end)
        before = self._figure(whole[0]) if whole else 1.0
        alone: dict[AxisGroup, dict[ClassSet, float]] = {}
        promising: list[tuple[float, Strategy]] = []
        for groups in axis_groups(mesh):
            for group in groups:
                if group not in alone:
                    alone[group] = self._alone(mesh, group, before, end)
            for choice in product(*[alone[group] for group in groups]):
                chosen = [one for one in choice if one]
                if len(set(chosen)) == len(chosen):
                    left = prod(alone[group][one] for group, one in zip(groups, choice, strict=True))
                    sets = tuple((group, one) for group, one in zip(groups, choice, strict=True) if one)
                    promising.append((left, Strategy(listed, sets)))
        promising.sort(key=lambda one: (one[0], len(one[1].sets), one[1].sets))
        # Keep a part of the remaining budget of this mesh for storage and descent.
        most = min(_MOST_COMPOSITIONS, max(_FEWEST_COMPOSITIONS, min(self._budget // 8, (end - self._spent) // 4)))
        return self._try([strategy for _, strategy in promising[:most]], end)

    def _alone(self, mesh: Mesh, group: AxisGroup, before: float, end: int) -> dict[ClassSet, float]:
        """The objective with each set alone on a group of axes, relative to the objective without any set."""
        size = prod(mesh.sizes[axis] for axis in group)
        strategies = {Strategy(_plain(mesh), ((group, one),)): one for one in self._space.sets(size)}
        found: dict[ClassSet, float] = {(): 1.0}
        for one in self._try(list(strategies), end):
            if one.strategy in strategies:
                found[strategies[one.strategy]] = self._figure(one) / before if before else 1.0
        return found

    def _figure(self, one: Tried) -> float:
        """The objective, by the first candidate plan."""
        return self._objective.rank(one.first)[1]

    def _descended(self, start: Tried, end: int) -> None:
        """Descends from ``start`` by moves as long as one improves the objective."""
        for best in self._chosen([start], 1, end):
            self._descended_from(best, end)

    def _descended_from(self, best: Tried, end: int) -> None:
        kinds: list[Callable[[Tried], Iterator[Strategy]]] = [
            lambda one: with_inner(self._space, one.strategy, one.score.hot),
            lambda one: with_regions(self._space, one.strategy),
            lambda one: with_families(self._space, one.strategy),
            lambda one: with_storage(one.strategy),
            lambda one: with_classes(self._space, one.strategy),
        ]
        still = 0
        while still < len(kinds):
            moves, *others = kinds
            kinds = [*others, moves]
            better = self._step(best, moves(best), end)
            if better is None:
                still += 1
            else:
                best, still = better, 0

    def _step(self, best: Tried, moves: Iterator[Strategy], end: int) -> Tried | None:
        """A strategy better than ``best`` by one of ``moves``, or by several improving ones together; None if there is
        none."""
        strategies = [one for one in dict.fromkeys(moves) if self._can_be_written(one)]
        count = _CHOSEN_BY_FIRST if best.score == best.first else _CHOSEN_OF_A_ROUND
        found = self._chosen(self._try(strategies[: 2 * ROUND], end), count, end)
        gains = [one for one in found if one.is_chosen and _is_better(one.rank, best.rank)]
        if not gains:
            return None
        chosen = gains[0]
        for other in gains[1:_BEAM]:
            joined = _joined(best.strategy, chosen.strategy, other.strategy)
            if joined is not None:
                both = self._chosen(self._try([joined], end), 1, end)
                if both and _is_better(both[0].rank, chosen.rank):
                    chosen = both[0]
        return chosen

    def _can_be_written(self, strategy: Strategy) -> bool:
        return all(map(self._writer.can_write, strategy.inner))

    def _unique(self, found: Iterable[Tried]) -> list[Tried]:
        """Those of different rank, the best first: strategies of equal cost usually give the same program."""
        kept: dict[Rank, Tried] = {}
        for one in sorted(found, key=_order):
            kept.setdefault(one.rank, one)
        return list(kept.values())


def _plain(mesh: Mesh) -> tuple[tuple[str, int], ...]:
    return tuple((axis.name, axis.size) for axis in mesh.axes)


def _order(one: Tried) -> tuple[Rank, int, int, str]:
    strategy = one.strategy
    exceptions = len(strategy.exceptions) + len(strategy.inner) + len(strategy.storage)
    return one.rank, exceptions, len(strategy.mesh), repr(one.layouts)


def _is_better(rank: Rank, other: Rank) -> bool:
    if rank[0] != other[0]:
        return rank[0] < other[0]
    return rank[1] < other[1] * (1 - _GAIN) or (rank[1] <= other[1] and rank[2] < other[2] * (1 - 10 * _GAIN))


def _joined(base: Strategy, one: Strategy, other: Strategy) -> Strategy | None:
    """``base`` with the changes of both ``one`` and ``other``; None if these change the same part."""
    found = one
    for name in ("sets", "storage"):
        if getattr(other, name) != getattr(base, name):
            if getattr(one, name) != getattr(base, name):
                return None
            found = found._replace(**{name: getattr(other, name)})
    before = dict(base.exceptions)
    changed = {key: spec for key, spec in other.exceptions if before.get(key) != spec}
    own = {key for key, spec in one.exceptions if before.get(key) != spec}
    if set(changed) & own:
        return None
    inner = [each for each in other.inner if each not in base.inner]
    taken = {(each.group, each.result) for each in found.inner}
    if any((each.group, each.result) in taken for each in inner):
        return None
    exceptions = {**dict(found.exceptions), **changed}
    return found._replace(exceptions=tuple(sorted(exceptions.items())), inner=(*found.inner, *inner))
