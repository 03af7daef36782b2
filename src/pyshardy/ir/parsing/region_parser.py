"""Parses regions: blocks with their labels and arguments, and the locations of what is in them.

Most lines are left to ``lines.fast_reader``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple, TypeVar

from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.explicit_stack import Steps
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, BlockArgument, Operation, Region
from pyshardy.ir.parsing.lines.fast_reader import FastReader
from pyshardy.ir.parsing.lines.line_groups import DeferredLocation
from pyshardy.ir.parsing.location_parser import parse_location
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.parsing.typed_entries import TypedEntries, TypedEntry
from pyshardy.ir.parsing.value_parser import ValueParser
from pyshardy.ir.progress import ReadingProgress
from pyshardy.ir.types import Type

T = TypeVar("T")

_ALIAS_LOCATION = re.compile(r"loc\(#([0-9A-Za-z]++)\)")


class LocationAlias(NamedTuple):
    """``#name`` in a ``loc(…)`` at ``offset``; it may be defined later in the file."""

    name: str
    offset: int


WrittenLocation = Location | LocationAlias


class Argument(NamedTuple):
    """A region argument as written."""

    name: str
    type: Type
    offset: int
    attributes: DictionaryAttr = EMPTY_DICTIONARY
    location: WrittenLocation | None = None


