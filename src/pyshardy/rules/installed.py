"""Sharding rules of other installed packages: the entry points of the group ``pyshardy.rules``.

A package names a module there; importing it registers its rules. ``rules.registry`` asks for them when it meets an
operation that it does not know. What has more than rules is a plugin (``plugins``), which is loaded before.
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
