"""The locations at the ends of lines, for the fast path of the parser.

What a token means, and which operations get their location at the end of the file, because its alias is not known yet.
"""

from __future__ import annotations

from pyshardy.ir import shortcuts
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.locations import Location, file_location
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.lines.last_aliases import LastAliases
from pyshardy.ir.parsing.lines.line_groups import DeferredLocation
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe


class LineLocations:
    """The locations of the lines of ``source``, whose ``aliases`` the parser knows by now; what has none yet goes on
    the list ``deferred``. ``known`` are those that were found, by their tokens (``line_tokens``), and ``written``
    those of aliases as they are written."""

    __slots__ = ("_aliases", "_deferred", "_last", "_source", "known", "written")

    def __init__(self, source: str, aliases: dict[str, Attribute], deferred: list[DeferredLocation]) -> None:
        self._source = source
        self._aliases = aliases
        self._deferred = deferred
        self._last: LastAliases | None = None
        self.known: dict[str, Location] = {}
        self.written: dict[str, Location] = {}

    def find(self, token: str) -> Location | None:
        """The location that the token at the end of a line means; None if its alias is not known yet."""
        known = self.known.get(token)
        if known is not None:
            return known
        if '"' in token:
            name, line, column = token.rsplit(":", 2)
            place = self.known[token] = file_location(name[1:-1], int(line), int(column))
            return place
        if self._last is None and shortcuts.enabled():
            self._last = LastAliases(self._source, self._aliases)
            for alias, value in self._last.values.items():
                self._know(alias, value)
            known = self.known.get(token)
        return known or self._know(token[1:], self._aliases.get(token[1:]))

    def _know(self, alias: str, value: Attribute | None) -> Location | None:
        if not isinstance(value, Location):
            return None
        self.known[f"%{alias}"] = self.written[f"#{alias}"] = value
        return value

    def take_last_aliases(self, offset: int) -> bool:
        """Whether all that follows at ``offset`` are aliases of locations that are known already; the parser knows them
        then, too."""
        return self._last is not None and self._last.take(offset, self._aliases)

    def defer(self, op: Operation, recipe: LineRecipe, place: int, alias: str, offset: int) -> None:
        """Notes that ``op`` at ``place``, and what its line does not spell out, gets the location that ``alias``, at
        ``offset``, will mean."""
        self._deferred.append((op, alias, offset))
        if recipe.template is not None:
            self._deferred += [
                (inner, alias, offset) for inner in recipe.template.contents(op) if inner.location == place
            ]
