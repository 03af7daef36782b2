"""Runs both programs on inputs, and chooses the inputs of further runs.

Quick runs are repeated. Any run is repeated while a result is constant, or a decision of the program had the same
outcome in all runs. If a decision changes between two sizes of the inputs, inputs close to that point are run, too
(``decisions``). ``check`` judges the results.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf, isfinite

from pyshardy.checking.comparison import Comparison, compared_result
from pyshardy.checking.decisions import Decisions, change_points, one_sided
from pyshardy.checking.dependence import constant_results
from pyshardy.checking.inputs import float_arguments, scaled, with_outlier
from pyshardy.checking.programs import Programs
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import OutOfTime
from pyshardy.interpreter.number_systems import DOUBLES, EXACT, RESIDUES, NumberSystem
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation

_SECONDS_FOR_MORE_RUNS = 0.25
_SECONDS_FOR_TURNS = 2.0
_FAR_SIZES = (30.0, 1 / 30, 1e4, 1e-4)
_LARGEST_OUTLIER = 1e200
_MOST_PLACES = 8


@dataclass(frozen=True)
class Inputs:
    """Random inputs: those of ``seed`` with floats ``size`` times as large. If ``outlier`` is given, one element of
    float argument number ``place`` is that."""

    seed: int
    size: float = 1.0
    outlier: float | None = None
    place: int = 0

    @property
    def has_large_outlier(self) -> bool:
        """Whether one element is large, and finite."""
        return self.outlier is not None and isfinite(self.outlier)

    def of(self, programs: Programs) -> list[Array]:
        """The arrays."""
        drawn = scaled(programs.inputs(self.seed), self.size)
        return drawn if self.outlier is None else with_outlier(drawn, self.outlier, self.place, self.seed)


@dataclass(frozen=True)
class Trial:
    """A run of both programs on one set of ``inputs``: the results of the global one, the comparisons with the local
    one, and the decisions of the run."""

    inputs: Inputs
    arrays: list[Array]
    numbers: NumberSystem
    whole: list[Array]
    comparisons: list[Comparison]
    decisions: Decisions

    @classmethod
    def of(cls, programs: Programs, inputs: Inputs, numbers: NumberSystem) -> Trial:
        """Runs both programs; if they differ, again with all doubles, which are needed for infinities and for a
        comparison in double precision.

        Raises:
            PyshardyError: the interpreter cannot run one of them.
        """
        arrays, decisions = inputs.of(programs), Decisions()
        whole, parts = programs.run_both(arrays, numbers, inputs.seed, decisions.watch)
        # Whether sums of such large numbers overflow depends on the order of additions: beyond what has a square, one
        # order may overflow and another not.
        only_finite = inputs.size > 1 and not numbers.only_decided
        only_both_finite = inputs.has_large_outlier and not numbers.only_decided
        compared = [
            compared_result(*one, only_finite=only_finite, only_both_finite=only_both_finite)
            for one in zip(whole, parts, programs.results, strict=True)
        ]
        trial = cls(inputs, arrays, numbers, whole, compared, decisions)
        return cls.of(programs, inputs, EXACT) if trial.differs and numbers is RESIDUES else trial

    @property
    def differs(self) -> bool:
        """Whether any element of any result differs."""
        return any(one.differing for one in self.comparisons)


@dataclass
class Trials:
    """All runs of a check: ``problem`` says why they are not exact, ``untried`` are the decisions whose bounds no run
    came close to."""

    runs: list[Trial] = field(default_factory=list)
    problem: PyshardyError | None = None
    untried: list[Operation] = field(default_factory=list)

    @property
    def numbers(self) -> NumberSystem:
        """The number system of all runs."""
        return self.runs[0].numbers if self.runs else EXACT

    @property
    def wrong(self) -> Trial | None:
        """The run in which results differ, which is the last one; None if there is none."""
        return self.runs[-1] if self.runs and self.runs[-1].differs else None

    @property
    def silent(self) -> list[int]:
        """The results that have been constant so far."""
        return constant_results([run.whole for run in self.runs]) if self.runs else []


def run_trials(programs: Programs, seed: int) -> Trials:
    """Runs both programs until a result differs, no more inputs are worth a run, or time is used up.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    begun = time.perf_counter()
    trials = Trials()
    with suppress(OutOfTime):
        _first(programs, seed, trials)
        _with_other_sizes(programs, seed, trials, begun + _SECONDS_FOR_MORE_RUNS)
        if trials.wrong is None:
            _near_change_points(programs, trials, begun + _SECONDS_FOR_TURNS)
    return trials


