"""Keeps freed memory in the process, for a process that does nothing but one run.

The arrays of a check are allocated and freed by the megabyte. glibc returns each to the system at once and gets it
again, page by page, which takes a third of the time.
"""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGEST = (1 << 31) - 1


def keep_freed_memory() -> None:
    """Tells glibc to reuse what is freed; does nothing where there is another C library."""
    try:
        tune = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    for option, value in ((_MMAP_THRESHOLD, 1 << 30), (_TRIM_THRESHOLD, _LARGEST), (_ARENA_MAX, 1)):
        tune(option, value)
