"""The fast path of the parser: a cache of whole lines.

A program of many layers repeats its lines except for the names of values, and locations. The text is split at these
(``line_tokens``), and a line without them is looked up (``known_lines``); the result is a recipe: everything the
complete parser made of such a line before. Nothing is committed until the whole line fits, otherwise the complete
parser gets the same offset back; this path never reports an error. A test compares the results of both paths. Many
lines that repeat earlier ones are read at once (``repeated_lines``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

from pyshardy.ir import shortcuts
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.parsing.lexer import NAME
from pyshardy.ir.parsing.lines.known_lines import KnownLines, form_key, known_lines
from pyshardy.ir.parsing.lines.line_groups import DeferredLocation
from pyshardy.ir.parsing.lines.line_locations import LineLocations
from pyshardy.ir.parsing.lines.line_recipes import LineRecipe, append_made, recipe_of
from pyshardy.ir.parsing.lines.line_tokens import BEFORE_LOCATION, BEHIND_LOCATION, LineTokens, split, up_to_line_end
from pyshardy.ir.parsing.lines.repeated_lines import RepeatedLines, is_twice, periods_of
from pyshardy.ir.parsing.lines.repeated_text import RepeatedText
from pyshardy.ir.parsing.value_parser import Scope, Unresolved, ValueParser
from pyshardy.ir.progress import ReadingProgress
from pyshardy.ir.types import Type

_NAMES = re.compile(rf"%{NAME}(?:#\d++)?", re.ASCII)
_ALIAS = re.compile(rf"[#!]({NAME})", re.ASCII)
_BLANKS = " \t\r\n"
_LONGEST_LINE = 4000
_FIRST_LOOK = 32
"""Behind so many lines it is looked for the first time whether they repeat."""
_MOST_PERIODS = 8
"""So many distances are tried at which the last lines were there before."""
_FEWEST_AHEAD = 64
"""What repeats in fewer lines is read line by line."""
_FIRST_COMPARED = 16
"""So many pieces are compared before more of the text is cut up."""
_MOST_MISSES = 4
"""Where repeated lines could not be found in the text itself as often as that, it is cut up."""
_MOST_SEEN = 1 << 13
"""Of more lines than that the older half is forgotten."""


class FastReader:
    """Reads lines of the source text of ``parser`` into blocks; locations that lines name by an alias that is not known
    yet go on the list. ``read_alone(line, default dialect)`` is the complete parser for a line that stands in no
    text."""

    __slots__ = (
        "_attribute_aliases",
        "_lines",
        "_parser",
        "_progress",
        "_read_alone",
        "_source",
        "_type_aliases",
        "locations",
    )

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
        self._attribute_aliases = parser.attribute_aliases
        self._type_aliases = parser.type_aliases
        self._lines = LineTokens(parser.source)
        self.locations = LineLocations(parser.source, parser.attribute_aliases, deferred_locations)

    def read(self, block: Block, scope: Scope, default_dialect: str, offset: int) -> int:
        """Appends to ``block`` the operations of the lines from ``offset`` on, as long as each has a recipe; the offset
        behind the last one read (``offset`` itself if the first line has none)."""
        known = known_lines(default_dialect)
        found = self._lines.find(offset) if known.count else None
        if found is None:
            return offset
        number, text = found
        values, defined = scope.values, scope.definitions[-1]
        value_of, named, location_of = values.get, known.named, self.locations.known.get
        tokens, pieces, places = self._lines.tokens, self._lines.pieces, self._lines.places
        count = len(tokens)
        seen: list[LineRecipe] = []
        begun: list[int] = []
        look = _FIRST_LOOK
        while True:
            # A line begins at the token ``number``, or with a ``text`` in front of it.
            if number >= count:
                if places[-1] >= self._progress.following:
                    self._progress.reach(places[-1])
                if text or not self._lines.read_on(begun[0] if begun else number):
                    return places[-1] - len(text)
                number = self._renumber(begun, number)
                count = len(tokens)
            node: object = named if not text else known.unnamed.get(text)
            last = number - 1
            while type(node) is dict:
                last += 1
                node = node.get(pieces[last])
            following = ""
            if isinstance(node, LineRecipe):
                recipe = node
            else:
                unusual = self._unusual(known, text, number, default_dialect)
                if unusual is None:
                    return places[number] - len(text)
                recipe, last, following = unusual
            if following:
                first = following[0]
            elif last + 1 < count:
                first = tokens[last + 1][0]
            else:
                first = self._after()
            if first not in recipe.followers:
                return places[number] - len(text)

            location: Location | None = None
            end = last + 1
            if recipe.is_located:
                end = last
                location = location_of(tokens[last]) or self.locations.find(tokens[last])
                if location is None and "#" in tokens[last]:
                    return places[number] - len(text)
            lead = recipe.lead
            if lead is None:
                written = tokens[number:end]
                place = places[number] - len(text)
            else:
                name = tokens[number]
                if name in values or "#" in name:
                    return places[number]
                written = tokens[number + 1 : end]
                place = places[number] + lead + len(name)
            operands = []
            for one, type_ in zip(written, recipe.operand_types, strict=False):
                value = value_of(one)
                if value is None:
                    break
                if value.type is not type_:
                    return places[number] - len(text)
                operands.append(value)
            if len(operands) < len(written):
                if (lead is not None and name in written) or not self._announce(written, recipe, scope, place):
                    return places[number] - len(text)
                operands = [values[one] for one in written]
                if [value.type for value in operands] != recipe.operand_types:
                    return places[number] - len(text)

            op = append_made(block, recipe, operands, place, location)
            if lead is not None:
                if recipe.result_type is not None:
                    values[name] = op.results[0]
                    defined.append(name)
                else:
                    self._define_all(name, op, scope)
            if location is None and recipe.is_located:
                self.locations.defer(op, recipe, place, tokens[last][1:], places[last])
            seen.append(recipe)
            begun.append(number)
            number, text = last + 1, following
            if len(seen) >= look and not text:
                behind, number = self._read_repeated(block, scope, seen, begun, number)
                if behind >= 0:
                    found = self._lines.find(behind)
                    if found is None:
                        return behind
                    number, text = found
                    seen.clear()
                    begun.clear()
                tokens, pieces, places = self._lines.tokens, self._lines.pieces, self._lines.places
                count = len(tokens)
                if len(seen) > _MOST_SEEN:
                    del seen[: len(seen) // 2], begun[: len(begun) // 2]
                look = len(seen) + len(seen) // 4 + _FIRST_LOOK

    def _after(self) -> str:
        """The character behind the lines that are cut up."""
        end = self._lines.places[-1]
        return self._source[end : end + 1]

    def _renumber(self, begun: list[int], number: int) -> int:
        """The new number of token ``number`` after the lines before the first token of ``begun`` (before ``number`` if
        that is empty) were forgotten. Renumbers ``begun``, too."""
        shift = begun[0] if begun else number
        begun[:] = [one - shift for one in begun]
        return number - shift

    def _unusual(
        self, known: KnownLines, text: str, number: int, default_dialect: str
    ) -> tuple[LineRecipe, int, str] | None:
        """The recipe of the line with ``text`` before the token ``number``, if there is one: the line is new, or other
        blanks or no name follow it. Also the number of its last token, and the beginning of the next line, if that is
        no name."""
        pieces, last = self._lines.pieces, number
        while last < len(pieces) and "\n" not in pieces[last]:
            last += 1
        if last == len(pieces) or "\n" in text:
            return None
        piece = pieces[last]
        end = piece.index("\n") + 1
        path = [*pieces[number:last], piece[:end]]
        recipe = known.get(text, path)
        if recipe is None:
            is_located = path[-1] == BEHIND_LOCATION and (path[-2] if last > number else text).endswith(BEFORE_LOCATION)
            recipe = known.forms.recipe(form_key(text, path, is_located), self._read_alone, default_dialect)
            if recipe is None:
                return None
            recipe.is_located = is_located
            recipe = known.add(text, path, recipe)
        following = piece[end:].lstrip(_BLANKS)
        if not following and end < len(piece):
            known.add(text, [*path[:-1], piece], recipe)
        return recipe, last, following

    def _defer_all(
        self, block: Block, recipes: Sequence[LineRecipe], missing: dict[int, int], stand: list[int], number: int
    ) -> None:
        """Has those of the last operations of ``block``, made by ``recipes``, get their location at the end of the file
        whose numbers are ``missing``, with the token of the location, counted from ``number``; they ``stand`` there."""
        made: list[Operation] = []
        last = block.last
        while last is not None and len(made) < len(recipes):
            made.append(last)
            last = last._previous
        for line, end in missing.items():
            token, place = self._lines.tokens[number + end], self._lines.places[number + end]
            self.locations.defer(made[-1 - line], recipes[line], stand[line], token[1:], place)

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
        self, block: Block, scope: Scope, recipes: list[LineRecipe], begun: list[int], number: int
    ) -> tuple[int, int]:
        """Reads what follows from the token ``number`` on as long as it repeats the last lines, which ``recipes`` have
        made and tokens ``begun``. The place behind the last line that was read, -1 if there is none; and where the
        token ``number`` is now in that case."""
        if not shortcuts.enabled():
            return -1, number
        begun.append(number)
        period = self._repeated_ahead(recipes, begun)
        number = begun.pop()
        if not period:
            return -1, number
        lines, followers = self._lines, recipes[-1].followers
        begin = begun[-period]
        expected, before = lines.pieces[begin:number], lines.tokens[begin:number]
        *inner, last = expected
        last = up_to_line_end(last)
        repeated = RepeatedLines(recipes[-period:], before, lines.tokens[number : number + len(before)])
        written: RepeatedText | None = None
        place, is_measured, misses = -1, False, 0
        while repeated.is_known:
            if place >= self._progress.following:
                self._progress.reach(place)
            if written is not None and is_measured and written.follow(self._source, place):
                found: list[Location | None] = list(map(self.locations.written.get, written.locations))
                end = place + written.length
                if (
                    None not in found
                    and self._source[end : end + 1] in followers
                    and self._append_group(block, scope, repeated, written.places(place), found)
                ):
                    place = end
                    continue
            if is_measured:
                is_measured, misses = False, misses + 1
                where = lines.find(place)
                if where is None or where[1]:
                    break
                number = where[0]
            while number + len(expected) > len(lines.tokens):
                if not lines.read_on(begun[0] if begun else number):
                    return place, number
                number = self._renumber(begun, number)
            end = number + len(inner)
            if lines.pieces[number:end] != inner or not lines.pieces[end].startswith(last):
                break
            tokens = lines.tokens[number : end + 1]
            following = lines.pieces[end][len(last) :].lstrip(_BLANKS)
            next_line = (
                following or lines.tokens[end + 1] if following or end + 1 < len(lines.tokens) else self._after()
            )
            if next_line[:1] not in followers or not repeated.fit(tokens):
                break
            named = [tokens[token] for token in repeated.location_tokens]
            found = list(map(self.locations.find, named))
            missing = repeated.missing(found)
            if any("#" in tokens[token] for token in missing.values()):
                break
            stand = repeated.places(tokens, lines.places, number, needed=bool(missing))
            if not self._append_group(block, scope, repeated, stand, found):
                break
            if missing:
                self._defer_all(block, repeated.recipes, missing, stand, number)
            begun.clear()
            number = end + 1
            place = lines.places[number] - len(following)
            if following:
                break
            if misses < _MOST_MISSES:
                written = written or RepeatedText(repeated, expected)
                is_measured = written.is_known
                if is_measured:
                    written.measure(tokens)
        return place, number

    def _repeated_ahead(self, recipes: list[LineRecipe], begun: list[int]) -> int:
        """How many of the last lines, which ``recipes`` have made, are repeated by those behind them; 0 if they are
        not. Tokens ``begun`` the lines, and the last of them begins the next one; they may get other numbers."""
        for period in islice(periods_of(recipes), _MOST_PERIODS):
            if self._are_ahead(begun, period, -(-_FEWEST_AHEAD // period)):
                while is_twice(recipes, period) and self._are_ahead(begun, 2 * period, 1):
                    period *= 2
                return period
        return 0

    def _are_ahead(self, begun: list[int], period: int, times: int) -> bool:
        """Whether the next lines are, ``times`` over, the last ``period`` lines but for names (see
        ``_repeated_ahead``)."""
        lines, number = self._lines, begun[-1]
        begin = begun[-1 - period]
        count = number - begin
        some = min(count, _FIRST_COMPARED, len(lines.pieces) - number)
        if lines.pieces[number : number + some] != lines.pieces[begin : begin + some]:
            return False
        while begun[-1] + times * count > len(lines.tokens) and lines.read_on(begun[0]):
            self._renumber(begun, begun[0])
        pieces, number = lines.pieces, begun[-1]
        begin, end = number - count, number + times * count - 1
        if end >= len(pieces) or pieces[begin : end - count] != pieces[number:end]:
            return False
        return pieces[end].startswith(up_to_line_end(pieces[number - 1]))

    def _append_group(
        self,
        block: Block,
        scope: Scope,
        repeated: RepeatedLines,
        stand: list[int],
        located: list[Location | None],
    ) -> bool:
        """Appends what ``repeated`` lines make that ``stand`` there and are ``located`` so, if their names are new, and
        what they read is there."""
        values, names = scope.values, repeated.defined
        if not values.keys().isdisjoint(names) or len(set(names)) < len(names):
            return False
        outside: list[Value] = []
        for name, type in zip(repeated.outside, repeated.group.outside.values(), strict=True):
            value = values.get(name)
            if value is None or value.type is not type:
                return False
            outside.append(value)
        results = repeated.group.append(block, outside, stand, repeated.locations(located))
        values.update(zip(names, results, strict=True))
        scope.definitions[-1] += names
        return True

    def _announce(self, names: list[str], recipe: LineRecipe, scope: Scope, place: int) -> bool:
        """Makes placeholders for those of ``names``, operands written behind ``place``, that have no meaning yet; False
        if that is beyond this path."""
        types: dict[str, Type] = {}
        for name, type in zip(names, recipe.operand_types, strict=True):
            value = scope.values.get(name)
            known = value.type if value is not None else types.setdefault(name, type)
            if "#" in name or known is not type:
                return False
        for match in _NAMES.finditer(self._source, place):
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
        line_end = source.find("\n", end, start + _LONGEST_LINE) + 1
        if not line_end:
            return
        line, rest = source[start:line_end], source[end:line_end]
        if self._uses_alias(line[: end - start]):
            return
        try:
            parts = split(line)
        except ValueError:
            return
        text, names, path = parts[0], parts[1::2], parts[2::2]
        is_located = bool(rest.strip())
        if is_located:
            if not names or len(rest) != len(BEFORE_LOCATION) + len(names[-1]) + len(BEHIND_LOCATION):
                return
            if path[-1] != BEHIND_LOCATION or not parts[-3].endswith(BEFORE_LOCATION):
                return
            if op.regions and isinstance(op.location, Location):
                # What is inside has the location already.
                return
            names = names[:-1]
        lead: int | None = None
        if op.results and not text and "=" in path[0]:
            lead = place - start - len(names[0])
            names = names[1:]
            if lead < 0 or lead > len(path[0]):
                return
        elif place != start or not path:
            return
        known = [scope.values.get(name) for name in names]
        if len(known) != len(op.operands) or any(a is not b for a, b in zip(known, op.operands, strict=True)):
            return
        try:
            made = recipe_of(op, place, lead)
        except ValueError:
            return
        made.is_located = is_located
        lines = known_lines(default_dialect)
        op.signature = recipe = lines.add(text, path, made)
        lines.forms.learn(form_key(text, path, is_located), recipe)

    def _uses_alias(self, line: str) -> bool:
        """Whether ``line`` may depend on the aliases of this file."""
        if not self._attribute_aliases and not self._type_aliases:
            return False
        names = _ALIAS.findall(line)
        return any(name in self._attribute_aliases or name in self._type_aliases for name in names)
