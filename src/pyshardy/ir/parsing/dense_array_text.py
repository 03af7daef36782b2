"""Parses ``array<i64: 1, 2>``, numbers of one type in a row."""

from __future__ import annotations

from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.parsing.type_parser import TypeParser
from pyshardy.ir.types import FloatType, IntegerType


def parse_dense_array(parser: TypeParser) -> DenseArrayAttr:
    """The array whose keyword is the current token.

    Raises:
        ParseError: the type or a number is wrong.
    """
    parser.advance()
    parser.expect("<", "expected '<' after 'array'")
    element = _element_type(parser)
    values: list[int] = []
    if parser.accept(">"):
        return DenseArrayAttr(element, values)
    parser.expect(":", "expected ':' after dense array type")
    values += _run(parser, element)
    values.append(_number(parser, element))
    while parser.accept(","):
        values.append(_number(parser, element))
    parser.expect(">")
    return DenseArrayAttr(element, values)


def _run(parser: TypeParser, element: IntegerType | FloatType) -> list[int]:
    """The numbers that can be read in bulk, all but the last: none if one of them needs a closer look."""
    if not isinstance(element, IntegerType) or element.width < 8:
        return []
    start = parser.start
    numbers = parser.integer_run()
    limit = 1 << (element.width - 1)
    lowest = 0 if element.signedness == "u" else -limit
    if numbers and lowest <= min(numbers) and max(numbers) < limit:
        return numbers
    parser.move_to(start)
    return []


def _element_type(parser: TypeParser) -> IntegerType | FloatType:
    offset = parser.start
    try:
        element = parser.type()
    except ParseError as error:
        position = parser.context.source.position(offset if parser.kind != "eof" else offset - 1)
        also = Diagnostic("error", position, "expected an integer or floating point type")
        raise ParseError(*error.diagnostics, also) from None
    if not isinstance(element, IntegerType | FloatType):
        parser.error(f"expected integer or float type, got: '{element}'", at=offset, prefix=False)
    if element.width != 1 and element.width % 8:
        parser.error("element type bitwidth must be a multiple of 8", at=offset, prefix=False)
    return element


def _number(parser: TypeParser, element: IntegerType | FloatType) -> int:
    if parser.kind == "bare" and parser.text in ("true", "false") and isinstance(element, IntegerType):
        if element.width != 1:
            parser.error("expected i1 type for 'true' or 'false' values", prefix=False)
        return int(parser.advance() == "true")
    negative = parser.accept("-")
    offset, kind = parser.start, parser.kind
    if isinstance(element, FloatType):
        if kind not in ("int", "float"):
            parser.error("expected floating point literal", prefix=False)
        return parser.float_bits(kind, parser.advance(), negative, element, offset)
    if kind != "int":
        parser.error("expected integer literal", prefix=False)
    value = parser.integer_value(parser.advance(), negative)
    if element.width == 1:
        parser.error("expected 'true' or 'false' values for i1 type", prefix=False)
    return _wrapped(parser, value, element)


def _wrapped(parser: TypeParser, value: int, element: IntegerType) -> int:
    """``value`` as the type holds it; unlike elsewhere, negative numbers may stand for large unsigned ones."""
    width = element.width
    high = (1 << width >> (element.signedness == "s")) - 1
    if not -(1 << width >> 1) <= value <= high:
        parser.error("integer constant out of range", prefix=False)
    if element.signedness == "u":
        return value & ((1 << width) - 1)
    return value - (1 << width) if value >= 1 << width >> 1 and width else value
