"""``pyshardy interpret FILE``: runs ``@main`` of each part of a file and prints what it returns.

Test programs check themselves: a check that fails is an error with its place, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.files import InputProblem
from pyshardy.cli.program_input import add_program, program_text, shown_name
from pyshardy.cli.split_input import split_input
from pyshardy.ir.context import Context, PyshardyError, SourceText

if TYPE_CHECKING:
    from pyshardy.ir.attributes import Attribute

_MARKER = "// -----"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "interpret",
        help="run a program in the interpreter",
        description="Runs @main of a StableHLO program (or its only function) and prints the results. Parts of the "
        "file between lines '// -----' are programs of their own. Understands the checks check.expect_* and "
        "interpreter.run_parallel, probe and print. Exit code 1 if a part fails.",
    )
    add_program(parser)
    parser.add_argument(
        "--args",
        default="[]",
        metavar="LIST",
        help="the arguments of the function as constants, for example '[dense<1> : tensor<2xi32>]'",
    )
    parser.add_argument("--function", default="main", metavar="NAME", help="the function to run (default: main)")
    parser.add_argument(
        "--probe-output-dir", metavar="DIR", help="where interpreter.probe writes values, as .npy files and index.csv"
    )


def interpret_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code."""
    filename = shown_name(options.file)
    inputs = _constants(options.args)
    text = program_text(options.file, allow_unregistered=options.allow_unregistered_dialect)
    if not text.strip():
        raise InputProblem(f"{filename} is empty: there is no program in it")
    failed = False
    for part in split_input(text, filename, _MARKER):
        if not part.text.strip():
            continue
        try:
            _interpret(part, options, inputs)
        except PyshardyError as error:
            failed = True
            for diagnostic in error.diagnostics:
                print(diagnostic_text(diagnostic, error.source), file=sys.stderr)
        except InputProblem as error:
            failed = True
            print(f"pyshardy: {error}", file=sys.stderr)
    return int(failed)


def _constants(text: str) -> list[Attribute]:
    """The constants of a list ``[dense<…> : tensor<…>, …]``."""
    from pyshardy.api import parse
    from pyshardy.ir.attributes import ArrayAttr

    try:
        value = parse(f"module attributes {{test.args = {text}}} {{}}", "--args", allow_unregistered=True)
    except PyshardyError as error:
        raise InputProblem(f"--args is no list of constants: {error.diagnostics[0].message}") from None
    found = value.op.get("test.args")
    if not isinstance(found, ArrayAttr):
        raise InputProblem("--args is no list of constants")
    return list(found)


def _interpret(part: SourceText, options: argparse.Namespace, constants: list[Attribute]) -> None:
    import pyshardy.interpreter  # noqa: F401, what makes the dialects of test programs known
    from pyshardy.api import parse_in
    from pyshardy.dialects.func import function_type
    from pyshardy.interpreter.element_types import UnsupportedType, constant_array
    from pyshardy.interpreter.frame import Machine
    from pyshardy.interpreter.grid import Grid
    from pyshardy.interpreter.run import WrongInputs, checked_inputs, entry_function, run_function
    from pyshardy.interpreter.value_text import value_text

    module = parse_in(Context(part, allow_unregistered=options.allow_unregistered_dialect))
    machine = Machine(module.op, module.context, Grid(), module.resources)
    machine.probe_directory = options.probe_output_dir
    try:
        function = entry_function(module, options.function)
        arrays = checked_inputs(function, [constant_array(one, module.resources)[None] for one in constants], 1)
    except (UnsupportedType, WrongInputs) as error:
        raise InputProblem(f"{part.filename}:{part.first_line}: {error}") from None
    results = run_function(machine, function, arrays)
    for value, type in zip(results, function_type(function).results, strict=True):
        print(value_text(value if isinstance(value, tuple) else value[0], type))
