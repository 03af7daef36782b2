"""Parses operands, and resolves names to values: scopes, forward references, redefinitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, NoReturn

from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.operation import Value
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.ir.parsing.lexer import NAME
from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.rewriting import replace_all_uses
from pyshardy.ir.types import Type

_MOST_ERRORS = 100
_OPERANDS = re.compile(repeated(rf"%{NAME}(?:#\d{{1,9}}+)?, (?=%)", "+"), re.ASCII)
"""Operands that are followed by another one, as MLIR prints them."""


class Unresolved(NamedTuple):
    """An operand as written: ``%name#number`` at ``offset``; ``resolve`` makes it a value."""

    name: str
    number: int
    offset: int

    @property
    def text(self) -> str:
        return f"{self.name}#{self.number}" if self.number else self.name


class Scope:
    """The values of one isolated region by name, ``%x`` or ``%x#1``, with the names that each nested region defined.

    ``forward`` holds the placeholders of values that are used but not yet defined: their text and where they were used.
    """

    __slots__ = ("definitions", "forward", "values")

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.definitions: list[list[str]] = [[]]
        self.forward: dict[Value, tuple[str, int]] = {}


class ValueParser(AttributeParser):
    """Reads operands and knows what their names mean."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._scopes: list[Scope] = []
        self._defined_at: dict[Value, int] = {}
        self.uses_precede_definitions = False
        """Whether some value was used in the text before its definition."""

    # --- scopes ---------------------------------------------------------------------------------------------------

    def open_scope(self) -> None:
        """Begins a region that does not see the values around it."""
        self._scopes.append(Scope())

    def close_scope(self) -> None:
        """Ends it.

        Raises:
            ParseError: one error for each value that was used and never defined, up to a hundred.
        """
        scope = self._scopes.pop()
        if scope.forward:
            message = "use of undeclared SSA value name"
            offsets = sorted(offset for _, offset in scope.forward.values())[:_MOST_ERRORS]
            raise ParseError(*(Diagnostic("error", self.context.source.position(at), message) for at in offsets))

    def open_region(self) -> None:
        """Begins a region that sees the values around it."""
        self._scopes[-1].definitions.append([])

    def close_region(self) -> None:
        """Ends it: the names that it defined are free again."""
        scope = self._scopes[-1]
        for name in scope.definitions.pop():
            scope.values.pop(name, None)

    # --- uses -----------------------------------------------------------------------------------------------------

    def operand(self) -> Unresolved:
        """``%name`` or ``%name#number``."""
        if self.kind != "value":
            self.error_after_previous("expected SSA operand")
        offset = self.start
        name = self.advance()
        number = 0
        if self.kind == "hash":
            if not self.text[1:].isdigit():
                self.error("invalid SSA value result number", prefix=False)
            number = self.integer_value(self.text[1:])
            if number >= 2**32:
                self.error("invalid SSA value result number", prefix=False)
            self.advance()
        return Unresolved(name, number, offset)

    def argument_name(self) -> Unresolved:
        """``%name`` as the name of a region's argument."""
        if self.kind != "value":
            self.error_after_previous("expected SSA operand")
        offset = self.start
        name = self.advance()
        if self.kind == "hash":
            self.error("result number not allowed in argument list", prefix=False)
        return Unresolved(name, 0, offset)

    def operands(self) -> list[Unresolved]:
        """A comma list of operands, possibly empty."""
        found: list[Unresolved] = []
        if self.kind == "value":
            found += self._operands_before_the_last()
            found.append(self.operand())
            while self.accept(","):
                found.append(self.operand())
        return found

    def _operands_before_the_last(self) -> list[Unresolved]:
        """Those that come first, as far as MLIR's usual comma and blank stand behind them."""
        match = _OPERANDS.match(self.source, self.start)
        if match is None:
            return []
        found, place = [], match.start()
        for text in match[0].split(", ")[:-1]:
            name, _, number = text.partition("#")
            found.append(Unresolved(name, int(number or 0), place))
            place += len(text) + 2
        self.move_to(place)
        return found

    def resolve(self, operand: Unresolved, type: Type) -> Value:
        """The value that ``operand`` names, which must have ``type``; a placeholder until it is defined."""
        scope = self._scopes[-1]
        value = scope.values.get(operand.text)
        if value is not None:
            if value.type is not type:
                self._wrong_type(operand, type, value)
            return value
        first = scope.values.get(operand.name)
        if first is not None and first not in scope.forward:
            self.error("reference to invalid result number", at=operand.offset, prefix=False)
        placeholder = Value(type)
        scope.values[operand.text] = placeholder
        self.uses_precede_definitions = True
        scope.forward[placeholder] = (operand.text, operand.offset)
        return placeholder

    def _wrong_type(self, operand: Unresolved, type: Type, value: Value) -> NoReturn:
        place = self._definition_place(value, operand.name, operand.offset)
        if place is None and value in self._scopes[-1].forward:
            place = self._scopes[-1].forward[value][1]
        notes = [self.note("prior use here", place)] if place is not None else []
        self.error(
            f"use of value '{operand.text}' expects different type than prior uses: '{type}' vs '{value.type}'",
            at=operand.offset,
            prefix=False,
            notes=notes,
        )

    def resolve_all(self, operands: list[Unresolved], types: Iterable[Type], at: int | None = None) -> list[Value]:
        """The values of ``operands`` with ``types``, one each."""
        wanted = list(types)
        if len(wanted) != len(operands):
            self.error(
                f"number of operands and types do not match: got {len(operands)} operands and {len(wanted)} types",
                at=at,
            )
        return [self.resolve(operand, type) for operand, type in zip(operands, wanted, strict=True)]

    # --- definitions ----------------------------------------------------------------------------------------------

    def define(self, name: str, values: Sequence[Value], offset: int) -> None:
        """Gives ``values`` the numbers 0, 1, … of ``name`` in the current region."""
        scope = self._scopes[-1]
        for number, value in enumerate(values):
            text = f"{name}#{number}" if number else name
            if text in scope.values:
                self._define_again(scope, name, number, value, offset)
            scope.values[text] = value
            scope.definitions[-1].append(text)
            self._defined_at[value] = offset
        if len(values) > 1:
            scope.values[f"{name}#0"] = values[0]
            scope.definitions[-1].append(f"{name}#0")

    def _define_again(self, scope: Scope, name: str, number: int, value: Value, offset: int) -> None:
        text = f"{name}#{number}" if number else name
        old = scope.values[text]
        if old not in scope.forward:
            place = self._definition_place(old, name, offset)
            notes = [self.note("previously defined here", place)] if place is not None else []
            self.error(f"redefinition of SSA value '{text}'", at=offset, prefix=False, notes=notes)
        if old.type is not value.type:
            self.error(
                f"definition of SSA value '{name}#{number}' has type '{value.type}'",
                at=offset,
                prefix=False,
                notes=[self.note(f"previously used here with type '{old.type}'", scope.forward[old][1])],
            )
        replace_all_uses(old, value)
        del scope.forward[old]

    def check_argument_free(self, name: str, offset: int) -> None:
        """Fails if ``name`` has a meaning already, so that a region's argument cannot take it."""
        old = self._scopes[-1].values.get(name)
        if old is not None:
            place = self._definition_place(old, name, offset)
            notes = [self.note("previously referenced here", place)] if place is not None else []
            self.error(f"region entry argument '{name}' is already in use", at=offset, prefix=False, notes=notes)

    def _definition_place(self, value: Value, name: str, before: int) -> int | None:
        """Where ``name``, that of ``value``, was defined, ``before`` that; None for a name that has only been used."""
        place = self._defined_at.get(value)
        op = value.defining_op
        if place is None and op is not None and isinstance(op.location, int):
            # Read by the fast path: one operation in its line, which begins with the name.
            place = self.source.rfind("%", 0, op.location)
        elif place is None and op is not None:
            # Likewise, but it has its location already.
            found = re.compile(rf"^[ \t]*({re.escape(name)})[ \t]*(?::[ \t]*\d+[ \t]*)?=", re.MULTILINE)
            for match in found.finditer(self.source, 0, before):
                place = match.start(1)
        return place
