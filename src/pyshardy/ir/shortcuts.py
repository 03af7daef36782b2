"""Switches shortcuts on and off: optimisations that skip work whose result is known, and never change an output.

Each shortcut is in one file, whose header says why it is exact, and asks here whether it is on; folding (``folding``),
the largest, has a switch of its own. Tests compare the outputs with and without them. A shortcut that meets an
unforeseen error declines, and the work is done in full; with ``PYSHARDY_SHORTCUTS=strict`` in the environment, as in
tests, the error is raised. With ``PYSHARDY_FOLDING=off`` programs are not folded, which helps to find errors in
pyshardy.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_switched_off = 0
"""In how many places of the process they are switched off now; with threads there may be several."""
_folding = True

FOLDED: Counter[str] = Counter()
"""How often programs were ``folded``, or could not be (``whole``), and how often folded ones were ``unfolded``, or
given up, after propagation because the partitioner needed all layers."""
DECLINED: Counter[str] = Counter()
"""Why programs were not folded, or only with more layers, and how often: for people who look why one is not."""


def taken() -> bool:
    """Whether shortcuts are taken, as they are unless somebody says ``without_shortcuts``."""
    return not _switched_off


def folds() -> bool:
    """Whether programs are folded, as they are unless somebody says otherwise."""
    return not _switched_off and _folding and os.environ.get("PYSHARDY_FOLDING") != "off"


def declines_after(error: Exception) -> None:
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


@contextmanager
def without_folding() -> Iterator[None]:
    """All layers are gone through while this lasts; for tests."""
    global _folding
    before, _folding = _folding, False
    try:
        yield
    finally:
        _folding = before
