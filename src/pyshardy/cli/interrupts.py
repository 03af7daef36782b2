"""Raises an exception on Ctrl-C while a command runs, and notes that it was sent.

Libraries that are interrupted while they load may raise another exception; the note shows that it was Ctrl-C.
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
