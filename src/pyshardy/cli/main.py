"""``pyshardy``: what an engineer asks of the partitioner, one subcommand a question.

``pyshardy propagate FILE`` shards every tensor of a program and says what came of it; ``partition`` makes the program
of one device of it, ``check`` proves that right, ``cost`` says how long a step takes on given hardware, ``compare``
sets strategies side by side, ``shardings`` writes what a program has to a file; ``interpret`` runs it. Each stands in
the file of its name, whose ``add_parser`` adds its parser; the default ``run`` of that is the command.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from pyshardy.cli.failures import CRASHED, INTERRUPTED, crash_text, report_failure
from pyshardy.cli.files import InputProblem, give_up_standard_output
from pyshardy.cli.parser import Parser
from pyshardy.ir.collector import leave_uncollected
from pyshardy.ir.diagnostics import PyshardyError

COMMANDS = (
    "propagate",
    "partition",
    "check",
    "explain",
    "conflicts",
    "cost",
    "report",
    "view",
    "show",
    "plot",
    "compare",
    "shardings",
    "interpret",
    "completion",
)


def command_parser(only: str | None = None) -> Parser:
    """The parser of the command line, with all subcommands, or one."""
    parser = Parser(prog="pyshardy", description="Shardy, the tensor partitioner, in pure Python.")
    parser.add_argument("--version", action="store_true", help="print the version and what it understands, and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        if only in (None, name):
            import_module(f"pyshardy.cli.{name}").add_parser(commands)
    return parser


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    as_json = "--json" in arguments
    try:
        parser = command_parser(arguments[0] if arguments and arguments[0] in COMMANDS else None)
        options = parser.parse_args(arguments)
        if options.version:
            from pyshardy.versions import versions_text

            print(versions_text())
            return 0
        if options.command is None:
            parser.print_help()
            return 0
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except (PyshardyError, InputProblem) as error:
        report_failure(error, as_json=as_json)
    except BrokenPipeError:
        give_up_standard_output()
    except KeyboardInterrupt:
        print("pyshardy: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as problem:
        print(crash_text("pyshardy", " ".join(["pyshardy", *arguments]), problem), file=sys.stderr)
        return CRASHED
    return 1


def main() -> None:
    """Entry point of the command ``pyshardy``."""
    # The interpreter multiplies stacks of small matrices: threads would mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = run(sys.argv[1:])
    leave_uncollected()
    sys.exit(code)


if __name__ == "__main__":
    main()
