"""Writes files completely or not at all: beside the target first, then renamed.

Devices, pipes, and files in directories where nothing can be created are written directly. Dumps of passes and every
output of the commands use this.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

DISK_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO))
"""The numbers of errors that say that what is written finds no place, wherever it is tried."""
_LONGEST_PREFIX = 60


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes ``data`` to the file ``path``, which is what it was before if that fails.

    Raises:
        OSError: it cannot be written.
        ValueError: ``path`` cannot be a path.
    """
    target = Path(path).resolve() if os.fspath(path) else Path(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:_LONGEST_PREFIX]}.")
    except PermissionError:
        # A file may be writable in a directory that is not.
        target.write_bytes(data)
        return
    except OSError as error:
        # It names the file beside the target.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def check_directory(path: str | os.PathLike[str]) -> None:
    """Tests, before a long computation, that there is a directory for the file ``path``.

    Raises:
        OSError: there is none.
    """
    parent = Path(path).resolve().parent
    if not parent.is_dir():
        number = errno.ENOTDIR if parent.exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), os.fspath(path))


def _mode(target: Path) -> int:
    """The permissions of the file, or those that a new one gets."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
