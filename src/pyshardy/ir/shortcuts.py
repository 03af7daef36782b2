"""Whether shortcuts are taken: ways around work whose result is known, which must not be seen in any result.

Each shortcut stands in one file, whose header says why it is exact, and asks here. Tests switch all of them off, and
hold what comes out to what came out with them. A shortcut that meets an error which nobody foresaw declines, and all is
worked out the plain way; with ``PYSHARDY_SHORTCUTS=strict`` in the environment, as in tests, the error is raised.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_taken = True


def taken() -> bool:
    """Whether shortcuts are taken, as they are unless somebody says ``without_shortcuts``."""
    return _taken


def declines_after(error: Exception) -> None:
    """A shortcut has met ``error``, which it should have seen coming: whoever catches it goes the plain way instead.

    Raises:
        Exception: ``error`` itself, if shortcuts must not fail (``PYSHARDY_SHORTCUTS=strict``) or memory has run out.
    """
    if isinstance(error, MemoryError) or os.environ.get("PYSHARDY_SHORTCUTS") == "strict":
        raise error


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """Everything is worked out the plain way while this lasts; for tests."""
    global _taken
    before, _taken = _taken, False
    try:
        yield
    finally:
        _taken = before
