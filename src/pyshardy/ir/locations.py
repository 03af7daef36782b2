"""Source locations as values: file positions, names, call sites, fusions.

Read by the parser behind ``loc(``; printed only with debug information. Left of this file are attributes, right of it
everything that reports where something is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pyshardy.ir.attributes import Attribute, quoted
from pyshardy.ir.context import UNKNOWN_POSITION, Position

if TYPE_CHECKING:
    from pyshardy.ir.attribute_parser import AttributeParser


class Location(Attribute):
    """A location by its text inside ``loc(…)``; ``parts`` are the locations inside it, ``place`` a file position."""

    __slots__ = ("body", "parts", "place")
    body: str
    parts: tuple[Attribute, ...]
    place: tuple[str, int, int] | None
    _table: ClassVar[dict[str, Location]] = {}

    def __new__(
        cls, body: str, parts: tuple[Attribute, ...] = (), place: tuple[str, int, int] | None = None
    ) -> Location:
        self = cls._table.get(body)
        if self is None:
            self = object.__new__(cls)
            self.body, self.parts, self.place = body, parts, place
            cls._table[body] = self
        return self

    def children(self) -> tuple[Attribute, ...]:
        return self.parts

    def position(self) -> Position:
        """The first file position in this location, depth first."""
        pending: list[Attribute] = [self]
        while pending:
            location = pending.pop()
            if isinstance(location, Location):
                if location.place is not None:
                    return Position(*location.place)
                pending.extend(reversed(location.parts))
        return UNKNOWN_POSITION

    def _render(self) -> str:
        return f"loc({self.body})"


UNKNOWN_LOCATION = Location("unknown")


def parse_location(parser: AttributeParser) -> Location:
    """The location inside ``loc(`` … ``)``, without the brackets."""
    parser._enter()
    location = _location(parser)
    parser._depth -= 1
    return location


def _location(parser: AttributeParser) -> Location:
    if parser.kind == "string":
        return _name_or_file(parser)
    if parser.accept_keyword("unknown"):
        return UNKNOWN_LOCATION
    if parser.accept_keyword("callsite"):
        parser.expect("(", "expected '(' in callsite location")
        callee = parse_location(parser)
        if not parser.accept_keyword("at"):
            parser.error("expected 'at' in callsite location", prefix=False)
        caller = parse_location(parser)
        parser.expect(")", "expected ')' in callsite location")
        return Location(f"callsite({callee.body} at {caller.body})", (callee, caller))
    if parser.accept_keyword("fused"):
        metadata = None
        if parser.accept("<"):
            metadata = parser.attribute()
            parser.expect(">", "expected '>' after fused location metadata")
        inner = parser.comma_list("[", "]", lambda: parse_location(parser))
        text = f"<{metadata}>" if metadata is not None else ""
        return Location(f"fused{text}[{', '.join(one.body for one in inner)}]", tuple(inner))
    if parser.kind == "hash":
        found = parser.attribute()
        if isinstance(found, Location):
            return found
        parser.error("expected location", prefix=False)
    if parser.accept_keyword("loc"):
        parser.expect("(")
        found = parse_location(parser)
        parser.expect(")")
        return found
    parser.error("expected location instance", prefix=False)


def _name_or_file(parser: AttributeParser) -> Location:
    name = parser.string()
    if parser.accept("("):
        child = parse_location(parser)
        parser.expect(")", "expected ')' after child location of NameLoc")
        return Location(f"{quoted(name)}({child.body})", (child,))
    if not parser.accept(":"):
        return Location(quoted(name))
    line = parser.integer("expected integer line number in FileLineColRange")
    column = 0
    if parser.accept(":"):
        column = parser.integer("expected integer column number in FileLineColRange")
    end = _range_end(parser, line, column)
    return Location(f"{quoted(name)}:{line}:{column}{end}", (), (name, line, column))


def _range_end(parser: AttributeParser, line: int, column: int) -> str:
    if not parser.accept_keyword("to"):
        return ""
    end_line = line if parser.at(":") else parser.integer("expected integer line number in FileLineColRange")
    parser.expect(":")
    end_column = parser.integer("expected integer column number in FileLineColRange")
    if (end_line, end_column) == (line, column):
        return ""
    return f" to :{end_column}" if end_line == line else f" to {end_line}:{end_column}"
