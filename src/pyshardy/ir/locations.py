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


_COLUMN = "expected integer column number in FileLineColRange"
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
            parser.error_after_previous("expected 'at' in callsite location")
        caller = parse_location(parser)
        parser.expect(")", "expected ')' in callsite location")
        return Location(f"callsite({callee.body} at {caller.body})", (callee, caller))
    if parser.accept_keyword("fused"):
        metadata = None
        if parser.accept("<"):
            metadata = parser.attribute()
            parser.expect(">", "expected '>' after fused location metadata")
        inner = parser.comma_list("[", "]", lambda: parse_location(parser), " in fused location")
        text = f"<{metadata}>" if metadata is not None else ""
        return Location(f"fused{text}[{', '.join(one.body for one in inner)}]", tuple(inner))
    if parser.kind != "hash":
        parser.error_after_previous("expected location instance")
    offset = parser.start
    found = parser.attribute()
    if not isinstance(found, Location):
        parser.error(f"expected location, but found '{found}'", at=offset, prefix=False)
    return found


def _name_or_file(parser: AttributeParser) -> Location:
    name = parser.string()
    if parser.accept("("):
        child = parse_location(parser)
        parser.expect(")", "expected ')' after child location of NameLoc")
        return Location(f"{quoted(name)}({child.body})", (child,))
    if not parser.accept(":"):
        return Location(quoted(name))
    line = _number(parser, "expected integer line number in FileLineColRange")
    column = 0
    if parser.accept(":"):
        column = _number(parser, _COLUMN)
    end = _range_end(parser, line, column)
    return Location(f"{quoted(name)}:{line}:{column}{end}", (), (name, line, column))


def _number(parser: AttributeParser, message: str) -> int:
    """An unsigned integer of 32 bits."""
    if parser.kind != "int" or parser.integer_value(parser.text) >= 2**32:
        parser.error_after_previous(message)
    return parser.integer_value(parser.advance())


def _range_end(parser: AttributeParser, line: int, column: int) -> str:
    if not parser.accept_keyword("to"):
        return ""
    message = "expected either integer or `:` post `to` in FileLineColRange"
    end_line = line if parser.at(":") else _number(parser, message)
    parser.expect(":", message)
    end_column = _number(parser, _COLUMN)
    if (end_line, end_column) == (line, column):
        return ""
    return f" to :{end_column}" if end_line == line else f" to {end_line}:{end_column}"
