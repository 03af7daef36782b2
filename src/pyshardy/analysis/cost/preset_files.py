"""The presets: descriptions of hardware that come with pyshardy, each a TOML file in the folder ``presets``.

Loads nothing, so that the help of the commands can name them.
"""

from __future__ import annotations

import os
from functools import cache

_FOLDER = os.path.join(os.path.dirname(__file__), "presets")
_ENDING = ".toml"


@cache
def presets() -> tuple[str, ...]:
    """The names of the presets, sorted."""
    return tuple(sorted(name.removesuffix(_ENDING) for name in os.listdir(_FOLDER) if name.endswith(_ENDING)))


def preset_path(name: str) -> str:
    """The file of the preset ``name``."""
    return os.path.join(_FOLDER, name + _ENDING)
