"""Switches shortcuts on and off: optimisations that skip work whose result is known, and never change an output.

Each shortcut is in one file, whose header says why it is exact, and asks here whether it is on. Tests compare the
outputs with and without them. A shortcut that meets an unforeseen error declines, and the work is done in full; with
``PYSHARDY_SHORTCUTS=strict`` in the environment, as in tests, the error is raised.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_switched_off = 0
"""In how many places of the process they are switched off now; with threads there may be several."""


def enabled() -> bool:
    """Whether shortcuts are on, as they are unless somebody says ``without_shortcuts``."""
    return not _switched_off


def raise_if_strict(error: Exception) -> None:
    """A shortcut has met ``error``, which it should have seen coming: whoever catches it goes the plain way instead.

    Raises:
        Exception: ``error`` itself, if shortcuts must not fail (``PYSHARDY_SHORTCUTS=strict``) or memory has run out.
    """
    if isinstance(error, MemoryError) or os.environ.get("PYSHARDY_SHORTCUTS") == "strict":
        raise error


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """Everything is worked out the plain way while this lasts."""
    global _switched_off
    _switched_off += 1
    try:
        yield
    finally:
        _switched_off -= 1
