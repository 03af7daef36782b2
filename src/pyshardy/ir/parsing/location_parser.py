"""Parses locations: what follows ``loc(``, and whole lines that define their aliases.

A program printed with debug information has as many lines ``#loc7 = loc(…)`` as operations; those of the usual forms
are read in bulk with one regular expression.
"""

from __future__ import annotations

import re

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.locations import (
    UNKNOWN_LOCATION,
    Location,
    call_site,
    file_location,
    fused_location,
    name_location,
)
from pyshardy.ir.parsing.type_parser import TypeParser

_COLUMN = "expected integer column number in FileLineColRange"
_ALIAS_LINE = re.compile(
    r"""\#([A-Za-z_]\w*)\ =\ loc\((?:
      "([^"\\\n]*)"(?:
          :(\d{1,9}):(\d{1,9})(?:\ to\ (\d{0,9}):(\d{1,9}))?
        | \(\#(\w+)\)
      )?
    | callsite\(\#(\w+)\ at\ \#(\w+)\)
    | (unknown)
    )\)(?:\n|\Z)""",
    re.ASCII | re.VERBOSE,
)

_ALIASES_AT_ONCE = 1 << 18
"""Characters of such lines after which others are heard."""


def read_alias_lines(source: str, offset: int, aliases: dict[str, Attribute]) -> int:
    """Adds the locations that lines from ``offset`` on name to ``aliases``, as long as nothing is unusual about them,
    some thousands at most; the offset behind the last one."""
    match = _ALIAS_LINE.match
    stop = offset + _ALIASES_AT_ONCE
    while offset < stop and (found := match(source, offset)) is not None:
        alias, name, line, column, end_line, end_column, child, callee, caller, _ = found.groups()
        if alias in aliases:
            return offset
        if line is not None:
            end = (int(end_line or line), int(end_column)) if end_column is not None else None
            location = file_location(name, int(line), int(column), end)
        elif callee is not None:
            called, calling = aliases.get(callee), aliases.get(caller)
            if not isinstance(called, Location) or not isinstance(calling, Location):
                return offset
            location = call_site(called, calling)
        elif child is not None:
            inner = aliases.get(child)
            if not isinstance(inner, Location):
                return offset
            location = name_location(name, inner)
        else:
            location = name_location(name) if name is not None else UNKNOWN_LOCATION
        aliases[alias] = location
        offset = found.end()
    return offset


def parse_location(parser: TypeParser) -> Location:
    """The location inside ``loc(`` … ``)``, without the brackets.

    Raises:
        ParseError: there is none.
    """
    parser._enter()
    location = _location(parser)
    parser._depth -= 1
    return location


def _location(parser: TypeParser) -> Location:
    if parser.kind == "string":
        return _name_or_file(parser)
    if parser.accept_keyword("unknown"):
        return UNKNOWN_LOCATION
    if parser.accept_keyword("callsite"):
        parser.expect("(", "expected '(' in callsite location")
        callee = parse_location(parser)
        if not parser.accept_keyword("at"):
            parser.error_after_previous("expected 'at' in callsite location")
        caller = parse_location(parser)
        parser.expect(")", "expected ')' in callsite location")
        return call_site(callee, caller)
    if parser.accept_keyword("fused"):
        metadata = None
        if parser.accept("<"):
            metadata = parser.attribute()
            parser.expect(">", "expected '>' after fused location metadata")
        return fused_location(
            parser.comma_list("[", "]", lambda: parse_location(parser), " in fused location"), metadata
        )
    if parser.kind != "hash":
        parser.error_after_previous("expected location instance")
    offset = parser.start
    found = parser.attribute()
    if not isinstance(found, Location):
        parser.error(f"expected location, but found '{found}'", at=offset, prefix=False)
    return found


def _name_or_file(parser: TypeParser) -> Location:
    name = parser.string()
    if parser.accept("("):
        child = parse_location(parser)
        parser.expect(")", "expected ')' after child location of NameLoc")
        return name_location(name, child)
    if not parser.accept(":"):
        return name_location(name)
    line = _number(parser, "expected integer line number in FileLineColRange")
    column = _number(parser, _COLUMN) if parser.accept(":") else 0
    return file_location(name, line, column, _range_end(parser, line))


def _number(parser: TypeParser, message: str) -> int:
    """An unsigned integer of 32 bits."""
    if parser.kind != "int" or parser.integer_value(parser.text) >= 2**32:
        parser.error_after_previous(message)
    return parser.integer_value(parser.advance())


def _range_end(parser: TypeParser, line: int) -> tuple[int, int] | None:
    if not parser.accept_keyword("to"):
        return None
    message = "expected either integer or `:` post `to` in FileLineColRange"
    end_line = line if parser.at(":") else _number(parser, message)
    parser.expect(":", message)
    return end_line, _number(parser, _COLUMN)
