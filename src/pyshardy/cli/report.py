"""``pyshardy report FILE``: writes the plan on one page, for a browser; with a second file also the differences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyshardy.cli.explained_program import add_sharding, read_explained, show_diagnostics_of
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.program_input import shown_name
from pyshardy.cli.program_options import add_edits, add_program
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import file_and_strategy

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands
    from pyshardy.report.page.report import Report


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
    add_sharding(parser)
    add_hardware(parser)
    add_edits(parser, "every cause")
    parser.add_argument("-o", "--output", metavar="OUT.html", required=True, help="write the page there")
    parser.set_defaults(run=report_command)


def report_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy report``; the exit code."""
    if options.other is not None and options.against is not None:
        raise InputProblem("a second program and --against are two ways to say what to compare with: one is wanted")
    others: list[argparse.Namespace] = []
    if options.other is not None:
        others.append(argparse.Namespace(**(vars(options) | {"file": options.other, "edits": False})))
    elif options.against is not None:
        changed = {"shardings": options.against, "sharding_strategy": None, "edits": False}
        others.append(argparse.Namespace(**(vars(options) | changed)))
    write_text(options.output, made_page([options, *others]))
    return 0


def made_page(wanted: Sequence[argparse.Namespace]) -> str:
    """The page of the program that the first of ``wanted`` names, with what differs in that of a second.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong; a package is missing.
        PyshardyError: the program is refused.
    """
    from pyshardy.report.page.document import MissingExtra
    from pyshardy.report.page.page import page_text

    with Progress("reading") as progress:
        reports = [_report(options, progress) for options in wanted]
        progress.step("drawing")
        try:
            text = page_text(*reports)
        except MissingExtra as error:
            raise InputProblem(str(error)) from None
    for one in reports:
        show_diagnostics_of(one.explainer)
    return text


def _report(options: argparse.Namespace, progress: Progress) -> Report:
    from pyshardy.report.page.report import Report

    explainer = read_explained(options, progress, read_target(options))
    path, shardings = shown_name(options.file), options.shardings or ""
    if options.sharding_strategy is not None:
        shardings = f"{file_and_strategy(shardings)[0]}:{options.sharding_strategy}"
    return Report.of(explainer, path, path=path, shardings=shardings, edits=options.edits)
