"""The tokens of the text of a GSPMD sharding, taken one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, NoReturn, TypeVar

Element = TypeVar("Element")

_TOKEN = re.compile(r"""\s+|/\*.*?\*/|(<=|[{}\[\](),=:?]|'[^']*'|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d+)""")


class BadSharding(ValueError):
    """The text is no sharding, or one without counterpart; the message says why, without quoting the text."""


class Tokens:
    """The tokens of one text."""

    MOST_DEVICES: ClassVar[int] = 2**20

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise BadSharding(f"'{text[place]}' has no meaning in a sharding")
            if match[1] is not None:
                self._tokens.append(match[1])
            place = match.end()
        self._place = 0

    @property
    def next(self) -> str | None:
        """The token that comes next; None at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    @property
    def behind_next(self) -> str | None:
        """The token behind the next one."""
        return self._tokens[self._place + 1] if self._place + 1 < len(self._tokens) else None

    def skip_braces(self) -> None:
        """Skips the text in the braces that begin with the next token."""
        depth = 0
        while True:
            token = self._take()
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return

    def separated(self, read: Callable[[], Element], end: str) -> list[Element]:
        """The elements that ``read`` parses between commas, up to ``end``."""
        found: list[Element] = []
        while not self.takes(end):
            if found:
                self.expect(",")
            found.append(read())
        return found

    def number(self) -> int:
        """A number."""
        token = self._take()
        if not token.isdigit():
            raise BadSharding(f"a number is expected in place of '{token}'")
        return int(token)

    def name(self) -> str:
        """The name of an axis, in quotes or a bare word."""
        token = self.next or ""
        if token[:1] in ("'", '"'):
            return self._take()[1:-1]
        return self.word()

    def word(self) -> str:
        """A bare word."""
        token = self._take()
        if not token[0].isalpha():
            raise BadSharding(f"a word is expected in place of '{token}'")
        return token

    def _take(self) -> str:
        token = self.next
        if token is None:
            raise BadSharding("it ends too early")
        self._place += 1
        return token

    def takes(self, token: str) -> bool:
        """Whether ``token`` comes next; it is taken then."""
        taken = self.next == token
        self._place += taken
        return taken

    def fail(self, why: str) -> NoReturn:
        """Refuses the text.

        Raises:
            BadSharding: always.
        """
        raise BadSharding(why)

    def expect(self, token: str) -> None:
        """Takes ``token``, which must come next."""
        found = self._take()
        if found != token:
            raise BadSharding(f"'{token}' is expected in place of '{found}'")
