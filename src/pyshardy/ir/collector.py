"""Pausing Python's cyclic garbage collector while programs are built or changed.

A module is one large live graph: collecting only looks through it in vain. Parser, pipelines and printer use this.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """No cyclic garbage collection inside; afterwards as before."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            # What was made lives on: straight to the oldest generation with it, instead of a look through all of it.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def leave_uncollected() -> None:
    """The process is about to end: what it has made is not taken apart, which takes a third of the time of a command on
    a large program and serves nobody."""
    gc.freeze()
