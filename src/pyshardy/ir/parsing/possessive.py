"""Possessive groups in regular expressions, on every Python from 3.11.

A possessive group like ``(?:[0-9]+x)*+`` needs neither time nor memory for places to go back to. CPython up to 3.11.4
takes too much, though, where a repetition begins and then fails: ``(?:ab?c)*+`` matches all of ``aca`` instead of
``ac``. An atomic group around a greedy one means the same and is right everywhere, but keeps every repetition in
memory. So a test at import decides which of the two is written. A repeated character (``[a-z]*+``) cannot begin and
then fail, and is written as it is.
"""

from __future__ import annotations

import re
from typing import Literal

RIGHT = re.fullmatch("(?:ab?c)*+a", "aca") is not None
"""Whether this Python's possessive groups end behind their last whole repetition."""


def repeated(group: str, times: Literal["*", "+", "?"] = "*") -> str:
    """A pattern of ``group`` (a pattern without names and numbers of its own) as often as it comes, nothing of which is
    given back if what follows does not match."""
    return f"(?:{group}){times}+" if RIGHT else f"(?>(?:{group}){times})"
