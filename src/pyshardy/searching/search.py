"""The search as a whole: a program and hardware in, the best strategy out, with what it was held against.

Strategies are tried on a short program (``solver``). The best of them are written as sharding files, and each of these
is applied, partitioned and costed as ``pyshardy cost`` does it: what comes out is what a person will get.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pyshardy.analysis.cost.estimate import cost_of
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.step_cost import Cost
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.module import Module
from pyshardy.planning import partition
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.strategies import Shardings, load_shardings
from pyshardy.searching.description import axis_names, described
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.moves import renamed
from pyshardy.searching.objective import EXPECTED, OBJECTIVES, Objective
from pyshardy.searching.preparation import Prepared, prepared
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.short_program import short_program
from pyshardy.searching.solver import Solver, Tried
from pyshardy.searching.space import Layouts, Space
from pyshardy.searching.targets import Target, check_mesh, meshes_for
from pyshardy.searching.workers import forget, job_of, processes, scores, scores_by
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.plain import ShardingProblem

SECONDS = 60.0
"""How long a search takes at most, if nobody says."""
_SEARCHING = 0.7
"""The part of the time for trying strategies; the rest is for the best of them as a whole."""
_SECONDS_AN_EVALUATION, _SECONDS_AN_OPERATION = 0.02, 1e-4
"""How long an evaluation is reckoned to take, and for each operation of the short program: budgets are numbers, so that
an outcome does not depend on the machine."""
_LONGEST = 4
"""A search that takes so many times as long as was asked, as the machine is busy, is ended by the clock."""
_SECONDS_OF_A_PLAN, _SECONDS_OF_A_PLAN_AN_OPERATION = 0.2, 1e-4
_FEWEST, _MOST_PLANS = 3, 20
_FEWEST_EVALUATIONS = 40


class SearchProblem(ValueError):
    """Something in what is asked of a search cannot be meant so; the message says what would be right."""


@dataclass(frozen=True)
class Candidate:
    """A strategy as a whole: its sharding file (``tables`` and ``text``), what it is called, and what it costs."""

    tried: Tried
    layouts: Layouts
    tables: dict[str, object]
    text: str
    words: str
    cost: Cost
    score: Score


class Point(NamedTuple):
    """A strategy on the front of time against memory, as it was evaluated while searching."""

    tried: Tried
    words: str


@dataclass(frozen=True)
class SearchResult:
    """What a search has found: the ``best`` strategy, others by rank (``candidates``, the best among them), strategies
    with a name (``experts``), the ``front`` of time against memory; whether it ``fits`` the limit of memory."""

    module: Module
    hardware: Hardware
    objective: Objective
    candidates: tuple[Candidate, ...]
    experts: tuple[Candidate, ...]
    front: tuple[Point, ...]
    tried: tuple[Tried, ...]
    evaluations: int
    seconds: float
    notes: tuple[str, ...]
    space: Space = field(repr=False)
    writer: Writer = field(repr=False)
    evaluator: Evaluator = field(repr=False)

    @property
    def best(self) -> Candidate:
        """The best strategy."""
        return self.candidates[0]

    def named_layouts(self, one: Tried) -> Layouts:
        """The layouts of ``one``, with axes by what they do."""
        return renamed(one.layouts, axis_names(self.space, one.strategy, one.layouts))

    @property
    def fits(self) -> bool:
        """Whether the best strategy is within the limit of memory."""
        return self.objective.fits(self.best.score)


def search_strategy(
    module: Module,
    target: Target,
    *,
    mesh: Mesh | None = None,
    memory: float | None = None,
    seconds: float = SECONDS,
    objective: str = EXPECTED,
    keep: Shardings | None = None,
    keep_program: bool = False,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SearchResult:
    """Finds the strategy for ``module`` of the least ``objective`` on ``target``, within ``memory`` bytes a device (or
    what a program can use of the chip's), on ``mesh``, or on one that is looked for.

    ``keep`` has shardings that are not up for discussion, ``keep_program`` says the same of those in the program.
    ``seconds`` is how long it may take: it becomes a number of evaluations, which ``workers`` processes, or an
    ``executor`` of anybody's, make faster and not otherwise. ``progress`` is told how many were made, of how many.

    Raises:
        SearchProblem: what is asked cannot be met: no mesh and no number of devices, a limit below the arguments.
        HardwareProblem: the mesh does not fit the hardware.
        WorkerProblem: a worker has failed, or is gone.
        ShardingProblem: what is kept does not fit the program or the mesh.
        PyshardyError: the program is illegal.
    """
    begun = time.monotonic()
    if objective not in OBJECTIVES:
        raise SearchProblem(f"an objective is one of {', '.join(OBJECTIVES)}, not {objective!r}")
    if not seconds > 0:
        raise SearchProblem(f"a search takes more than 0 seconds, not {seconds!r}")
    if workers < 1:
        raise SearchProblem(f"a search has at least 1 worker, not {workers!r}")
    hardware, devices = target
    if mesh is not None:
        check_mesh(mesh.sizes, devices, hardware)
    ready = prepared(module, mesh, keep=keep, keep_program=keep_program)
    mesh = ready.mesh
    if mesh is not None:
        meshes = [check_mesh(mesh.sizes, devices, hardware)]
    elif devices is None:
        raise SearchProblem(
            "how many devices there are is not said: give a mesh, or the hardware as h100x8 or v5p:4x4x8"
        )
    else:
        meshes = meshes_for(devices, hardware)
    limit = hardware.chip.capacity if memory is None else float(memory)
    goal = Objective(objective, limit)
    short = short_program(ready.source)
    space = Space(short, ready.kept)
    _look_at_limit(space, meshes[0], limit)
    writer = Writer(space, ready.cleared, ready.kept_lines)
    evaluator = Evaluator(short, hardware)
    each = _SECONDS_AN_EVALUATION + _SECONDS_AN_OPERATION * len(short.times)
    budget = max(_FEWEST_EVALUATIONS, int(_SEARCHING * seconds / each))
    with ExitStack() as stack:
        if executor is None and workers > 1:
            executor = stack.enter_context(processes(workers))
        if executor is None:

            def evaluate(listed: Sequence[Layouts]) -> Sequence[Score | None]:
                return scores(space, evaluator, listed)
        else:
            job = job_of(ready.source.text(debug_info=True), hardware, sorted(ready.kept))
            there = executor
            stack.callback(forget, job)

            def evaluate(listed: Sequence[Layouts]) -> Sequence[Score | None]:
                return scores_by(there, job, listed)

        solver = Solver(space, writer, evaluate, goal, budget, begun + _LONGEST * seconds, progress)
        ranked = solver.run(meshes)
    if not ranked:
        raise SearchProblem("no strategy could be partitioned: pyshardy partition says what is wrong with the program")
    return _Finals(module, hardware, goal, space, writer, ready).result(ranked, solver, evaluator, seconds, begun)


def _look_at_limit(space: Space, mesh: Mesh, limit: float) -> None:
    """Says so if not even a part of the arguments fits.

    Raises:
        SearchProblem: it does not.
    """
    least = space.total_bytes / mesh.total_size
    if least > limit:
        raise SearchProblem(
            f"a limit of {_size(limit)} a device is below the arguments: they are {_size(space.total_bytes)}, "
            f"{_size(least)} on each of {mesh.total_size} devices"
        )


def _size(count: float) -> str:
    return f"{count / 1e9:.3g} GB" if count >= 1e8 else f"{count / 1e6:.3g} MB"


class _Finals:
    """Costs the best strategies as a whole."""

    def __init__(
        self, module: Module, hardware: Hardware, goal: Objective, space: Space, writer: Writer, ready: Prepared
    ) -> None:
        self._module, self._hardware, self._goal = module, hardware, goal
        self._space, self._writer, self._ready = space, writer, ready
        self._known: dict[Layouts, Candidate | None] = {}

    def result(
        self, ranked: list[Tried], solver: Solver, evaluator: Evaluator, seconds: float, begun: float
    ) -> SearchResult:
        """What is handed out."""
        operations = len(self._module.op.operations())
        each = _SECONDS_OF_A_PLAN + _SECONDS_OF_A_PLAN_AN_OPERATION * operations
        count = min(_MOST_PLANS, max(_FEWEST, int((1 - _SEARCHING) * seconds / each)))
        named = list({(one.name, one.rank): one for one in reversed(ranked) if one.name}.values())[::-1]
        chosen = list({one.rank: one for one in reversed(ranked[: 8 * count])}.values())[::-1][:count]
        for one in named[: max(1, count // 5)]:
            if one not in chosen:
                chosen.append(one)
        found: list[Candidate] = []
        for one in chosen:
            if len(found) >= _FEWEST and time.monotonic() > begun + _LONGEST * seconds:
                break
            candidate = self.candidate(one)
            found += [] if candidate is None else [candidate]
        if not found:
            raise SearchProblem("no strategy could be partitioned as a whole")
        found.sort(key=lambda one: (self._goal.rank(one.score), len(one.text), one.text))
        experts = sorted(
            (one for one in found if one.tried.name), key=lambda one: (self._goal.rank(one.score), one.text)
        )
        notes = []
        if solver.interrupted:
            notes.append("the search was interrupted: this is the best so far")
        elif solver.out_of_time:
            notes.append(f"time was up after {solver.evaluations} evaluations: another run may find another strategy")
        best = found[0]
        if not self._goal.fits(best.score):
            notes.append(
                f"infeasible: nothing that was tried fits into {_size(self._goal.limit)}, at least "
                f"{_size(best.score.peak)} are needed; {_holds(best.cost)}"
            )
        return SearchResult(
            self._module,
            self._hardware,
            self._goal,
            tuple(found),
            tuple(experts),
            self._front(ranked),
            tuple(ranked),
            solver.evaluations,
            time.monotonic() - begun,
            tuple(notes),
            self._space,
            self._writer,
            evaluator,
        )

    def candidate(self, one: Tried) -> Candidate | None:
        """``one`` as a whole; None if it cannot be partitioned so."""
        names = axis_names(self._space, one.strategy, one.layouts)
        layouts = renamed(one.layouts, names)
        if layouts not in self._known:
            self._known[layouts] = self._candidate(one, layouts, names)
        return self._known[layouts]

    def _candidate(self, one: Tried, layouts: Layouts, names: dict[str, str]) -> Candidate | None:
        words = described(self._space, one.strategy, names)
        tables = self._writer.tables(layouts)
        try:
            copy = self._module.copy()
            apply_shardings(copy, load_shardings(tables))
            cost = cost_of(partition(copy, in_place=True), self._hardware)
        except (PyshardyError, ShardingProblem, ValueError):
            return None
        bounds = cost.step_seconds
        received = sum(each.run_bytes for each in cost.collectives)
        score = Score(bounds.expected, bounds.no_overlap, bounds.full_overlap, cost.peak_bytes, received)
        text = self._writer.text(layouts, remarks(words, self._hardware, score))
        return Candidate(replace(one, layouts=one.layouts), layouts, tables, text, words, cost, score)

    def _front(self, ranked: Sequence[Tried]) -> tuple[Point, ...]:
        """Strategies of which none has another that is both faster and smaller, the fastest first."""
        found: list[Point] = []
        least = float("inf")
        for one in sorted(ranked, key=lambda one: (one.score.expected, one.score.peak)):
            if one.score.peak < 0.999 * least:
                least = one.score.peak
                names = axis_names(self._space, one.strategy, one.layouts)
                found.append(Point(one, described(self._space, one.strategy, names)))
        return tuple(found)


def _holds(cost: Cost) -> str:
    """What most of the memory at the peak is."""
    parts = vars(cost.parts)
    name = max(parts, key=lambda one: (parts[one], one))
    words = {"saved": "saved for the backward pass", "temporaries": "worked on at the peak"}
    advice = "; rematerialisation (jax.checkpoint) would free some" if name == "saved" else ""
    return f"{_size(parts[name])} of that are {words.get(name, name)}{advice}"


def remarks(words: str, hardware: Hardware, score: Score) -> list[str]:
    """What stands above a sharding file."""
    return [
        f"{words}.",
        f"Found by pyshardy search for {hardware.name}: a step of {score.expected:.4g} s, "
        f"peak of memory {_size(score.peak)}.",
    ]