def fails_alone(programs: Programs, seed: int) -> PyshardyError | None:
    """Why the global program cannot be run on the first inputs; None if it can."""
    with suppress(OutOfTime):
        try:
            programs.run_source(Inputs(seed).of(programs), DOUBLES)
        except PyshardyError as problem:
            return problem
    return None


def _first(programs: Programs, seed: int, trials: Trials) -> None:
    """The first run: exact if both programs can be evaluated exactly, else in double precision."""
    try:
        trials.runs.append(Trial.of(programs, Inputs(seed), RESIDUES))
    except PyshardyError as problem:
        try:
            trials.runs.append(Trial.of(programs, Inputs(seed), DOUBLES))
        except PyshardyError:
            raise problem from None
        trials.problem = problem


def _with_other_sizes(programs: Programs, seed: int, trials: Trials, end: float) -> None:
    reached = programs.reached_results
    others = (Inputs(seed + 1, 30.0), Inputs(seed + 2, outlier=inf, place=seed), Inputs(seed + 3, 1 / 30))
    for number, inputs in enumerate(others):
        is_silent = not number and any(index in reached for index in trials.silent)
        is_worth_it = time.perf_counter() < end or is_silent or one_sided(run.decisions for run in trials.runs)
        if trials.wrong is not None or not is_worth_it:
            return
        further = _further_run(programs, inputs, trials.numbers)
        if further is not None:
            trials.runs.append(further)


def _further_run(programs: Programs, inputs: Inputs, numbers: NumberSystem) -> Trial | None:
    """A run on ``inputs``; None if the global program fails on them: a decomposition may refuse infinities.

    Raises:
        PyshardyError: only the other one cannot be run, a deadlock for example.
    """
    try:
        return Trial.of(programs, inputs, numbers)
    except PyshardyError:
        try:
            programs.run_source(inputs.of(programs), numbers)
        except PyshardyError:
            return None
        raise


def _near_change_points(programs: Programs, trials: Trials, end: float) -> None:
    """Runs on both sides of each point where a decision changes as the inputs grow or shrink, or as one element of an
    argument grows until its square overflows, while there is time."""
    first = trials.runs[0]
    trials.untried = one_sided([first.decisions])
    if not trials.untried:
        return
    turning, tried = list(trials.untried), {first.inputs}
    for inputs_of, far in _variations(first):
        decide = cache(partial(_decisions, programs, inputs_of, trials.numbers))
        for op, amounts in change_points(turning, first.decisions, far, decide, end):
            trials.untried = [one for one in trials.untried if one is not op]
            for inputs in map(inputs_of, amounts):
                further = _further_run(programs, inputs, trials.numbers) if inputs not in tried else None
                tried.add(inputs)
                if further is not None:
                    trials.runs.append(further)
                if trials.wrong is not None:
                    return


_InputsOf = Callable[[float], Inputs]
"""A function from an amount to inputs; the amount 1 gives those of the first run."""


def _decisions(programs: Programs, inputs_of: _InputsOf, numbers: NumberSystem, amount: float) -> Decisions:
    """The decisions of the global program on the inputs of ``amount``. If it fails (a decomposition may refuse
    infinities), those up to the failure."""
    decisions = Decisions()
    with suppress(PyshardyError):
        programs.run_source(inputs_of(amount).of(programs), numbers, decisions.watch)
    return decisions


def _variations(first: Trial) -> Iterator[tuple[_InputsOf, float]]:
    """How inputs are varied, and up to which amount: all floats together, or one element of one argument."""
    base = first.inputs
    for size in _FAR_SIZES:
        yield lambda amount: replace(base, size=amount), size
    for place in range(min(_MOST_PLACES, float_arguments(first.arrays))):
        yield partial(_with_outlier, base, place), _LARGEST_OUTLIER


def _with_outlier(base: Inputs, place: int, amount: float) -> Inputs:
    return replace(base, outlier=amount, place=place)
