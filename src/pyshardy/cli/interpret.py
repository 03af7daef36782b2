"""``pyshardy interpret FILE``: runs ``@main`` of each part of a file and prints its results.

Test programs check themselves: a check that fails is an error with its place, and the exit code is 1.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyshardy.cli.failures import report_failure, show_diagnostics
from pyshardy.cli.files import InputProblem, check_directory, read_bytes
from pyshardy.cli.program_input import program_text, shown_name
from pyshardy.cli.program_options import add_program
from pyshardy.cli.progress import Progress
from pyshardy.cli.split_input import SPLIT_MARKER, split_input
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.source_text import SourceText

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands
    from pyshardy.ir.attribute import Attribute


def add_parser(commands: Commands) -> None:
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
        help="the arguments of the function as constants, '[dense<1> : tensor<2xi32>]' for example, or @FILE with them",
    )
    parser.add_argument("--function", default="main", metavar="NAME", help="the function to run (default: main)")
    parser.add_argument(
        "--probe-output-dir", metavar="DIR", help="where interpreter.probe writes values, as .npy files and index.csv"
    )
    parser.set_defaults(run=interpret_command)


def interpret_command(options: argparse.Namespace) -> int:
    """Runs the subcommand; the exit code."""
    check_directory("--probe-output-dir", options.probe_output_dir or "")
    filename = shown_name(options.file)
    inputs = _constants(options.args)
    text = program_text(options.file, allow_unregistered=options.allow_unregistered_dialect)
    failed = False
    for part in split_input(text, filename, SPLIT_MARKER):
        if not part.text.strip():
            continue
        try:
            _interpret(part, options, inputs)
        except (PyshardyError, InputProblem) as error:
            failed = True
            report_failure(error)
    return int(failed)


def _constants(text: str) -> list[Attribute]:
    """The constants of a list ``[dense<…> : tensor<…>, …]``."""
    from pyshardy.api.programs import parse
    from pyshardy.ir.attributes import ArrayAttr
    from pyshardy.ir.elements import DenseElementsAttr

    if text.startswith("@"):
        try:
            text = read_bytes(text[1:]).decode("utf-8", "surrogateescape")
        except InputProblem as problem:
            raise InputProblem(f"failed to read args file: {problem}") from None
    try:
        value = parse(f"module attributes {{test.args = {text}}} {{}}", "--args", allow_unregistered=True)
    except PyshardyError as error:
        raise InputProblem(f"{_expected('array attribute string for args')}: {error.diagnostics[0].message}") from None
    found = value.op.get("test.args")
    if not isinstance(found, ArrayAttr):
        raise InputProblem(_expected("array attribute string for args"))
    if not all(isinstance(one, DenseElementsAttr) for one in found):
        raise InputProblem(_expected("dense elements attribute for args elements"))
    return list(found)


def _expected(what: str) -> str:
    return f"expected {what}, i.e. --args=[dense<1> : tensor<2xi32>, ...] or --args=@file"


def _interpret(part: SourceText, options: argparse.Namespace, constants: list[Attribute]) -> None:
    import pyshardy.interpreter  # noqa: F401, what makes the dialects of test programs known
    from pyshardy.dialects.func import function_type
    from pyshardy.dialects.main_function import functions
    from pyshardy.interpreter.element_types import UnsupportedType, constant_array
    from pyshardy.interpreter.evaluation import Evaluation
    from pyshardy.interpreter.frame import Machine
    from pyshardy.interpreter.grid import Grid
    from pyshardy.interpreter.run import WrongInputs, checked_inputs, entry_function, run_function
    from pyshardy.interpreter.value_text import value_text
    from pyshardy.module import Module, parse_in

    module = parse_in(Context(part, allow_unregistered=options.allow_unregistered_dialect), Module)
    if "xla.sdy." in part.text:
        from pyshardy.reading.exchange.importing import import_exchange

        import_exchange(module)
    if next(functions(module.op), None) is None:
        return
    machine = Machine(module.op, module.context, Grid(), module.resources, Evaluation())
    machine.probe_directory = options.probe_output_dir
    try:
        function = entry_function(module, options.function)
        arrays = checked_inputs(function, [constant_array(one, module.resources)[None] for one in constants], 1)
    except (UnsupportedType, WrongInputs) as error:
        raise InputProblem(f"{part.filename}:{part.first_line}: {error}") from None
    with Progress("interpreting"):
        results = run_function(machine, function, arrays)
    show_diagnostics(module.context.diagnostics, part)
    for value, type in zip(results, function_type(function).results, strict=True):
        print(value_text(value if isinstance(value, tuple) else value[0], type))
