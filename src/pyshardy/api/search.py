"""``pyshardy.search`` and the public class of its result."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.analysis.cost.targets import target
from pyshardy.api.with_answers import with_answers
from pyshardy.choices import EXPECTED
from pyshardy.module import check_is_module
from pyshardy.searching import search as plain
from pyshardy.searching.gains import Gain, gains
from pyshardy.searching.search import SECONDS, SearchProblem, search_strategy

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
"""The value of ``mesh`` that searches for the mesh, too."""
PROGRAM = "program"
"""The value of ``keep`` that keeps the shardings of the program."""


_MOST_FLOPS_OF_A_CHECK = 2e10
"""The floating point operations that the interpreter computes exactly in about a minute."""


class TriedStrategy(NamedTuple):
    """A strategy that was tried: its description in words, whether it is a known strategy, and the cost of a step:
    expected seconds, bytes of memory at the peak, bytes that each device receives."""

    words: str
    is_expert: bool
    seconds: float
    peak: float
    received: float


class SearchResult:
    """The result of ``pyshardy.search``: the best strategy, its cost, and the strategies that it was compared with.

    ``name`` describes the strategy, ``mesh`` has the axes by name, ``fits`` says whether it is within the limit of
    memory, ``notes`` are further remarks, ``evaluations`` is the number of strategies that were evaluated, in
    ``seconds``.
    """

    def __init__(self, result: plain.SearchResult) -> None:
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
        """The tables of the file, as a dict."""
        return self._result.best.tables

    @property
    def shardings(self) -> strategies.Shardings:
        """The strategy as ``pyshardy.load_shardings`` returns it."""
        from pyshardy.reading.sharding_files.strategies import load_shardings

        return load_shardings(self.tables)

    @cached_property
    def cost(self) -> Cost:
        """The cost of a step, as by ``pyshardy cost`` with the file. After an interrupt it may be computed at the first
        use."""
        from pyshardy.api.cost import Cost

        known = self._result.best.cost
        return with_answers(Cost, known) if known is not None else self.plan.cost(self._result.hardware)

    @cached_property
    def plan(self) -> Plan:
        """The plan of the program with this strategy.

        Raises:
            PyshardyError: it cannot be partitioned, which is not expected, since the search did it.
        """
        from pyshardy.api.plan import partition

        return partition(self.module)

    def check(self, seed: int = 0) -> CheckReport:
        """Proves that the partitioned program computes the same (``Plan.check``). A program that is too large to run,
        or would take more than about a minute, is made smaller first (``Module.made_small``); a note of the report says
        so.

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

    # --- other strategies ---------------------------------------------------------------------------------------------

    def why(self) -> list[Gain]:
        """The gain of each line of the file: how much longer a step takes without it, and how much more memory it
        needs."""
        result = self._result
        best = result.best
        return gains(result.space, result.writer, result.evaluator, result.choice, best.tried, best.tables)

    @property
    def tried(self) -> list[TriedStrategy]:
        """The strategies that were costed on the whole program, the best first; after an earlier interrupt only the
        best, with its figures on the short program."""
        return [_shown(one.words, one.tried, one.score) for one in self._result.candidates]

    @property
    def known(self) -> list[TriedStrategy]:
        """The known strategies that were costed, the best first."""
        return [_shown(one.words, one.tried, one.score) for one in self._result.known]

    @property
    def experts(self) -> list[TriedStrategy]:
        """The old name of ``known``."""
        warnings.warn("SearchResult.experts is called SearchResult.known", DeprecationWarning, stacklevel=2)
        return self.known

    @property
    def pareto(self) -> list[TriedStrategy]:
        """The Pareto front of time against memory, with figures on the short program."""
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
        """The strategy in words, the gain of each line, the limits of a step, and known strategies for comparison."""
        from pyshardy.report.console import printed
        from pyshardy.report.search_tables import print_search

        return printed(lambda out: print_search(self.as_json(with_gains=True), out))

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The text that ``pyshardy search`` prints; with a ``path`` a page for a browser is written there, and
        returned.

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
        """Writes the page of ``outcome``, the result of ``as_json(with_gains=True)``, and returns it.

        Raises:
            ImportError: the page needs packages that are not installed (``pyshardy[report]``).
            OSError: the page cannot be written.
        """
        from pyshardy.report.search_page import write_search_page

        files = [self.file_of(number) for number in range(len(self.pareto))]
        points = [(one.score.expected, one.score.peak) for one in self._result.tried]
        return write_search_page(outcome, files, points, path)

    def as_json(self, *, with_gains: bool = False) -> dict[str, object]:
        """The result as plain values (docs/json.md)."""
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
            "experts": [one._asdict() for one in self.known],
            "pareto": [one._asdict() for one in self.pareto],
            "notes": list(self.notes),
        }
        if with_gains:
            found["gains"] = [one._asdict() for one in self.why()]
        return found

    def __repr__(self) -> str:
        score = self._result.best.score
        figures = f"a step of {score.expected:.4g} s, peak of memory {int(score.peak)} bytes, {len(self.tried)} costed"
        return f"<SearchResult {self.name}: {figures}>"


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
) -> SearchResult:
    """Finds how to shard ``module`` on ``hardware`` (docs/search.md): ``"h100x8"``, ``"v5p:4x4x8"``, a file, a dict.

    ``mesh`` has the axes by name and size; without it, or with ``"auto"``, the best mesh of up to three axes is
    searched for, and ``devices``, or the hardware, give the number of devices. ``memory`` is the limit of bytes on a
    device, by default the memory of the chip that a program can use. ``objective`` is one of ``expected``,
    ``no-overlap``, ``overlap`` (seconds by the three figures of a step) and ``memory``. ``keep`` is a sharding file, or
    ``"program"``: the search keeps its shardings. ``seconds`` is converted into a number of evaluations; ``workers``
    processes, or an ``executor``, share these, and do not change the result. ``progress`` is called with the number of
    evaluations that were made, and of all. Ctrl-C ends the search at once with the best so far; a note says so, and
    whether its figures are those of the short program.

    Raises:
        ValueError: the hardware, the mesh, the limit or the kept shardings are wrong; the message says why.
        PyshardyError: the program is illegal.
        OSError: a file cannot be read.
    """
    from pyshardy.reading.sharding_files.strategies import Shardings, load_shardings
    from pyshardy.sharding.mesh import Mesh

    check_is_module(module, "search")
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
    return SearchResult(
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
