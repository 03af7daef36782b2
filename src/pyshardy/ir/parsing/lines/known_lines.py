"""The lines that the fast path of the parser knows: a tree of their pieces (``line_tokens``) with recipes as leaves.

A line is found by as many look-ups as it has tokens. The last piece of a line is stored up to the end of the line, and
with the blanks that have been seen after it.
"""

from __future__ import annotations

from typing import Any

from pyshardy.ir.parsing.lines.line_forms import LineForms
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe
from pyshardy.ir.parsing.lines.line_tokens import BEFORE_LOCATION
from pyshardy.ir.registry import registry_version

_MOST_RECIPES = 20_000

Node = dict[str, Any]
"""By a piece the recipe, if it ends a line, else a node."""


class KnownLines:
    """What is known of the lines in regions of one default dialect: those that begin with a name (``named``), others by
    what is before their first token (``unnamed``), and the forms of both."""

    __slots__ = ("count", "forms", "named", "unnamed")

    def __init__(self) -> None:
        self.named: Node = {}
        self.unnamed: dict[str, Node] = {}
        self.forms = LineForms()
        self.count = 0

    def get(self, lead: str, pieces: list[str]) -> LineRecipe | None:
        """The recipe of the line with these pieces, and ``lead`` before them."""
        node: Any = self.unnamed.get(lead) if lead else self.named
        for piece in pieces:
            if type(node) is not dict:
                return None
            node = node.get(piece)
        return node if isinstance(node, LineRecipe) else None

    def add(self, lead: str, pieces: list[str], recipe: LineRecipe) -> LineRecipe:
        """Keeps the recipe of such a line; the one that is kept, if there is one already."""
        if self.count >= _MOST_RECIPES:
            self.named.clear()
            self.unnamed.clear()
            self.count = 0
        self.count += 1
        node = self.unnamed.setdefault(lead, {}) if lead else self.named
        for piece in pieces[:-1]:
            node = node.setdefault(piece, {})
        kept: LineRecipe = node.setdefault(pieces[-1], recipe)
        return kept


_known: dict[str, KnownLines] = {}
_made_in = -1


def known_lines(default_dialect: str) -> KnownLines:
    """What is known for that default dialect, nothing again when the registered operations have changed."""
    global _made_in
    if _made_in != registry_version():
        _known.clear()
        _made_in = registry_version()
    known = _known.get(default_dialect)
    if known is None:
        known = _known[default_dialect] = KnownLines()
    return known


def form_key(text: str, path: list[str], is_located: bool) -> tuple[str, ...]:
    """What is between the names of a line, without its location and end."""
    if not is_located:
        return text, *path[:-1], path[-1].removesuffix("\n")
    *key, last = text, *path[:-1]
    return *key, last.removesuffix(BEFORE_LOCATION)
