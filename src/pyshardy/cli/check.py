"""``pyshardy check FILE``: runs the program whole and partitioned, and compares the results."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.failures import is_out_of_memory, show_diagnostics
from pyshardy.cli.files import InputProblem
from pyshardy.cli.json_output import json_text
from pyshardy.cli.memory import keep_freed_memory, limited_memory
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_input import read_file, shown_name
from pyshardy.cli.program_options import add_program, add_propagated, add_propagation, add_sizes_and_rules
from pyshardy.cli.program_output import print_notes
from pyshardy.cli.progress import Progress
from pyshardy.cli.sharding_options import add_shardings, add_strategy, read_sharded_program
from pyshardy.ir.diagnostics import PyshardyError

_MOST_DIGITS = 20
"""Of a seed."""

if TYPE_CHECKING:
    from pyshardy.api.module import Module
    from pyshardy.cli.parser import Commands
    from pyshardy.partitioning.plan import Plan


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "check",
        help="run the program whole and partitioned, and compare",
        description="Partitions a StableHLO program, runs it and the local program on all devices of its mesh in the "
        "interpreter on random inputs without any rounding, and compares every shard of every result. Exit code 0 if "
        "every result is equal or within rounding, else 1.",
    )
    add_program(parser)
    add_sizes_and_rules(parser)
    add_shardings(parser)
    add_strategy(parser)
    add_propagated(parser)
    add_propagation(parser)
    parser.add_argument(
        "--local",
        metavar="LOCAL",
        help="a program of one device that somebody else made of FILE, to be judged instead of our own: @main with "
        "local shapes and sdy.sharding on its arguments and results",
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help="check the same program with shapes as small as its shardings allow, where it is too large to be run",
    )
    parser.add_argument("--seed", type=_seed, default=0, help="of the random inputs (default: 0)")
    parser.add_argument(
        "--callbacks",
        action="store_true",
        help="call the program's host callbacks (possible from Python only; for a file, explain how)",
    )
    parser.add_argument("--json", action="store_true", help="print the outcome, or what is wrong, as JSON")
    parser.set_defaults(run=check_command)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS):
        raise argparse.ArgumentTypeError(f"'{text}' is no seed: a whole number from 0 on")
    return int(text)


def check_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy check``; the exit code is 0 if every result is equal or within rounding, else 1."""
    from pyshardy.checking.check import SMALLER_SHAPES, TooLarge, check_plan, check_programs
    from pyshardy.checking.inputs import UnknownInput
    from pyshardy.checking.local_programs import WrongLocalProgram, programs_from
    from pyshardy.interpreter.element_types import UnsupportedType
    from pyshardy.report.check_tables import check_as_json, print_check

    keep_freed_memory()
    try:
        with limited_memory(), Progress("reading") as progress:
            source = read_sharded_program(options)
            if options.callbacks:
                _reject_callbacks(source, shown_name(options.file))
            if options.small:
                source = _made_small(source, options)
            if options.local is None:
                plan = plan_of(source, options, progress)
                local = plan.local
                progress.step("checking")
                report = check_plan(plan, options.seed, progress=progress.report)
            else:
                local = read_file(options.local, options)
                own = _own_plan(source, options, progress)
                progress.step("checking")
                report = check_programs(programs_from(source, local, own), options.seed, progress.report)
    except (TooLarge, UnknownInput, UnsupportedType, WrongLocalProgram) as error:
        raise InputProblem(str(error)) from None
    except (MemoryError, PyshardyError) as error:
        if not is_out_of_memory(error):
            raise
        small = "" if options.small else f"; {SMALLER_SHAPES}"
        raise InputProblem(f"running the program takes more memory than there is{small}") from None
    show_diagnostics((*source.context.diagnostics, *local.context.diagnostics), source.context.source)
    if options.json:
        print(json_text("check", check_as_json(report)))
    else:
        print_notes(report.notes, sys.stdout)
        print_check(report, sys.stdout)
    return 0 if report.agrees else 1


def _made_small(source: Module, options: argparse.Namespace) -> Module:
    from pyshardy.checking.small_program import NotSmaller, small_program

    if options.local is not None:
        raise InputProblem("--small makes the program small, and not the one that --local names: give one of them")
    try:
        return small_program(source)
    except NotSmaller as problem:
        as_it_is = "without --small it is checked as it is, if it fits into memory"
        raise InputProblem(f"{shown_name(options.file)}: {problem}; {as_it_is}") from None


def _own_plan(source: Module, options: argparse.Namespace, progress: Progress) -> Plan | None:
    """Our own plan for the program, to compare the local program with; None if there is none."""
    said = len(source.context.diagnostics)
    try:
        return plan_of(source, options, progress)
    except (PyshardyError, InputProblem):
        return None
    finally:
        del source.context.diagnostics[said:]


def _reject_callbacks(module: Module, filename: str) -> None:
    """Says why the host callbacks of a program that was read from a file cannot be called.

    Raises:
        InputProblem: there are any.
    """
    from pyshardy.interpreter.operations.callbacks import CALLBACKS
    from pyshardy.rules.properties import string

    for op in module.op.walk():
        if op.name == "stablehlo.custom_call" and string(op, "call_target_name") in CALLBACKS:
            place = module.context.position(op.location)
            raise InputProblem(
                f"--callbacks: {place}: the Python functions that this program calls are in the process that lowered "
                f"it, not in {filename}; there, pyshardy.use_callbacks(module, lowered) has a check call them"
            )
