"""Splits an input into its parts (``--split-input-file``), each a program, with line numbers of the whole input."""

from __future__ import annotations

import re

from pyshardy.ir.source_text import SourceText

SPLIT_MARKER = "// -----"
"""How the line between two parts begins, unless the user says otherwise."""


def split_input(text: str, filename: str, marker: str) -> list[SourceText]:
    """The parts of ``text`` between the lines that begin with ``marker``."""
    separator = re.compile(rf"^{re.escape(marker)}.*$\n?", re.MULTILINE)
    parts = []
    start, line = 0, 1
    for match in separator.finditer(text):
        parts.append(SourceText(text[start : match.start()], filename, line))
        line += text.count("\n", start, match.end())
        start = match.end()
    parts.append(SourceText(text[start:], filename, line))
    return parts
