"""Proves a plan right: the given program and the local one compute the same from random inputs, exactly.

The global program runs on one device, the local one on as many as the mesh has, in the interpreter, with numbers that
no operation rounds (``interpreter.exact``). Each device gets its shards, padding gets random numbers, and every shard
of every result is compared with its part of the global one. Where the exact results differ, double precision has the
last word (``rounding``). ``plan.check()`` and ``pyshardy check`` come here.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from pyshardy.checking.comparison import Comparison, compared_result
from pyshardy.checking.decisions import Decisions
from pyshardy.checking.dependence import reached_results
from pyshardy.checking.inputs import scaled
from pyshardy.checking.locate import WrongOperation, first_wrong_operation
from pyshardy.checking.programs import Programs
from pyshardy.checking.rounding import rounding_of
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.interpreter.number_systems import DOUBLES, EXACT, RESIDUES, NumberSystem
from pyshardy.ir.context import PyshardyError
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.names import boundary_names

_SECONDS_FOR_MORE_RUNS = 0.25
_SIZES = (1.0, 30.0, None, 1 / 30)
"""By how much the floats of the inputs are scaled, run by run; None puts an infinity among them."""
_LEAST_TOLERANCE = 1e-13
"""Of double precision, relative to the largest element."""
_EXCUSED = 100
_LARGEST_EXCUSE = 1e-6
_BYTES_OF_EXACT_NUMBERS = 4
"""How many times the memory of single precision they take."""


class TooLarge(ValueError):
    """The program's tensors do not fit into the memory that a check may take; the message says what to do."""


class Verdict(Enum):
    """What a check says of a result."""

    EQUAL = "equal"
    WITHIN_ROUNDING = "within rounding"
    DIFFERENT = "different"
    SAYS_NOTHING = "says nothing"


@dataclass(frozen=True)
class ResultCheck:
    """One result: the verdict and, unless it is ``EQUAL``, its reason; the largest error of any element in double
    precision, relative to the largest element, 0 if no element differs; what the program's author calls it."""

    index: int
    type: str
    verdict: Verdict
    reason: str = ""
    error: float = 0.0
    name: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the partitioned program is shown to compute this result, exactly or within rounding."""
        return self.verdict in (Verdict.EQUAL, Verdict.WITHIN_ROUNDING)


@dataclass(frozen=True, repr=False)
class CheckReport:
    """What a check found. ``evaluation`` says with what numbers, ``runs`` on how many inputs; ``first_wrong`` is the
    first operation whose shards are wrong, if a result differs and the partitioner knows what became of each value;
    ``notes`` say what else there is to know: how the program was read, what was passed over, why it is not exact."""

    results: tuple[ResultCheck, ...]
    devices: int
    seed: int
    seconds: float
    evaluation: str
    runs: int
    first_wrong: WrongOperation | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        from pyshardy.report.check_tables import outcome

        return f"<CheckReport: {outcome(self)} on {self.devices} devices, {self.evaluation} evaluation>"

    @property
    def agrees(self) -> bool:
        """Whether every result is equal or within rounding."""
        return all(one.agrees for one in self.results)

    @property
    def differs(self) -> bool:
        """Whether a result is wrong; what says nothing is neither shown to be right nor wrong."""
        return any(one.verdict is Verdict.DIFFERENT for one in self.results)


def check_plan(plan: Plan, seed: int = 0, *, most_bytes: int = 16 << 30) -> CheckReport:
    """Runs both programs of ``plan`` and compares their results.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
        TooLarge: the tensors of all devices together take more than ``most_bytes``.
    """
    needed = _BYTES_OF_EXACT_NUMBERS * plan.memory.peak * plan.devices
    if needed > most_bytes:
        raise TooLarge(
            f"running the program on {plan.devices} devices takes about {needed / 2**30:.1f} GiB, more than the "
            f"{most_bytes / 2**30:.1f} GiB that a check may use; check a copy of the program with smaller shapes "
            "(lower the JAX function with smaller arguments: the partitioning does not depend on sizes that divide)"
        )
    return check_programs(programs_of(plan), seed)


def programs_of(plan: Plan) -> Programs:
    """The two programs of ``plan``."""
    traced = plan.correspondence.module if plan.correspondence is not None else None
    values = plan.correspondence.values if plan.correspondence is not None else None
    return Programs(plan.source, plan.local, plan.entry, plan.devices, plan.arguments, plan.results, traced, values)


def check_programs(programs: Programs, seed: int = 0) -> CheckReport:
    """Runs two programs and compares their results: again and again on other inputs while that takes no time.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    begun = time.perf_counter()
    run, problem = _first_run(programs, seed)
    runs = [run]
    for number in range(1, len(_SIZES)):
        is_cheap = time.perf_counter() - begun < _SECONDS_FOR_MORE_RUNS
        is_unseen = number == 1 and bool(_silent(programs, runs))
        if runs[-1].has_differences or not (is_cheap or is_unseen or _is_one_sided(runs)):
            break
        # A decomposition may refuse what is infinite.
        with suppress(PyshardyError):
            runs.append(_Run.of(programs, seed, run.numbers, number))
    if runs[-1].has_differences and runs[-1].numbers is RESIDUES:
        # With all doubles, for what is infinite, and for the last word of double precision.
        runs[-1] = _Run.of(programs, seed, EXACT, runs[-1].number)
    results = _named(programs, _verdicts(programs, runs))
    wrong = next((one for one in runs if one.has_differences), None)
    located: WrongOperation | None = None
    if wrong is not None and any(one.verdict is Verdict.DIFFERENT for one in results):
        located = first_wrong_operation(programs, wrong.inputs, wrong.numbers, wrong.seed)
    seconds = time.perf_counter() - begun
    return CheckReport(
        tuple(results),
        programs.devices,
        seed,
        seconds,
        run.numbers.name,
        len(runs),
        located,
        _notes(programs, problem),
    )


