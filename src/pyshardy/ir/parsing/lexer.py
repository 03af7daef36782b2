"""Splits text into tokens, one at a time, with exact positions.

A token is (kind, text, start, end); the stream holds the current one.
"""

from __future__ import annotations

import re

from pyshardy.ir.parsing.possessive import repeated

BETWEEN = repeated(r"[ \t\r\n]++|//[^\n]*+")
"""The pattern of what may stand between two tokens: blanks and comments."""
_UNFINISHED = r'"[^"\\\n]*+' + repeated(r'\\(?:["\\nt]|[0-9A-Fa-f]{2})[^"\\\n]*+')
"""The pattern of a string up to its second quote."""
NAME = r"(?:\d++|[A-Za-z$._-][\w$.-]*+)"
"""The pattern of what stands behind the sign of a value, an alias, or a block."""
TOKEN = re.compile(
    rf"""{BETWEEN}(?:
      (?P<bare>[A-Za-z_][\w$.]*)
    | (?P<value>%{NAME})
    | (?P<float>\d+\.\d*(?:[eE][+-]?\d+)?)
    | (?P<int>0x[0-9A-Fa-f]+|\d+)
    | (?P<string>{_UNFINISHED}")
    | (?P<symbol>@(?:[A-Za-z_][\w$.]*|{_UNFINISHED}"))
    | (?P<punct>->|::|\.\.\.|\{{-\#|\#-\}}|[()\[\]{{}}<>,:=?+*\-/|])
    | (?P<hash>\#{NAME})
    | (?P<type>!{NAME})
    | (?P<block>\^{NAME})
    | (?P<eof>\Z)
    )""",
    re.ASCII | re.VERBOSE,
)
# What few programs need is compiled when it is used first.
_ESCAPE = r'\\(?:([0-9A-Fa-f]{2})|(["\\nt]))'
_UNTERMINATED = "expected '\"' in string literal"
_LEX_ERRORS = {
    "@": ("@ identifier expected to start with letter or '_'", 1),
    "%": ("invalid SSA name", 0),
    "#": ("invalid attribute name", 0),
    "!": ("invalid type identifier", 0),
    "^": ("invalid block name", 0),
    ".": ("expected three consecutive dots for an ellipsis", 1),
}
"""By first character: the message, and how far behind that character it is placed."""
_match = TOKEN.match
_KINDS = ("", *TOKEN.groupindex)
"""The kind of a token by the number of its group."""
_SIMPLE_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


class LexError(Exception):
    """Text that is no token: a message and the offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class TokenStream:
    """The text with the current token: ``kind``, ``text``, ``start``, ``end``; ``previous_end`` is where the one before
    it ended. Kinds are bare, value, int, float, string, symbol, punct, hash, type, block and eof."""

    __slots__ = ("end", "kind", "previous_end", "source", "start", "text")

    def __init__(self, source: str) -> None:
        self.source = source
        self.kind = ""
        self.text = ""
        self.start = self.end = self.previous_end = 0
        self.advance()

    def advance(self) -> str:
        """Consumes the current token and returns its text."""
        text = self.text
        self.previous_end = self.end
        match = _match(self.source, self.end)
        if match is None:
            raise self._lex_error()
        group = match.lastindex or 0
        self.kind = _KINDS[group]
        self.start, self.end = match.span(group)
        self.text = match[group]
        return text

    def move_to(self, offset: int) -> None:
        """Makes the token that starts at or after ``offset`` the current one, as if everything before were consumed."""
        self.end = offset
        self.advance()

    def _lex_error(self) -> LexError:
        match = re.compile(BETWEEN).match(self.source, self.end)
        offset = match.end() if match else self.end
        character = self.source[offset]
        if character == '"':
            return self._broken_string(offset)
        if character == "@" and self.source[offset + 1 : offset + 2] == '"':
            return self._broken_string(offset + 1)
        message, shift = _LEX_ERRORS.get(character, ("unexpected character", 0))
        return LexError(message, offset + shift)

    def _broken_string(self, offset: int) -> LexError:
        match = re.compile(_UNFINISHED).match(self.source, offset)
        stop = match.end() if match else offset
        message = "unknown escape in string literal" if self.source[stop : stop + 1] == "\\" else _UNTERMINATED
        return LexError(message, stop)


def unescape(literal: str) -> str:
    """The value of a string literal (with its quotes); bytes that are not UTF-8 become surrogates."""
    body = literal[1:-1]
    if "\\" not in body:
        return body
    pieces = bytearray()
    place = 0
    for match in re.finditer(_ESCAPE, body):
        pieces += body[place : match.start()].encode("utf-8", "surrogateescape")
        pieces += bytes.fromhex(match[1]) if match[1] else _SIMPLE_ESCAPES[match[2]].encode()
        place = match.end()
    pieces += body[place:].encode("utf-8", "surrogateescape")
    return pieces.decode("utf-8", "surrogateescape")
