"""Reads the program that a command is asked about, and makes the ``Module`` that its options ask for.

``files`` reads the bytes, ``pyshardy.parse`` makes a program of them, whatever form they have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyshardy.cli.files import InputProblem, read_bytes
from pyshardy.cli.progress import reader

if TYPE_CHECKING:
    from pyshardy.api.module import Module


def load_rules(paths: Iterable[str]) -> None:
    """Runs files of sharding rules.

    Raises:
        InputProblem: a file is missing or broken.
    """
    from pyshardy.cli.plugin_options import RULES, load_file

    for path in paths:
        load_file(path, RULES)


def read_program(options: argparse.Namespace) -> Module:
    """The program that ``options`` name, with their rules registered.

    Raises:
        InputProblem: a file of rules is missing or broken; or as for ``read_file``.
        PyshardyError: the program is wrong.
    """
    load_rules(options.rules)
    return read_file(options.file, options)


def read_file(path: str, options: argparse.Namespace) -> Module:
    """The program in the file ``path``, read as ``options`` say; its notes tell if nothing of it can be sharded.

    Raises:
        InputProblem: the file cannot be read, is empty, is no program, or one without a function.
        PyshardyError: the program is wrong.
    """
    from pyshardy.api.programs import parse
    from pyshardy.dialects.main_function import functions
    from pyshardy.reading.dynamic.binding import describe
    from pyshardy.reading.missing_shardings import why_nothing_is_sharded
    from pyshardy.reading.pytorch_names import name_arguments
    from pyshardy.reading.unreadable import UnreadableInput

    filename = shown_name(path)
    data = _given_bytes(path)
    try:
        module = parse(
            data,
            filename,
            allow_unregistered=options.allow_unregistered_dialect,
            bind=dict(options.bind) or None,
            progress=reader(),
        )
    except UnreadableInput as error:
        raise InputProblem(str(error)) from None
    name_arguments(module, path)
    if next(functions(module.op), None) is None:
        raise InputProblem(f"{filename} has no function: there is nothing in it to shard")
    module.notes += why_nothing_is_sharded(module)
    advice = describe(module)
    if advice is not None:
        print(f"note: {advice}", file=sys.stderr)
    return module


def program_text(path: str, *, allow_unregistered: bool = False) -> str:
    """The text of the program in a file, for a command that takes it apart itself.

    Raises:
        InputProblem: the file cannot be read, is empty, or is no program.
    """
    return _text(_given_bytes(path), path, allow_unregistered)


def text_as_it_is(path: str, *, allow_unregistered: bool = False) -> str:
    """Like ``program_text``, but accepts any text, an empty one too: the MLIR parser reports what is wrong with it.

    Raises:
        InputProblem: the file cannot be read, or is binary and no program.
    """
    from pyshardy.reading.forms import Form, form_of

    data = read_bytes(path)
    if form_of(data) in (Form.TEXT, None):
        # What no form fits is for the parser, which names the character that is wrong.
        return data.decode("utf-8", "surrogateescape")
    return _text(data, path, allow_unregistered)


def _text(data: bytes, path: str, allow_unregistered: bool) -> str:
    from pyshardy.reading import binary
    from pyshardy.reading.unreadable import UnreadableInput

    try:
        return binary.program_text(data, shown_name(path), allow_unregistered=allow_unregistered)
    except UnreadableInput as error:
        raise InputProblem(str(error)) from None


def _given_bytes(path: str) -> bytes:
    data = read_bytes(path)
    if not data.strip():
        raise InputProblem(f"{shown_name(path)} is empty: there is no program in it")
    return data


def shown_name(path: str) -> str:
    """What diagnostics call the file."""
    return "<stdin>" if path == "-" else path
