"""Characters to tokens, one at a time, with exact positions.

A token is (kind, text, start, end); the stream holds the current one. The parser stands right of this file.
"""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"""(?:[ \t\r\n]+|//[^\n]*)*(?:
      (?P<bare>[A-Za-z_][\w$.]*)
    | (?P<value>%(?:\d+|[A-Za-z$._-][\w$.-]*))
    | (?P<float>\d+\.\d*(?:[eE][+-]?\d+)?)
    | (?P<int>0x[0-9A-Fa-f]+|\d+)
    | (?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*")
    | (?P<symbol>@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"))
    | (?P<punct>->|::|\.\.\.|\{-\#|\#-\}|[()\[\]{}<>,:=?+*\-/|])
    | (?P<hash>\#(?:\d+|[A-Za-z$._-][\w$.-]*))
    | (?P<type>!(?:\d+|[A-Za-z$._-][\w$.-]*))
    | (?P<block>\^(?:\d+|[A-Za-z$._-][\w$.-]*))
    | (?P<eof>\Z)
    )""",
    re.ASCII | re.VERBOSE,
)
_SKIP = re.compile(r"(?:[ \t\r\n]+|//[^\n]*)*")
_STRING_START = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*')
_ESCAPE = re.compile(r'\\(?:([0-9A-Fa-f]{2})|(["\\nt]))')
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
        match = TOKEN.match(self.source, self.end)
        if match is None:
            raise self._lex_error()
        self.kind = kind = match.lastgroup or ""
        self.start, self.end = match.span(kind)
        self.text = match[kind]
        return text

    def move_to(self, offset: int) -> None:
        """Makes the token that starts at or after ``offset`` the current one, as if everything before were consumed."""
        self.end = offset
        self.advance()

    def _lex_error(self) -> LexError:
        match = _SKIP.match(self.source, self.end)
        offset = match.end() if match else self.end
        character = self.source[offset]
        if character == '"':
            return self._unterminated_string(offset)
        if character == "@":
            if self.source[offset + 1 : offset + 2] == '"':
                return self._unterminated_string(offset + 1)
            return LexError("@ identifier expected to start with letter or '_'", offset)
        if character == "%":
            return LexError("invalid SSA value name", offset)
        return LexError("unexpected character", offset)

    def _unterminated_string(self, offset: int) -> LexError:
        match = _STRING_START.match(self.source, offset)
        return LexError("expected '\"' in string literal", match.end() if match else offset)


def unescape(literal: str, offset: int) -> str:
    """The value of a string literal (with its quotes); bytes that are not UTF-8 become surrogates.

    Raises:
        LexError: an escape other than ``\\" \\\\ \\n \\t`` and two hex digits.
    """
    body = literal[1:-1]
    if "\\" not in body:
        return body
    pieces = bytearray()
    place = 0
    while True:
        stop = body.find("\\", place)
        if stop < 0:
            pieces += body[place:].encode("utf-8", "surrogateescape")
            return pieces.decode("utf-8", "surrogateescape")
        pieces += body[place:stop].encode("utf-8", "surrogateescape")
        match = _ESCAPE.match(body, stop)
        if match is None:
            raise LexError("unknown escape in string literal", offset)
        pieces += bytes.fromhex(match[1]) if match[1] else _SIMPLE_ESCAPES[match[2]].encode()
        place = match.end()
