"""Declarative pretty forms: one string for each operation says how its text is read and written.

The string looks like the text itself. Words and punctuation stand for themselves; the rest are marks:

    %0 %1 …           operand 0, 1, …
    %...              the remaining operands, with commas between them
    %...,             the remaining operands, each followed by a comma; a lone comma if there are none
    %*                all operands; a count that does not fit the types is reported where they start
    <name:notation>   the property ``name``, written in that notation (``integers``: ``[1, 2]``)
    <part>            several properties that are written together
    (?, …?)           a group that is there if the first property in it is; it starts with punctuation
    {}                the attributes that are not written otherwise
    : suffix          at the end: how the types are written (``assembly_types``)

Rows of dialects have an ``Assembly``, whose string is parsed when the first such operation is read or written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.dialects.assembly_types import SUFFIXES, TypeSuffix
from pyshardy.ir.attribute import Attribute, quoted, symbol_text
from pyshardy.ir.attributes import DenseArrayAttr, IntegerAttr, StringAttr
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.types import I1, I32, I64, NoneType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


class Notation(NamedTuple):
    """How the value of one property is written. ``write`` gets a value that ``read`` could have given, or any other
    attribute from a program that was not verified, and then writes that attribute's own text."""

    read: Callable[[Parser], Attribute]
    write: Callable[[Attribute], str]


class PropertyGroup(NamedTuple):
    """How several properties are written together."""

    properties: tuple[str, ...]
    read: Callable[[Parser, OperationState], None]
    write: Callable[[Operation], str]


class Reading:
    """An operation in the middle of being read: the parser, what it found, and the operands that wait for types."""

    __slots__ = ("operands", "operands_offset", "parser", "state")

    def __init__(self, parser: Parser, state: OperationState) -> None:
        self.parser = parser
        self.state = state
        self.operands: list[Unresolved] = []
        self.operands_offset: int | None = state.location if isinstance(state.location, int) else None


_Reader = Callable[[Reading], None]
_Writer = Callable[["Printer", "Operation"], str] | str


class Assembly:
    """The pretty form of an operation; ``parse`` and ``print_`` are what an ``OpDef`` wants.

    ``parts`` are the parts that the text names, ``notations`` and ``suffixes`` those that are not among ``NOTATIONS``
    and ``SUFFIXES``.
    """

    __slots__ = ("_notations", "_parts", "_readers", "_suffixes", "_writers", "text")

    def __init__(
        self,
        text: str,
        *,
        notations: Mapping[str, Notation] | None = None,
        parts: Mapping[str, PropertyGroup] | None = None,
        suffixes: Mapping[str, TypeSuffix] | None = None,
    ) -> None:
        self.text = text
        self._notations = notations or {}
        self._parts = parts or {}
        self._suffixes = suffixes or {}
        self._readers: list[_Reader] | None = None
        self._writers: list[_Writer] | None = None

    def problem(self) -> str | None:
        """What is wrong with the text, as a sentence; None if nothing is."""
        try:
            self._compile()
        except KeyError as missing:
            names = ", ".join(sorted({*NOTATIONS, *self._notations, *SUFFIXES, *self._suffixes}))
            return f"the form {self.text!r} names {missing}, which is none of {names}"
        except (IndexError, ValueError):
            return f"the form {self.text!r} is not as 'what is written : how the types are'"
        return None

    def parse(self, parser: Parser, state: OperationState) -> None:
        """Reads the pretty form behind the operation's name.

        Raises:
            ParseError: the text does not fit.
        """
        readers = self._readers
        if readers is None:
            readers, self._writers = self._compile()
            self._readers = readers
        reading = Reading(parser, state)
        for read in readers:
            read(reading)

    def print_(self, printer: Printer, op: Operation) -> None:
        """Writes the pretty form behind the operation's name."""
        writers = self._writers
        if writers is None:
            self._readers, writers = self._compile()
            self._writers = writers
        out = printer.out
        for write in writers:
            out.append(write if isinstance(write, str) else write(printer, op))

    def _compile(self) -> tuple[list[_Reader], list[_Writer]]:
        body, _, suffix = self.text.rpartition(" : ")
        compiler = _Compiler(self._notations, self._parts)
        if body[0] not in "({":
            compiler.literal(" ", read=False)
        compiler.sequence(body)
        compiler.types(self._suffixes.get(suffix) or SUFFIXES[suffix])
        return compiler.readers, compiler.writers


