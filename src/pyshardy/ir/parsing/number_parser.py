"""Parses numbers with a type: which literals a type takes, and which value or bit pattern they represent."""

from __future__ import annotations

import re

from pyshardy.ir.attributes import FloatAttr, IntegerAttr
from pyshardy.ir.floats import float_bits
from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.token_parser import TokenParser
from pyshardy.ir.types import FloatType, IndexType, IntegerType, Type

_RUN = re.compile(repeated(r"[ \t\r\n]*+-?[0-9]{1,18}+[ \t\r\n]*+,", "+"))


class NumberParser(TokenParser):
    """Turns tokens into numbers of a type."""

    def integer_run(self) -> list[int]:
        """Consumes decimal integers with a comma behind each, as many as follow from the current token on. They are
        matched at once, which is much faster than taking tokens; a last number without comma is left."""
        match = _RUN.match(self.source, self.start)
        if match is None:
            return []
        self.move_to(match.end())
        return list(map(int, match[0][:-1].split(",")))

    def number(self, kind: str, text: str, negative: bool, type: Type, offset: int) -> IntegerAttr | FloatAttr:
        """The literal ``text`` (token kind ``int`` or ``float``) as an attribute of ``type``."""
        if isinstance(type, FloatType):
            return FloatAttr(self.float_bits(kind, text, negative, type, offset), type)
        if kind == "float":
            self.error("floating point value not valid for specified type", prefix=False)
        if not isinstance(type, IntegerType | IndexType):
            self.error("integer literal not valid for specified type", at=offset, prefix=False)
        return IntegerAttr(self.fit_integer(self.integer_value(text, negative), type, offset), type)

    def fit_integer(
        self, value: int, type: Type, offset: int, message: str = "integer constant out of range for attribute"
    ) -> int:
        """``value`` as the type holds it: signless types take the unsigned range too and wrap to signed."""
        width = type.width if isinstance(type, IntegerType) else 64
        signedness = type.signedness if isinstance(type, IntegerType) else "s"
        low = 0 if signedness == "u" else -(1 << width >> 1)
        high = (1 << width >> (signedness == "s")) - 1
        if signedness == "u" and value < 0:
            self.error("negative integer literal not valid for unsigned integer type", at=offset, prefix=False)
        if not low <= value <= high:
            self.error(message, at=offset, prefix=False)
        if width == 1 and not signedness:
            return value & 1
        if not signedness and width and value >= 1 << (width - 1):
            value -= 1 << width
        return value

    def float_bits(self, kind: str, text: str, negative: bool, type: FloatType, offset: int) -> int:
        """The bit pattern of a float literal: decimal with a point, or the pattern itself in hexadecimal."""
        if kind == "int":
            if text[:2] != "0x":
                note = self.note("add a trailing dot to make the literal a float", offset)
                message = "unexpected decimal integer literal for a floating point value"
                self.error(message, at=offset, prefix=False, notes=[note])
            if negative:
                message = "hexadecimal float literal should not have a leading minus"
                self.error(message, at=offset, prefix=False)
            bits = int(text, 16)
            if bits >> type.width:
                self.error("hexadecimal float constant out of range for type", at=offset, prefix=False)
            return bits
        return float_bits(("-" if negative else "") + text, type.name)