def _notes(programs: Programs, problem: PyshardyError | None) -> tuple[str, ...]:
    found = list(programs.source.notes)
    for context in (programs.source.context, programs.local.context):
        found += [one.message for one in context.diagnostics if one.severity == "remark"]
    if problem is not None:
        found.append(f"double precision, because exact evaluation fails: {problem.diagnostics[0].message}")
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class _Run:
    """Both programs on one set of inputs; ``decisions`` are the single truth values that floats gave."""

    number: int
    seed: int
    numbers: NumberSystem
    inputs: list[Array]
    whole: list[Array]
    comparisons: list[Comparison]
    decisions: Decisions

    @classmethod
    def of(cls, programs: Programs, seed: int, numbers: NumberSystem, number: int = 0) -> _Run:
        inputs = scaled(programs.inputs(seed + number), _SIZES[number], seed + number)
        decisions = Decisions()
        whole, parts = programs.run_both(inputs, numbers, seed + number, decisions.watch)
        found = zip(whole, parts, programs.results, strict=True)
        return cls(number, seed + number, numbers, inputs, whole, [compared_result(*one) for one in found], decisions)

    @property
    def has_differences(self) -> bool:
        return any(one.differing for one in self.comparisons)


def _first_run(programs: Programs, seed: int) -> tuple[_Run, PyshardyError | None]:
    """Exact if both programs can be evaluated so, else in double precision, and why."""
    try:
        return _Run.of(programs, seed, RESIDUES), None
    except PyshardyError as problem:
        try:
            return _Run.of(programs, seed, DOUBLES), problem
        except PyshardyError:
            raise problem from None


