"""``pyshardy partition FILE``: the program of one device."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, module_text, write_text
from pyshardy.cli.program_input import print_notes, read_program, shown_name
from pyshardy.cli.program_options import add_output, add_program, add_propagated, add_propagation, add_sizes_and_rules
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.api import Module
    from pyshardy.cli.main import Commands
    from pyshardy.partitioning.plan import Plan


def add_parser(commands: Commands) -> None:
    """Adds ``partition``."""
    parser = commands.add_parser(
        "partition",
        help="make the program of one device",
        description="Propagates the shardings of a StableHLO program and partitions it: every device runs the program "
        "that is printed (or written with -o) on its shards. Prints what it costs.",
    )
    add_program(parser)
    add_sizes_and_rules(parser)
    add_propagated(parser)
    add_propagation(parser)
    add_output(parser)
    parser.add_argument(
        "--emit",
        choices=("local", "manual", "collectives"),
        default="local",
        help="local (default): shapes of one device and StableHLO collectives; manual: the same inside one manual "
        "computation with the global signature, which JAX and XLA load as they would the original; collectives: the "
        "global program with Shardy's collectives",
    )
    parser.add_argument(
        "--replica-groups",
        choices=("list", "mesh-axes"),
        default="list",
        help="how replica groups are written: device by device (default), or as axes of the mesh",
    )
    parser.set_defaults(run=partition_command)


def partition_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy partition``; the exit code. Program and summary go where those of ``propagate`` go."""
    from pyshardy.report.plan_summary import summarize_plan
    from pyshardy.report.plan_tables import print_plan

    with Progress("reading") as progress:
        plan = plan_of(options, options.emit, options.replica_groups, progress, in_place=True)
    show_diagnostics(plan.module.context.diagnostics, plan.module.context.source)
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


def plan_of(
    options: argparse.Namespace, emit: str, replica_groups: str, progress: Progress, *, in_place: bool = False
) -> Plan:
    """The plan for the program that ``options`` name, partitioned as they say.

    Raises:
        InputProblem: an option does not fit the program.
        PyshardyError: the program is refused.
    """
    from pyshardy.partitioning.plan import partition

    module = read_program(options)
    if getattr(options, "callbacks", False):
        _reject_callbacks(module, shown_name(options.file))
    progress.step("partitioning")
    try:
        return partition(
            module,
            emit=emit,
            replica_groups=replica_groups,
            propagated=options.propagated,
            in_place=in_place,
            chlo_rules=options.chlo_rules,
            progress=progress.count,
        )
    except ValueError as error:
        raise InputProblem(str(error)) from None


def _reject_callbacks(module: Module, filename: str) -> None:
    """Says why the host callbacks of a program that was read from a file cannot be called.

    Raises:
        InputProblem: there are any.
    """
    from pyshardy.interpreter.operations.callbacks import CALLBACKS
    from pyshardy.rules.properties import string

    for op in module.op.walk():
        if op.name == "stablehlo.custom_call" and string(op, "call_target_name") in CALLBACKS:
            place = module.context.position(op.location)
            raise InputProblem(
                f"--callbacks: {place}: the Python functions that this program calls are in the process that lowered "
                f"it, not in {filename}; there, pyshardy.use_callbacks(module, lowered) has a check call them"
            )
