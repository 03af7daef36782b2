"""Proves a plan right: the given program and the local one compute the same from random inputs, exactly.

The global program runs on one device, the local one on as many as the mesh has, in the interpreter, with numbers that
no operation rounds (``interpreter.exact``). Each device gets its shards, padding gets random numbers, and every shard
of every result is compared with its part of the global one (``trials``). Where the exact results differ, double
precision has the last word (``verdicts``). ``plan.check()`` and ``pyshardy check`` come here.
"""

from __future__ import annotations

import time

from pyshardy.checking.dependence import constant_text
from pyshardy.checking.locate import first_wrong_operation
from pyshardy.checking.programs import Programs
from pyshardy.checking.rounding import rounding_of
from pyshardy.checking.trials import Trials, run_trials
from pyshardy.checking.verdicts import CheckReport, ResultCheck, Verdict, judged
from pyshardy.interpreter.run import look_at_simulated
from pyshardy.ir.source_location import source_location
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.names import boundary_names

_BYTES_OF_EXACT_NUMBERS = 4
"""How many times the memory of single precision they take."""


class TooLarge(ValueError):
    """The program's tensors do not fit into the memory that a check may take; the message says what to do."""


def check_plan(plan: Plan, seed: int = 0, *, most_bytes: int = 16 << 30) -> CheckReport:
    """Runs both programs of ``plan`` and compares their results.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
        TooLarge: the tensors of all devices together take more than ``most_bytes``.
    """
    look_at_simulated(plan.devices)
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
    traced, values = plan.correspondence.module, plan.correspondence.values
    return Programs(plan.source, plan.local, plan.entry, plan.devices, plan.arguments, plan.results, traced, values)


def check_programs(programs: Programs, seed: int = 0) -> CheckReport:
    """Runs two programs on inputs drawn with ``seed`` and compares their results.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
    """
    begun = time.perf_counter()
    trials = run_trials(programs, seed)
    results = tuple(_results(programs, trials))
    wrong = trials.wrong
    located = None
    if wrong is not None and any(one.verdict is Verdict.DIFFERENT for one in results):
        located = first_wrong_operation(programs, wrong.arrays, wrong.numbers, wrong.inputs.seed)
    return CheckReport(
        results,
        programs.devices,
        seed,
        time.perf_counter() - begun,
        trials.numbers.name,
        len(trials.runs),
        located,
        tuple(dict.fromkeys(_notes(programs, trials))),
    )


def _results(programs: Programs, trials: Trials) -> list[ResultCheck]:
    names = boundary_names(programs.function).results
    wrong = trials.wrong
    roundings = rounding_of(programs, wrong.arrays) if wrong is not None else []
    silent = [] if wrong is not None else [one for one in trials.silent if one in programs.reached_results]
    found = []
    for index, boundary in enumerate(programs.results):
        verdict, reason, error = Verdict.EQUAL, "", 0.0
        if wrong is not None and wrong.comparisons[index].differing:
            verdict, reason = judged(wrong.comparisons[index], roundings[index], wrong.numbers)
            error = wrong.comparisons[index].error
        elif index in silent:
            constant = constant_text(trials.runs[0].whole[index])
            verdict = Verdict.SAYS_NOTHING
            reason = f"it is {constant} throughout, whatever the inputs are: nothing in it could be wrong"
        found.append(ResultCheck(index, str(boundary.type), verdict, reason, error, names[index]))
    return found


def _notes(programs: Programs, trials: Trials) -> list[str]:
    found = list(programs.source.notes)
    for context in (programs.source.context, programs.local.context):
        found += [one.message for one in context.diagnostics if one.severity == "remark"]
    if trials.problem is not None:
        found.append(f"double precision, because exact evaluation fails: {trials.problem.diagnostics[0].message}")
    if trials.wrong is None:
        for op in trials.untried:
            place = source_location(op.location, programs.source.context)
            found.append(f"the decision of {op.name} at {place} was not tried close to where it turns")
    return found