class _Compiler:
    """Takes one text apart into steps that read and steps that write."""

    def __init__(self, notations: Mapping[str, Notation], parts: Mapping[str, PropertyGroup]) -> None:
        self.readers: list[_Reader] = []
        self.writers: list[_Writer] = []
        self._notations = notations
        self._parts = parts
        self._written: list[str] = []
        self._fixed_operands = 0

    def sequence(self, text: str) -> None:
        place = 0
        for mark in _marks().finditer(text):
            if mark.start() < place:
                continue
            self.literal(text[place : mark.start()])
            place = mark.end()
            kind = mark.lastgroup
            if kind == "operand":
                self._operand(int(mark["operand"]))
            elif kind == "operands":
                self._operands(mark["operands"])
            elif kind == "property":
                name, _, notation = mark["property"].partition(":")
                self._property(name, self._notations.get(notation) or NOTATIONS[notation])
            elif kind == "part":
                self._part(self._parts[mark["part"]])
            elif kind == "dictionary":
                self._dictionary()
            else:
                self._group(mark["group"])
        self.literal(text[place:])

    def literal(self, text: str, *, read: bool = True) -> None:
        if text:
            self.writers.append(text)
        if read:
            self.readers.extend(_expectation(token) for token in re.findall(r"\w+|->|\S", text))

    def _operand(self, index: int) -> None:
        self._fixed_operands = max(self._fixed_operands, index + 1)
        self.readers.append(_read_operand)
        self.writers.append(lambda printer, op: printer.operand(op.operands[index]))

    def _operands(self, mark: str) -> None:
        first = self._fixed_operands
        if mark == "%...,":
            self.readers.append(_read_operands_with_commas)
            self.writers.append(lambda printer, op: printer.operands(op.operands[first:]) + ",")
            return
        self.readers.append(_read_all_operands if mark == "%*" else _read_operands)
        self.writers.append(lambda printer, op: printer.operands(op.operands[first:]))

    def _property(self, name: str, notation: Notation) -> None:
        self._written.append(name)

        def read(reading: Reading) -> None:
            reading.state.properties[name] = notation.read(reading.parser)

        def write(_: Printer, op: Operation) -> str:
            value = op.properties.get(name)
            return "<<NULL ATTRIBUTE>>" if value is None else notation.write(value)

        self.readers.append(read)
        self.writers.append(write)

    def _part(self, part: PropertyGroup) -> None:
        self._written.extend(part.properties)
        self.readers.append(lambda reading: part.read(reading.parser, reading.state))
        self.writers.append(lambda _, op: part.write(op))

    def _dictionary(self) -> None:
        written = self._written
        self.readers.append(lambda reading: read_dictionary(reading.parser, reading.state))
        self.writers.append(lambda printer, op: written_dictionary(printer, op, written))

    def _group(self, text: str) -> None:
        inner = _Compiler(self._notations, self._parts)
        inner.sequence(text[2:-2])
        self._written.extend(inner._written)
        opening, (name, *_) = text[2], inner._written

        def read(reading: Reading) -> None:
            if reading.parser.accept(opening):
                for step in inner.readers[1:]:
                    step(reading)

        def write(printer: Printer, op: Operation) -> str:
            definition = op.definition
            elided = definition.elides(op) if definition is not None and definition.elides is not None else ()
            if name not in op.properties or name in elided:
                return ""
            return "".join(step if isinstance(step, str) else step(printer, op) for step in inner.writers)

        self.readers.append(read)
        self.writers.append(write)

    def types(self, suffix: TypeSuffix) -> None:
        self.readers.append(
            lambda reading: suffix.read(reading.parser, reading.state, reading.operands, reading.operands_offset)
        )
        self.writers.append(suffix.write)


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(
        r"""(?P<group>\(\?.*?\?\)) | %(?P<operand>\d+) | (?P<operands>%\.\.\.,?|%\*)
        | <(?P<property>\w+:\w+)> | <(?P<part>\w+)> | \ ?(?P<dictionary>\{\})""",
        re.VERBOSE,
    )