def _is_one_sided(runs: list[_Run]) -> bool:
    """Whether a decision of the program (is the norm beyond its bound, is everything finite) came out alike in all
    runs: inputs of another size may turn it."""
    seen: dict[object, set[bool]] = {}
    for run in runs:
        for place, values in run.decisions.seen.items():
            seen.setdefault(place, set()).update(values)
    return any(len(values) == 1 for values in seen.values())


# --- what is constant says nothing ------------------------------------------------------------------------------------


def _silent(programs: Programs, runs: list[_Run]) -> list[int]:
    """The results that depend on inputs, as the program is written, but are one and the same number in all runs."""
    reached = reached_results(programs.source.op, programs.function)
    found = []
    for index, _ in enumerate(programs.results):
        values = [run.whole[index] for run in runs]
        if not values[0].size or index not in reached:
            continue
        if all(_is_constant(value) for value in values) and all(_first(value) == _first(values[0]) for value in values):
            found.append(index)
    return found


def _is_constant(value: Array) -> bool:
    """Whether all elements are one number; a single one is, if it is a small whole number or no number at all."""
    flat = _numbers(value)
    if flat.size == 1:
        number = complex(flat[0])
        return not np.isfinite(number) or (number.imag == 0 and number.real in (-1, 0, 1))
    return bool((flat == flat[0]).all() or (flat.dtype.kind in "fc" and np.isnan(flat).all()))


def _numbers(value: Array) -> Array:
    """What tells elements apart: residues of exact numbers, which are small whole numbers themselves, and symbols."""
    if not is_exact(value.dtype):
        return value.reshape(-1)
    exact: Any = value
    numbers: Array = np.where(np.isfinite(exact.value), exact.residue, exact.value)
    return numbers.reshape(-1)


def _first(value: Array) -> str:
    # There is no minus zero.
    return str(_numbers(value)[0] + 0)


# --- verdicts ---------------------------------------------------------------------------------------------------------


def _verdicts(programs: Programs, runs: list[_Run]) -> list[ResultCheck]:
    differing = [run for run in runs if run.has_differences]
    silent = _silent(programs, runs) if not differing else []
    roundings = {run.seed: rounding_of(programs, run.inputs) for run in differing}
    results = []
    for index, boundary in enumerate(programs.results):
        type = str(boundary.type)
        worst = ResultCheck(index, type, Verdict.EQUAL)
        for run in differing:
            if run.comparisons[index].differing:
                found = _rounded_verdict(index, type, run.comparisons[index], roundings[run.seed][index], run.numbers)
                worst = found if worst.verdict is not Verdict.DIFFERENT else worst
        if index in silent:
            constant = _first(runs[0].whole[index])
            reason = f"it is {constant} throughout, whatever the inputs are: nothing in it could be wrong"
            worst = ResultCheck(index, type, Verdict.SAYS_NOTHING, reason)
        results.append(worst)
    return results


def _named(programs: Programs, results: list[ResultCheck]) -> list[ResultCheck]:
    names = boundary_names(programs.function).results
    return [replace(one, name=names[one.index]) for one in results]


def _rounded_verdict(
    index: int, type: str, comparison: Comparison, rounding: float, numbers: NumberSystem
) -> ResultCheck:
    error = comparison.error
    if error <= max(_LEAST_TOLERANCE, _EXCUSED * min(rounding, _LARGEST_EXCUSE)):
        differs = "doubles differ" if numbers is DOUBLES else "the exact values differ"
        reason = (
            f"{differs}, but in double precision by {error:.1e} only, and inputs and sums that differ in the last "
            f"digit change it by {rounding:.1e}"
        )
        return ResultCheck(index, type, Verdict.WITHIN_ROUNDING, reason, error)
    first = comparison.first
    assert first is not None
    place = f"element {list(first.element)}" if first.element else "it"
    reason = f"{place} is {first.found} on device {first.device}, {first.expected} in the given program"
    if comparison.differing > 1:
        reason += f"; {comparison.differing} elements differ"
    return ResultCheck(index, type, Verdict.DIFFERENT, reason, error)
