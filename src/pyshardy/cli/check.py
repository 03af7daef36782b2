"""``pyshardy check FILE``: the program whole and partitioned, and whether they compute the same."""

from __future__ import annotations

import argparse
import json
import sys

from pyshardy.api import parse
from pyshardy.cli.files import InputProblem, read_text
from pyshardy.cli.partition import plan_of
from pyshardy.report.check_tables import check_as_json, print_check


def check_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy check``; the exit code is 0 if every result is equal or within rounding, else 1."""
    from pyshardy.checking.check import TooLarge, check_plan, check_programs
    from pyshardy.checking.inputs import UnknownInput
    from pyshardy.checking.local_programs import WrongLocalProgram, programs_from
    from pyshardy.interpreter.element_types import UnsupportedType

    try:
        if options.local is None:
            report = check_plan(plan_of(options, "local", "list"), options.seed)
        else:
            allowed = options.allow_unregistered_dialect
            source, local = (
                parse(read_text(name), "<stdin>" if name == "-" else name, allow_unregistered=allowed)
                for name in (options.file, options.local)
            )
            report = check_programs(programs_from(source, local), options.seed)
    except (TooLarge, UnknownInput, UnsupportedType, WrongLocalProgram) as error:
        raise InputProblem(str(error)) from None
    if options.json:
        print(json.dumps(check_as_json(report), indent=2))
    else:
        print_check(report, sys.stdout)
    return 0 if report.agrees else 1
