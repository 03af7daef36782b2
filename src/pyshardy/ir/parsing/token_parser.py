"""The base class of all parsers: takes a token, or reports exactly what is missing and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NoReturn, TypeVar

from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.parsing.lexer import TokenStream, unescape
from pyshardy.ir.parsing.possessive import repeated

T = TypeVar("T")

NESTING_LIMIT = 100
"""How deep attributes and types may nest (``[[[…]]]``). Bodies of attributes kept as text are not counted."""

BODY_NESTING_LIMIT = 1000
"""How deep the brackets in those bodies may nest."""

_MOST_DIGITS = 3500
_BITS_BEYOND_EVERY_TYPE = 2**24
_BRACKETS = r'"[^"\\\n]*+' + repeated(r'\\.[^"\\\n]*+') + r'"|"|->|[<>\[\](){}]'
_PAIRS = {"<": ">", "[": "]", "(": ")", "{": "}"}


@cache
def _beyond_every_type() -> int:
    return 1 << _BITS_BEYOND_EVERY_TYPE


class ParseError(Exception):
    """Text that does not fit: one diagnostic, or several that were found together."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(str(diagnostics[0]))
        self.diagnostics = diagnostics


class TokenParser(TokenStream):
    """The tokens of ``context.source`` with errors. ``custom_op`` names the operation whose pretty form is
    being read."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.custom_op: str | None = None
        self._depth = self._deepest = 0
        super().__init__(context.source.text)

    # --- errors ---------------------------------------------------------------------------------------------------

    def error(
        self, message: str, *, at: int | None = None, prefix: bool = True, notes: list[Diagnostic] | None = None
    ) -> NoReturn:
        """Ends the parse with an error at offset ``at`` (default: the current token; the end of the text counts
        as its last character). Inside an operation's pretty form
        the message gets MLIR's prefix ``custom op 'name' `` unless ``prefix`` is false."""
        if prefix and self.custom_op is not None:
            message = f"custom op '{self.custom_op}' {message}"
        if at is None:
            at = self.start if self.kind != "eof" else max(self.start - 1, 0)
        position = self.context.source.position(at)
        raise ParseError(Diagnostic("error", position, message, notes or []))

    def error_after_previous(self, message: str) -> NoReturn:
        """An error about a missing token, placed right after the last one that was there.

        A text that ends right there has no place after it: then the error stands on its last character.
        """
        offset = self.previous_end
        if self.kind == "eof" and offset == len(self.source) and offset:
            offset = len(self.source[: offset - 1].rstrip(" \t\r\n")) or offset - 1
        self.error(message, at=offset, prefix=False)

    def note(self, message: str, offset: int) -> Diagnostic:
        """A note to hand to ``error``."""
        return Diagnostic("note", self.context.source.position(offset), message)

    def append_errors(self, error: ParseError, *messages: str) -> NoReturn:
        """Raises ``error`` again with further errors at the current token behind it."""
        position = self.context.source.position(self.start)
        prefix = f"custom op '{self.custom_op}' " if self.custom_op is not None else ""
        raise ParseError(*error.diagnostics, *(Diagnostic("error", position, prefix + m) for m in messages))

    # --- tokens ---------------------------------------------------------------------------------------------------

    def at(self, text: str) -> bool:
        """Whether the current token is the punctuation or keyword ``text``."""
        return self.text == text and self.kind in ("punct", "bare")

    def accept(self, punctuation: str) -> bool:
        """Consumes the punctuation if it comes next."""
        if self.text == punctuation and self.kind == "punct":
            self.advance()
            return True
        return False

    def expect(self, punctuation: str, message: str | None = None) -> None:
        """Consumes the punctuation or fails with ``expected '…'`` after the previous token."""
        if self.text == punctuation and self.kind == "punct":
            self.advance()
        else:
            self.error_after_previous(message or f"expected '{punctuation}'")

    def accept_keyword(self, word: str) -> bool:
        """Consumes the keyword if it comes next."""
        if self.text == word and self.kind == "bare":
            self.advance()
            return True
        return False

    def expect_keyword(self, word: str) -> None:
        """Consumes the keyword or fails at the current token."""
        if not self.accept_keyword(word):
            self.error(f"expected '{word}'")

    def keyword(self, message: str = "expected valid keyword") -> str:
        """Any bare identifier."""
        if self.kind != "bare":
            self.error(message)
        return self.advance()

    def string(self) -> str:
        """The value of a string literal."""
        if self.kind != "string":
            self.error("expected string")
        return unescape(self.advance())

    def resource_key(self) -> str:
        """The key of a resource: an identifier or a string."""
        if self.kind not in ("bare", "string"):
            self.error("expected identifier key for 'resource' entry", prefix=False)
        return self.string() if self.kind == "string" else self.advance()

    def symbol(self) -> str:
        """The name behind ``@``."""
        if self.kind != "symbol":
            self.error("expected symbol")
        text = self.advance()[1:]
        return unescape(text) if text[0] == '"' else text

    def symbol_name(self) -> str:
        """``@name`` as a definition's name."""
        if self.kind != "symbol":
            self.error("expected valid '@'-identifier for symbol name")
        return self.symbol()

    def integer(self, message: str = "expected integer value") -> int:
        """An integer with optional minus, decimal or hexadecimal, that fits 64 bits."""
        value = self.optional_integer()
        if value is None:
            self.error(message)
        return value

    def optional_integer(self) -> int | None:
        """An integer, if one comes next."""
        offset = self.start
        negative = self.accept("-")
        if self.kind != "int":
            if negative:
                self.error("expected integer value")
            return None
        value = self.integer_value(self.advance(), negative)
        if not -(2**63) <= value < 2**63:
            self.error("integer value too large", at=offset)
        return value

    def integer_value(self, text: str, negative: bool = False) -> int:
        """The value of an integer token, for which 2**(2**24) stands if it has so many digits that Python would not
        print it: no type holds that."""
        if len(text) > _MOST_DIGITS:
            value = _beyond_every_type()
        else:
            value = int(text, 16) if text[:2] == "0x" else int(text)
        return -value if negative else value

    def comma_list(self, opening: str, closing: str, element: Callable[[], T], where: str = "") -> list[T]:
        """``opening element, element, … closing``, possibly empty; ``where`` ends the messages about the brackets."""
        self.expect(opening, f"expected '{opening}'{where}")
        found: list[T] = []
        if self.accept(closing):
            return found
        found.append(element())
        while self.accept(","):
            found.append(element())
        self.expect(closing, f"expected '{closing}'{where}")
        return found

    def integer_list(self) -> list[int]:
        """``[i, i, …]``."""
        return self.comma_list("[", "]", self.integer)

    def raw_body(self) -> str:
        """The text from the current opening bracket to the one that closes it, brackets included; consumes it."""
        start = last_string = self.start
        stack: list[str] = []
        place = start
        brackets = re.compile(_BRACKETS)
        while True:
            match = brackets.search(self.source, place)
            found = match[0] if match is not None else ""
            if found == '"' and match is not None:
                self.move_to(match.start())
            elif found[:1] == '"' and match is not None:
                last_string = match.start()
            elif found in _PAIRS and match is not None:
                stack.append(found)
                if len(stack) > BODY_NESTING_LIMIT:
                    message = f"brackets nest deeper than {BODY_NESTING_LIMIT} levels, the limit of this parser"
                    self.error(message, at=match.start(), prefix=False)
            elif found != "->":
                opening = stack.pop()
                if found != _PAIRS[opening]:
                    # MLIR places this at the last token that it has lexed.
                    self.error(f"unbalanced '{opening}' character in pretty dialect name", at=last_string, prefix=False)
                if not stack:
                    break
            assert match is not None
            place = match.end()
        assert match is not None
        self.move_to(match.end())
        return self.source[start : match.end()]

    def _enter(self, levels: int = 1) -> None:
        self._depth += levels
        if self._depth > self._deepest:
            self._deepest = self._depth
            if self._depth > NESTING_LIMIT:
                self.error(f"nesting deeper than {NESTING_LIMIT} levels, the limit of this parser", prefix=False)