def _expectation(token: str) -> _Reader:
    if token[0].isalpha():
        return lambda reading: reading.parser.expect_keyword(token)
    return lambda reading: reading.parser.expect(token)


# --- operands and attributes ------------------------------------------------------------------------------------------


def _read_operand(reading: Reading) -> None:
    reading.operands.append(reading.parser.operand())


def _read_operands(reading: Reading) -> None:
    reading.operands += reading.parser.operands()


def _read_all_operands(reading: Reading) -> None:
    reading.operands_offset = reading.parser.start
    _read_operands(reading)


def _read_operands_with_commas(reading: Reading) -> None:
    parser = reading.parser
    if parser.accept(","):
        # What printing none of them leaves; MLIR does not read it back, we do.
        return
    while parser.kind == "value":
        reading.operands.append(parser.operand())
        parser.expect(",")


def read_dictionary(parser: Parser, state: OperationState) -> None:
    """An attribute dictionary, if one comes next. What it says about a property outdoes what the syntax said."""
    if not (parser.text == "{" and parser.kind == "punct"):
        return
    inherent = state.definition.properties if state.definition is not None else ()
    for name, value in parser.dictionary():
        (state.properties if name in inherent else state.attributes)[name] = value


def written_dictionary(printer: Printer, op: Operation, written: Iterable[str] = (), *, keyword: bool = False) -> str:
    """The attributes of ``op`` without the properties ``written`` by its syntax, with a space in front, or nothing."""
    if not op.attributes.entries and not op.properties.entries:
        return ""
    return printer.attr_dict(op, written, keyword=keyword)


# --- notations --------------------------------------------------------------------------------------------------------


def read_integers(parser: Parser) -> DenseArrayAttr:
    """``[1, 2]`` as ``array<i64: 1, 2>``."""
    try:
        return DenseArrayAttr(I64, parser.integer_list())
    except ParseError as error:
        if not str(error.diagnostics[0].message).endswith("expected integer value"):
            raise
        # MLIR reads on after the wrong element and misses the bracket as well.
        place = parser.context.source.position(parser.previous_end)
        raise ParseError(*error.diagnostics, Diagnostic("error", place, "expected ']'")) from None


def write_integers(value: Attribute) -> str:
    """``[1, 2]``."""
    if not isinstance(value, DenseArrayAttr):
        return str(value)
    return "[" + ", ".join(map(str, value.values)) + "]"


def _read_number(parser: Parser, type: Type) -> IntegerAttr:
    offset = parser.start
    value = parser.attribute(type)
    if not isinstance(value, IntegerAttr):
        parser.error("invalid kind of attribute specified", at=offset)
    return value


def _write_number(value: Attribute) -> str:
    return str(value.value) if isinstance(value, IntegerAttr) else str(value)


def _write_boolean(value: Attribute) -> str:
    return ("true" if value.value else "false") if isinstance(value, IntegerAttr) else str(value)


def _read_string(parser: Parser) -> StringAttr:
    if parser.kind != "string":
        offset = parser.start
        parser.attribute(NoneType())
        parser.error("invalid kind of attribute specified", at=offset)
    return StringAttr(parser.string())


def _write_string(value: Attribute) -> str:
    return quoted(value.value) if isinstance(value, StringAttr) else str(value)


def _write_symbol(value: Attribute) -> str:
    return symbol_text(value.value) if isinstance(value, StringAttr) else str(value)


NOTATIONS = {
    "boolean": Notation(lambda parser: _read_number(parser, I1), _write_boolean),
    "i32": Notation(lambda parser: _read_number(parser, I32), _write_number),
    "i64": Notation(lambda parser: _read_number(parser, I64), _write_number),
    "integers": Notation(read_integers, write_integers),
    "string": Notation(_read_string, _write_string),
    "symbol": Notation(lambda parser: StringAttr(parser.symbol_name()), _write_symbol),
}
"""The notations that any dialect may use: ``true``, ``7``, ``[1, 2]``, ``"text"``, ``@text``."""
