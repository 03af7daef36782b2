"""``pyshardy explain FILE WHAT…``: says why a tensor is sharded as it is, and what would change that."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.explained_program import add_sharding, read_explained, show_diagnostics_of
from pyshardy.cli.files import InputProblem, write_text
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.json_output import json_text
from pyshardy.cli.program_options import add_edits, add_program
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress

if TYPE_CHECKING:
    from pyshardy.analysis.why.explanation import Explanation
    from pyshardy.cli.parser import Commands


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "explain",
        help="say why a tensor is sharded as it is, and what would change it",
        description="Propagates and partitions a StableHLO program and answers for each WHAT: the chain of steps from "
        "the annotation that started it to each axis of a tensor, what kept other axes away, and edits that were "
        "tried; or for a collective which operation needs it, and the two shardings that conflict there.",
    )
    add_program(parser)
    parser.add_argument(
        "what",
        nargs="+",
        metavar="WHAT",
        help="an argument or result (params['w'], params/layers/*/w, result[0]), a value (%%12, %%12#1), a source line "
        "(model.py:42), a scope (layer_3/attention), an operation (dot_general:7), a collective of the partition "
        "(all_gather:3); a star means every one",
    )
    add_sharding(parser)
    add_hardware(parser)
    add_edits(parser, "each answer")
    parser.add_argument(
        "--apply", type=int, metavar="N", help="write the program with edit number N of the only answer (needs -o)"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="where the program with that edit goes")
    parser.add_argument("--json", action="store_true", help="print the answer, or what is wrong, as JSON")
    parser.set_defaults(run=explain_command)


def explain_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy explain``; the exit code."""
    from pyshardy.report.explanation_text import print_explanation

    if (options.apply is None) != (options.output is None):
        raise InputProblem("--apply N and -o OUT belong together: the program with edit N is written to OUT")
    where = read_target(options)
    with Progress("reading") as progress:
        explainer = read_explained(options, progress, where)
        try:
            answers = [one for what in options.what for one in explainer.explain(what, edits=options.edits)]
        except ValueError as error:
            raise InputProblem(str(error)) from None
    show_diagnostics_of(explainer)
    if options.apply is not None:
        _write_edited(answers, options)
    if options.json:
        single = len(answers) == 1 and len(options.what) == 1 and "*" not in options.what[0]
        listed = [one.as_json() for one in answers]
        print(json_text("explain", listed[0] if single else listed))
        return 0
    print_notes(explainer.traced.source.notes, sys.stdout)
    for number, answer in enumerate(answers):
        if number:
            print()
        print_explanation(answer, sys.stdout)
    return 0


def _write_edited(answers: list[Explanation], options: argparse.Namespace) -> None:
    """Writes the program with the edit that was asked for.

    Raises:
        InputProblem: there is no such edit, or no file to write.
    """
    edits = [edit for answer in answers for edit in answer.edits]
    if not 1 <= options.apply <= len(edits):
        there_is = f"there are {len(edits)} edits that do" if len(edits) != 1 else "there is 1 edit that does"
        raise InputProblem(f"--apply {options.apply}: {there_is} what was asked, counted from 1")
    edited = edits[options.apply - 1].edited
    write_text(options.output, edited.text(debug_info=edited.has_locations))
