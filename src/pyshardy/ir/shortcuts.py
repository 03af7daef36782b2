"""Whether shortcuts are taken: ways around work whose result is known, which must not be seen in any result.

Each shortcut stands in one file, whose header says why it is exact, and asks here. Tests switch all of them off, and
hold what comes out to what came out with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_taken = True


def taken() -> bool:
    """Whether shortcuts are taken, as they are unless somebody says ``without_shortcuts``."""
    return _taken


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """Everything is worked out the plain way while this lasts; for tests."""
    global _taken
    before, _taken = _taken, False
    try:
        yield
    finally:
        _taken = before
