"""The syntax of operations with one operand: an optional part before it, an optional part after it, one type.

``sdy.all_gather [{"a"}] %0 out_sharding=<@m, [{}]> : T`` is an example. ``operations`` has one ``OperandForm`` in each
row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.types import I32, I64, ShapedType, TensorType, Type
from pyshardy.sharding.list_text import (
    parse_all_to_all_param_list,
    parse_axis_ref_list,
    parse_list_of_axis_ref_lists,
)
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.tensor import TensorSharding
from pyshardy.sharding.text import REDUCTIONS, check_kind, parse_tensor_sharding

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer

DIRECTIONS = ("NONE", "FORWARD", "BACKWARD", "BOTH")
"""Where a propagation barrier lets shardings pass, by the number in its property."""


class PropertySyntax(NamedTuple):
    """A property in the syntax: how its value reads and prints, and the ``keyword=`` in front (empty: none)."""

    name: str
    keyword: str
    parse: Callable[[Parser], Attribute]
    text: Callable[[Attribute], str]
    optional: bool = False


def _body_text(value: Attribute) -> str:
    assert isinstance(value, TensorSharding | AxisRefList | ListOfAxisRefLists | AllToAllParamList)
    return value.body_text


def sharding_part(name: str, keyword: str = "", *, optional: bool = False) -> PropertySyntax:
    """A tensor sharding."""
    return PropertySyntax(
        name, keyword, lambda parser: check_kind(parser, TensorSharding, parse_tensor_sharding), _body_text, optional
    )


def axes_part(name: str) -> PropertySyntax:
    """``{"a", "b"}``."""
    return PropertySyntax(name, "", lambda parser: check_kind(parser, AxisRefList, parse_axis_ref_list), _body_text)


def axes_per_dim_part(name: str) -> PropertySyntax:
    """``[{"a"}, {}]``."""
    return PropertySyntax(
        name, "", lambda parser: check_kind(parser, ListOfAxisRefLists, parse_list_of_axis_ref_lists), _body_text
    )


def all_to_all_part(name: str) -> PropertySyntax:
    """``[{"a"}: 0->1]``."""
    return PropertySyntax(
        name, "", lambda parser: check_kind(parser, AllToAllParamList, parse_all_to_all_param_list), _body_text
    )


def _integer_text(value: Attribute) -> str:
    assert isinstance(value, IntegerAttr)
    return str(value.value)


def _parse_group_id(parser: Parser) -> Attribute:
    offset = parser.start
    value = parser.attribute(I64)
    if not isinstance(value, IntegerAttr):
        parser.error("invalid kind of attribute specified", at=offset)
    return value


GROUP_ID = PropertySyntax("group_id", "group_id", _parse_group_id, _integer_text)


def _parse_direction(parser: Parser) -> Attribute:
    offset = parser.start
    written = parser.kind == "string"
    word = parser.string() if written else parser.advance() if parser.kind == "bare" else ""
    if word not in DIRECTIONS:
        what = "expected string or keyword containing one of the following enum values for attribute"
        message = f"{what} 'allowed_direction' [{', '.join(DIRECTIONS)}]"
        if written:
            message = f"invalid allowed_direction attribute specification: {quoted(word)}"
        parser.error(message, at=offset)
    return IntegerAttr(DIRECTIONS.index(word), I32)


def _direction_text(value: Attribute) -> str:
    assert isinstance(value, IntegerAttr)
    return DIRECTIONS[value.value]


ALLOWED_DIRECTION = PropertySyntax("allowed_direction", "allowed_direction", _parse_direction, _direction_text)


class OperandForm(NamedTuple):
    """``op [reduction] [before] %operand [behind] {attributes} : type``.

    The type is that of the operand and of the result, if there is one; ``tensor_only`` and ``shaped_only`` restrict it.
    """

    before: PropertySyntax | None = None
    behind: PropertySyntax | None = None
    reduction: bool = False
    has_result: bool = True
    tensor_only: bool = False
    shaped_only: bool = False

    def parse(self, parser: Parser, state: OperationState) -> None:
        if self.reduction and parser.kind == "bare" and parser.text in REDUCTIONS:
            number = REDUCTIONS.index(parser.advance())
            if number:
                state.properties["reduction_op"] = IntegerAttr(number, I32)
        if self.before is not None:
            self._parse_part(self.before, parser, state)
        operand = parser.operand()
        if self.behind is not None:
            self._parse_part(self.behind, parser, state)
        parser.optional_attributes(state)
        parser.expect(":")
        type = self._parse_type(parser)
        state.operands = [parser.resolve(operand, type)]
        if self.has_result:
            state.types = [type]

    @staticmethod
    def _parse_part(part: PropertySyntax, parser: Parser, state: OperationState) -> None:
        if part.keyword:
            if part.optional and not parser.at(part.keyword):
                return
            parser.expect_keyword(part.keyword)
            parser.expect("=")
        state.properties[part.name] = part.parse(parser)

    def _parse_type(self, parser: Parser) -> Type:
        offset = parser.start
        type = parser.type()
        if self.tensor_only and not isinstance(type, TensorType):
            message = f"invalid kind of type specified: expected builtin.tensor, but found '{type}'"
            parser.error(message, at=offset)
        if self.shaped_only and not isinstance(type, ShapedType):
            parser.error("invalid kind of type specified", at=offset)
        return type

    def print_(self, printer: Printer, op: Operation) -> None:
        written = []
        number = op.properties.get("reduction_op") if self.reduction else None
        if self.reduction:
            written.append("reduction_op")
            if isinstance(number, IntegerAttr) and number.value:
                printer.write(f" {REDUCTIONS[number.value]}")
        if self.before is not None:
            self._print_part(self.before, printer, op)
            written.append(self.before.name)
        printer.write(f" {printer.operand(op.operands[0])}")
        if self.behind is not None:
            self._print_part(self.behind, printer, op)
            written.append(self.behind.name)
        printer.write(f"{printer.attr_dict(op, written)} : {printer.type(op.operands[0].type)}")

    @staticmethod
    def _print_part(part: PropertySyntax, printer: Printer, op: Operation) -> None:
        value = op.properties.get(part.name)
        if value is not None:
            printer.write(f" {part.keyword}={part.text(value)}" if part.keyword else f" {part.text(value)}")
