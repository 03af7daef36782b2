"""Enumerations of the dialects: their cases, and the reader of a case, with MLIR's messages.

Cases are ``ir.attributes.EnumAttr``. Pretty forms (``dialects.assembly``) and readers of dialects' attributes use this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyshardy.ir.attributes import EnumAttr
from pyshardy.ir.parsing.token_parser import ParseError

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser


class Enumeration(NamedTuple):
    """``#dialect<mnemonic CASE>``; ``name`` is what messages call it, ``dotted`` means ``#dialect.mnemonic<CASE>``."""

    dialect: str
    mnemonic: str
    name: str
    cases: tuple[str, ...]
    dotted: bool = False

    def of(self, case: str) -> EnumAttr:
        """The attribute for ``case``.

        Raises:
            ValueError: there is no such case.
        """
        if case not in self.cases:
            raise ValueError(f"{self.mnemonic} has no case {case!r}")
        return EnumAttr(self.dialect, self.mnemonic, case, self.dotted)

    def read(self, parser: AttributeParser) -> EnumAttr:
        """One case, as a keyword, as a string, or as the whole attribute.

        Raises:
            ParseError: something else stands there.
        """
        if parser.kind != "hash":
            return self.read_case(parser)
        offset = parser.start
        found = parser.attribute()
        if not isinstance(found, EnumAttr) or (found.dialect, found.mnemonic) != (self.dialect, self.mnemonic):
            parser.error("invalid kind of attribute specified", at=offset)
        return found

    def read_case(self, parser: AttributeParser) -> EnumAttr:
        """One case, as a keyword or as a string.

        Raises:
            ParseError: something else stands there.
        """
        try:
            return self._read_word(parser)
        except ParseError as error:
            prefix = {"stablehlo": "StableHLO", "chlo": "CHLO"}[self.dialect]
            parser.append_errors(
                error,
                f"failed to parse {prefix}_{self.name}Attr parameter 'value' which is to be a "
                f"`::mlir::{self.dialect}::{self.name}`",
            )

    def _read_word(self, parser: AttributeParser) -> EnumAttr:
        offset = parser.start
        if parser.kind == "bare":
            case = parser.advance()
        elif parser.kind == "string":
            case = parser.string()
        else:
            parser.error("expected valid keyword or string")
        if case not in self.cases:
            choices = ", ".join(self.cases)
            parser.error(f"expected ::mlir::{self.dialect}::{self.name} to be one of: {choices}", at=offset)
        return EnumAttr(self.dialect, self.mnemonic, case, self.dotted)
