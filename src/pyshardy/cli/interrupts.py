"""Ctrl-C while a command runs: an exception, and a note that it was sent.

Some of what is run, a library that is being loaded for example, makes another error of the exception.
"""

from __future__ import annotations

_sent = False


def raise_interrupt(number: int, frame: object) -> None:
    """The handler of the signal."""
    global _sent
    _sent = True
    raise KeyboardInterrupt


def was_interrupted() -> bool:
    """Whether Ctrl-C was sent to this process."""
    return _sent
