"""The fast tier of reading: a cache of whole lines.

A program of many layers repeats its lines but for the names of values. A line with its names blanked is looked up in a
table of recipes; a recipe is everything the complete parser made of such a line before. A hit costs one split and one
look-up instead of forty tokens; a location ``loc(#name)`` or ``loc("file":1:2)`` at its end is set aside first. Nothing
is committed until the whole line fits, otherwise the complete parser gets the same offset back; this tier never reports
an error. A test holds both tiers to the same result. Where lines repeat lines before them, ``ir.repeated_lines`` knows
them without taking them apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pyshardy.ir import shortcuts
from pyshardy.ir.line_forms import LineForms
from pyshardy.ir.line_groups import DeferredLocation, ReadLine
from pyshardy.ir.line_recipes import Recipe, append_made, recipe_of
from pyshardy.ir.locations import Location, file_location
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.progress import ReadingProgress
from pyshardy.ir.registry import generation
from pyshardy.ir.repeated_lines import NAMES, RepeatedLines, period_of
from pyshardy.ir.types import Type
from pyshardy.ir.value_parser import Scope, Unresolved, ValueParser

_BLANK = re.compile(r"[ \t\r\n]*")
_ALIAS = re.compile(r"[#!](\d+|[A-Za-z$._-][\w$.-]*)", re.ASCII)
_LOCATION = " loc(#"
_FILE_LOCATION = ' loc("'
_IN_FILE = re.compile(r' loc\("([^"\\\n]*+)":([0-9]{1,9}):([0-9]{1,9})\)')
"""What stands behind an operation that is located in a file, in its shortest spelling."""
_BLANKS = " \t\r\n"
_LONGEST_LINE = 4000
_MOST_RECIPES = 20_000
_FIRST_LOOK = 64
"""Behind so many lines it is looked for the first time whether they repeat."""
_MOST_SEEN = 1 << 13
"""Of more lines than that the older half is forgotten."""


class _Known:
    """What is known of the lines in regions of one default dialect: the recipe of each, and their forms."""

    __slots__ = ("forms", "recipes")

    def __init__(self) -> None:
        self.recipes: dict[tuple[str, ...], Recipe] = {}
        self.forms = LineForms()

    def add(self, key: tuple[str, ...], recipe: Recipe) -> Recipe:
        """Keeps a recipe; the one that is kept, if there is one already."""
        if len(self.recipes) >= _MOST_RECIPES:
            self.recipes.clear()
        return self.recipes.setdefault(key, recipe)


_known: dict[str, _Known] = {}
_made_in = -1


def _known_in(default_dialect: str) -> _Known:
    """What is known for that default dialect, nothing again when the registered operations have changed."""
    global _made_in
    if _made_in != generation():
        _known.clear()
        _made_in = generation()
    known = _known.get(default_dialect)
    if known is None:
        known = _known[default_dialect] = _Known()
    return known


class FastReader:
    """Reads lines of the source text of ``parser`` into blocks; locations that lines name by alias go on the list.
    ``read_alone(line, default dialect)`` is the complete parser for a line that stands in no text."""

    __slots__ = ("_attribute_aliases", "_deferred", "_parser", "_progress", "_read_alone", "_source", "_type_aliases")

    def __init__(
        self,
        parser: ValueParser,
        deferred_locations: list[DeferredLocation],
        read_alone: Callable[[str, str], Operation | None],
        progress: ReadingProgress,
    ) -> None:
        self._progress = progress
        self._parser = parser
        self._read_alone = read_alone
        self._source = parser.source
        self._deferred = deferred_locations
        self._attribute_aliases = parser.attribute_aliases
        self._type_aliases = parser.type_aliases

    def read(self, block: Block, scope: Scope, default_dialect: str, offset: int) -> int:
        """Appends to ``block`` the operations of the lines from ``offset`` on, as long as each has a recipe; the offset
        behind the last one read (``offset`` itself if the first line has none)."""
        known = _known_in(default_dialect)
        recipes, forms = known.recipes, known.forms
        if not recipes:
            return offset
        source, values, defined = self._source, scope.values, scope.definitions[-1]
        find, rfind, split, blank, get = source.find, source.rfind, NAMES.split, _BLANK.match, recipes.get
        value_of = values.get
        deferred = self._deferred
        place, done = offset, offset
        seen: list[Recipe] = []
        lines: list[ReadLine] = []
        look = _FIRST_LOOK
        indent, width = "\n", 1
        told = self._progress.following
        while True:
            if place >= told:
                told = self._progress.reach(place)
            end = find("\n", place, place + _LONGEST_LINE)
            if end < 0:
                return done
            stop = end
            located: str | Location | None = None
            if source[end - 1] == ")":
                found = rfind(_LOCATION, place, end)
                if found >= 0:
                    text = source[found + len(_LOCATION) : end - 1]
                    if text.isalnum() and text.isascii():
                        stop, located = found, text
                elif (found := rfind(_FILE_LOCATION, place, end)) >= 0:
                    file = _IN_FILE.fullmatch(source, found, end)
                    if file is not None:
                        filename, line, column = file.groups()
                        stop, located = found, file_location(filename, int(line), int(column))
            pieces = split(source[place:stop])
            key = tuple(pieces[::2])
            recipe = get(key)
            if recipe is None:
                recipe = forms.recipe(key, self._read_alone, default_dialect)
                if recipe is None:
                    return done
                known.add(key, recipe)
            names = pieces[1::2]
            lead = recipe.lead
            if lead is None:
                written = names
                location = place
            else:
                written = names[1:]
                name = names[0]
                location = place + lead + len(name)
                if name in values or "#" in name:
                    return done
            if source.startswith(indent, end):
                following = end + width
                first = source[following : following + 1]
            else:
                first = " "
            if first in _BLANKS:
                match = blank(source, end)
                assert match is not None
                following = match.end()
                indent = source[end:following]
                width = following - end
                first = source[following : following + 1]
            if first not in recipe.followers:
                return done
            operands = []
            for text, type in zip(written, recipe.operand_types, strict=False):
                value = value_of(text)
                if value is None:
                    break
                if value.type is not type:
                    return done
                operands.append(value)
            if len(operands) < len(written):
                if (names is not written and name in written) or not self._announce(written, recipe, scope, location):
                    return done
                operands = [values[text] for text in written]
                if [value.type for value in operands] != recipe.operand_types:
                    return done

            op = append_made(block, recipe, operands, location)
            if lead is not None:
                if recipe.result_type is not None:
                    values[name] = op.results[0]
                    defined.append(name)
                else:
                    self._define_all(name, op, scope)
            if located is not None:
                deferred.append((op, located, stop + len(_LOCATION) - 1))
                if recipe.template is not None:
                    # What the line does not spell out stands where the operation stands, and takes its location.
                    deferred += [
                        (inner, located, stop + len(_LOCATION) - 1)
                        for inner in recipe.template.contents(op)
                        if inner.location == location
                    ]
            seen.append(recipe)
            lines.append((recipe, place, located, stop + len(_LOCATION) - 1))
            done = end
            place = following
            if len(seen) >= look:
                begun = place
                place = self._read_repeated(block, scope, seen, lines, begun)
                if place != begun:
                    done = place
                    seen.clear()
                    lines.clear()
                elif len(seen) > _MOST_SEEN:
                    del seen[: len(seen) // 2], lines[: len(lines) // 2]
                look = len(seen) + len(seen) // 4 + _FIRST_LOOK

    def _define_all(self, name: str, op: Operation, scope: Scope) -> None:
        """Gives the results of ``op`` their names, all together one and each its own."""
        values, defined = scope.values, scope.definitions[-1]
        values[name] = op.results[0]
        defined.append(name)
        for result in op.results:
            text = f"{name}#{result.index}"
            values[text] = result
            defined.append(text)

    def _read_repeated(
        self, block: Block, scope: Scope, recipes: list[Recipe], lines: list[ReadLine], place: int
    ) -> int:
        """Reads what follows at ``place`` as long as it repeats the last of ``lines``, which ``recipes`` have made; the
        place of the first line that is not read."""
        period = period_of(recipes) if shortcuts.taken() else 0
        if not period:
            return place
        source, values, defined = self._source, scope.values, scope.definitions[-1]
        repeated = RepeatedLines(source, lines[-2 * period : -period], lines[-period:], place)
        followers = recipes[-1].followers
        group = repeated.group
        outside_types = list(group.outside.values())
        while repeated.is_known and repeated.follow(source, place):
            names = repeated.defined
            if source[repeated.end : repeated.end + 1] not in followers:
                return place
            if not values.keys().isdisjoint(names) or len(set(names)) < len(names):
                return place
            outside: list[Value] = []
            for text, type in zip(repeated.outside, outside_types, strict=True):
                value = values.get(text)
                if value is None or value.type is not type:
                    return place
                outside.append(value)
            results = group.append(block, outside, repeated.offsets, repeated.locations, self._deferred)
            values.update(zip(names, results, strict=True))
            defined += names
            place = repeated.end
            if place >= self._progress.following:
                self._progress.reach(place)
        return place

    def _announce(self, names: list[str], recipe: Recipe, scope: Scope, place: int) -> bool:
        """Makes placeholders for those of ``names``, operands written behind ``place``, that have no meaning yet; False
        if that is beyond this tier."""
        types: dict[str, Type] = {}
        for name, type in zip(names, recipe.operand_types, strict=True):
            value = scope.values.get(name)
            if "#" in name or (value.type if value is not None else types.setdefault(name, type)) is not type:
                return False
        for match in NAMES.finditer(self._source, place):
            name = match[0]
            if name in types:
                self._parser.resolve(Unresolved(name, 0, match.start()), types.pop(name))
            if not types:
                return True
        return False

    def learn(self, op: Operation, place: int, scope: Scope, default_dialect: str, start: int, end: int) -> None:
        """Remembers the line from which the complete parser read ``op`` at ``place`` (from ``start`` to ``end``,
        without a location), if it is one operation alone in its line, with its operands in order and at most one group
        of results, and means the same in every file."""
        if op.definition is None or op.successors or self._parser.context.diagnostics:
            # A line that was complained about is complained about again.
            return
        source = self._source
        line_end = source.find("\n", end, start + _LONGEST_LINE)
        if line_end < 0:
            return
        rest = source[end:line_end]
        if rest.startswith(_LOCATION) or (not op.regions and _IN_FILE.fullmatch(rest) is not None):
            rest, line_end = "", end
        if rest.strip() or self._uses_alias(source[start:end]):
            return
        pieces = NAMES.split(source[start:line_end])
        names = pieces[1::2]
        lead: int | None = None
        if op.results and pieces[0] == "" and "=" in pieces[2]:
            lead = place - start - len(names[0])
            names = names[1:]
            if lead < 0 or lead > len(pieces[2]):
                return
        elif place != start:
            return
        known = [scope.values.get(name) for name in names]
        if len(known) != len(op.operands) or any(a is not b for a, b in zip(known, op.operands, strict=True)):
            return
        try:
            made = recipe_of(op, place, lead)
        except ValueError:
            return
        known_lines = _known_in(default_dialect)
        key = tuple(pieces[::2])
        op.signature = recipe = known_lines.add(key, made)
        known_lines.forms.learn(key, recipe)

    def _uses_alias(self, line: str) -> bool:
        """Whether ``line`` may depend on the aliases of this file."""
        if not self._attribute_aliases and not self._type_aliases:
            return False
        names = _ALIAS.findall(line)
        return any(name in self._attribute_aliases or name in self._type_aliases for name in names)
