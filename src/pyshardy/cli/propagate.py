"""``pyshardy propagate FILE``: the program with all shardings, and a summary of them."""

from __future__ import annotations

import argparse
import json
import sys

from pyshardy.api import parse, propagate
from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import read_text, write_text
from pyshardy.report.sharding_summary import summarize
from pyshardy.report.sharding_tables import print_summary


def propagate_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code.

    With ``-o`` the program goes to that file and the summary to standard output. Without it the program goes to
    standard output and the summary to standard error; with ``--json`` and no ``-o`` only the summary is printed.
    """
    filename = "<stdin>" if options.file == "-" else options.file
    module = parse(read_text(options.file), filename, allow_unregistered=options.allow_unregistered_dialect)
    module.context.remarks = options.remarks
    propagate(
        module,
        strategy=options.strategy,
        conservative=options.conservative,
        stop_after=options.stop_after,
        dump_directory=options.dump_dir,
    )
    for diagnostic in module.context.diagnostics:
        print(diagnostic_text(diagnostic, module.context.source), file=sys.stderr)
    summary = summarize(module)
    if options.output is not None:
        write_text(options.output, str(module))
    elif not options.json:
        write_text("-", str(module))
    if options.json:
        print(json.dumps(summary.as_json(), indent=2))
    else:
        print_summary(summary, sys.stdout if options.output not in (None, "-") else sys.stderr)
    return 0
