"""Proves a plan right: the global program and the local one compute exactly the same from random inputs.

The global program runs on one device, the local one on as many as the mesh has, in the interpreter, with numbers that
no operation rounds (``interpreter.exact``). Each device gets its shards, padding gets random numbers, and every shard
of every result is compared with its part of the global one (``trials``). Where the exact results differ, results in
double precision decide whether that is rounding (``verdicts``). ``plan.check()`` and ``pyshardy check`` call it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from pyshardy.checking.dependence import constant_text
from pyshardy.checking.hidden_inputs import hiding_operation
from pyshardy.checking.labels import labels_of
from pyshardy.checking.locate import WrongOperation, first_wrong_operation, wrong_operation
from pyshardy.checking.programs import Programs
from pyshardy.checking.proof import Proof, Prover
from pyshardy.checking.rounding import rounding_of
from pyshardy.checking.trials import Trials, fails_alone, run_trials
from pyshardy.checking.verdicts import CheckReport, ResultCheck, Verdict, hidden_difference, judged
from pyshardy.interpreter.frame import OutOfTime
from pyshardy.interpreter.number_systems import EXACT
from pyshardy.interpreter.run import check_simulated_devices
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.source_location import source_location
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.names import boundary_names

_BYTES_OF_EXACT_NUMBERS = 4
"""The memory of exact numbers, relative to single precision."""

_SECONDS_BESIDE_A_PROOF = 2.0
"""The seconds for which both programs may run as a whole if every part has been compared."""

SMALLER_SHAPES = (
    "check the program with smaller shapes (--small, module.made_small()): the partitioning does not depend on sizes "
    "that divide"
)
"""What to do with a program that is too large."""

Progress = Callable[[str, int, int], None]


class TooLarge(ValueError):
    """The program's tensors do not fit into the memory that a check may take; the message says what to do."""


def check_plan(
    plan: Plan, seed: int = 0, *, most_bytes: int = 16 << 30, progress: Progress | None = None
) -> CheckReport:
    """Runs both programs of ``plan``, part by part and as a whole, and compares their results. ``progress`` is called
    with the current step, how much of it is done, and of how much (0: unknown).

    Raises:
        PyshardyError: the interpreter cannot run one of them, or not on so many devices.
        TooLarge: the tensors of all devices together take more than ``most_bytes``.
        UnknownInput: an argument has a dynamic size, or elements that are not plain numbers.
        ValueError: ``seed`` is negative.
    """
    if seed < 0:
        raise ValueError(f"a seed is a whole number from 0 on, not {seed}")
    check_simulated_devices(plan.devices)
    needed = _BYTES_OF_EXACT_NUMBERS * plan.memory.peak * plan.devices
    if needed > most_bytes:
        raise TooLarge(
            f"running the program on {plan.devices} devices takes about {needed / 2**30:.1f} GiB, more than the "
            f"{most_bytes / 2**30:.1f} GiB that a check may use; {SMALLER_SHAPES}"
        )
    return check_programs(programs_of(plan), seed, progress)


def programs_of(plan: Plan) -> Programs:
    """The two programs of ``plan``."""
    return Programs(
        plan.source, plan.local, plan.entry, plan.devices, plan.arguments, plan.results, plan.correspondence
    )


def check_programs(programs: Programs, seed: int = 0, progress: Progress | None = None) -> CheckReport:
    """Proves one part after the other, runs both programs on inputs drawn with ``seed``, and compares their results.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    begun = time.perf_counter()
    prover = _prover(programs, seed, progress)
    proof = _empty_proof(programs) if prover is None else prover.prove(removes=False)
    if progress is not None:
        progress("running both programs", 0, 0)
    end = None if proof.open else time.monotonic() + _SECONDS_BESIDE_A_PROOF
    trials = _trials(replace(programs, end=end), seed, proof)
    if prover is not None and trials.wrong is None and len(proof.proven) < len(programs.results):
        proof = prover.prove()
    results = tuple(_results(programs, trials, proof))
    return CheckReport(
        results,
        programs.devices,
        seed,
        time.perf_counter() - begun,
        trials.numbers.name,
        len(trials.runs),
        _first_wrong(programs, trials, proof, results),
        tuple(dict.fromkeys(_notes(programs, trials, proof))),
        proof.compared,
        proof.alike,
    )


def _trials(programs: Programs, seed: int, proof: Proof) -> Trials:
    """The runs of both programs; none if the global program itself fails on the inputs but every part is proven right.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    try:
        return run_trials(programs, seed)
    except PyshardyError as problem:
        if proof.open or proof.failures or fails_alone(programs, seed) is None:
            raise
        return Trials(problem=problem)


