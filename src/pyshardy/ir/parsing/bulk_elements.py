"""Reads plain numbers of ``dense<…>`` in bulk: a payload that is valid as a whole is read with one regular expression.

``element_literals`` tries this file first; every other form, and everything that is wrong, is left to
``element_lists``, which knows exact places.
"""

from __future__ import annotations

import re
from array import array

from pyshardy.ir.elements import DenseElementsAttr, little_endian, number_type, pack
from pyshardy.ir.floats import float_bits
from pyshardy.ir.parsing.possessive import repeated
from pyshardy.ir.parsing.type_parser import TypeParser
from pyshardy.ir.types import ComplexType, FloatType, IndexType, IntegerType, TensorType, Type

# Compiled when they are used first.
_INTEGER = r"-?\d+(?!\d)"
_FLOAT = r"-?\d+\.\d*(?:[eE][+-]?\d+)?"
_BOOLEAN = r"true|false"
_BITS = r"0x[0-9A-Fa-f]{1,16}"
_BULK_TYPE = re.compile(r">[ \t\r\n]*:[ \t\r\n]*(tensor<" + repeated(r"\d++x") + r"(?:complex<\w+>|\w+)>)", re.ASCII)
_FLOAT_ARRAYS = {"f32": "f", "f64": "d"}


def bulk_dense(parser: TypeParser) -> DenseElementsAttr | None:
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
    found = plain_dense(type, parser.source[start:stop]) if isinstance(type, TensorType) else None
    if found is None:
        parser.move_to(start - 1)
    return found


def plain_dense(type: TensorType, text: str) -> DenseElementsAttr | None:
    """The attribute ``dense<text> : type``, if the text is a number or nested lists of numbers, all of them valid and
    in the shape of the type; else None."""
    data = _bulk_data(type, text) if type.has_static_shape else None
    return DenseElementsAttr(type, data) if data is not None else None


def _bulk_data(type: TensorType, text: str) -> bytes | None:
    element = number_type(type.element)
    pattern = _bulk_pattern(element)
    if pattern is None:
        return None
    if element is type.element and pattern.fullmatch(text) is not None:
        return _numbers(element, [text])
    if element is type.element and isinstance(element, FloatType) and re.fullmatch(_BITS, text):
        # Infinities and NaN are written so, of which reductions begin with many.
        bits = int(text, 16)
        return pack(element, [bits]) if not bits >> element.width else None
    skeleton = "".join(pattern.sub("#", text).split())
    unit = "(#,#)" if isinstance(type.element, ComplexType) else "#"
    if skeleton != unit and skeleton != _skeleton(type.shape, unit, len(skeleton)):
        return None
    numbers = pattern.findall(text)
    if len(numbers) != skeleton.count("#"):
        return None
    return _numbers(element, numbers)


def _numbers(element: Type, numbers: list[str]) -> bytes | None:
    if isinstance(element, FloatType):
        return _bulk_floats(element, numbers)
    return _bulk_integers(element, numbers)


def _bulk_pattern(element: Type) -> re.Pattern[str] | None:
    if isinstance(element, FloatType):
        return re.compile(_FLOAT, re.ASCII)
    if isinstance(element, IntegerType):
        return re.compile(_BOOLEAN if element.width == 1 else _INTEGER, re.ASCII)
    return re.compile(_INTEGER, re.ASCII) if isinstance(element, IndexType) else None


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
