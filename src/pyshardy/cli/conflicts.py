"""``pyshardy conflicts FILE``: lists the conflicts between annotations of a program, and what each costs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.explained_program import add_sharding, read_explained, show_diagnostics_of
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_options import add_edits, add_program
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "conflicts",
        help="say which annotations do not fit together, and what that costs",
        description="Propagates and partitions a StableHLO program and lists the pairs of annotations that conflict, "
        "those that move the most bytes first (with --hardware: those that take the most exposed time), each with the "
        "best edit that was tried.",
    )
    add_program(parser)
    add_sharding(parser)
    add_hardware(parser)
    add_edits(parser, "every cause")
    parser.add_argument("--json", action="store_true", help="print the causes, or what is wrong, as JSON")
    parser.add_argument("--all", action="store_true", help="show every cause")
    parser.set_defaults(run=conflicts_command)


def conflicts_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy conflicts``; the exit code."""
    from pyshardy.analysis.why.conflicts import find_conflicts
    from pyshardy.report.conflict_tables import print_conflicts

    where = read_target(options)
    with Progress("reading") as progress:
        explainer = read_explained(options, progress, where)
        conflicts = find_conflicts(explainer, edits=options.edits)
    show_diagnostics_of(explainer)
    notes = explainer.traced.source.notes
    if options.json:
        print(json_text("conflicts", {"notes": notes} | conflicts.as_json()))
    else:
        print_notes(notes, sys.stdout)
        print_conflicts(conflicts, sys.stdout, everything=options.all)
    return 0
