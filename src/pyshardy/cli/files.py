"""Reading input and writing output for the commands: one clear message instead of a traceback, no half-written file."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


class InputProblem(Exception):
    """The input or output cannot be used; the message is for the user."""


def read_text(path: str) -> str:
    """The text of a file, ``-`` for standard input; bytes that are not UTF-8 become surrogates.

    Raises:
        InputProblem: the file cannot be read.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputProblem(f"cannot open input file '{path}': {error.strerror}") from None
    return data.decode("utf-8", "surrogateescape")


def write_text(path: str, text: str) -> None:
    """Writes ``text`` to a file, whole or not at all; ``-`` is standard output.

    Raises:
        InputProblem: the file cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputProblem(f"cannot open output file '{path}': {error.strerror}") from None
