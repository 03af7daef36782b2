"""The search as a whole: takes a program and hardware, returns the best strategy and the strategies that it was
compared with.

Strategies are tried on a short program (``solver``). The best of them are written as sharding files, and each of these
is applied, partitioned and costed as by ``pyshardy cost``, so that the figures are those that the file gives.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf, prod

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.targets import Target, check_mesh
from pyshardy.choices import EXPECTED, MEMORY, OBJECTIVES
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.progress import Check
from pyshardy.module import Module
from pyshardy.partitioning.size_limits import check_sizes
from pyshardy.reading.sharding_files.strategies import Shardings
from pyshardy.searching.description import axis_names
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.finals import Candidate, Finals, Point, infeasible_text, seconds_for_finals, size_text
from pyshardy.searching.meshes import meshes_for
from pyshardy.searching.moves import renamed
from pyshardy.searching.objective import Objective
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.preparation import Prepared, prepared
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.short_program import short_program
from pyshardy.searching.solver import ROUND, Evaluate, Solver, Tried
from pyshardy.searching.space import Layouts, Space
from pyshardy.searching.workers import forget, job_of, processes, score_of, scores_by
from pyshardy.sharding.mesh import Mesh

SECONDS = 60.0
"""The default time limit of a search."""
_SECONDS_AN_EVALUATION, _SECONDS_AN_OPERATION = 0.02, 8e-5
"""The seconds that an evaluation is assumed to take: a constant, and a part for each operation of the short program.
They convert a time limit into a number of evaluations that does not depend on the machine, and are twice those of an
idle core."""
_LONGEST, _SLACK = 1.2, 2.0
"""A search is ended by the clock if it takes this many times the time limit, or this many seconds more."""
CLOCK = "PYSHARDY_CLOCK"
"""The environment variable that with ``off`` lets no clock end a search."""
_FEWEST_EVALUATIONS = 40
"""The least number of evaluations with a useful result."""


class SearchProblem(ValueError):
    """An argument of a search is wrong; the message says what would be right."""


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: the ``best`` strategy, others by rank (``candidates``, the best among them), strategies
    with a name (``known``), the ``front`` of time against memory; whether it ``fits`` the limit of memory."""

    module: Module
    hardware: Hardware
    objective: Objective
    candidates: tuple[Candidate, ...]
    front: tuple[Point, ...]
    tried: tuple[Tried, ...]
    evaluations: int
    seconds: float
    notes: tuple[str, ...]
    space: Space = field(repr=False)
    writer: Writer = field(repr=False)
    evaluator: Evaluator = field(repr=False)

    @property
    def known(self) -> tuple[Candidate, ...]:
        """The known strategies among the candidates."""
        return tuple(one for one in self.candidates if one.tried.name)

    @property
    def choice(self) -> PlanChoice:
        """How candidate plans are chosen."""
        return PlanChoice(self.writer.names_hardware, self.objective.limit)

    @property
    def best(self) -> Candidate:
        """The best strategy."""
        return self.candidates[0]

    def named_layouts(self, one: Tried) -> Layouts:
        """The layouts of ``one``, with axes named after the parallelism along them."""
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
    check: Check | None = None,
) -> SearchResult:
    """Finds the strategy for ``module`` of the least ``objective`` on ``target``, within ``memory`` bytes a device (or
    what a program can use of the chip's), on ``mesh``, or on a mesh that is searched for.

    ``keep`` has shardings that the search must keep, and with ``keep_program`` it keeps those in the program.
    ``seconds`` is how long the search may take: it is converted into a number of evaluations, so that ``workers``
    processes, or a given ``executor``, make the search faster and do not change its result. ``progress`` is called with
    the number of evaluations that were made, and of all. A ``KeyboardInterrupt``, of a signal or raised by ``check`` or
    ``progress``, ends the search at once with the best so far; if that was not costed as a whole, it has no ``cost``,
    and a note says so.

    Raises:
        KeyboardInterrupt: there is no best so far.
        SearchProblem: what is asked cannot be met: no mesh and no number of devices, a limit below the arguments.
        HardwareProblem: the mesh does not fit the hardware.
        WorkerProblem: a worker has failed, or is gone.
        ShardingProblem: what is kept does not fit the program or the mesh.
        PyshardyError: the program is illegal, or has a tensor of more bytes than 64 bits can count.
    """
    begun = time.monotonic()
    _check_request(memory, seconds, objective, workers)
    hardware, _, name = target
    if mesh is not None:
        check_mesh(mesh.sizes, target.devices, hardware)
    check_sizes(module, OperationKinds(module.op))
    ready = prepared(module, mesh, keep=keep, keep_program=keep_program)
    meshes = _meshes(ready.mesh, target)
    limit = hardware.chip.capacity if memory is None else float(memory)
    goal = Objective(objective, limit)
    short = short_program(ready.source)
    space = Space(short, ready.kept)
    _check_limit(space, meshes[0], limit)
    # If memory is the objective, candidate plans are chosen by bytes.
    named = None if objective == MEMORY else name
    writer = Writer(space, ready.kept_lines, clear=ready.clear, hardware=named)
    evaluator = Evaluator(short, hardware)
    each = _SECONDS_AN_EVALUATION + _SECONDS_AN_OPERATION * len(short.times)
    at_the_end = seconds_for_finals(module, seconds)
    budget = max(_FEWEST_EVALUATIONS, int((seconds - at_the_end) / each))
    with _evaluation(ready, space, evaluator, hardware, workers, executor, check) as (evaluate, at_once):
        end = inf if os.environ.get(CLOCK) == "off" else begun + max(_LONGEST * seconds, seconds + _SLACK)
        solver = Solver(space, writer, evaluate, goal, budget, end - at_the_end, progress, at_once)
        ranked = solver.run(meshes)
    finals = Finals(module, hardware, goal, space, writer, check)
    found = finals.costed(ranked, at_the_end, end) if not solver.interrupted else []
    interrupted = solver.interrupted or finals.interrupted
    if interrupted and not found:
        found = [finals.not_costed(ranked[0])]
    if not found:
        finals.raise_partition_error(meshes[0])
        raise SearchProblem("no strategy that was tried can be partitioned; a mesh of other sizes may do")
    return SearchResult(
        module,
        hardware,
        goal,
        tuple(found),
        finals.front(ranked),
        tuple(ranked),
        solver.evaluations,
        time.monotonic() - begun,
        tuple(_notes(solver, found[0], goal, interrupted, _equal_share(space, solver))),
        space,
        writer,
        evaluator,
    )


