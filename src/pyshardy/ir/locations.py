"""Source locations as values: file positions, names, call sites, fusions.

They are printed with debug information only, with the aliases of ``ir.printing.aliases``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar
from weakref import WeakValueDictionary

from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.source_text import UNKNOWN_POSITION, Position

_Key = tuple[tuple[str, ...], tuple[Attribute, ...]]


class Location(Attribute):
    """A location: ``pieces`` is the text inside ``loc(…)`` around ``parts``, the locations (and metadata) inside it;
    ``place`` is that of a file position, ``name`` that of a name. Locations live as long as somebody holds them."""

    __slots__ = ("__weakref__", "name", "parts", "pieces", "place")
    pieces: tuple[str, ...]
    parts: tuple[Attribute, ...]
    place: tuple[str, int, int] | None
    name: str | None
    _alive: ClassVar[WeakValueDictionary[_Key, Location]] = WeakValueDictionary()

    def __new__(
        cls,
        pieces: tuple[str, ...],
        parts: tuple[Attribute, ...] = (),
        place: tuple[str, int, int] | None = None,
        name: str | None = None,
    ) -> Location:
        key = (pieces, parts)
        self = cls._alive.get(key)
        if self is None:
            self = super().__new__(cls)
            self.pieces, self.parts, self.place, self.name = pieces, parts, place, name
            cls._alive[key] = self
        return self

    def children(self) -> tuple[Attribute, ...]:
        return self.parts

    def position(self) -> Position:
        """The first file position in this location, depth first."""
        pending: list[Attribute] = [self]
        seen: set[Attribute] = set()
        while pending:
            location = pending.pop()
            if isinstance(location, Location) and location not in seen:
                if location.place is not None:
                    return Position(*location.place)
                seen.add(location)
                pending.extend(reversed(location.parts))
        return UNKNOWN_POSITION

    def text_with(self, text: Callable[[Attribute], str]) -> str:
        written = [self.pieces[0]]
        for part, piece in zip(self.parts, self.pieces[1:], strict=True):
            inner = text(part)
            if isinstance(part, Location):
                inner = body_text(inner)
            written += (inner, piece)
        return f"loc({''.join(written)})"

    @staticmethod
    def any_made() -> bool:
        """Whether locations other than the unknown one exist."""
        return len(Location._alive) > 1


def body_text(text: str) -> str:
    """What stands inside ``loc(…)`` for a location whose text, or alias, is ``text``."""
    return text[4:-1] if text.startswith("loc(") else text


UNKNOWN_LOCATION = Location(("unknown",))


def file_location(name: str, line: int, column: int, end: tuple[int, int] | None = None) -> Location:
    """A position in a file, or a range up to line and column ``end``."""
    text = f"{quoted(name)}:{line}:{column}"
    if end is not None and end != (line, column):
        text += f" to :{end[1]}" if end[0] == line else f" to {end[0]}:{end[1]}"
    return Location((text,), (), (name, line, column))


def name_location(name: str, child: Location = UNKNOWN_LOCATION) -> Location:
    """A name, given to ``child``."""
    if child is UNKNOWN_LOCATION:
        return Location((quoted(name),), (), None, name)
    return Location((f"{quoted(name)}(", ")"), (child,), None, name)


def call_site(callee: Location, caller: Location) -> Location:
    """``callee`` as called at ``caller``."""
    return Location(("callsite(", " at ", ")"), (callee, caller))


def fused_location(locations: Iterable[Location], metadata: Attribute | None = None) -> Location:
    """Several locations as one; unknown ones and repetitions drop out, fusions with the same metadata are taken
    apart."""
    known: dict[Location, None] = {}
    for location in locations:
        inner = _fused_parts(location, metadata)
        if inner is not None:
            known.update(dict.fromkeys(inner))
        elif location is not UNKNOWN_LOCATION:
            known[location] = None
    parts = tuple(known) or (UNKNOWN_LOCATION,)
    if metadata is None and len(parts) == 1:
        return parts[0]
    between = (", ",) * (len(parts) - 1)
    if metadata is None:
        return Location(("fused[", *between, "]"), parts)
    return Location(("fused<", ">[", *between, "]"), (metadata, *parts))


def _fused_parts(location: Location, metadata: Attribute | None) -> list[Location] | None:
    """What ``location`` fuses with that metadata; None if it does no such thing."""
    head = "fused[" if metadata is None else "fused<"
    if location.pieces[0] != head or (metadata is not None and location.parts[0] is not metadata):
        return None
    return [part for part in location.parts[metadata is not None :] if isinstance(part, Location)]
