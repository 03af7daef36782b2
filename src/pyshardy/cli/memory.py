"""The memory of a process that does nothing but one run on large arrays.

The arrays of a check are allocated and freed by the megabyte. glibc returns each to the system at once and gets it
again, page by page, which takes a third of the time. And if there is no memory left, Linux ends a process without a
word, unless the process has a limit: then an allocation fails, and a command can say so.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def limited_memory() -> Iterator[None]:
    """While this lasts, allocations fail with a ``MemoryError`` that go beyond the memory which is available now; does
    nothing where that is not known."""
    most = available_memory()
    if most is None:
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([pages * resource.getpagesize() + most, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def available_memory(root: Path = Path("/")) -> int | None:
    """The bytes that processes can still allocate on Linux, by the system and by the group of this process (a
    container); None if they are not known. ``root`` is where the files of the system are.

    Source: proc(5), and the kernel's documentation of control groups, version 2."""
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
        sizes = {name: int(size.split()[0]) << 10 for name, _, size in (line.partition(":") for line in lines)}
        found = sizes["MemAvailable"] + sizes.get("SwapFree", 0)
    except (OSError, KeyError, ValueError, IndexError):
        return None
    group = root / "sys/fs/cgroup"
    try:
        most, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        parts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        # What is cached of files is given up first.
        return max(0, min(found, most - used + int(parts.get("inactive_file", 0))))
    except (OSError, ValueError):
        # There is no limit ("max"), or no such file.
        return found
