"""Reads the aliases of locations at the end of a program before the program itself.

MLIR prints the locations of operations after everything else. Read first, they can be given to operations at once,
instead of being noted for each until the end of the file. The result is the same: it is done where nothing but such
lines stands from there to the end, so the parser comes to each of them in the end, or to an error before; and an alias
means the same wherever it is named, as a second definition is an error.
"""

from __future__ import annotations

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.parsing.location_parser import read_alias_lines


class LastAliases:
    """The aliases behind the program in ``source``; none if something else stands there. ``before`` are those that are
    known already."""

    __slots__ = ("_start", "values")

    def __init__(self, source: str, before: dict[str, Attribute]) -> None:
        self._start = -1
        self.values: dict[str, Attribute] = {}
        start = source.find("\n", source.rfind("\n}") + 1) + 1
        if not start or not source.startswith("#", start):
            return
        values, place, end = before.copy(), start, len(source)
        while place < end:
            done = read_alias_lines(source, place, values)
            if done == place:
                return
            place = done
        self._start = start
        self.values = {name: value for name, value in values.items() if name not in before}

    def take(self, start: int, aliases: dict[str, Attribute]) -> bool:
        """Whether the lines from ``start`` on are these and no alias is defined twice; ``aliases`` has them then."""
        if start != self._start or not aliases.keys().isdisjoint(self.values):
            return False
        aliases.update(self.values)
        return True
