"""Standard streams of a process that may be closed, full or broken.

Lost output is never silent: on standard output it ends the command (``OutputLost``), on standard error it is remembered
for the exit code, as nothing can be printed any more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TextIO, cast

from pyshardy.cli.files import NobodyReads, OutputLost, give_up_standard_output, reason


class _Watched:
    """A text stream that hands what goes wrong in writing to ``failed``."""

    def __init__(self, stream: TextIO, failed: Callable[[OSError], None]) -> None:
        self._stream = stream
        self._failed = failed

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._failed(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._failed(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Streams:
    """Puts the watched streams in the place of ``sys.stdout`` and ``sys.stderr``. ``errors_lost`` tells whether
    something could not be written to standard error."""

    def __init__(self) -> None:
        self.errors_lost = False
        _occupy_descriptors()
        # A closed stream is one that cannot be read or written, not none at all.
        sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
        stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
        stderr = sys.stderr or os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
        sys.stdout = cast(TextIO, _Watched(stdout, _output_failed))
        sys.stderr = cast(TextIO, _Watched(stderr, self._errors_failed))

    def _errors_failed(self, error: OSError) -> None:
        self.errors_lost = True
        _forget(2)


def _output_failed(error: OSError) -> None:
    give_up_standard_output()
    # A plain BrokenPipeError some libraries take into their own hands.
    kind = NobodyReads if isinstance(error, BrokenPipeError) else OutputLost
    raise kind(f"cannot write standard output: {reason(error)}") from None


def _occupy_descriptors() -> None:
    """Gives the numbers of streams that are closed to the null device, opened so that it cannot be used, lest a file
    that is opened later gets one of them."""
    for descriptor, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            _reopen(descriptor, mode)


def _forget(descriptor: int) -> None:
    """Lets what is in the buffer, and all that follows, go nowhere: it would fail again when the interpreter ends."""
    _reopen(descriptor, os.O_WRONLY)


def _reopen(descriptor: int, mode: int) -> None:
    opened = os.open(os.devnull, mode)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
