"""``pyshardy.search``: a program and hardware in, the strategy found, as a person meets it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.analysis.cost.targets import target
from pyshardy.api.with_answers import with_answers
from pyshardy.choices import EXPECTED
from pyshardy.searching.gains import Gain, gains
from pyshardy.searching.search import SECONDS, SearchProblem, SearchResult, search_strategy

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import Source
    from pyshardy.analysis.cost.targets import Target
    from pyshardy.api.check_report import CheckReport
    from pyshardy.api.cost import Cost
    from pyshardy.api.module import Module
    from pyshardy.api.plan import Plan
    from pyshardy.reading.sharding_files import strategies
    from pyshardy.searching.scoring import Score
    from pyshardy.searching.solver import Tried
    from pyshardy.sharding.mesh import Mesh

AUTO = "auto"
"""The mesh that is to be found, too."""
PROGRAM = "program"
"""What the program says is kept."""


_MOST_FLOPS_OF_A_CHECK = 2e10
"""What the interpreter makes of exact numbers in a minute or so."""


class TriedStrategy(NamedTuple):
    """A strategy that was tried: its name in words, whether people know it by that, and what a step costs: expected
    seconds, bytes of memory at the peak, bytes that each device receives."""

    words: str
    is_expert: bool
    seconds: float
    peak: float
    received: float


class Found:
    """What ``pyshardy.search`` has found: the best strategy, what it costs, and what it was held against.

    ``name`` says it in words, ``mesh`` has the axes by name, ``fits`` says whether it is within the limit of memory,
    ``notes`` what else there is to know, ``evaluations`` how many strategies were tried in how many ``seconds``.
    """

    def __init__(self, result: SearchResult) -> None:
        self._result = result
        best = result.best
        self.name = best.words
        self.mesh: dict[str, int] = dict(best.layouts.mesh)
        self.fits = result.fits
        self.notes = result.notes
        self.evaluations = result.evaluations
        self.seconds = result.seconds

    # --- the strategy -------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The sharding file, for ``partition``, ``cost``, ``check`` and ``jit(shardings=)``."""
        return self._result.best.text

    @property
    def tables(self) -> dict[str, object]:
        """What stands in the file, as a dict."""
        return self._result.best.tables

    @property
    def shardings(self) -> strategies.Shardings:
        """The same as ``pyshardy.load_shardings`` gives it."""
        from pyshardy.reading.sharding_files.strategies import load_shardings

        return load_shardings(self.tables)

    @cached_property
    def cost(self) -> Cost:
        """What a step costs: what ``pyshardy cost`` says with the file. After an interrupt it may have to be worked
        out."""
        from pyshardy.api.cost import Cost

        known = self._result.best.cost
        return with_answers(Cost, known) if known is not None else self.plan.cost(self._result.hardware)

    @cached_property
    def plan(self) -> Plan:
        """The program partitioned so.

        Raises:
            PyshardyError: it cannot be, which is not to be expected: it was.
        """
        from pyshardy.api.plan import partition

        return partition(self.module)

    def check(self, seed: int = 0) -> CheckReport:
        """Proves that the program partitioned so computes the same (``Plan.check``). What is too large to be run, or
        would take more than a minute or so, is made small before (``Module.made_small``); a note of the report says so.

        Raises:
            TooLarge: it is still too large, or cannot be made small.
            PyshardyError: the interpreter cannot run it.
        """
        from pyshardy.api.plan import partition
        from pyshardy.checking.check import TooLarge
        from pyshardy.checking.small_program import NotSmaller

        def check_small() -> CheckReport:
            return partition(self.module.made_small()).check(seed)

        if self.cost.model_flops > _MOST_FLOPS_OF_A_CHECK:
            with suppress(NotSmaller):
                return check_small()
        try:
            return self.plan.check(seed)
        except TooLarge as problem:
            try:
                return check_small()
            except NotSmaller as why:
                raise TooLarge(f"{problem}; {why}") from None

    @property
    def module(self) -> Module:
        """A copy of the program with the shardings."""
        from pyshardy.api.module import Module

        found = self._result.module.copy()
        assert isinstance(found, Module)
        found.apply_shardings(self.tables)
        return found

    # --- what it was held against -------------------------------------------------------------------------------------

    def why(self) -> list[Gain]:
        """What each line of the file gains: how much longer a step takes without it, and how much more memory."""
        result = self._result
        best = result.best
        return gains(result.space, result.writer, result.evaluator, result.choice, best.tried, best.tables)

    @property
    def tried(self) -> list[TriedStrategy]:
        """The strategies that were costed as a whole, the best first; after an interrupt before that, the best alone,
        by few layers."""
        return [_shown(one.words, one.tried, one.score) for one in self._result.candidates]

    @property
    def experts(self) -> list[TriedStrategy]:
        """Strategies that people know by name, as far as they came close, the best first."""
        return [_shown(one.words, one.tried, one.score) for one in self._result.experts]

    @property
    def pareto(self) -> list[TriedStrategy]:
        """The front of time against memory: none has another that is faster and smaller. Evaluated as while searching,
        with few layers."""
        return [_shown(one.words, one.tried, one.tried.score) for one in self._result.front]

    def file_of(self, point: int) -> str:
        """The sharding file of number ``point`` of ``pareto``.

        Raises:
            IndexError: there is no such point.
        """
        result = self._result
        one = result.front[point].tried
        return result.writer.text(result.named_layouts(one), [f"{result.front[point].words}."])

    def explain(self) -> str:
        """The strategy in words, each line with what it gains, what limits it now, known strategies beside it."""
        from pyshardy.report.console import printed
        from pyshardy.report.search_tables import print_search

        return printed(lambda out: print_search(self.as_json(with_gains=True), out))

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """What ``pyshardy search`` prints; with a ``path`` a page for a browser is written there, and returned.

        Raises:
            ImportError: the page needs packages that are not installed (``pyshardy[report]``).
            OSError: the page cannot be written.
        """
        if path is not None:
            return self.write_page(self.as_json(with_gains=True), path)
        from pyshardy.report.console import printed
        from pyshardy.report.search_tables import print_search

        return printed(lambda out: print_search(self.as_json(), out))

    def write_page(self, outcome: dict[str, object], path: str | os.PathLike[str]) -> str:
        """Writes the page of ``outcome``, which is what ``as_json(with_gains=True)`` has given, and returns it.

        Raises:
            ImportError: the page needs packages that are not installed (``pyshardy[report]``).
            OSError: the page cannot be written.
        """
        from pyshardy.report.search_page import write_search_page

        files = [self.file_of(number) for number in range(len(self.pareto))]
        points = [(one.score.expected, one.score.peak) for one in self._result.tried]
        return write_search_page(outcome, files, points, path)

    def as_json(self, *, with_gains: bool = False) -> dict[str, object]:
        """The outcome as plain values (docs/search.md)."""
        result, best = self._result, self._result.best
        cost = best.cost
        found: dict[str, object] = {
            "strategy": self.name,
            "mesh": self.mesh,
            "hardware": result.hardware.name,
            "objective": result.objective.figure,
            "limit": result.objective.limit,
            "fits": self.fits,
            "whole": cost is not None,
            "seconds": best.score.bounds.as_json(),
            "compute_seconds": None if cost is None else cost.compute_seconds,
            "exposed_by_axes": None if cost is None else cost.exposed_by_axes,
            "peak": int(best.score.peak),
            "memory": None if cost is None else cost.parts.by_name(),
            "received": best.score.received,
            "clear": "clear" in self.tables,
            "chosen_for": self.tables.get("hardware"),
            "shardings": self.tables["shardings"],
            "evaluations": self.evaluations,
            "search_seconds": self.seconds,
            "tried": [one._asdict() for one in self.tried],
            "experts": [one._asdict() for one in self.experts],
            "pareto": [one._asdict() for one in self.pareto],
            "notes": list(self.notes),
        }
        if with_gains:
            found["gains"] = [one._asdict() for one in self.why()]
        return found

    def __repr__(self) -> str:
        seconds, peak = self._result.best.score.expected, int(self._result.best.score.peak)
        return f"<Found {self.name}: a step of {seconds:.4g} s, peak of memory {peak} bytes, {len(self.tried)} costed>"


