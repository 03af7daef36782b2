"""Both programs on one set of inputs, and which inputs are worth another run.

A run that takes no time is repeated. Any is repeated while a result says nothing, or a decision of the program came out
alike in all runs; and where a decision turns between two sizes of the inputs, close to where it does (``decisions``).
``check`` judges what comes of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf, isfinite

from pyshardy.checking.comparison import Comparison, compared_result
from pyshardy.checking.decisions import Decisions, one_sided, turning_points
from pyshardy.checking.dependence import silent_results
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
    """Both programs on one set of ``inputs``: what the global one makes of them, how the other compares, and the
    decisions on the way."""

    inputs: Inputs
    arrays: list[Array]
    numbers: NumberSystem
    whole: list[Array]
    comparisons: list[Comparison]
    decisions: Decisions

    @classmethod
    def of(cls, programs: Programs, inputs: Inputs, numbers: NumberSystem) -> Trial:
        """Runs both; if they differ, with all doubles, for what is infinite, and for the last word of double precision.

        Raises:
            PyshardyError: the interpreter cannot run one of them.
        """
        arrays, decisions = inputs.of(programs), Decisions()
        whole, parts = programs.run_both(arrays, numbers, inputs.seed, decisions.watch)
        # Where so large numbers overflow depends on the order in which they meet. Beyond what has a square a sum of one
        # order may do so and that of another not.
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
        """Whether any element of any result does."""
        return any(one.differing for one in self.comparisons)


@dataclass
class Trials:
    """All runs of a check: ``problem`` is why they are not exact, ``untried`` are the decisions that no run came close
    to."""

    runs: list[Trial] = field(default_factory=list)
    problem: PyshardyError | None = None
    untried: list[Operation] = field(default_factory=list)

    @property
    def numbers(self) -> NumberSystem:
        """What all of them compute with."""
        return self.runs[0].numbers if self.runs else EXACT

    @property
    def wrong(self) -> Trial | None:
        """The run in which results differ: it is the last one."""
        return self.runs[-1] if self.runs and self.runs[-1].differs else None

    @property
    def silent(self) -> list[int]:
        """The results that have said nothing so far."""
        return silent_results([run.whole for run in self.runs]) if self.runs else []


def run_trials(programs: Programs, seed: int) -> Trials:
    """Runs both programs until a result differs, no more inputs are worth a run, or runs are given up.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    begun = time.perf_counter()
    trials = Trials()
    with suppress(OutOfTime):
        _first(programs, seed, trials)
        _with_other_sizes(programs, seed, trials, begun + _SECONDS_FOR_MORE_RUNS)
        if trials.wrong is None:
            _close_to_turns(programs, trials, begun + _SECONDS_FOR_TURNS)
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
    """Exact if both programs can be evaluated so, else in double precision."""
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
        further = _further(programs, inputs, trials.numbers)
        if further is not None:
            trials.runs.append(further)


def _further(programs: Programs, inputs: Inputs, numbers: NumberSystem) -> Trial | None:
    """Both programs on ``inputs``; None if the global one cannot be run on them: a decomposition may refuse what is
    infinite.

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


def _close_to_turns(programs: Programs, trials: Trials, end: float) -> None:
    """Runs on both sides of each point where a decision turns as the inputs grow or shrink, or as one element of an
    argument grows beyond what has a square, while there is time."""
    first = trials.runs[0]
    trials.untried = one_sided([first.decisions])
    if not trials.untried:
        return
    turning, tried = list(trials.untried), {first.inputs}
    for inputs_of, far in _ways(first):
        decide = cache(partial(_decisions, programs, inputs_of, trials.numbers))
        for op, amounts in turning_points(turning, first.decisions, far, decide, end):
            trials.untried = [one for one in trials.untried if one is not op]
            for inputs in map(inputs_of, amounts):
                further = _further(programs, inputs, trials.numbers) if inputs not in tried else None
                tried.add(inputs)
                if further is not None:
                    trials.runs.append(further)
                if trials.wrong is not None:
                    return


_Way = Callable[[float], Inputs]
"""From an amount to inputs; the amount 1 gives those of the first run."""


def _decisions(programs: Programs, inputs_of: _Way, numbers: NumberSystem, amount: float) -> Decisions:
    """What the global program decides on the inputs of ``amount``, until it fails if it does: a decomposition may
    refuse what is infinite."""
    decisions = Decisions()
    with suppress(PyshardyError):
        programs.run_source(inputs_of(amount).of(programs), numbers, decisions.watch)
    return decisions


def _ways(first: Trial) -> Iterator[tuple[_Way, float]]:
    """How inputs may change, and how far: all floats together, or one element of one argument."""
    base = first.inputs
    for size in _FAR_SIZES:
        yield lambda amount: replace(base, size=amount), size
    for place in range(min(_MOST_PLACES, float_arguments(first.arrays))):
        yield partial(_with_outlier, base, place), _LARGEST_OUTLIER


def _with_outlier(base: Inputs, place: int, amount: float) -> Inputs:
    return replace(base, outlier=amount, place=place)
