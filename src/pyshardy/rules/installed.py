"""Loads the sharding rules of other installed packages, from the entry points of the group ``pyshardy.rules``.

A package names a module there; importing it registers its rules. They are loaded at the first operation that is not
known. Packages that have more than rules are plugins (``plugins``), which are loaded earlier.
"""

from __future__ import annotations

from pyshardy.plugins import load_entry_points

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
    return load_entry_points(GROUP, "the sharding rules of {} cannot be loaded: {}")
