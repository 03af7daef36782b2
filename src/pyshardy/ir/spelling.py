"""The spelling of types and attributes of unknown dialects: blanks, line breaks and comments in a text that is kept.

MLIR keeps such a text verbatim, and takes two spellings for two types; so does pyshardy if the program is legal like
that. If it is not, ``module.parse_in`` reads it again with one spelling for all that differ in blanks alone. MPMD is an
exception: MLIR knows it, and prints it in one way however it was written.
"""

from __future__ import annotations

import re

_PIECE = r'(?s:"(?:\\.|[^"\\])*"|//[^\n]*|\s+|->|[\w.$@%^?!#-]+|.)'
_WORD = r"[\w.$@%^?!#-]"
_PRINTED_ANEW = ("!mpmd", "#mpmd")


class Spellings:
    """The spellings of one text, each with the first that differs from it in blanks alone. ``vary`` says whether there
    were two of anything; with ``unites`` the first one stands for all."""

    __slots__ = ("_first", "_seen", "unites", "vary")

    def __init__(self, *, unites: bool = False) -> None:
        self.unites = unites
        self.vary = False
        self._first: dict[str, str] = {}
        self._seen: dict[str, str] = {}

    def spelled(self, text: str) -> str:
        """How ``text`` is kept."""
        known = self._seen.get(text)
        if known is None:
            known = self._seen[text] = self._spelled(text)
        return known

    def _spelled(self, text: str) -> str:
        pieces = _pieces(text)
        kept = _printed(pieces) if text.startswith(_PRINTED_ANEW) else text
        first = self._first.setdefault(_joined(pieces), kept)
        if first != kept:
            self.vary = True
        return first if self.unites else kept


def _pieces(text: str) -> list[str]:
    return [one for one in re.findall(_PIECE, text) if not one.isspace() and not one.startswith("//")]


def _joined(pieces: list[str]) -> str:
    """The pieces with one blank between words, and no other."""
    made: list[str] = []
    for piece in pieces:
        if made and re.match(_WORD, piece) and re.match(_WORD, made[-1][-1]):
            made.append(" ")
        made.append(piece)
    return "".join(made)


def _printed(pieces: list[str]) -> str:
    """The pieces as MLIR prints MPMD's types and attributes."""
    made: list[str] = []
    for index, piece in enumerate(pieces):
        following = pieces[index + 1] if index + 1 < len(pieces) else ""
        if made and re.match(_WORD, piece) and re.match(_WORD, made[-1][-1]):
            made.append(" ")
        if piece == ",":
            made.append(", ")
        elif piece == "->" or (piece == ":" and following == "<"):
            made.append(f" {piece} ")
        else:
            made.append(piece)
    return "".join(made)
