"""Parses ``dense<…>``, ``dense_resource<…>`` and ``sparse<…>``: the value of a literal, and whether it fits its type.

Numbers are read in bulk (``bulk_elements``) or token by token (``element_lists``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import (
    DenseElementsAttr,
    DenseResourceAttr,
    SparseElementsAttr,
    StaticShaped,
    StringElementsAttr,
    hex_bytes,
    number_type,
    pack,
)
from pyshardy.ir.parsing.bulk_elements import bulk_dense
from pyshardy.ir.parsing.lexer import unescape
from pyshardy.ir.parsing.type_parser import TypeParser
from pyshardy.ir.types import (
    I64,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    OtherShapedType,
    ShapedType,
    TensorType,
    Type,
    element_count,
)

if TYPE_CHECKING:
    from pyshardy.ir.parsing.element_lists import Literal, Token


def parse_elements(parser: TypeParser) -> Attribute:
    """The elements attribute whose keyword is the current token.

    Raises:
        ParseError: the literal is wrong, or does not fit its type.
    """
    return _READERS[parser.text](parser)


def _dense(parser: TypeParser) -> Attribute:
    keyword = parser.start
    parser.advance()
    if not parser.at("<"):
        parser.error_after_previous("expected '<' after 'dense'")
    bulk = bulk_dense(parser)
    if bulk is not None:
        return bulk
    from pyshardy.ir.parsing.element_lists import Literal, Tokens, parse_literal

    parser.advance()
    literal = Literal(Tokens(), []) if parser.at(">") else parse_literal(parser, alone=True)
    parser.expect(">")
    parser.expect(":")
    return _dense_of(parser, literal, _static_type(parser, keyword), keyword)


def _static_type(parser: TypeParser, keyword: int) -> StaticShaped:
    type = parser.type()
    if not isinstance(type, ShapedType):
        parser.error("elements literal must be a shaped type", at=keyword, prefix=False)
    if not isinstance(type, TensorType | OtherShapedType) or not type.has_static_shape:
        parser.error("elements literal type must have static shape", at=keyword, prefix=False)
    return type


def _dense_of(
    parser: TypeParser, literal: Literal, type: StaticShaped, keyword: int
) -> DenseElementsAttr | StringElementsAttr:
    element = number_type(type.element)
    is_number = isinstance(element, IntegerType | IndexType | FloatType)
    if literal.string is not None and is_number:
        return _hex_dense(parser, literal.string, type, keyword)
    if literal.shape and tuple(literal.shape) != type.shape:
        message = f"inferred shape of elements literal ({literal.shape}) does not match type ({list(type.shape)})"
        parser.error(message, at=keyword, prefix=False)
    count = element_count(type)
    if not literal.tokens and count:
        message = f"parsed zero elements, but type ('{type}') expected at least 1"
        parser.error(message, at=keyword, prefix=False)
    if not is_number:
        return StringElementsAttr(type, [_string_element(parser, token, keyword) for token in literal.tokens])
    _check_count(parser, literal, type, keyword)
    return DenseElementsAttr(type, pack(element, [_number(parser, token, element) for token in literal.tokens]))


def _check_count(parser: TypeParser, literal: Literal, type: StaticShaped, keyword: int) -> None:
    """Pairs for complex elements, single numbers for others."""
    parts = 2 if isinstance(type.element, ComplexType) else 1
    expected, name = parts * element_count(type), str(type)
    if not literal.shape and literal.tokens:
        expected, name = parts, str(type.element)
    if len(literal.tokens) != expected:
        message = f"parsed {len(literal.tokens)} elements, but type ('{name}') expected {expected} elements"
        parser.error(message, at=keyword, prefix=False)


def _hex_dense(parser: TypeParser, string: Token, type: StaticShaped, keyword: int) -> DenseElementsAttr:
    data = hex_bytes(string.text)
    if data is None:
        message = "expected string containing hex digits starting with `0x`"
        parser.error(message, at=string.offset, prefix=False)
    try:
        return DenseElementsAttr(type, data)
    except ValueError:
        message = f"elements hex data size is invalid for provided type: '{type}'"
        parser.error(message, at=keyword, prefix=False)


def _string_element(parser: TypeParser, token: Token, keyword: int) -> str:
    if token.kind != "string":
        parser.error(f"expected string token, got {token.text}", at=keyword, prefix=False)
    return unescape(token.text)


def _number(parser: TypeParser, token: Token, element: Type) -> int:
    """One number of a literal as an integer or a bit pattern."""
    if isinstance(element, FloatType):
        if token.kind not in ("int", "float"):
            parser.error("expected floating point literal", at=token.offset, prefix=False)
        return parser.float_bits(token.kind, token.text, token.negative, element, token.offset)
    if token.negative and isinstance(element, IntegerType) and element.signedness == "u":
        message = "expected unsigned integer elements, but parsed negative value"
        parser.error(message, at=token.offset, prefix=False)
    if token.kind == "float":
        parser.error("expected integer elements, but parsed floating-point", at=token.offset, prefix=False)
    if token.kind == "bare":
        if not isinstance(element, IntegerType) or element.width != 1:
            parser.error("expected i1 type for 'true' or 'false' values", at=token.offset, prefix=False)
        return int(token.text == "true")
    message = "integer constant out of range for type"
    if token.kind == "string":
        parser.error(message, at=token.offset, prefix=False)
    return parser.fit_integer(parser.integer_value(token.text, token.negative), element, token.offset, message)


def _dense_resource(parser: TypeParser) -> Attribute:
    parser.advance()
    parser.expect("<", "expected '<' after 'dense_resource'")
    key = parser.resource_key()
    parser.expect(">")
    offset = parser.start
    parser.expect(":")
    type = parser.type()
    if not isinstance(type, ShapedType):
        parser.error("`dense_resource` expected a shaped type", at=offset, prefix=False)
    return DenseResourceAttr(key, type)


def _sparse(parser: TypeParser) -> Attribute:
    keyword = parser.start
    parser.advance()
    parser.expect("<", "Expected '<' after 'sparse'")
    from pyshardy.ir.parsing.element_lists import Literal, Tokens, parse_literal

    indices = values = Literal(Tokens(), [])
    if parser.at(">"):
        parser.advance()
        parser.expect(":")
        type = _static_type(parser, keyword)
        rank = len(type.shape)
        none = DenseElementsAttr(TensorType([0, rank], I64), b"")
        return SparseElementsAttr(type, none, _sparse_values(parser, values, type, 0, keyword))
    indices = parse_literal(parser, alone=False)
    parser.expect(",")
    values = parse_literal(parser, alone=False)
    parser.expect(">")
    parser.expect(":")
    type = _static_type(parser, keyword)
    index_shape = indices.shape or [1, len(type.shape)]
    found = _dense_of(parser, indices, TensorType(index_shape, I64), keyword)
    assert isinstance(found, DenseElementsAttr)
    stored = _sparse_values(parser, values, type, index_shape[0], keyword)
    _check_sparse(parser, type, found, index_shape, values.shape or [index_shape[0]], keyword)
    return SparseElementsAttr(type, found, stored)


def _sparse_values(
    parser: TypeParser, literal: Literal, type: StaticShaped, count: int, keyword: int
) -> DenseElementsAttr | StringElementsAttr:
    return _dense_of(parser, literal, TensorType(literal.shape or [count], type.element), keyword)


def _check_sparse(
    parser: TypeParser,
    type: StaticShaped,
    indices: DenseElementsAttr,
    index_shape: list[int],
    value_shape: list[int],
    keyword: int,
) -> None:
    rank = len(type.shape)
    indexed = index_shape[1] if len(index_shape) == 2 else 1
    if len(index_shape) > 2 or indexed != rank or value_shape != index_shape[:1]:
        message = (
            f"expected shape ({list(type.shape)}); inferred shape of indices literal ({index_shape}); "
            f"inferred shape of values literal ({value_shape})"
        )
        parser.error(message, at=keyword, prefix=False)
    listed = indices.integers()
    for number in range(index_shape[0]):
        index = listed[number * rank : (number + 1) * rank]
        if any(not 0 <= place < size for place, size in zip(index, type.shape, strict=True)):
            unsigned = [place % 2**64 for place in index]
            message = (
                f"sparse index #{number} is not contained within the value shape, "
                f"with index={unsigned}, and type='{type}'"
            )
            parser.error(message, at=keyword, prefix=False)


_READERS = {"dense": _dense, "dense_resource": _dense_resource, "sparse": _sparse}
