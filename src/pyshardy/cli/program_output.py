"""Writes the program that a command makes, and says where its summary goes.

With ``-o`` the program goes to that file and the summary to standard output. Without it the program goes to standard
output and the summary to standard error; with ``--json`` and no ``-o`` only the summary is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from pyshardy.cli.files import write_text

if TYPE_CHECKING:
    from pyshardy.module import Module


def write_program(module: Module, options: argparse.Namespace) -> None:
    """Writes the text of ``module``, with locations if it was given some.

    Raises:
        InputProblem: it cannot be written.
    """
    if options.output is not None or not options.json:
        path = "-" if options.output is None else options.output
        write_text(path, module.text(debug_info=module.has_locations))


def summary_output(options: argparse.Namespace) -> TextIO:
    """Where a summary for a person goes."""
    return sys.stdout if options.output not in (None, "-") else sys.stderr


def print_notes(notes: Iterable[str], out: TextIO) -> None:
    """Writes what there is to know of how a program was read, in front of a summary."""
    for note in notes:
        print(note, file=out)
