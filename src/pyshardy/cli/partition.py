"""``pyshardy partition FILE`` and ``pyshardy check FILE``: the program of one device, and a check of it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, read_text, write_text
from pyshardy.cli.program_options import add_output, add_program, add_propagated, add_propagation
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.api import Module
    from pyshardy.cli.main import Commands
    from pyshardy.partitioning.plan import Plan


def add_partition_parser(commands: Commands) -> None:
    """Adds ``partition``."""
    parser = commands.add_parser(
        "partition",
        help="make the program of one device",
        description="Propagates the shardings of a StableHLO program and partitions it: every device runs the program "
        "that is printed (or written with -o) on its shards. Prints what it costs.",
    )
    add_program(parser)
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


def add_check_parser(commands: Commands) -> None:
    """Adds ``check``."""
    parser = commands.add_parser(
        "check",
        help="run the program whole and partitioned, and compare",
        description="Partitions a StableHLO program, runs it and the local program on all devices of its mesh in the "
        "interpreter on random inputs, and compares every shard of every result. Exit code 1 if one differs.",
    )
    add_program(parser)
    add_propagated(parser)
    add_propagation(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs (default: 0)")
    parser.add_argument(
        "--callbacks", action="store_true", help="call the program's host callbacks, or say why that cannot be"
    )
    parser.add_argument("--json", action="store_true", help="print the outcome, or what is wrong, as JSON")
    parser.set_defaults(run=check_command)


def partition_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy partition``; the exit code. Program and summary go where those of ``propagate`` go."""
    from pyshardy.report.plan_summary import summarize_plan
    from pyshardy.report.plan_tables import print_plan

    with Progress("reading") as progress:
        plan = _plan(options, options.emit, options.replica_groups, progress, in_place=True)
    show_diagnostics(plan.module.context.diagnostics, plan.module.context.source)
    summary = summarize_plan(plan)
    if options.output is not None:
        write_text(options.output, str(plan.module))
    elif not options.json:
        write_text("-", str(plan.module))
    if options.json:
        print(json.dumps(summary.as_json(), indent=2))
    else:
        print_plan(summary, sys.stdout if options.output not in (None, "-") else sys.stderr)
    return 0


def check_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy check``; the exit code is 1 if a result differs."""
    from pyshardy.checking.check import TooLarge
    from pyshardy.checking.inputs import UnknownInput
    from pyshardy.interpreter.element_types import UnsupportedType
    from pyshardy.report.plan_tables import print_check

    with Progress("reading") as progress:
        plan = _plan(options, "local", "list", progress)
        progress.step("checking")
        try:
            report = plan.check(options.seed)
        except (TooLarge, UnknownInput, UnsupportedType) as error:
            raise InputProblem(str(error)) from None
    remarked = (*plan.source.context.diagnostics, *plan.local.context.diagnostics)
    show_diagnostics(remarked, plan.source.context.source)
    if options.json:
        results = [
            {
                "index": one.index,
                "type": one.type,
                "error": one.error,
                "tolerance": one.tolerance,
                "only_rounding": one.is_rounding,
                "agrees": one.agrees,
            }
            for one in report.results
        ]
        found = {"agrees": report.agrees, "devices": report.devices, "seed": report.seed, "results": results}
        print(json.dumps(found, indent=2))
    else:
        print_check(report, sys.stdout)
    return 0 if report.agrees else 1


def _plan(
    options: argparse.Namespace, emit: str, replica_groups: str, progress: Progress, *, in_place: bool = False
) -> Plan:
    from pyshardy.api import parse
    from pyshardy.partitioning.plan import partition

    filename = "<stdin>" if options.file == "-" else options.file
    module = parse(read_text(options.file), filename, allow_unregistered=options.allow_unregistered_dialect)
    if getattr(options, "callbacks", False):
        _reject_callbacks(module, filename)
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
