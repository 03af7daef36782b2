"""``pyshardy partition FILE``: the program of one device."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem, module_text, write_text
from pyshardy.cli.program_input import print_notes, read_program
from pyshardy.partitioning.plan import Plan, partition
from pyshardy.report.plan_summary import summarize_plan
from pyshardy.report.plan_tables import print_plan

_SECONDS_BEFORE_PROGRESS = 1.0
_SECONDS_BETWEEN_REPORTS = 0.5


def partition_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy partition``; the exit code. Program and summary go where those of ``propagate`` go."""
    plan = plan_of(options, options.emit, options.replica_groups, in_place=True)
    summary = summarize_plan(plan)
    if options.output is not None:
        write_text(options.output, module_text(plan.module))
    elif not options.json:
        write_text("-", module_text(plan.module))
    if options.json:
        print(json.dumps({"notes": plan.source.notes} | summary.as_json(), indent=2))
    else:
        out = sys.stdout if options.output not in (None, "-") else sys.stderr
        print_notes(plan.source, out)
        print_plan(summary, out, everything=options.all)
    return 0


def plan_of(options: argparse.Namespace, emit: str, replica_groups: str, *, in_place: bool = False) -> Plan:
    """The plan for the program that ``options`` name, partitioned as they say.

    Raises:
        InputProblem: an option does not fit the program.
        PyshardyError: the program is refused.
    """
    module = read_program(options)
    try:
        plan = partition(
            module,
            emit=emit,
            replica_groups=replica_groups,
            propagated=options.propagated,
            in_place=in_place,
            progress=_progress(),
        )
    except ValueError as error:
        raise InputProblem(str(error)) from None
    for diagnostic in plan.module.context.diagnostics:
        print(diagnostic_text(diagnostic, plan.module.context.source), file=sys.stderr)
    return plan


def _progress() -> Callable[[int, int], None]:
    """Says on standard error how far the partitioner is, once it has taken a second."""
    next_report = time.perf_counter() + _SECONDS_BEFORE_PROGRESS

    def report(done: int, total: int) -> None:
        nonlocal next_report
        if done % 64 == 0 and time.perf_counter() >= next_report:
            next_report += _SECONDS_BETWEEN_REPORTS
            print(f"partitioned {done} of about {total} operations", file=sys.stderr, flush=True)

    return report
