"""The pretty form that constants of several dialects share: ``[{attributes}] dense<…> : T``; the value has the type.

Rows of ``stablehlo``, ``chlo`` and ``sdy`` use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import written_dictionary
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr
from pyshardy.ir.types import Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer


def parse_constant(parser: Parser, state: OperationState) -> None:
    """``[{attributes}] value``.

    Raises:
        ParseError: what stands there has no elements.
    """
    _optional_dictionary(parser, state)
    offset = parser.start
    value = parser.attribute()
    type = _elements_type(value)
    if type is None:
        parser.error("invalid kind of attribute specified", at=offset)
    if "value" in state.attributes:
        name_offset = state.location if isinstance(state.location, int) else offset
        parser.error("attribute 'value' occurs more than once in the attribute list", at=name_offset)
    state.properties["value"] = value
    state.types = [type]


def parse_constant_or_old_form(parser: Parser, state: OperationState) -> None:
    """As ``parse_constant``; also reads ``() {value = …} : () -> T`` and ``() <{value = …}> : () -> T``."""
    if not parser.accept("("):
        parse_constant(parser, state)
        return
    parser.expect(")")
    bracket = parser.accept("<")
    _optional_dictionary(parser, state)
    if bracket:
        parser.expect(">")
    parser.expect(":")
    signature = parser.function_type()
    state.types = list(signature.results)


def print_constant(printer: Printer, op: Operation) -> None:
    """Writes what ``parse_constant`` reads."""
    dictionary = written_dictionary(printer, op, ("value",))
    printer.write(f"{dictionary} {printer.attribute(op.properties.get('value'))}")


def _elements_type(value: Attribute) -> Type | None:
    elements = (DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr)
    return value.type if isinstance(value, elements) else None


def _optional_dictionary(parser: Parser, state: OperationState) -> None:
    if parser.text == "{" and parser.kind == "punct":
        state.attributes.update(parser.dictionary().entries)