class RegionParser(ValueParser):
    """Reads regions; of an operation it knows that it comes next."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._block_names: list[dict[str, tuple[Block, int]]] = []
        self._undefined_blocks: list[dict[str, int]] = []
        self._default_dialects: list[str] = ["builtin"]
        self._region_was_shared = False
        self._deferred: list[DeferredLocation] = []
        self._progress = ReadingProgress(context.progress, len(self.source))
        self._fast = FastReader(self, self._deferred, self.read_alone, self._progress)
        self._entries = TypedEntries(self.source, self._repeated, self.attribute_aliases)

    def _operation_into(self, block: Block) -> Steps:
        """Reads an operation and appends it to ``block``."""
        raise NotImplementedError

    def read_alone(self, line: str, default_dialect: str) -> Operation | None:
        """The operation that ``line`` spells, in a text of its own; None if it is wrong, or not all of the line."""
        raise NotImplementedError

    # --- blocks ---------------------------------------------------------------------------------------------------

    def region(
        self,
        arguments: Iterable[Argument] = (),
        *,
        isolated: bool = False,
        default_dialect: str | None = None,
    ) -> Generator[Any, Any, Region]:
        """Reads ``{ ... }``; ``arguments`` become those of the entry block. A generator: ``region = yield
        p.region()``."""
        custom_op, self.custom_op = self.custom_op, None
        self.expect("{", "expected '{' to begin a region")
        region = Region()
        named = list(arguments)
        if isolated:
            self.open_scope()
        else:
            self.open_region()
        self._block_names.append({})
        self._undefined_blocks.append({})
        self._default_dialects.append(default_dialect or "")
        if named or self.text != "}":
            yield from self._region_body(region, named)
        self._default_dialects.pop()
        self._check_blocks_defined()
        if isolated:
            self.close_scope()
        else:
            self.close_region()
        self.expect("}")
        self.custom_op = custom_op
        self._region_was_shared = not isolated
        return region

    def _region_body(self, region: Region, arguments: list[Argument]) -> Steps:
        if self.kind == "block" and arguments:
            self.error("invalid block name in region with named arguments")
        if self.kind != "block":
            block = Block()
            region.add_block(block)
            for argument in arguments:
                self.check_argument_free(argument.name, argument.offset)
                value = block.add_argument(argument.type, argument.offset)
                self._place(value, argument.location)
                self.define(argument.name, [value], argument.offset)
            yield from self._block_body(block)
        while self.kind == "block":
            block = self._block_header(region)
            yield from self._block_body(block)

    def _block_body(self, block: Block) -> Steps:
        scope, default_dialect = self._scopes[-1], self._default_dialects[-1]
        while True:
            done = self._fast.read(block, scope, default_dialect, self.start)
            if done != self.start:
                self.move_to(done)
            if self.start >= self._progress.following:
                self._progress.reach(self.start)
            if self.kind == "block" or (self.text == "}" and self.kind == "punct"):
                return
            yield from self._operation_into(block)

    def _block_header(self, region: Region) -> Block:
        offset = self.start
        name = self.advance()
        names = self._block_names[-1]
        undefined = self._undefined_blocks[-1]
        if name in names and name not in undefined:
            self.error(f"redefinition of block '{name}'", at=offset)
        block = names[name][0] if name in undefined else Block()
        undefined.pop(name, None)
        names[name] = (block, offset)
        region.add_block(block)
        # Control flow decides what dominates what from the second block on.
        self.uses_precede_definitions = self.uses_precede_definitions or len(region.blocks) > 1
        if self.accept("("):
            if not self.at(")"):
                self._block_argument(block)
                while self.accept(","):
                    self._block_argument(block)
            self.expect(")")
        self.expect(":", "expected ':' after block name")
        return block

    def _block_argument(self, block: Block) -> None:
        operand = self.operand()
        self.expect(":", "expected ':' and type for SSA operand")
        value = block.add_argument(self.type(), operand.offset)
        self._trailing_location(value)
        self.define(operand.name, [value], operand.offset)

    def successor(self) -> Block:
        """``^name``, a block of the region that is being read; it may be defined later."""
        if self.kind != "block":
            self.error_after_previous("expected block name")
        offset = self.start
        name = self.advance()
        names = self._block_names[-1]
        if name not in names:
            names[name] = (Block(), offset)
            self._undefined_blocks[-1][name] = offset
        return names[name][0]

    def _check_blocks_defined(self) -> None:
        self._block_names.pop()
        undefined = self._undefined_blocks.pop()
        if undefined:
            errors = [
                Diagnostic("error", self.context.source.position(offset), "reference to an undefined block")
                for offset in sorted(undefined.values())
            ]
            raise ParseError(*errors)

    # --- arguments and locations ----------------------------------------------------------------------------------

    def argument(self) -> Argument:
        """``%name: type [loc(...)]``, a region argument."""
        operand = self.argument_name()
        self.expect(":")
        return Argument(operand.name, self.type(), operand.offset, EMPTY_DICTIONARY, self.optional_location())

    def arguments(self) -> list[Argument]:
        """``%name: type [{...}] [loc(...)]``, an argument of a function, and those that follow it in the usual form."""
        found = self._in_a_row(self._usual_argument, ", %")
        if found:
            return found
        operand = self.argument_name()
        self.expect(":")
        type, entries = self.typed_entries(", %")[0]
        return [Argument(operand.name, type, operand.offset, entries, self.optional_location())]

    def _usual_argument(self, start: int) -> tuple[Argument, int] | None:
        """The argument at ``start`` and where it ends, if it is written as MLIR prints it."""
        known = self._entries.argument(start)
        if known is None:
            return None
        location: WrittenLocation | None = known.location
        if known.alias:
            location = LocationAlias(known.alias, known.end - len(known.alias) - 2)
        return Argument(known.name, known.type, start, known.attributes, location), known.end

    def typed_entries(self, separator: str) -> list[TypedEntry]:
        """``type [{...}]``, an argument or result of a function, and those that follow it in the usual form;
        ``separator``, which begins with a comma and a blank, usually begins the next one."""
        found = self._in_a_row(lambda start: self._entries.find(start, separator), separator)
        if found:
            return found
        start = self.start
        type = self.type()
        entries = self.dictionary() if self.text == "{" and self.kind == "punct" else EMPTY_DICTIONARY
        self._entries.learn(start, self.previous_end, (type, entries))
        return [(type, entries)]

    def _in_a_row(self, read: Callable[[int], tuple[T, int] | None], separator: str) -> list[T]:
        """What ``read`` finds from the current token on, and where that ends, as long as ``separator``, a comma and a
        blank first, follows; it is consumed."""
        found: list[T] = []
        end = self.start
        known = read(end)
        while known is not None:
            one, end = known
            found.append(one)
            known = read(end + 2) if self.source.startswith(separator, end) else None
        if found:
            self.move_to(end)
        return found

    def optional_location(self) -> WrittenLocation | None:
        """``loc(…)``, if it comes next."""
        if not (self.text == "loc" and self.kind == "bare"):
            return None
        alias = _ALIAS_LOCATION.match(self.source, self.start)
        if alias is not None and alias[1] not in self.attribute_aliases:
            self.move_to(alias.end())
            return LocationAlias(alias[1], alias.start(1) - 1)
        self.advance()
        self.expect("(", "expected '(' in location")
        location: WrittenLocation
        if self.kind == "hash" and self.text[1:] not in self.attribute_aliases:
            location = LocationAlias(self.text[1:], self.start)
            self.advance()
        else:
            location = parse_location(self)
        self.expect(")", "expected ')' in location")
        return location

    def _trailing_location(self, *located: Operation | BlockArgument) -> None:
        if self.text == "loc":
            location = self.optional_location()
            for one in located:
                self._place(one, location)

    def _place(self, located: Operation | BlockArgument, location: WrittenLocation | None) -> None:
        if isinstance(location, LocationAlias):
            self._deferred.append((located, location.name, location.offset))
        elif location is not None:
            located.location = location

    def _place_deferred(self) -> None:
        aliases = self.attribute_aliases
        for located, alias, offset in self._deferred:
            location = aliases.get(alias)
            if location is None:
                self.error("operation location alias was never defined", at=offset)
            if not isinstance(location, Location):
                self.error(f"expected location, but found '{location}'", at=offset)
            located.location = location
