"""Reads input and writes output of the commands, with one clear message instead of a traceback and no half-written
file.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from pyshardy.ir.whole_files import DISK_FULL, write_whole


class InputProblem(Exception):
    """The command line, the input or the output cannot be used; the message is for the user."""


class OutputLost(InputProblem):
    """Standard output cannot be written; that is said on standard error."""


class NobodyReads(OutputLost):
    """Whoever read standard output has stopped, as ``head`` does: there is nothing to say."""


def read_bytes(path: str) -> bytes:
    """What is in a file, ``-`` for standard input.

    Raises:
        InputProblem: the file cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        what = "cannot read standard input" if path == "-" else f"cannot open input file '{path}'"
        raise InputProblem(f"{what}: {reason(error)}") from None


def check_directory(option: str, path: str) -> None:
    """Makes the directory that ``option`` names, unless it is there or ``path`` is empty, and tries to write there.

    Raises:
        InputProblem: it cannot be made, or nothing can be written there.
    """
    if not path:
        return
    try:
        os.makedirs(path, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except (OSError, ValueError) as error:
        raise InputProblem(f"{option}: cannot write to directory '{path}': {reason(error)}") from None


def write_text(path: str, text: str) -> None:
    """Writes ``text`` to a file, whole or not at all; ``-`` is standard output.

    Raises:
        InputProblem: the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: str, data: bytes) -> None:
    """Writes ``data`` to a file, whole or not at all; ``-`` is standard output.

    Raises:
        InputProblem: the file cannot be written.
    """
    try:
        if path != "-":
            write_whole(path, data)
            return
        _write_to_standard_output(data)
    except (OSError, ValueError) as error:
        if path == "-":
            raise OutputLost(f"cannot write standard output: {reason(error)}") from None
        what = "write" if isinstance(error, OSError) and error.errno in DISK_FULL else "open"
        raise InputProblem(f"cannot {what} output file '{path}': {reason(error)}") from None


def _write_to_standard_output(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError:
        give_up_standard_output()
        raise


def give_up_standard_output() -> None:
    """Drops what is left in the buffers, which would fail again, with a traceback, when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def reason(error: OSError | ValueError) -> str:
    """What the system says of an error."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
