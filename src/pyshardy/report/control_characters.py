"""Control characters in text for a terminal, which would obey them: programs and file names may hold any."""

from __future__ import annotations

import re

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""All but tabulators and ends of lines."""


def shown(text: str) -> str:
    r"""``text`` with control characters as MLIR writes them in strings.

    >>> shown("\x1b[2J")
    '\\1B[2J'
    """
    return _CONTROLS.sub(lambda found: f"\\{ord(found[0]):02X}", text)
