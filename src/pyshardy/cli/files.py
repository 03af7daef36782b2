"""Reading input and writing output for the commands: one clear message instead of a traceback, no half-written file."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


class InputProblem(Exception):
    """The command line, the input or the output cannot be used; the message is for the user."""


def read_bytes(path: str) -> bytes:
    """What is in a file, ``-`` for standard input.

    Raises:
        InputProblem: the file cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputProblem(f"cannot open input file '{path}': {_reason(error)}") from None


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
        raise InputProblem(f"{option}: cannot write to directory '{path}': {_reason(error)}") from None


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
        if path == "-":
            _write_to_standard_output(data)
        else:
            _write_file(Path(path).resolve() if path else Path(path), data)
    except (OSError, ValueError) as error:
        what = "cannot write standard output" if path == "-" else f"cannot open output file '{path}'"
        raise InputProblem(f"{what}: {_reason(error)}") from None


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


def _write_file(target: Path, data: bytes) -> None:
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except PermissionError:
        # A file may be writable in a directory that is not.
        target.write_bytes(data)
        return
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file, or those that a new one gets."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
