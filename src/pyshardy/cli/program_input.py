"""The program that a command is asked about: its flags, and the ``Module`` that comes of them.

``files`` reads the bytes, ``pyshardy.parse`` makes a program of them, whatever form they have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from pyshardy.cli.files import InputProblem, read_bytes

if TYPE_CHECKING:
    from pyshardy.api import Module


def add_program(parser: argparse.ArgumentParser) -> None:
    """Adds the file and the flags that say how it is read."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the program, - for standard input: StableHLO as text, MLIR bytecode, a StableHLO artifact, what "
        "jax.export serializes, or any of these in gzip",
    )
    parser.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )


def add_sizes_and_rules(parser: argparse.ArgumentParser) -> None:
    """Adds the flags for sizes of dynamic dimensions and for sharding rules of the user's."""
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar="NAME=SIZE",
        type=_size,
        help="the size of a symbol of jax.export (b=16), or of a dynamic dimension of an argument (arg0:1=16)",
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="FILE.py",
        help="run this Python file, which registers sharding rules (pyshardy.custom_call_rule, pyshardy.sharding_rule)",
    )


def _size(text: str) -> tuple[str, int]:
    name, equals, size = text.partition("=")
    if not (name and equals and size.strip().isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=SIZE, as b=16 or arg0:1=16")
    return name.strip(), int(size)


def load_rules(paths: Iterable[str]) -> None:
    """Runs files of sharding rules.

    Raises:
        InputProblem: a file is missing or broken.
    """
    from pyshardy.rules.rule_files import RuleFileProblem, load_rule_file

    for path in paths:
        try:
            load_rule_file(path)
        except RuleFileProblem as error:
            raise InputProblem(str(error)) from None


def read_program(options: argparse.Namespace, path: str | None = None) -> Module:
    """The program that ``options`` name, or that of another ``path``; its notes tell as well if nothing of it can be
    sharded.

    Raises:
        InputProblem: the file cannot be read, is empty, is no program, or one without a function.
        PyshardyError: the program is wrong.
    """
    from pyshardy.api import parse
    from pyshardy.reading.dynamic.binding import describe
    from pyshardy.reading.given_shardings import what_is_missing
    from pyshardy.reading.unreadable import UnreadableInput

    load_rules(options.rules)
    path = options.file if path is None else path
    filename = shown_name(path)
    data = read_bytes(path)
    if not data.strip():
        raise InputProblem(f"{filename} is empty: there is no program in it")
    try:
        module = parse(
            data, filename, allow_unregistered=options.allow_unregistered_dialect, bind=dict(options.bind) or None
        )
    except UnreadableInput as error:
        raise InputProblem(str(error)) from None
    if not any(op.name == "func.func" for op in module.op.body):
        raise InputProblem(f"{filename} has no function: there is nothing in it to shard")
    module.notes += what_is_missing(module)
    advice = describe(module)
    if advice is not None:
        print(f"note: {advice}", file=sys.stderr)
    return module


def print_notes(module: Module, out: TextIO) -> None:
    """Writes what there is to know of how the program was read, in front of a summary."""
    for note in module.notes:
        print(note, file=out)


def program_text(path: str, *, allow_unregistered: bool = False) -> str:
    """The text of the program in a file, for commands that take it apart themselves.

    Raises:
        InputProblem: the file cannot be read, or is no program.
    """
    from pyshardy.reading import binary
    from pyshardy.reading.forms import Form, form_of
    from pyshardy.reading.unreadable import UnreadableInput

    data = read_bytes(path)
    if form_of(data) in (Form.TEXT, None):
        # What no form fits is for the parser, which names the character that is wrong.
        return data.decode("utf-8", "surrogateescape")
    try:
        return binary.program_text(data, shown_name(path), allow_unregistered=allow_unregistered)
    except UnreadableInput as error:
        raise InputProblem(str(error)) from None


def shown_name(path: str) -> str:
    """What diagnostics call the file."""
    return "<stdin>" if path == "-" else path
