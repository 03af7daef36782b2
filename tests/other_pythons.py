"""Other CPythons on this machine that the package supports: on PATH, beside the system's, and in pyenv's folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"python(3(\.\d+)?)?")
_QUESTION = "import platform, sys; print(sys.implementation.name, platform.python_version(), sys.executable)"
_OLDEST = (3, 11)


class OtherPython(NamedTuple):
    """An interpreter: its whole version, ``3.13.0``, and the program."""

    version: str
    executable: str


@cache
def other_pythons() -> tuple[OtherPython, ...]:
    """One CPython of each version from 3.11 that is installed, but that which runs this, by version."""
    found: dict[tuple[int, ...], OtherPython] = {}
    for path in _candidates():
        try:
            answer = subprocess.run([path, "-I", "-c", _QUESTION], capture_output=True, text=True, check=False)
        except OSError:
            continue
        words = answer.stdout.split()
        if answer.returncode or len(words) != 3 or words[0] != "cpython":
            continue
        version = tuple(int(part) for part in re.findall(r"\d+", words[1])[:3])
        if version >= _OLDEST and version != sys.version_info[:3]:
            found.setdefault(version, OtherPython(words[1], words[2]))
    return tuple(found[version] for version in sorted(found))


def _candidates() -> list[Path]:
    folders = [Path(folder) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder]
    folders += [Path("/usr/bin"), Path("/usr/local/bin")]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    # A shim of pyenv starts whichever version is chosen here; the versions themselves are beside it.
    folders = [folder for folder in folders if folder != pyenv / "shims"]
    folders += sorted(pyenv.glob("versions/*/bin"))
    there = [path for folder in folders for path in _children(folder) if _NAME.fullmatch(path.name)]
    return list({path.resolve(): path for path in reversed(there)}.values())


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