def _prover(programs: Programs, seed: int, progress: Progress | None) -> Prover | None:
    """The prover of single parts; None if the local values cannot be matched to global ones."""
    correspondence = programs.correspondence
    if correspondence is None or not correspondence.values or programs.source.context.callbacks:
        return None
    told = None if progress is None else partial(progress, "comparing operations")
    return Prover(programs, correspondence.module, labels_of(programs), seed, told)


def _empty_proof(programs: Programs) -> Proof:
    return Proof(open=dict.fromkeys(range(len(programs.results)), "nothing is known of the local values"))


def _results(programs: Programs, trials: Trials, proof: Proof) -> list[ResultCheck]:
    names = boundary_names(programs.function).results
    wrong = trials.wrong
    roundings = rounding_of(programs, wrong.arrays) if wrong is not None else []
    silent = [] if wrong is not None else [one for one in trials.silent if _depends_on_inputs(programs, one)]
    found = []
    for index, boundary in enumerate(programs.results):
        verdict, reason, error = Verdict.EQUAL, "", 0.0
        if wrong is not None and wrong.comparisons[index].differing:
            verdict, reason = judged(wrong.comparisons[index], roundings[index], wrong.numbers)
            error = wrong.comparisons[index].error
        if index in proof.failures and verdict is not Verdict.DIFFERENT:
            comparison = proof.failures[index].comparison
            verdict, reason, error = Verdict.DIFFERENT, hidden_difference(comparison), comparison.error
        elif index in silent:
            constant = _constant(programs, trials, index)
            reason = f"it is {constant} throughout, whatever the inputs are"
            if index in proof.proven:
                reason += "; the operations that compute it were compared part by part"
            else:
                verdict = Verdict.SAYS_NOTHING
                reason += f": no run could show a mistake in it{_hidden_by(programs, trials, index)}"
        elif verdict is Verdict.EQUAL and index in proof.within_rounding and not trials.runs:
            verdict = Verdict.WITHIN_ROUNDING
            reason = "an operation that it is computed from agrees in double precision only"
        found.append(ResultCheck(index, str(boundary.type), verdict, reason, error, names[index]))
    return found


def _depends_on_inputs(programs: Programs, index: int) -> bool:
    """Whether a result depends on arguments, and is no token."""
    return index in programs.reached_results and isinstance(programs.results[index].type, TensorType)


def _constant(programs: Programs, trials: Trials, index: int) -> str:
    """The text of the number that a result had in all runs."""
    first = trials.runs[0]
    found = first.whole[index]
    if first.numbers.only_decided and not programs.source.context.callbacks:
        # Its doubles may not have been computed, and with them infinities and NaN.
        with suppress(OutOfTime):
            limited = replace(programs, end=time.monotonic() + _SECONDS_BESIDE_A_PROOF)
            found = limited.run_source(first.arrays, EXACT)[index]
    return constant_text(found)


def _hidden_by(programs: Programs, trials: Trials, index: int) -> str:
    """Names the operation that hides the inputs from a result."""
    first = trials.runs[0]
    if programs.source.context.callbacks:
        return ""
    op = hiding_operation(programs, first.arrays, first.numbers, index)
    return (
        "" if op is None else f", since {op.name} at {source_location(op.location, programs.source.context)} hides it"
    )


def _first_wrong(
    programs: Programs, trials: Trials, proof: Proof, results: Iterable[ResultCheck]
) -> WrongOperation | None:
    if not any(one.verdict is Verdict.DIFFERENT for one in results):
        return None
    wrong = trials.wrong
    found = None
    if wrong is not None:
        found = first_wrong_operation(programs, wrong.arrays, wrong.numbers, wrong.inputs.seed)
    for failure in sorted(proof.failures.values(), key=lambda one: one.position):
        op, difference = failure.claim.local.defining_op, failure.comparison.first
        if found is None and op is not None and difference is not None:
            found = wrong_operation(op, failure.claim.value, difference, programs.local.context)
    return found


def _notes(programs: Programs, trials: Trials, proof: Proof) -> list[str]:
    found = list(programs.source.notes)
    for context in (programs.source.context, programs.local.context):
        found += [one.message for one in context.diagnostics if one.severity == "remark"]
    if trials.problem is not None and trials.runs:
        found.append(f"double precision, because exact evaluation fails: {trials.problem.diagnostics[0].message}")
    if trials.problem is not None and not trials.runs:
        found.append(
            f"the source program fails on random inputs, so only its parts were compared: "
            f"{trials.problem.diagnostics[0].message}"
        )
    elif not trials.runs:
        found.append(
            "each part was compared alone on random values, one of those that are alike, and one iteration of a loop; "
            f"runs of the whole programs take longer than {_SECONDS_BESIDE_A_PROOF:g} s and were not finished"
        )
    if trials.wrong is None and proof.open:
        for op in trials.untried:
            place = source_location(op.location, programs.source.context)
            found.append(f"{op.name} at {place} decided alike in all runs, and no run was close to its bound")
    return found
