"""The best strategies of a search on the whole program: written as files, applied, partitioned and costed, as users
will do it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from pyshardy.analysis.cost.candidate_price import price_for
from pyshardy.analysis.cost.estimate import cost_of
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.ir.collector import collected_seldom
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.progress import Check
from pyshardy.module import Module
from pyshardy.planning import partition
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.searching.description import axis_names, described
from pyshardy.searching.moves import renamed
from pyshardy.searching.objective import Objective
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.solver import Tried
from pyshardy.searching.space import Layouts, Space, Strategy
from pyshardy.sharding.mesh import Mesh

_SECONDS, _SECONDS_AN_OPERATION = 0.8, 1.5e-4
"""The estimated seconds of a plan with its cost: a constant, and a part for each operation of the program."""
_FEWEST, _MOST = 2, 20
_OF_THE_TIME, _MOST_OF_THE_TIME = 0.2, 0.6
"""The fraction of the time of a search that is for costing whole programs, and its maximum."""


@dataclass(frozen=True)
class Candidate:
    """A strategy on the whole program: its sharding file (``tables`` and ``text``), its description in ``words``, and
    its ``cost``. If an interrupt came before it was costed, the cost is None, and ``score`` is that of the short
    program."""

    tried: Tried
    layouts: Layouts
    tables: dict[str, object]
    text: str
    words: str
    cost: Cost | None
    score: Score


class Point(NamedTuple):
    """A strategy on the front of time against memory, as it was evaluated while searching, and its description in
    words."""

    tried: Tried
    words: str


class Finals:
    """Costs strategies of ``space`` on the whole ``module`` for ``hardware``, until a ``KeyboardInterrupt``, which
    ``check`` may raise, too; then ``interrupted`` is true."""

    def __init__(
        self,
        module: Module,
        hardware: Hardware,
        goal: Objective,
        space: Space,
        writer: Writer,
        check: Check | None = None,
    ) -> None:
        self._module, self._hardware, self._goal = module, hardware, goal
        self._space, self._writer = space, writer
        self._check = check
        self.interrupted = False

    def costed(self, ranked: Sequence[Tried], seconds: float, deadline: float) -> list[Candidate]:
        """The first of ``ranked`` and the first known strategies among them, costed, the best first: as many as are
        estimated to take ``seconds``; after ``deadline`` (of ``time.monotonic``) only the minimum number."""
        count = min(_MOST, max(_FEWEST, int(seconds / _seconds_each(self._module))))
        named = _of_different_rank([one for one in ranked if one.name])[: max(1, count // 5)]
        by_turns = zip_longest(_of_different_rank(ranked)[:count], named)
        chosen = list(dict.fromkeys(one for turn in by_turns for one in turn if one is not None))[:count]
        found: dict[Layouts, Candidate] = {}
        with collected_seldom():
            for one in chosen:
                if len(found) >= _FEWEST and time.monotonic() > deadline:
                    break
                try:
                    candidate = self._candidate(one)
                except KeyboardInterrupt:
                    self.interrupted = True
                    break
                if candidate is not None:
                    found.setdefault(candidate.layouts, candidate)
        return sorted(found.values(), key=lambda one: (self._goal.rank(one.score), len(one.text), one.text))

    def _candidate(self, one: Tried) -> Candidate | None:
        """``one`` on the whole program; None if it cannot be partitioned. If the plan chosen by seconds does not fit,
        the plan of the fewest bytes is tried, which may."""
        found = self._made(one, self._writer.names_hardware)
        if found is not None and not self._goal.fits(found.score) and self._writer.names_hardware:
            other = self._made(one, False)
            if other is not None and self._goal.rank(other.score) < self._goal.rank(found.score):
                return other
        return found

    def _made(self, one: Tried, names_hardware: bool) -> Candidate | None:
        try:
            cost = self._cost(self._writer.tables(self._named(one), names_hardware=names_hardware))
        except (PyshardyError, ValueError):
            return None
        received = sum(each.run_bytes for each in cost.collectives)
        bounds = cost.step_seconds
        score = Score(bounds.expected, bounds.no_overlap, bounds.full_overlap, cost.peak_bytes, received)
        return self._written(one, cost, score, names_hardware)

    def not_costed(self, one: Tried) -> Candidate:
        """``one`` with its figures on the short program."""
        return self._written(one, None, one.score, self._writer.names_hardware)

    def _named(self, one: Tried) -> Layouts:
        return renamed(one.layouts, axis_names(self._space, one.strategy, one.layouts))

    def _written(self, one: Tried, cost: Cost | None, score: Score, names_hardware: bool) -> Candidate:
        words = described(self._space, one.strategy, axis_names(self._space, one.strategy, one.layouts))
        layouts = self._named(one)
        few = "" if cost is not None else ", by few of its layers"
        remarks = [
            f"{words}.",
            f"Found by pyshardy search for {self._hardware.name}: a step of {score.expected:.4g} s, "
            f"peak of memory {size_text(score.peak)}{few}.",
        ]
        tables = self._writer.tables(layouts, names_hardware=names_hardware)
        text = self._writer.text(layouts, remarks, names_hardware=names_hardware)
        return Candidate(one, layouts, tables, text, words, cost, score)

    def _cost(self, tables: dict[str, object]) -> Cost:
        copy = self._module.copy()
        copy.context.check = self._check
        apply_shardings(copy, load_shardings(tables))
        return cost_of(partition(copy, price=price_for(copy)), self._hardware)

    def raise_partition_error(self, mesh: Mesh) -> None:
        """Partitions the program with everything replicated on ``mesh``, for the error that this raises.

        Raises:
            PyshardyError: the program cannot be partitioned at all; this says why.
            ValueError: its shardings cannot be written.
        """
        listed = tuple((axis.name, axis.size) for axis in mesh.axes)
        self._cost(self._writer.tables(self._space.layouts(Strategy(listed, ()))))

    def front(self, ranked: Sequence[Tried]) -> tuple[Point, ...]:
        """Strategies of which none has another that is both faster and smaller, the fastest first."""
        found: list[Point] = []
        least = float("inf")
        for one in sorted(ranked, key=lambda one: (one.score.expected, one.score.peak)):
            if one.score.peak < 0.999 * least:
                least = one.score.peak
                names = axis_names(self._space, one.strategy, one.layouts)
                found.append(Point(one, described(self._space, one.strategy, names)))
        return tuple(found)


def seconds_for_finals(module: Module, seconds: float) -> float:
    """The part of a search of so many ``seconds`` that is for costing whole programs, at least enough for the minimum
    number of plans."""
    return min(_MOST_OF_THE_TIME * seconds, max(_OF_THE_TIME * seconds, _FEWEST * _seconds_each(module)))


def _seconds_each(module: Module) -> float:
    return _SECONDS + _SECONDS_AN_OPERATION * len(module.op.operations())


def infeasible_text(best: Candidate, goal: Objective, share: float | None = None) -> str:
    """A message that nothing fits, with the least memory that was found and its largest part; ``share`` is the memory
    of the whole program divided by the number of devices, None if it is not known."""
    tried = f"infeasible: nothing that was tried fits into {size_text(goal.limit)}"
    needed = f"{tried}, at least {size_text(best.score.peak)} are needed"
    if share is not None:
        needed += f" (an equal share of the whole program is {size_text(share)})"
    if best.cost is None:
        return needed
    parts = best.cost.parts.by_name()
    name = max(parts, key=lambda one: (parts[one], one))
    words = {"saved": "saved for the backward pass", "temporaries": "worked on at the peak"}
    advice = "; rematerialisation (jax.checkpoint) would free some" if name == "saved" else ""
    return f"{needed}; {size_text(parts[name])} of that are {words.get(name, name)}{advice}"


def size_text(count: float) -> str:
    """Bytes as data sheets count them: ``80 GB``."""
    return f"{count / 1e9:.3g} GB" if count >= 1e8 else f"{count / 1e6:.3g} MB"


def _of_different_rank(ranked: Sequence[Tried]) -> list[Tried]:
    """The first of each rank: strategies of equal cost usually give the same program."""
    return list({one.rank: one for one in reversed(ranked)}.values())[::-1]
