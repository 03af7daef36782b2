"""``pyshardy show FILE WHAT…``: draws a tensor on its mesh as a grid: a cell for a device, replicas in one colour."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.explained_program import add_sharding, read_explained, show_diagnostics_of
from pyshardy.cli.files import InputProblem
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_options import add_program
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "show",
        help="draw a tensor on its mesh: which device holds which slice",
        description="Propagates and partitions a StableHLO program and draws each WHAT on its mesh as a grid: a cell "
        "a device with the slice that it holds, replicas in one colour, padding marked; of a collective of the "
        "partition the groups of devices.",
    )
    add_program(parser)
    parser.add_argument(
        "what",
        nargs="+",
        metavar="WHAT",
        help="a tensor or a collective, as for pyshardy explain: params['w'], %%12, model.py:42, dot_general:7, "
        "all_gather:3; a star means every one",
    )
    add_sharding(parser)
    parser.add_argument("--all", action="store_true", help="draw every device, however many there are")
    parser.add_argument("--json", action="store_true", help="print the slices, or what is wrong, as JSON")
    parser.set_defaults(run=show_command)


def show_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy show``; the exit code."""
    from pyshardy.report.mesh_drawing import drawings, print_drawing

    with Progress("reading") as progress:
        explainer = read_explained(options, progress)
        try:
            found = [one for what in options.what for one in drawings(explainer, what)]
        except ValueError as error:
            raise InputProblem(str(error)) from None
    show_diagnostics_of(explainer)
    if not found:
        raise InputProblem(f"{', '.join(options.what)}: there is no tensor to draw")
    if options.json:
        single = len(found) == 1 and "*" not in options.what[0]
        listed = [one.as_json() for one in found]
        print(json_text("show", listed[0] if single else listed))
        return 0
    for number, drawing in enumerate(found):
        if number:
            print()
        print_drawing(drawing, sys.stdout, everything=options.all)
    return 0
