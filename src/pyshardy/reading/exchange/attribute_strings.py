"""Attributes of ``sdy`` in strings: ``"#sdy.sharding<@mesh, [{\\"b\\"}]>"``.

Writers escape the quotes inside a string none, one or several times, as ``\\"`` or as ``\\22``: the first character, a
quote or a backslash, shows which of them is used.
"""

from __future__ import annotations

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.ir.parsing.lexer import LexError, unescape
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.source_text import SourceText

_MOST_ESCAPES = 4


class BadString(ValueError):
    """The string holds no attribute; the message says why, without quoting the string."""


def read_attribute(text: str) -> Attribute:
    """The attribute that ``text`` holds, its quotes escaped or not.

    Raises:
        BadString: it holds none, or something follows it.
    """
    try:
        parser = AttributeParser(Context(SourceText(_unescaped(text))))
        found = parser.attribute()
    except ParseError as error:
        raise BadString(error.diagnostics[0].message) from None
    except LexError as error:
        raise BadString(error.message) from None
    if parser.kind != "eof":
        raise BadString(f"'{parser.text}' stands behind the attribute")
    return found


def _unescaped(text: str) -> str:
    for _ in range(_MOST_ESCAPES):
        backslash, quote = text.find("\\"), text.find('"')
        if backslash < 0 or 0 <= quote < backslash:
            return text
        text = unescape(f'"{text}"')
    return text
