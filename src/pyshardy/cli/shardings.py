"""``pyshardy shardings FILE``: writes the shardings of a program as a sharding file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_input import read_program
from pyshardy.cli.program_options import add_program, add_sizes_and_rules
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "shardings",
        help="write the shardings of a program as a sharding file",
        description="Prints the mesh of a StableHLO program and the shardings that it has as a file in TOML, to be "
        "changed and given to --shardings. With --all there is a line for each argument and result that has none, too.",
    )
    add_program(parser)
    add_sizes_and_rules(parser)
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="write the file there")
    parser.add_argument("--json", action="store_true", help="print it, or what is wrong, as JSON")
    parser.add_argument(
        "--all", action="store_true", help='list arguments and results without a sharding, too, with "?" (all open)'
    )
    parser.set_defaults(run=shardings_command)


def shardings_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy shardings``; the exit code."""
    with Progress("reading"):
        module = read_program(options)
    try:
        text = module.shardings_file(everything=options.all)
    except ValueError as error:
        raise InputProblem(str(error)) from None
    if options.json:
        import tomllib

        text = json_text("shardings", tomllib.loads(text)) + "\n"
    write_text(options.output, text)
    return 0