def _check_request(memory: float | None, seconds: float, objective: str, workers: int) -> None:
    """Raises SearchProblem if an argument of ``search_strategy`` has no value that it may have."""
    if objective not in OBJECTIVES:
        raise SearchProblem(f"an objective is one of {', '.join(OBJECTIVES)}, not {objective!r}")
    if not seconds > 0:
        raise SearchProblem(f"a search takes more than 0 seconds, not {seconds!r}")
    if workers < 1:
        raise SearchProblem(f"a search has at least 1 worker, not {workers!r}")
    if not (memory is None or isinstance(memory, int | float)):
        raise SearchProblem(f"memory is a number of bytes, as 70e9, not {memory!r}")


def _meshes(mesh: Mesh | None, target: Target) -> list[Mesh]:
    """The meshes to search: ``mesh`` alone, or all that the devices of ``target`` may have.

    Raises:
        SearchProblem: there is no mesh, and no number of devices.
        HardwareProblem: the mesh does not fit the hardware.
    """
    if mesh is not None:
        return [check_mesh(mesh.sizes, target.devices, target.hardware)]
    if target.devices is None:
        raise SearchProblem(
            "how many devices there are is not said: give a mesh, or the hardware as h100x8 or v5p:4x4x8"
        )
    return meshes_for(target.devices, target.hardware)


@contextmanager
def _evaluation(
    ready: Prepared,
    space: Space,
    evaluator: Evaluator,
    hardware: Hardware,
    workers: int,
    executor: Executor | None,
    check: Check | None,
) -> Iterator[tuple[Evaluate, int]]:
    """What scores layouts, in this process or by ``workers`` (or the given ``executor``), and how many it is to be
    given at once."""
    with ExitStack() as stack:
        if executor is None and workers > 1:
            executor = stack.enter_context(processes(workers))
        if executor is None:
            yield lambda listed, choice: [score_of(space, evaluator, one, check, choice) for one in listed], 1
            return
        job = job_of(ready.source.text(debug_info=True), hardware, sorted(ready.kept))
        stack.callback(forget, job)
        yield partial(scores_by, executor, job), ROUND


def _notes(solver: Solver, best: Candidate, goal: Objective, interrupted: bool, share: float | None) -> Iterator[str]:
    if interrupted:
        figures = "" if best.cost is not None else "; its figures are those of few layers, it was not costed as a whole"
        yield f"the search was interrupted: this is the best so far{figures}"
    elif solver.out_of_time:
        yield f"time was up after {solver.evaluations} evaluations: another run may find another strategy"
    if not goal.fits(best.score):
        yield infeasible_text(best, goal, share)


def _equal_share(space: Space, solver: Solver) -> float | None:
    """The memory of the whole program divided by the number of devices; None if it is not known."""
    if space.has_kept:
        return None
    whole = [one for one in solver.tried.values() if not any(map(any, one.layouts.specs)) and not one.layouts.inner]
    return min((one.first.peak / prod(one.strategy.sizes.values()) for one in whole), default=None)


def _check_limit(space: Space, mesh: Mesh, limit: float) -> None:
    """Raises an error if the arguments do not fit even when they are sharded along all axes.

    Raises:
        SearchProblem: it does not.
    """
    least = space.total_bytes / mesh.total_size
    if least > limit:
        raise SearchProblem(
            f"a limit of {size_text(limit)} a device is below the arguments: they are {size_text(space.total_bytes)}, "
            f"{size_text(least)} on each of {mesh.total_size} devices"
        )
