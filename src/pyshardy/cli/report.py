"""``pyshardy report FILE``: the plan on one page, for a browser; with a second file also what differs there."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.cli.failures import show_diagnostics
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.program_input import shown_name
from pyshardy.cli.program_options import add_edits, add_program, add_propagation, add_sizes_and_rules
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_shardings, add_strategy, read_sharded_program

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands
    from pyshardy.report.page.page import Report


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "report",
        help="write the plan as one page for a browser",
        description="Propagates and partitions a StableHLO program and writes one page that needs nothing else: "
        "whether it fits, how long a step takes, what costs most, the program with the shardings of every tensor and "
        "their causes, communication, memory, propagation step by step.",
    )
    add_program(parser)
    parser.add_argument("other", nargs="?", metavar="OTHER", help="a second program: the page also says what differs")
    parser.add_argument(
        "--against", metavar="S.toml[:NAME]", help="the same program with these shardings: what differs there"
    )
    parser.add_argument(
        "--hardware", metavar="NAME|FILE.toml", help="what it runs on, for times and capacity (see pyshardy cost)"
    )
    add_sizes_and_rules(parser)
    add_shardings(parser)
    add_strategy(parser)
    add_propagation(parser)
    add_edits(parser, "every cause")
    parser.add_argument("-o", "--output", metavar="OUT.html", required=True, help="write the page there")
    parser.set_defaults(run=report_command)


def report_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy report``; the exit code."""
    from pyshardy.report.page.page import MissingExtra, page_text

    if options.other is not None and options.against is not None:
        raise InputProblem("a second program and --against are two ways to say what to compare with: one is wanted")
    with Progress("reading") as progress:
        report = report_of(options, progress)
        other = None
        if options.other is not None:
            other = report_of(argparse.Namespace(**(vars(options) | {"file": options.other, "edits": False})), progress)
        elif options.against is not None:
            changed = {"shardings": options.against, "sharding_strategy": None, "edits": False}
            other = report_of(argparse.Namespace(**(vars(options) | changed)), progress, options.against)
        progress.step("drawing")
        try:
            text = page_text(report, other)
        except MissingExtra as error:
            raise InputProblem(str(error)) from None
    for one in filter(None, (report, other)):
        show_diagnostics(one.explainer.traced.program.context.diagnostics, one.explainer.traced.given.context.source)
    write_text(options.output, text)
    return 0


def report_of(options: argparse.Namespace, progress: Progress, name: str | None = None) -> Report:
    """What the page of the program that ``options`` name is made of.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong.
        PyshardyError: the program is refused.
    """
    from pyshardy.analysis.cost.hardware_files import hardware
    from pyshardy.report.page.page import Report

    try:
        on = hardware(options.hardware) if options.hardware is not None else None
        module = read_sharded_program(options)
        progress.step("partitioning")
        return Report.of(
            module,
            name or shown_name(options.file),
            path=shown_name(options.file),
            hardware=on,
            edits=options.edits,
            chlo_rules=options.chlo_rules,
            progress=progress.count,
        )
    except (OSError, ValueError) as error:
        raise InputProblem(str(error)) from None
