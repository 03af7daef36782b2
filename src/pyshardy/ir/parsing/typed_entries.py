"""Shortcut: reads arguments of functions, and types with flat dictionaries after them, from texts that were read
before.

A function of a training step has hundreds of them: many are written alike, the others differ in a string. A text that
was read before in the same file is not read again; of a dictionary whose values are strings, small numbers, and
attributes of dialects that were read before in the same file, the pieces are looked up, and arguments as MLIR prints
them are read at once, with their location. Everything else is left to the complete parser.

The result is the same: a string without escapes is its text, a keyword followed by `` = `` is a name, and texts that
were read before in a file mean the same again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from pyshardy.ir import shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr, IntegerAttr, StringAttr
from pyshardy.ir.locations import UNKNOWN_LOCATION, Location, name_location
from pyshardy.ir.parsing.lexer import NAME
from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.type_parser import TENSOR, simple_tensor
from pyshardy.ir.types import I1, I32, I64, Type

TypedEntry = tuple[Type, DictionaryAttr]
"""A type with the dictionary behind it."""


class WrittenArgument(NamedTuple):
    """An argument up to ``end``: its ``location``, or the ``alias`` of one that is not known yet."""

    name: str
    type: Type
    attributes: DictionaryAttr
    location: Location | None
    alias: str
    end: int


_LONGEST_ENTRY = 1000
_NAME = r"[A-Za-z_][\w$.]*+"
_VALUE = r'(?:"[^"\\\n]*+"|[0-9]{1,9} : i(?:32|64)|true|false|#[a-z]\w*+\.\w++<[^>\n]*+>)'
_DICTIONARY = rf"\{{({_NAME} = {_VALUE}{repeated(f', {_NAME} = {_VALUE}')})\}}"
_FLAT = rf"({TENSOR}) {_DICTIONARY}"
_ARGUMENT = (
    rf"(%{NAME}): ({TENSOR})(?: {_DICTIONARY})?"
    r'(?: loc\((?:"([^"\\\n]*+)"|(unknown)|\#([0-9A-Za-z]++))\))?(?=[,)])'
)
_ITEM = rf"({_NAME}) = ({_VALUE})"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


class TypedEntries:
    """The entries of the file ``source``; ``repeated`` are the attributes of dialects in it that were read, by text,
    ``aliases`` those that have a name."""

    __slots__ = ("_aliases", "_dictionaries", "_known", "_repeated", "_source")

    def __init__(self, source: str, repeated: Mapping[str, Attribute], aliases: Mapping[str, Attribute]) -> None:
        self._source = source
        self._repeated = repeated
        self._aliases = aliases
        self._known: dict[str, TypedEntry] = {}
        self._dictionaries: dict[str, DictionaryAttr] = {}

    def find(self, start: int, separator: str) -> tuple[TypedEntry, int] | None:
        """The entry at ``start``, and where it ends, if it is known; ``separator`` usually begins the next one."""
        end = self._source.find(separator, start, start + _LONGEST_ENTRY)
        known = self._known.get(self._source[start:end]) if end > 0 else None
        if known is not None:
            return known, end
        return self._flat(start) if shortcuts.enabled() else None

    def _flat(self, start: int) -> tuple[TypedEntry, int] | None:
        match = _pattern(_FLAT).match(self._source, start)
        type = simple_tensor(match[1]) if match is not None else None
        entries = self._dictionary(match[2]) if match is not None else None
        return (
            ((type, entries), match.end()) if match is not None and type is not None and entries is not None else None
        )

    def _dictionary(self, text: str) -> DictionaryAttr | None:
        """The dictionary with these items; None if one of them has not been read yet, or comes twice."""
        known = self._dictionaries.get(text)
        if known is not None:
            return known
        items = _pattern(_ITEM).findall(text)
        entries: dict[str, Attribute] = {}
        for name, written in items:
            value = self._value(written)
            if value is None:
                return None
            entries[name] = value
        if len(entries) < len(items):
            return None
        made = self._dictionaries[text] = DictionaryAttr(entries)
        return made

    def _value(self, text: str) -> Attribute | None:
        if text[0] == '"':
            return StringAttr(text[1:-1])
        if text[0] == "#":
            return self._repeated.get(text)
        if text in ("true", "false"):
            return IntegerAttr(int(text == "true"), I1)
        number, _, type = text.partition(" : ")
        return IntegerAttr(int(number), I32 if type == "i32" else I64)

    def argument(self, start: int) -> WrittenArgument | None:
        """The argument at ``start``, if it is written as MLIR prints it and nothing is unusual about it."""
        match = _pattern(_ARGUMENT).match(self._source, start) if shortcuts.enabled() else None
        if match is None:
            return None
        name, type_text, items, location_name, unknown, alias = match.groups()
        type = simple_tensor(type_text)
        entries = self._dictionary(items) if items is not None else EMPTY_DICTIONARY
        if type is None or entries is None:
            return None
        location: Location | None = None
        if location_name is not None:
            location = name_location(location_name)
        elif unknown is not None:
            location = UNKNOWN_LOCATION
        elif alias is not None:
            found = self._aliases.get(alias)
            if isinstance(found, Location):
                location, alias = found, None
            elif found is not None:
                return None
        return WrittenArgument(name, type, entries, location, alias or "", match.end())

    def learn(self, start: int, end: int, entry: TypedEntry) -> None:
        """Notes that the text from ``start`` to ``end`` is that entry."""
        self._known[self._source[start:end]] = entry
