"""``pyshardy``: what an engineer asks of the partitioner, one subcommand a question.

``pyshardy propagate FILE`` shards every tensor of a program and says what came of it.
"""

from __future__ import annotations

import argparse
import sys

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem
from pyshardy.ir.context import PyshardyError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pyshardy", description="Shardy, the tensor partitioner, in pure Python.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    propagate = commands.add_parser(
        "propagate",
        help="shard every tensor of a program",
        description="Imports a StableHLO program, propagates its shardings through the whole hierarchy, exports it, "
        "and prints the program (or writes it with -o) and a summary.",
    )
    propagate.add_argument("file", metavar="FILE", help="the program as text, - for standard input")
    propagate.add_argument("-o", "--output", metavar="OUT", help="write the program there; the summary goes to stdout")
    propagate.add_argument("--json", action="store_true", help="print the summary as JSON instead of tables")
    propagate.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )
    propagate.add_argument(
        "--strategy",
        choices=("basic", "aggressive", "op-priority", "user-priority"),
        default="user-priority",
        help="how far up the hierarchy of conflict resolution to go (default: all of it, user-priority)",
    )
    propagate.add_argument(
        "--conservative", action="store_true", help="never split an axis, nor propagate along changing dimensions"
    )
    propagate.add_argument(
        "--stop-after", type=int, metavar="PRIORITY", help="show the program after that user priority"
    )
    propagate.add_argument("--dump-dir", default="", metavar="DIR", help="write the program there at several stages")
    propagate.add_argument(
        "--remarks", action="store_true", help="say of each unknown operation how it gets a sharding rule"
    )
    return parser


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    options = _parser().parse_args(arguments)
    from pyshardy.cli.propagate import propagate_command

    try:
        return propagate_command(options)
    except PyshardyError as error:
        for diagnostic in error.diagnostics:
            print(diagnostic_text(diagnostic, error.source), file=sys.stderr)
    except InputProblem as error:
        print(f"pyshardy: {error}", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    return 1


def main() -> None:
    """Entry point of the command ``pyshardy``."""
    sys.exit(run(sys.argv[1:]))
