"""``pyshardy``: what an engineer asks of the partitioner, one subcommand a question.

``pyshardy propagate FILE`` shards every tensor of a program and says what came of it; ``partition`` makes the program
of one device of it, ``check`` proves that right; ``interpret`` runs it. ``COMMANDS`` says which function runs each.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from pyshardy.cli import interpret
from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem
from pyshardy.cli.program_input import add_program, add_sizes_and_rules
from pyshardy.ir.context import PyshardyError
from pyshardy.resharding.options import AXIS_CHOICES, RESHARD_STRATEGIES

if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pyshardy", description="Shardy, the tensor partitioner, in pure Python.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    propagate = commands.add_parser(
        "propagate",
        help="shard every tensor of a program",
        description="Imports a StableHLO program, propagates its shardings through the whole hierarchy, exports it, "
        "and prints the program (or writes it with -o) and a summary.",
    )
    add_program(propagate)
    add_sizes_and_rules(propagate)
    _add_output(propagate)
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
        "--remarks",
        action="store_true",
        help="advice: rules that are missing, manual axes that were left to be completed",
    )
    _add_levels(propagate)
    _add_partition(commands)
    _add_check(commands)
    interpret.add_parser(commands)
    return parser


def _add_levels(propagate: argparse.ArgumentParser) -> None:
    levels = propagate.add_mutually_exclusive_group()
    levels.add_argument(
        "--reshards",
        dest="level",
        action="store_const",
        const="reshards",
        default="shardings",
        help="make all reshards explicit and list them: what they cost, and which operation needs each",
    )
    levels.add_argument(
        "--collectives",
        dest="level",
        action="store_const",
        const="collectives",
        help="make the reshards collectives and list those",
    )
    propagate.add_argument(
        "--axis-choice",
        choices=AXIS_CHOICES,
        default="reference",
        help="with these: how the common axes of an operation are chosen (default: as Shardy does, reference)",
    )
    propagate.add_argument(
        "--reshard-strategy",
        choices=RESHARD_STRATEGIES,
        default="reference",
        help="with these: reshards become the collectives that Shardy takes (reference, the default) or those that "
        "move the fewest bytes",
    )
    propagate.add_argument(
        "--reshard-custom-rules",
        action="store_true",
        help="with these: reshard for operations with a custom rule too",
    )


def _add_partition(commands: _Commands) -> None:
    partition = commands.add_parser(
        "partition",
        help="make the program of one device",
        description="Propagates the shardings of a StableHLO program and partitions it: every device runs the program "
        "that is printed (or written with -o) on its shards. Prints what it costs.",
    )
    _add_input(partition)
    _add_output(partition)
    partition.add_argument(
        "--emit",
        choices=("local", "manual", "collectives"),
        default="local",
        help="local (default): shapes of one device and StableHLO collectives; manual: the same inside one manual "
        "computation with the global signature, which JAX and XLA load as they would the original; collectives: the "
        "global program with Shardy's collectives",
    )
    partition.add_argument(
        "--replica-groups",
        choices=("list", "mesh-axes"),
        default="list",
        help="how replica groups are written: device by device (default), or as axes of the mesh",
    )


def _add_check(commands: _Commands) -> None:
    check = commands.add_parser(
        "check",
        help="run the program whole and partitioned, and compare",
        description="Partitions a StableHLO program, runs it and the local program on all devices of its mesh in the "
        "interpreter on random inputs without any rounding, and compares every shard of every result. Exit code 0 if "
        "every result is equal or within rounding, else 1.",
    )
    _add_input(check)
    check.add_argument(
        "--local",
        metavar="LOCAL",
        help="a program of one device that somebody else made of FILE, to be judged instead of our own: @main with "
        "local shapes and sdy.sharding on its arguments and results",
    )
    check.add_argument("--seed", type=int, default=0, help="of the random inputs (default: 0)")
    check.add_argument("--json", action="store_true", help="print the outcome as JSON instead of a table")


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", help="write the program there; the summary goes to stdout")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON instead of tables")
    parser.add_argument(
        "--all", action="store_true", help="show every row by itself instead of one for those that are alike"
    )


def _add_input(parser: argparse.ArgumentParser) -> None:
    add_program(parser)
    add_sizes_and_rules(parser)
    parser.add_argument(
        "--propagated", action="store_true", help="take the shardings as they stand instead of propagating them first"
    )


COMMANDS = {
    "check": "pyshardy.cli.check:check_command",
    "interpret": "pyshardy.cli.interpret:interpret_command",
    "partition": "pyshardy.cli.partition:partition_command",
    "propagate": "pyshardy.cli.propagate:propagate_command",
}
"""Subcommand → module:function, loaded when it is run."""


def run(arguments: list[str]) -> int:
    """The whole command; the exit code."""
    options = _parser().parse_args(arguments)
    module, _, name = COMMANDS[options.command].partition(":")
    command: Callable[[argparse.Namespace], int] = getattr(import_module(module), name)
    try:
        return command(options)
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
    # The interpreter multiplies stacks of small matrices: threads would mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))
