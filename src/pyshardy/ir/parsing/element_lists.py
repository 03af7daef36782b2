"""Reads the contents of ``dense<…>`` and ``sparse<…>`` token by token: elements, and nested lists of them.

The tokens are kept as they are written, with their places; ``element_literals`` converts them to values and checks
their shape against the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.token_parser import BODY_NESTING_LIMIT, TokenParser

_BLANKS = r"[ \t\r\n]*+"
_NUMBER = r"[0-9]++(?:\.[0-9]*+(?:[eE][+-]?[0-9]++)?)?"
_RUN_NUMBER = rf"{_BLANKS}(-?)({_NUMBER}){_BLANKS},"
_RUN = repeated(rf"{_BLANKS}-?{_NUMBER}{_BLANKS},", "+")
# Compiled when they are first used: most programs have nothing but what is read in bulk.


class Token(NamedTuple):
    """A number, boolean or string of a literal."""

    negative: bool
    kind: str
    text: str
    offset: int


class Tokens:
    """Tokens in order. Runs of plain numbers with a comma behind each are kept as their places in the text, so that a
    long literal that turns out to be wrong costs no more than reading it."""

    __slots__ = ("_count", "_pieces")

    def __init__(self, *tokens: Token) -> None:
        self._pieces: list[Token | re.Match[str]] = list(tokens)
        self._count = len(tokens)

    def append(self, token: Token) -> None:
        self._pieces.append(token)
        self._count += 1

    def take_run(self, parser: TokenParser) -> int:
        """Consumes a run, if one comes next; how many numbers are in it."""
        match = re.compile(_RUN).match(parser.source, parser.start)
        if match is None:
            return 0
        self._pieces.append(match)
        found = match[0].count(",")
        self._count += found
        parser.move_to(match.end())
        return found

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Token]:
        for piece in self._pieces:
            if isinstance(piece, Token):
                yield piece
                continue
            for match in re.compile(_RUN_NUMBER).finditer(piece.string, *piece.span()):
                text = match[2]
                yield Token(bool(match[1]), "float" if "." in text else "int", text, match.start(2))


class Literal(NamedTuple):
    """What stands in the brackets: all numbers in order, the shape of the nested lists (None for a single element,
    whose list of tokens is empty if nothing is there), and the token of a string standing alone."""

    tokens: Tokens
    shape: list[int]
    string: Token | None = None


def parse_literal(parser: TokenParser, *, alone: bool) -> Literal:
    """An element or nested lists of elements; a string ``alone`` (not in a list) may be a payload in hexadecimal.

    Raises:
        ParseError: an entry is no element, or the lists in a list differ in shape.
    """
    if alone and parser.kind == "string":
        offset = parser.start
        token = Token(False, "string", parser.advance(), offset)
        return Literal(Tokens(token), [], token)
    tokens = Tokens()
    if not parser.at("["):
        _element(parser, tokens)
        return Literal(tokens, [])
    return Literal(tokens, _lists(parser, tokens))


class _List:
    """A list that is being read: how many entries it has so far and what shape each of them has.

    Shapes are pairs (size, shape of the entries), each kept once in ``known`` so that comparing them takes no time.
    """

    __slots__ = ("entry_shape", "size")

    def __init__(self) -> None:
        self.size = 0
        self.entry_shape: _Shape | None = None

    def add(self, parser: TokenParser, shape: _Shape, times: int = 1) -> None:
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


def _lists(parser: TokenParser, tokens: Tokens) -> list[int]:
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


def _first_entries(parser: TokenParser, tokens: Tokens, open_lists: list[_List]) -> None:
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


def _element(parser: TokenParser, tokens: Tokens) -> None:
    if not parser.accept("("):
        tokens.append(_token(parser))
        return
    tokens.append(_token(parser))
    parser.expect(",", "expected ',' between complex elements")
    tokens.append(_token(parser))
    parser.expect(")", "expected ')' after complex elements")


def _token(parser: TokenParser) -> Token:
    negative = parser.accept("-")
    kind, offset = parser.kind, parser.start
    if negative:
        if kind not in ("int", "float"):
            parser.error("expected integer or floating point literal", prefix=False)
    elif kind not in ("int", "float", "string") and not (kind == "bare" and parser.text in ("true", "false")):
        parser.error("expected element literal of primitive type", prefix=False)
    return Token(negative, kind, parser.advance(), offset)
