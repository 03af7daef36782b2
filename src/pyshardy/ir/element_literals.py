"""Reading ``dense<…>``, ``dense_resource<…>`` and ``sparse<…>``.

A payload of plain numbers is read in bulk with one regular expression; every other form, and everything that is
wrong, goes token by token with exact positions. Both give the attributes of ``ir.elements``; ``ir.attribute_parser``
stands right of this file.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import (
    DenseElementsAttr,
    DenseResourceAttr,
    SparseElementsAttr,
    StaticShaped,
    StringElementsAttr,
    element_count,
    hex_bytes,
    little_endian,
    number_type,
    pack,
)
from pyshardy.ir.floats import float_bits
from pyshardy.ir.lexer import unescape
from pyshardy.ir.token_parser import BODY_NESTING_LIMIT
from pyshardy.ir.type_parser import TypeParser
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
)

_INTEGER = re.compile(r"-?\d+(?!\d)", re.ASCII)
_FLOAT = re.compile(r"-?\d+\.\d*(?:[eE][+-]?\d+)?", re.ASCII)
_BOOLEAN = re.compile(r"true|false")
_BLANKS = r"[ \t\r\n]*+"
_RUN_NUMBER = re.compile(rf"{_BLANKS}(-?)([0-9]++(?:\.[0-9]*+(?:[eE][+-]?[0-9]++)?)?){_BLANKS},")
_RUN = re.compile(rf"(?:{_RUN_NUMBER.pattern})++")
_BULK_TYPE = re.compile(r">[ \t\r\n]*:[ \t\r\n]*(tensor<(?:\d++x)*+(?:complex<\w+>|\w+)>)", re.ASCII)
_FLOAT_ARRAYS = {"f32": "f", "f64": "d"}


class _Token(NamedTuple):
    """A number, boolean or string of a literal."""

    negative: bool
    kind: str
    text: str
    offset: int


class _Tokens:
    """Tokens in order. Runs of plain numbers with a comma behind each are kept as their places in the text, so that a
    long literal that turns out to be wrong costs no more than reading it."""

    __slots__ = ("_count", "_pieces")

    def __init__(self, *tokens: _Token) -> None:
        self._pieces: list[_Token | re.Match[str]] = list(tokens)
        self._count = len(tokens)

    def append(self, token: _Token) -> None:
        self._pieces.append(token)
        self._count += 1

    def take_run(self, parser: TypeParser) -> int:
        """Consumes a run, if one comes next; how many numbers are in it."""
        match = _RUN.match(parser.source, parser.start)
        if match is None:
            return 0
        self._pieces.append(match)
        found = match[0].count(",")
        self._count += found
        parser.move_to(match.end())
        return found

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[_Token]:
        for piece in self._pieces:
            if isinstance(piece, _Token):
                yield piece
                continue
            for match in _RUN_NUMBER.finditer(piece.string, *piece.span()):
                text = match[2]
                yield _Token(bool(match[1]), "float" if "." in text else "int", text, match.start(2))


class _Literal(NamedTuple):
    """What stands in the brackets: all numbers in order, the shape of the nested lists (None for a single element,
    whose list of tokens is empty if nothing is there), and the token of a string standing alone."""

    tokens: _Tokens
    shape: list[int]
    string: _Token | None = None


def parse_elements(parser: TypeParser) -> Attribute:
    """The elements attribute whose keyword is the current token.

    Raises:
        ParseError: the literal is wrong, or does not fit its type.
    """
    return _READERS[parser.text](parser)


# --- dense ------------------------------------------------------------------------------------------------------------


def _dense(parser: TypeParser) -> Attribute:
    keyword = parser.start
    parser.advance()
    if not parser.at("<"):
        parser.error_after_previous("expected '<' after 'dense'")
    bulk = _bulk_dense(parser)
    if bulk is not None:
        return bulk
    parser.advance()
    literal = _Literal(_Tokens(), []) if parser.at(">") else _literal(parser, alone=True)
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
    parser: TypeParser, literal: _Literal, type: StaticShaped, keyword: int
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


def _check_count(parser: TypeParser, literal: _Literal, type: StaticShaped, keyword: int) -> None:
    """Pairs for complex elements, single numbers for others."""
    parts = 2 if isinstance(type.element, ComplexType) else 1
    expected, name = parts * element_count(type), str(type)
    if not literal.shape and literal.tokens:
        expected, name = parts, str(type.element)
    if len(literal.tokens) != expected:
        message = f"parsed {len(literal.tokens)} elements, but type ('{name}') expected {expected} elements"
        parser.error(message, at=keyword, prefix=False)


def _hex_dense(parser: TypeParser, string: _Token, type: StaticShaped, keyword: int) -> DenseElementsAttr:
    data = hex_bytes(string.text)
    if data is None:
        message = "expected string containing hex digits starting with `0x`"
        parser.error(message, at=string.offset, prefix=False)
    try:
        return DenseElementsAttr(type, data)
    except ValueError:
        message = f"elements hex data size is invalid for provided type: '{type}'"
        parser.error(message, at=keyword, prefix=False)


def _string_element(parser: TypeParser, token: _Token, keyword: int) -> str:
    if token.kind != "string":
        parser.error(f"expected string token, got {token.text}", at=keyword, prefix=False)
    return unescape(token.text)


def _number(parser: TypeParser, token: _Token, element: Type) -> int:
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


# --- literals, token by token -----------------------------------------------------------------------------------------


def _literal(parser: TypeParser, *, alone: bool) -> _Literal:
    """An element or nested lists of elements; a string ``alone`` (not in a list) may be a payload in hexadecimal."""
    if alone and parser.kind == "string":
        offset = parser.start
        token = _Token(False, "string", parser.advance(), offset)
        return _Literal(_Tokens(token), [], token)
    tokens = _Tokens()
    if not parser.at("["):
        _element(parser, tokens)
        return _Literal(tokens, [])
    return _Literal(tokens, _lists(parser, tokens))


class _List:
    """A list that is being read: how many entries it has so far and what shape each of them has.

    Shapes are pairs (size, shape of the entries), each kept once in ``known`` so that comparing them takes no time.
    """

    __slots__ = ("entry_shape", "size")

    def __init__(self) -> None:
        self.size = 0
        self.entry_shape: _Shape | None = None

    def add(self, parser: TypeParser, shape: _Shape, times: int = 1) -> None:
        if self.entry_shape is not None and self.entry_shape is not shape:
            message = "tensor literal is invalid; ranks are not consistent between elements"
            parser.error(message, prefix=False)
        self.entry_shape = shape
        self.size += times

    def shape(self, known: dict[tuple[int, int], _Shape]) -> _Shape:
        entry = self.entry_shape if self.entry_shape is not None else _ELEMENT
        return known.setdefault((self.size, id(entry)), _Shape(self.size, entry))


class _Shape:
    """The shape of a list: its size and the shape of its entries."""

    __slots__ = ("entry", "size")

    def __init__(self, size: int, entry: _Shape | None) -> None:
        self.size = size
        self.entry = entry

    def sizes(self) -> list[int]:
        found: list[int] = []
        shape = self
        while shape.entry is not None:
            found.append(shape.size)
            shape = shape.entry
        return found


_ELEMENT = _Shape(0, None)


def _lists(parser: TypeParser, tokens: _Tokens) -> list[int]:
    """The shape of the nested lists that begin at the current ``[``; their elements go to ``tokens``."""
    parser.advance()
    open_lists = [_List()]
    known: dict[tuple[int, int], _Shape] = {}
    if not parser.at("]"):
        _first_entries(parser, tokens, open_lists)
    while True:
        current = open_lists[-1]
        if parser.at("]") or not parser.at(","):
            parser.expect("]")
            open_lists.pop()
            if not open_lists:
                return current.shape(known).sizes()
            open_lists[-1].add(parser, current.shape(known))
        else:
            parser.advance()
            _first_entries(parser, tokens, open_lists)


def _first_entries(parser: TypeParser, tokens: _Tokens, open_lists: list[_List]) -> None:
    """Opens lists down to the next elements and reads those, or stops at a list without elements."""
    while True:
        while parser.at("["):
            open_lists.append(_List())
            if len(open_lists) > BODY_NESTING_LIMIT:
                message = f"lists nest deeper than {BODY_NESTING_LIMIT} levels, the limit of this parser"
                parser.error(message, prefix=False)
            parser.advance()
            if parser.at("]"):
                return
        # Elements beside lists are an error, whose place is behind the first of them.
        run = tokens.take_run(parser) if open_lists[-1].entry_shape in (None, _ELEMENT) else 0
        if not run:
            break
        open_lists[-1].add(parser, _ELEMENT, run)
    _element(parser, tokens)
    open_lists[-1].add(parser, _ELEMENT)


def _element(parser: TypeParser, tokens: _Tokens) -> None:
    if not parser.accept("("):
        tokens.append(_token(parser))
        return
    tokens.append(_token(parser))
    parser.expect(",", "expected ',' between complex elements")
    tokens.append(_token(parser))
    parser.expect(")", "expected ')' after complex elements")


def _token(parser: TypeParser) -> _Token:
    negative = parser.accept("-")
    kind, offset = parser.kind, parser.start
    if negative:
        if kind not in ("int", "float"):
            parser.error("expected integer or floating point literal", prefix=False)
    elif kind not in ("int", "float", "string") and not (kind == "bare" and parser.text in ("true", "false")):
        parser.error("expected element literal of primitive type", prefix=False)
    return _Token(negative, kind, parser.advance(), offset)


# --- literals in bulk -------------------------------------------------------------------------------------------------


def _bulk_dense(parser: TypeParser) -> DenseElementsAttr | None:
    """The attribute whose ``<`` is the current token, if it is a number or nested lists of numbers, all of them valid
    and in the shape of the type; else None, with nothing consumed."""
    start = parser.end
    if parser.source[start : start + 1] == '"':
        return None
    stop = parser.source.find(">", start)
    match = _BULK_TYPE.match(parser.source, stop) if stop >= 0 else None
    if match is None:
        return None
    parser.move_to(match.start(1))
    type = parser.type()
    data = None
    if isinstance(type, TensorType) and type.has_static_shape:
        data = _bulk_data(type, parser.source[start:stop])
    if data is None:
        parser.move_to(start - 1)
        return None
    return DenseElementsAttr(type, data)  # type: ignore[arg-type]


def _bulk_data(type: TensorType, text: str) -> bytes | None:
    element = number_type(type.element)
    pattern = _bulk_pattern(element)
    if pattern is None:
        return None
    skeleton = "".join(pattern.sub("#", text).split())
    unit = "(#,#)" if isinstance(type.element, ComplexType) else "#"
    if skeleton != unit and skeleton != _skeleton(type.shape, unit, len(skeleton)):
        return None
    numbers = pattern.findall(text)
    if len(numbers) != skeleton.count("#"):
        return None
    if isinstance(element, FloatType):
        return _bulk_floats(element, numbers)
    return _bulk_integers(element, numbers)


def _bulk_pattern(element: Type) -> re.Pattern[str] | None:
    if isinstance(element, FloatType):
        return _FLOAT
    if isinstance(element, IntegerType):
        return _BOOLEAN if element.width == 1 else _INTEGER
    return _INTEGER if isinstance(element, IndexType) else None


def _skeleton(shape: tuple[int, ...], unit: str, length: int) -> str | None:
    """Nested brackets of this shape around ``unit``, or None if that is longer than ``length``."""
    text = unit
    for size in reversed(shape):
        if not size or len(text) * size > length:
            return None
        text = f"[{','.join([text] * size)}]"
    return text


def _bulk_integers(element: Type, numbers: list[str]) -> bytes | None:
    if isinstance(element, IntegerType) and element.width == 1:
        return None if element.signedness else bytes(number == "true" for number in numbers)
    width = element.width if isinstance(element, IntegerType) else 64
    signedness = element.signedness if isinstance(element, IntegerType) else "s"
    try:
        values = list(map(int, numbers))
    except ValueError:
        return None
    low = 0 if signedness == "u" else -(1 << width >> 1)
    high = (1 << width >> (signedness == "s")) - 1
    return pack(element, values) if low <= min(values) and max(values) <= high else None


def _bulk_floats(element: FloatType, numbers: list[str]) -> bytes:
    code = _FLOAT_ARRAYS.get(element.name)
    if code is not None:
        return little_endian(array(code, map(float, numbers)))
    known = {text: float_bits(text, element.name) for text in set(numbers)}
    return pack(element, [known[text] for text in numbers])


# --- dense_resource and sparse ----------------------------------------------------------------------------------------


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
    indices = values = _Literal(_Tokens(), [])
    if parser.at(">"):
        parser.advance()
        parser.expect(":")
        type = _static_type(parser, keyword)
        rank = len(type.shape)
        none = DenseElementsAttr(TensorType([0, rank], I64), b"")
        return SparseElementsAttr(type, none, _sparse_values(parser, values, type, 0, keyword))
    indices = _literal(parser, alone=False)
    parser.expect(",")
    values = _literal(parser, alone=False)
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
    parser: TypeParser, literal: _Literal, type: StaticShaped, count: int, keyword: int
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
