"""``pyshardy propagate FILE``: propagates the shardings of a program, and prints it with a summary."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from pyshardy.choices import EXPORT_FORMS, STRATEGIES
from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, check_directory
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_input import shown_name
from pyshardy.cli.program_options import add_output, add_program, add_propagation, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes, summary_output, write_program
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_shardings, add_strategy, read_sharded_program
from pyshardy.resharding.options import AXIS_CHOICES, RESHARD_STRATEGIES

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands

_RESHARD_OPTIONS: dict[str, Any] = {
    "axis_choice": AXIS_CHOICES[0],
    "reshard_strategy": RESHARD_STRATEGIES[0],
    "reshard_custom_rules": False,
}
"""The options of ``propagate`` that choose reshards and collectives, with their defaults."""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "propagate",
        help="shard every tensor of a program",
        description="Imports a StableHLO program, propagates its shardings through the whole hierarchy, exports it, "
        "and prints the program (or writes it with -o) and a summary.",
    )
    add_program(parser)
    add_sizes_and_rules(parser)
    add_shardings(parser)
    add_output(parser)
    add_strategy(parser)
    parser.add_argument(
        "--hierarchy",
        choices=tuple(STRATEGIES),
        default="user-priority",
        help="how far up the hierarchy of conflict resolution to go (default: all of it, user-priority)",
    )
    parser.add_argument(
        "--conservative", action="store_true", help="never split an axis, nor propagate along changing dimensions"
    )
    add_propagation(parser)
    parser.add_argument("--stop-after", type=int, metavar="PRIORITY", help="show the program after that user priority")
    parser.add_argument("--dump-dir", default="", metavar="DIR", help="write the program there at several stages")
    parser.add_argument(
        "--export",
        choices=EXPORT_FORMS,
        default="sdy",
        help="the form of the program that is written: with operations of Shardy (sdy, the default), or with strings "
        "in frontend attributes and custom calls, as JAX and XLA exchange programs (xla)",
    )
    parser.add_argument(
        "--remarks",
        action="store_true",
        help="report missing sharding rules, and manual axes that are out of order or that shardings do not list",
    )
    _add_levels(parser)
    parser.set_defaults(run=propagate_command)


def _take_old_spelling(options: argparse.Namespace) -> None:
    """``--strategy`` has said what ``--hierarchy`` says."""
    given = options.sharding_strategy
    if given in STRATEGIES:
        options.hierarchy, options.sharding_strategy = given, None
        print(
            f"pyshardy: --strategy {given} is --hierarchy {given} now; --strategy names one of a sharding file",
            file=sys.stderr,
        )


def _add_levels(parser: argparse.ArgumentParser) -> None:
    levels = parser.add_mutually_exclusive_group()
    levels.add_argument(
        "--reshards",
        dest="level",
        action="store_const",
        const="reshards",
        default="shardings",
        help="make all reshards explicit and list them: what they cost, and which operation needs each",
    )
    levels.add_argument(
        "--collectives",
        dest="level",
        action="store_const",
        const="collectives",
        help="make the reshards collectives and list those",
    )
    parser.add_argument(
        "--axis-choice",
        choices=AXIS_CHOICES,
        default=_RESHARD_OPTIONS["axis_choice"],
        help="with --reshards or --collectives: how the common axes of an operation are chosen (default: as Shardy "
        "does, reference)",
    )
    parser.add_argument(
        "--reshard-strategy",
        choices=RESHARD_STRATEGIES,
        default=_RESHARD_OPTIONS["reshard_strategy"],
        help="with --reshards or --collectives: reshards become the collectives that Shardy takes (reference, the "
        "default) or those that move the fewest bytes; verbatim is reference that leaves axes of size 1 where Shardy "
        "leaves them",
    )
    parser.add_argument(
        "--reshard-custom-rules",
        action="store_true",
        help="with --reshards or --collectives: reshard for operations with a custom rule too",
    )


def propagate_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code."""
    _take_old_spelling(options)
    if options.level == "shardings" and _reshard_options(options) != _RESHARD_OPTIONS:
        *most, last = ("--" + name.replace("_", "-") for name in _RESHARD_OPTIONS)
        raise InputProblem(f"{', '.join(most)} and {last} need --reshards or --collectives")
    if options.export == "xla" and options.level == "collectives":
        raise InputProblem("--export xla and --collectives exclude each other: the form has no collectives of Shardy's")
    from pyshardy.api.programs import propagate
    from pyshardy.report.communication import Origins, find_transfers
    from pyshardy.report.communication_tables import print_transfers
    from pyshardy.report.sharding_summary import summarize
    from pyshardy.report.sharding_tables import print_summary

    check_directory("--dump-dir", options.dump_dir)
    with Progress("reading") as progress:
        module = read_sharded_program(options)
        module.context.remarks = options.remarks
        origins = Origins(module.op)
        progress.step("propagating")
        propagate(
            module,
            strategy=options.hierarchy,
            conservative=options.conservative,
            stop_after=options.stop_after,
            dump_directory=options.dump_dir,
            level=options.level,
            **_reshard_options(options),
            chlo_rules=options.chlo_rules,
            progress=progress.report,
        )
        written = module.to_xla() if options.export == "xla" else module
        progress.step("summing up")
        summary = summarize(module)
        explicit = options.level != "shardings"
        transfers = find_transfers(module.op, module.context, origins, options.reshard_strategy) if explicit else []
    show_diagnostics(module.context.diagnostics, module.context.source)
    write_program(written, options)
    if options.json:
        listed = {options.level: [one.as_json() for one in transfers]} if explicit else {}
        print(json_text("propagate", {"notes": module.notes} | summary.as_json() | listed))
    else:
        out = summary_output(options)
        print_notes(module.notes, out)
        print_summary(summary, out, conflicts=not explicit, everything=options.all)
        if explicit:
            print_transfers(transfers, out, shown_name(options.file), everything=options.all)
    return 0


def _reshard_options(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in _RESHARD_OPTIONS}
