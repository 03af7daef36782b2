"""Reads sizes of memory as they are typed: ``70GB``, ``60GiB``, ``500KiB``."""

from __future__ import annotations

import argparse
import re

_LETTERS = "KMGT"
_PREFIXES = {
    "": 1.0,
    **{letter: 1e3 ** (place + 1) for place, letter in enumerate(_LETTERS)},
    **{f"{letter}I": 1024.0 ** (place + 1) for place, letter in enumerate(_LETTERS)},
}


def read_size(text: str) -> float:
    """The bytes that ``text`` means, for ``argparse``.

    Raises:
        ArgumentTypeError: it is no size.

    >>> read_size("500KiB"), read_size("1.5 GB"), read_size("12")
    (512000.0, 1500000000.0, 12.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]I?|)B?", text.strip(), re.IGNORECASE)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no size, as 500KiB, 1MiB or 70GB")
    return float(found[1]) * _PREFIXES[found[2].upper()]
