"""Reads files that a user names; the error about a misspelled name says what was looked for, and what is there.

The errors are those of Python, too, with its ``errno`` and ``filename``: callers that catch ``FileNotFoundError`` or
``OSError`` catch them.
"""

from __future__ import annotations

import errno
import os

from pyshardy.ir.suggestions import nearest

_MOST_LOOKED_AT = 10_000


class InputFileError(OSError):
    """A file that is named as input cannot be read; the message says which, what it was to be, and why."""

    def __init__(self, number: int, reason: str, path: str, message: str) -> None:
        super().__init__(number, reason, path)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.errno, self.strerror, self.filename, self.message)


class MissingInputFile(InputFileError, FileNotFoundError):
    """There is no such file."""


def read_input(path: str | os.PathLike[str], what: str) -> bytes:
    """What is in the file, which is to be ``what``: ``a sharding file``.

    Raises:
        MissingInputFile: there is no such file.
        InputFileError: it cannot be read.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        number, reason = error.errno or 0, error.strerror or str(error)
        if number in (errno.ENOENT, errno.ENOTDIR):
            raise MissingInputFile(number, reason, name, _missing(name, what)) from None
        raise InputFileError(number, reason, name, f"cannot read {what} '{name}': {reason}") from None


def _missing(name: str, what: str) -> str:
    where = os.path.abspath(name)
    directory, last = os.path.split(where)
    looked = "" if os.path.isabs(name) else f" in {directory}"
    return f"there is no file '{name}'{looked}, which was to be {what}{_meant(directory, last, name)}"


def _meant(directory: str, last: str, name: str) -> str:
    if not os.path.isdir(directory):
        return f"; there is no directory {directory}"
    beside = []
    with os.scandir(directory) as entries:
        for entry in entries:
            beside.append(entry.name)
            if len(beside) == _MOST_LOOKED_AT:
                break
    near = nearest(last, beside)
    return "" if near is None else f"; is '{os.path.join(os.path.dirname(name), near)}' meant?"
