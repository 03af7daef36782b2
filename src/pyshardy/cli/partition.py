"""``pyshardy partition FILE``: partitions a program into the program of one device."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.choices import FORMS, REPLICA_GROUPS
from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_options import add_output, add_program, add_propagated, add_propagation, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes, summary_output, write_program
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_shardings, add_strategy, read_sharded_program

if TYPE_CHECKING:
    from pyshardy.analysis.cost.targets import Target
    from pyshardy.api.module import Module
    from pyshardy.cli.parser import Commands
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
    add_shardings(parser)
    add_strategy(parser)
    add_propagated(parser)
    add_propagation(parser)
    add_output(parser)
    parser.add_argument(
        "--emit",
        choices=FORMS,
        default="local",
        help="local (default): shapes of one device and StableHLO collectives; manual: the same inside one manual "
        "computation with the global signature, which JAX and XLA load as they would the original; collectives: the "
        "global program with Shardy's collectives",
    )
    parser.add_argument(
        "--replica-groups",
        choices=REPLICA_GROUPS,
        default="list",
        help="how replica groups are written: device by device (default), or as axes of the mesh",
    )
    add_hardware(parser)
    parser.set_defaults(run=partition_command)


def partition_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy partition``; the exit code."""
    from pyshardy.report.plan_summary import summarize_plan
    from pyshardy.report.plan_tables import print_plan

    where = read_target(options)
    with Progress("reading") as progress:
        module = read_sharded_program(options)
        plan = plan_of(module, options, progress, options.emit, options.replica_groups, in_place=True, target=where)
    show_diagnostics(plan.module.context.diagnostics, plan.module.context.source)
    summary = summarize_plan(plan)
    write_program(plan.module, options)
    if options.json:
        print(json_text("partition", {"notes": plan.source.notes} | summary.as_json()))
    else:
        out = summary_output(options)
        print_notes(plan.source.notes, out)
        print_plan(summary, out, everything=options.all)
    return 0


def plan_of(
    module: Module,
    options: argparse.Namespace,
    progress: Progress,
    emit: str = "local",
    replica_groups: str = "list",
    *,
    in_place: bool = False,
    target: Target | None = None,
) -> Plan:
    """The plan for ``module``, partitioned as ``options`` say; that which is quickest on ``target``, or on the hardware
    that its sharding file names.

    Raises:
        InputProblem: an option does not fit the program.
        PyshardyError: the program is refused.
    """
    from pyshardy.planning import partition

    progress.step("partitioning")
    try:
        price = None
        if target is not None or module.hardware is not None:
            from pyshardy.analysis.cost.candidate_price import price_for, seconds_on

            price = price_for(module) if target is None else seconds_on(target)
        return partition(
            module,
            emit=emit,
            replica_groups=replica_groups,
            propagated=options.propagated,
            in_place=in_place,
            chlo_rules=options.chlo_rules,
            progress=progress.count,
            price=price,
        )
    except ValueError as error:
        raise InputProblem(str(error)) from None
