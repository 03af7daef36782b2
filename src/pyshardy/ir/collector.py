"""Pauses Python's cyclic garbage collector while programs are built or changed.

A program is one large graph of live objects, which the collector would traverse in vain. Programs that became
unreachable meanwhile are collected once enough objects were created.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_WORTH_A_LOOK = 400_000
"""So many objects, about 40 MB, are let lie; of a large process as many as live in it."""
_MUCH = 8_000_000
"""So many, about 1 GB, where programs are made and left one after the other."""
_WORTH_TIDYING = 20_000
"""So many are let lie where garbage is looked for by hand."""


class _Made:
    """What was made in pauses since the last look for programs that have ended: how many ``objects`` more there are,
    how many there were when a program ``ended`` last (programs that have ended have no more), and how many objects
    ``lived`` after that look; whether one looks ``seldom``, or only ``tidy`` looks."""

    objects = 0
    seldom = False
    ended = 0
    lived = 0
    by_hand = False


def program_has_ended(made: type[_Made] = _Made) -> None:
    """Nobody has some program any more, or not as a whole. May be called while Python shuts down."""
    made.ended = made.objects


def collect_ended_programs() -> None:
    """Frees the memory of programs that nobody has any more, if there may be much of it. To be called before a program
    is made; does nothing while the collector is paused or switched off."""
    worth = _MUCH if _Made.seldom else _WORTH_A_LOOK
    # A look goes through all objects: it is worth the time if half of them may be garbage. Large programs that were
    # made since the last end of a program are not.
    if _Made.ended < max(worth, (_Made.lived + _Made.objects) / 2) or not gc.isenabled():
        return
    gc.collect()
    _Made.objects, _Made.ended, _Made.lived = 0, 0, _objects_alive()


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Inside, programs that nobody has any more are let lie until they are about 1 GB: to look for what hundreds of
    small ones leave takes a fifth of the time of making them."""
    before, _Made.seldom = _Made.seldom, True
    try:
        yield
    finally:
        _Made.seldom = before


def _objects_alive() -> int:
    return len(gc.get_objects())


@contextmanager
def paused_collector() -> Iterator[None]:
    """No cyclic garbage collection inside; afterwards as before."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            _Made.objects += gc.get_count()[0]
            # What was made lives on: straight to the oldest generation with it, instead of a look through all of it.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def leave_uncollected() -> None:
    """The process is about to end: what it has made is not taken apart, which takes a third of the time of a command on
    a large program and serves nobody."""
    gc.freeze()


def collect_by_hand() -> None:
    """For a process that serves, in which a look for garbage in the middle of an answer would have somebody wait for
    seconds: what there is now is kept for long and never looked through, and what is made later when ``tidy`` is
    called. To be called again when something else is kept."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.disable()
    _Made.by_hand = True


def tidy(*, everything: bool = False) -> None:
    """Frees what work has left that ended since the last call, or ``everything`` that nobody has any more, where that
    is done by hand. What work leaves is as a rule made since the last call: nothing else is looked through."""
    if _Made.by_hand:
        if everything:
            gc.collect()
        elif gc.get_count()[0] >= _WORTH_TIDYING:
            gc.collect(0)
