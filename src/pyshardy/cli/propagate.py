"""``pyshardy propagate FILE``: the program with all shardings, and a summary of them and of what has to move."""

from __future__ import annotations

import argparse
import json
import sys

from pyshardy.api import propagate
from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem, module_text, write_text
from pyshardy.cli.program_input import print_notes, read_program, shown_name
from pyshardy.report.communication import Origins, find_transfers
from pyshardy.report.communication_tables import print_transfers
from pyshardy.report.sharding_summary import summarize
from pyshardy.report.sharding_tables import print_summary


def propagate_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code.

    With ``-o`` the program goes to that file and the summary to standard output. Without it the program goes to
    standard output and the summary to standard error; with ``--json`` and no ``-o`` only the summary is printed.
    """
    if options.level == "shardings" and _chooses_reshards(options):
        raise InputProblem(
            "--axis-choice, --reshard-strategy and --reshard-custom-rules need --reshards or --collectives"
        )
    module = read_program(options)
    module.context.remarks = options.remarks
    origins = Origins(module.op)
    propagate(
        module,
        strategy=options.strategy,
        conservative=options.conservative,
        stop_after=options.stop_after,
        dump_directory=options.dump_dir,
        level=options.level,
        axis_choice=options.axis_choice,
        reshard_strategy=options.reshard_strategy,
        reshard_custom_rules=options.reshard_custom_rules,
    )
    for diagnostic in module.context.diagnostics:
        print(diagnostic_text(diagnostic, module.context.source), file=sys.stderr)
    summary = summarize(module)
    explicit = options.level != "shardings"
    transfers = find_transfers(module.op, module.context, origins, options.reshard_strategy) if explicit else []
    if options.output is not None:
        write_text(options.output, module_text(module))
    elif not options.json:
        write_text("-", module_text(module))
    if options.json:
        listed = {options.level: [one.as_json() for one in transfers]} if explicit else {}
        print(json.dumps({"notes": module.notes} | summary.as_json() | listed, indent=2))
    else:
        out = sys.stdout if options.output not in (None, "-") else sys.stderr
        print_notes(module, out)
        print_summary(summary, out, conflicts=not explicit, everything=options.all)
        if explicit:
            print_transfers(transfers, out, shown_name(options.file), everything=options.all)
    return 0


def _chooses_reshards(options: argparse.Namespace) -> bool:
    chosen = (options.axis_choice, options.reshard_strategy, options.reshard_custom_rules)
    return chosen != ("reference", "reference", False)
