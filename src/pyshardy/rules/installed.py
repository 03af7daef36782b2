"""Sharding rules of other installed packages: the entry points of the group ``pyshardy.rules``.

A package names a module there; importing it registers its rules. ``rules.registry`` asks for them when it meets an
operation that it does not know.
"""

from __future__ import annotations

import os
import sys

GROUP = "pyshardy.rules"

_loaded = False


def load_installed_rules() -> list[str] | None:
    """Imports the modules that installed packages name in the group ``pyshardy.rules``.

    Returns what went wrong, one line a module that cannot be imported; None if all was loaded before.
    """
    global _loaded
    if _loaded:
        return None
    _loaded = True
    if not any(map(_may_declare, sys.path)):
        return []
    from importlib.metadata import entry_points

    problems = []
    for entry_point in entry_points(group=GROUP):
        try:
            entry_point.load()
        # Whatever another package raises, the program goes on without its rules.
        except (Exception, SystemExit) as problem:
            reason = f"{type(problem).__name__}: {problem}"
            problems.append(f"the sharding rules of {entry_point.value} cannot be loaded: {reason}")
    return problems


def _may_declare(place: str) -> bool:
    """Whether a package in this directory declares the group. (Looking is a hundred times cheaper than importing
    ``importlib.metadata``, and most environments have no such package.)"""
    try:
        found = list(os.scandir(place or "."))
    except OSError:
        # Only importlib can look into an archive.
        return os.path.isfile(place)
    return any(_declares(entry) for entry in found if entry.name.endswith((".dist-info", ".egg-info")))


def _declares(package: os.DirEntry[str]) -> bool:
    try:
        with open(os.path.join(package.path, "entry_points.txt"), "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:
        return False