def _shown(words: str, tried: Tried, score: Score) -> TriedStrategy:
    return TriedStrategy(words, bool(tried.name), score.expected, score.peak, score.received)


def search(
    module: Module,
    hardware: Source | Hardware | Target,
    *,
    mesh: Mesh | Mapping[str, int] | str | None = None,
    devices: int | None = None,
    memory: float | None = None,
    seconds: float = SECONDS,
    objective: str = EXPECTED,
    keep: strategies.Source | strategies.Shardings | str | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Found:
    """Finds how to shard ``module`` on ``hardware`` (docs/search.md): ``"h100x8"``, ``"v5p:4x4x8"``, a file, a dict.

    ``mesh`` has the axes by name and size; without it, or with ``"auto"``, the best of up to three axes is looked for,
    and ``devices``, or the hardware, say how many there are. A device may use ``memory`` bytes, by default what a
    program can use of the chip's. ``objective`` is one of ``expected``, ``no-overlap``, ``overlap`` (seconds by the
    three figures of a step) and ``memory``. ``keep`` is a sharding file, or ``"program"``: what that says
    stays. ``seconds`` become a number of evaluations; ``workers`` processes, or an ``executor`` of yours, share
    these, and change nothing else. ``progress`` is told how many were made, of how many. Ctrl-C gives the best so far
    at once: a note says so, and whether its figures are those of few layers.

    Raises:
        ValueError: the hardware, the mesh, the limit or what is kept cannot be meant so; the message says why.
        PyshardyError: the program is illegal.
        OSError: a file cannot be read.
    """
    from pyshardy.reading.sharding_files.strategies import Shardings, load_shardings
    from pyshardy.sharding.mesh import Mesh

    if isinstance(mesh, str) and mesh != AUTO:
        raise SearchProblem(f'the mesh is "auto", or has the axes by name and size, not {mesh!r}')
    found = None if mesh is None or isinstance(mesh, str) else mesh if isinstance(mesh, Mesh) else Mesh(mesh)
    where = target(hardware)
    if devices is not None:
        if devices < 1:
            raise SearchProblem(f"devices= says how many there are, not {devices!r}")
        if where.devices not in (None, devices):
            raise SearchProblem(f"the hardware is {where.devices} devices, and devices= says {devices}")
        where = where._replace(devices=devices)
    kept = None
    if keep is not None and keep != PROGRAM:
        kept = keep if isinstance(keep, Shardings) else load_shardings(keep)
    return Found(
        search_strategy(
            module,
            where,
            mesh=found,
            memory=memory,
            seconds=seconds,
            objective=objective,
            keep=kept,
            keep_program=keep == PROGRAM,
            workers=workers,
            executor=executor,
            progress=progress,
        )
    )
