"""Shortcut: types with flat dictionaries behind them, as functions have for each argument and result.

A function of a training step has hundreds of them: many are written alike, the others differ in a string. A text that
was read before in the same file is not read again; of a dictionary whose values are strings, and attributes of dialects
that were read before in the same file, the pieces are looked up. Everything else is left to the complete parser.

Nothing of it can be seen: a string without escapes is its text, a keyword followed by `` = `` is a name, and texts that
were read before in a file mean the same again. Called by ``ir.region_parser``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pyshardy.ir import shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.possessive import repeated
from pyshardy.ir.type_parser import DIMENSIONS, simple_tensor
from pyshardy.ir.types import Type

TypedEntry = tuple[Type, DictionaryAttr]
"""A type with the dictionary behind it."""

_LONGEST_ENTRY = 1000
_TYPE = rf"tensor<{DIMENSIONS}[a-zA-Z]\w*+>"
_NAME = r"[A-Za-z_][\w$.]*+"
_VALUE = r'(?:"[^"\\\n]*+"|#[a-z]\w*+\.\w++<[^>\n]*+>)'
_FLAT = re.compile(rf"({_TYPE}) \{{({_NAME} = {_VALUE}{repeated(f', {_NAME} = {_VALUE}')})\}}", re.ASCII)
_ITEM = re.compile(rf"({_NAME}) = ({_VALUE})", re.ASCII)


class TypedEntries:
    """The entries of the file ``source``; ``repeated`` are the attributes of dialects in it that were read, by text."""

    __slots__ = ("_known", "_repeated", "_source")

    def __init__(self, source: str, repeated: Mapping[str, Attribute]) -> None:
        self._source = source
        self._repeated = repeated
        self._known: dict[str, TypedEntry] = {}

    def find(self, start: int, separator: str) -> tuple[TypedEntry, int] | None:
        """The entry at ``start``, and where it ends, if it is known; ``separator`` usually begins the next one."""
        end = self._source.find(separator, start, start + _LONGEST_ENTRY)
        known = self._known.get(self._source[start:end]) if end > 0 else None
        if known is not None:
            return known, end
        return self._flat(start) if shortcuts.taken() else None

    def _flat(self, start: int) -> tuple[TypedEntry, int] | None:
        match = _FLAT.match(self._source, start)
        type = simple_tensor(match[1]) if match is not None else None
        if match is None or type is None:
            return None
        items = _ITEM.findall(match[2])
        entries: dict[str, Attribute] = {}
        for name, text in items:
            value = StringAttr(text[1:-1]) if text[0] == '"' else self._repeated.get(text)
            if value is None:
                return None
            entries[name] = value
        return ((type, DictionaryAttr(entries)), match.end()) if len(entries) == len(items) else None

    def learn(self, start: int, end: int, entry: TypedEntry) -> None:
        """Notes that the text from ``start`` to ``end`` is that entry."""
        self._known[self._source[start:end]] = entry
