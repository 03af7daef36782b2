"""``pyshardy check FILE``: the program whole and partitioned, and whether they compute the same."""

from __future__ import annotations

import argparse
import json
import sys

from pyshardy.cli.files import InputProblem
from pyshardy.cli.memory import keep_freed_memory
from pyshardy.cli.partition import plan_of
from pyshardy.cli.program_input import print_notes, read_program
from pyshardy.report.check_tables import check_as_json, print_check


def check_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy check``; the exit code is 0 if every result is equal or within rounding, else 1."""
    from pyshardy.checking.check import TooLarge, check_plan, check_programs
    from pyshardy.checking.inputs import UnknownInput
    from pyshardy.checking.local_programs import WrongLocalProgram, programs_from
    from pyshardy.interpreter.element_types import UnsupportedType

    keep_freed_memory()
    try:
        if options.local is None:
            plan = plan_of(options, "local", "list")
            source, report = plan.source, check_plan(plan, options.seed)
        else:
            source, local = read_program(options), read_program(options, options.local)
            report = check_programs(programs_from(source, local), options.seed)
    except (TooLarge, UnknownInput, UnsupportedType, WrongLocalProgram) as error:
        raise InputProblem(str(error)) from None
    if options.json:
        print(json.dumps({"notes": source.notes} | check_as_json(report), indent=2))
    else:
        print_notes(source, sys.stdout)
        print_check(report, sys.stdout)
    return 0 if report.agrees else 1
